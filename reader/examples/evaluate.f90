! SPDX-License-Identifier: MIT
! evaluate FILE: prints a line of k1 at fixed x, eps, q, and the cross section integrated over the
! slice, from a few sampled events and by quadrature.
!   gfortran $(cgctab-config --fortran) evaluate.f90 $(cgctab-config --libs) -o evaluate
program evaluate
  use, intrinsic :: iso_c_binding, only: c_double
  use cgctab
  implicit none
  integer, parameter :: n = 5, events = 20000
  type(cgctab_table) :: table
  type(cgctab_slice) :: slice
  type(cgctab_sampler) :: sampler
  type(cgctab_event) :: one, all(events)
  real(c_double) :: q(n), k1(n), theta(n), values(2, n), u(5, events), total, first, square
  real(c_double), parameter :: x = 0.005_c_double, eps = 1, factor(2) = [1, 1]
  integer :: i, status
  character(512) :: path, message

  call get_command_argument(1, path)
  call cgctab_open(table, path, status, message)
  if (status == 0) call cgctab_slice_open(slice, table, x, eps, status, message)
  if (status == 0) call cgctab_sampler_open(sampler, slice, factor, status, message)
  if (status /= 0) then
    write (*, '(2a)') 'evaluate: ', trim(message)
    stop 1
  end if
  write (*, '(2a)') 'dipole: ', cgctab_meta(table, 'dipole')

  q = 1.5_c_double
  theta = 1
  k1 = [(1 + 0.4_c_double*i, i=1, n)]
  call cgctab_slice_eval(slice, q, k1, theta, values, status)
  do i = 1, n
    write (*, '(f6.2, 2es16.8)') k1(i), values(:, i)
  end do

  ! The mean weight of events, times the total, estimates the total; its spread gives the error.
  total = cgctab_total(sampler)
  call random_number(u)
  call cgctab_sample_many(sampler, u, all, status)
  first = sum(all%weight)/events
  square = sum(all%weight**2)/events
  write (*, '(a, es13.5, a, es9.1, a, es13.5)') 'total ', total*first, ' +- ', &
    total*sqrt((square - first**2)/(events - 1)), ' by events, by quadrature ', total

  call cgctab_sample(sampler, u(:, 1), one, status)
  write (*, '(a, 4f9.4)') 'first event: q, k1, theta, weight', one

  call cgctab_sampler_close(sampler)
  call cgctab_slice_close(slice)
  call cgctab_close(table)
end program
