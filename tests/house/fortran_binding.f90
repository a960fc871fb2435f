! SPDX-License-Identifier: GPL-3.0-or-later
! Tests of the Fortran binding: sizes and layouts of arrays, copies of variables, what is closed.  Run
! it in a folder with the tables t.cgct, of one member, h.cgct, of three, and pa.cgct, of forward dijets.
! It names the check that fails; else it prints what the last two give at a point of each.
program fortran_binding
  use, intrinsic :: iso_c_binding, only: c_double
  use cgctab
  implicit none
  integer, parameter :: n = 4, e_usage = 1
  real(c_double), parameter :: old = -7
  integer :: i, status

  call check_arrays()
  call check_samples()
  call check_copies()
  call check_kinematics()
  call check_members()
  call check_forward()

contains

  subroutine check(name, holds)
    character(*), intent(in) :: name
    logical, intent(in) :: holds
    if (holds) return
    write (*, '(3a, i0)') 'fortran_binding: ', name, ', status ', status
    stop 1
  end subroutine

  elemental logical function near(a, b)
    real(c_double), intent(in) :: a, b
    near = abs(a - b) <= 1e-12_c_double*abs(b)
  end function

  ! E_USAGE, and nothing is left of what was in the array, which is ready for the next call.
  subroutine refused(name, values)
    character(*), intent(in) :: name
    real(c_double), intent(inout) :: values(:, :)
    call check(name, status == e_usage .and. all(values /= values))
    values = old
  end subroutine

  subroutine check_arrays()
    type(cgctab_table) :: t, u
    type(cgctab_slice) :: s
    real(c_double) :: x(n), eps(n), q(n), k(n), a(n), want(2, n), v(2, n), w(2, 2*n), tall(3, 2*n)
    character(80) :: message
    call cgctab_open(t, 't.cgct', status)
    call cgctab_load(t, status)
    call check('load', status == 0)
    call cgctab_open_member(u, t, '0', status)
    call check('member', status == 0)
    call cgctab_open_member(u, t, '99', status)
    call check('no member', status /= 0)
    call cgctab_slice_open(s, t, 0.01_c_double, 1._c_double, status)
    call check('open', status == 0)
    x = 0.01_c_double
    eps = 1
    q = [(1 + 0.5_c_double*i, i=1, n)]
    k = q + 1
    a = 1
    call cgctab_eval(t, x, eps, q, k, a, want, status)
    call check('values', status == 0 .and. all(want > 0))

    v = old
    call cgctab_eval(t, x(:2), eps, q, k, a, v, status)
    call refused('short x', v)
    call cgctab_eval(t, x, eps(:2), q, k, a, v, status)
    call refused('short eps', v)
    call cgctab_eval(t, x, eps, q(:2), k, a, v, status)
    call refused('short q', v)
    call cgctab_eval(t, x, eps, q, k(:2), a, v, status)
    call refused('short k1', v)
    call cgctab_eval(t, x, eps, q, k, a(:2), v, status)
    call refused('short theta', v)
    call cgctab_eval(t, x, eps, q, k, a, v(:, :2), status)
    call refused('short values', v(:, :2))
    call cgctab_eval(t, x, eps, q, k, a, v(:1, :), status)
    call refused('values without L', v(:1, :))
    call check('columns behind', all(v(2, 3:) == old)) ! those that were not passed are not touched

    call cgctab_slice_eval(s, q(:2), k, a, v, status)
    call refused('slice, short q', v)
    call cgctab_slice_eval(s, q, k(:2), a, v, status)
    call refused('slice, short k1', v)
    call cgctab_slice_eval(s, q, k, a(:2), v, status)
    call refused('slice, short theta', v)
    call cgctab_slice_eval(s, q, k, a, v(:, :3), status)
    call refused('slice, short values', v(:, :3))

    w = old ! more columns than points
    call cgctab_eval(t, x, eps, q, k, a, w, status)
    call check('more columns', status == 0 .and. all(w(:, :n) == want) .and. &
               all(w(:, n + 1:) /= w(:, n + 1:)))
    tall = old ! every second column from the right, in two of three rows
    call cgctab_eval(t, x(n:1:-1), eps, q(n:1:-1), k(n:1:-1), a, tall(1:3:2, 2*n:1:-2), status)
    call check('strides', status == 0 .and. all(tall(1:3:2, 2:2*n:2) == want) .and. &
               all(tall(2, :) == old) .and. all(tall(:, 1:2*n:2) == old))
    call cgctab_slice_eval(s, q, k, a, tall(1:3:2, 1:2*n:2), status)
    call check('strides of a slice', status == 0 .and. &
               all(abs(tall(1:3:2, 1:2*n:2) - want) < 1e-9*want))
    call cgctab_eval(t, x(:0), eps(:0), q(:0), k(:0), a(:0), v(:, :0), status)
    call check('no points', status == 0)
    call cgctab_slice_eval(s, q(:0), k(:0), a(:0), v(:, :0), status)
    call check('no points of a slice', status == 0)
    call cgctab_slice_close(s)
    call cgctab_check(t, x(1), eps(1), q(1), k(1), a(1), status, message)
    call check('inside', status == 0 .and. message == '')
    call cgctab_check(t, 1e-30_c_double, eps(1), q(1), k(1), a(1), status, message)
    call check('outside', status /= 0 .and. index(message, 'x = 1e-30') > 0)
    call cgctab_set_policy(t, 1, status)
    call cgctab_eval(t, [1e-30_c_double], eps(:1), q(:1), k(:1), a(:1), v(:, :1), status)
    call check('at the edge', status == 0 .and. all(v(:, 1) > 0))
    call cgctab_set_negative(t, 1, status)
    call check('negative', status == 0)
    call cgctab_set_negative(t, 7, status)
    call check('no choice', status == e_usage)
    call cgctab_close(t)
  end subroutine

  subroutine check_samples()
    type(cgctab_table) :: t
    type(cgctab_slice) :: s
    type(cgctab_sampler) :: r
    type(cgctab_event) :: e(n), one
    real(c_double) :: u(6, n) = 0.5_c_double
    character(80) :: message
    call cgctab_open(t, 't.cgct', status)
    call cgctab_slice_open(s, t, 0.01_c_double, 1._c_double, status)
    call cgctab_sampler_open(r, s, [1._c_double], status, message)
    call check('one factor', status == e_usage .and. index(message, 'two factors') > 0)
    call check('no sampler', .not. cgctab_total(r) > 0)
    call cgctab_sampler_open(r, s, [1._c_double, 1._c_double], status, message)
    call check('sampler', status == 0 .and. message == '' .and. cgctab_total(r) > 0 &
               .and. cgctab_left_out(r) >= 0)
    call cgctab_sample_many(r, u(:5, :), e, status)
    call check('events', status == 0 .and. all(e%weight > 0))
    call cgctab_sample(r, u(:5, 1), one, status)
    call check('an event', status == 0 .and. abs(one%q - e(1)%q) < 1e-11_c_double)
    call cgctab_sample(r, u(:4, 1), one, status)
    call check('four numbers', status == e_usage .and. one%q /= one%q)
    call cgctab_sample_many(r, u, e, status)
    call check('six numbers', status == e_usage .and. all(e%q /= e%q))
    e%q = old
    call cgctab_sample_many(r, u(:5, :), e(:2), status)
    call check('room for two events', status == e_usage .and. all(e(:2)%q /= e(:2)%q) .and. &
               all(e(3:)%q == old))
    call cgctab_sample_many(r, u(2:, ::2), e(::2), status)
    call check('strides of events', status == 0 .and. e(1)%q == e(3)%q .and. e(4)%q == old)
    call cgctab_sampler_close(r)
    call cgctab_slice_close(s)
    call cgctab_close(t)
  end subroutine

  ! Copies of a variable are names of one object, which is closed once; what was made from it ends with
  ! it.
  subroutine check_copies()
    type(cgctab_table) :: t, copy, never, list(2)
    type(cgctab_slice) :: s, s_copy
    type(cgctab_sampler) :: r
    real(c_double) :: want(2, 1), v(2, 1)
    call cgctab_open(t, 't.cgct', status)
    copy = t
    list = t
    call cgctab_slice_open(s, copy, 0.01_c_double, 1._c_double, status)
    call cgctab_sampler_open(r, s, [1._c_double, 1._c_double], status)
    s_copy = s
    call evaluate(t, want)
    call check('value', status == 0 .and. all(want > 0))
    call evaluate(list(2), v)
    call check('value of a copy', status == 0 .and. all(v == want))
    call cgctab_open(t, 't.cgct', status) ! another object
    call cgctab_close(copy)
    call cgctab_close(copy)
    call cgctab_close(list(1))
    call evaluate(t, v)
    call check('the other object', status == 0 .and. all(v == want))
    v = old
    call evaluate(list(2), v)
    call refused('copy of a closed table', v)
    call cgctab_slice_eval(s_copy, [1.5_c_double], [2._c_double], [1._c_double], v, status)
    call refused('slice of a closed table', v)
    call check('sampler of a closed table', .not. cgctab_total(r) > 0)
    call check('members of a closed table', cgctab_members(copy) == 0)
    call cgctab_slice_open(s_copy, copy, 0.01_c_double, 1._c_double, status)
    call check('slice from a closed table', status == e_usage)
    call cgctab_slice_close(s)
    call cgctab_slice_close(s)
    call cgctab_slice_close(s_copy)
    call cgctab_sampler_close(r)
    call cgctab_sampler_close(r)
    call evaluate(never, v)
    call refused('never opened', v)
    call cgctab_close(never)
    call cgctab_close(t)
  end subroutine

  subroutine evaluate(t, v)
    type(cgctab_table), intent(in) :: t
    real(c_double), intent(out) :: v(2, 1)
    call cgctab_eval(t, [0.01_c_double], [1._c_double], [1.5_c_double], [2._c_double], &
                     [1._c_double], v, status)
  end subroutine

  subroutine check_kinematics()
    type(cgctab_dis) :: dis
    type(cgctab_dijet) :: pair
    type(cgctab_variables) :: v
    real(c_double) :: eps, f(2, 2), flux(2), p(4, 5)
    dis = cgctab_dis(S_perp=1, z=0.5_c_double, Q2=0, mass=1.5_c_double)
    call cgctab_dis_factors(dis, eps, f, status)
    call check('factors', status == 0 .and. eps == 1.5_c_double .and. f(2, 1) == 2*f(1, 1) .and. &
               all(f(:, 2) == 0) .and. f(1, 1) > 0)
    dis%mass = 0
    call cgctab_dis_factors(dis, eps, f, status)
    call check('no mass', status /= 0 .and. eps /= eps .and. all(f /= f))
    call cgctab_dis_fluxes(1/137.036_c_double, 0.5_c_double, 4._c_double, 0._c_double, flux, status)
    call check('fluxes', status == 0 .and. abs(flux(1) - 1.25_c_double*flux(2)) < 1e-15_c_double)
    pair = cgctab_dijet(lepton=18, target=275, lepton_mass=0, Q2=0, y=0.5_c_double, &
                        z=0.5_c_double, mass=1.5_c_double, k1=[3, 0], k2=[-1, 0])
    call cgctab_dijet_variables(pair, v, status)
    call check('variables', status == 0 .and. v%q == 2 .and. v%K == 2 .and. v%eps == 1.5_c_double)
    call cgctab_dijet_momenta(pair, p, status)
    call check('momenta', status == 0 .and. p(3, cgctab_lepton) == -9 .and. &
               p(1, cgctab_quark) == 3 .and. p(1, cgctab_gluon) == 2)
    pair%y = 2
    call cgctab_dijet_momenta(pair, p, status)
    call check('y of 2', status /= 0 .and. all(p /= p))
  end subroutine

  subroutine check_members()
    type(cgctab_table) :: t
    real(c_double), parameter :: p(5) = [0.001_c_double, 0.5_c_double, 3._c_double, 4._c_double, &
                                         1._c_double]
    real(c_double) :: v(2, 9), w(2, 5), one, bound, each(3), eps, f(2, 2), sigma(2)
    type(cgctab_dis) :: dis
    call cgctab_open(t, 'h.cgct', status)
    call check('three members', status == 0 .and. cgctab_members(t) == 3)
    w = old
    call cgctab_eval_members(t, p(1), p(2), p(3), p(4), p(5), w(:, :2), status)
    call refused('two columns', w(:, :2))
    call cgctab_reference_members(t, p(1), p(2), p(3), p(4), p(5), w(:, :2), status)
    call refused('two columns of the limit', w(:, :2))
    call cgctab_error(t, p(1), p(2), p(3), p(4), p(5), w(1, :), status)
    call refused('five errors', w(1:1, :))
    call cgctab_reference(t, p(1), p(2), p(3), p(4), p(5), w(:1, 1), status)
    call refused('one polarisation', w(:1, 1:1))
    call cgctab_uncertainty(t, p(1), p(2), p(3), p(4), p(5), w(:, 1), w(:1, 2), w(:, 3), status)
    call check('no room for low', status == e_usage .and. all(w(:, 1:3:2) /= w(:, 1:3:2)))

    call cgctab_eval(t, p(1:1), p(2:2), p(3:3), p(4:4), p(5:5), v(:, 1:1), status)
    call check('value', status == 0)
    call cgctab_error(t, p(1), p(2), p(3), p(4), p(5), v(:, 2), status)
    call check('error', status == 0)
    call cgctab_reference(t, p(1), p(2), p(3), p(4), p(5), v(:, 3), status)
    call check('limit', status == 0)
    call cgctab_eval_members(t, p(1), p(2), p(3), p(4), p(5), w, status)
    call check('members', status == 0 .and. all(w(:, 4:) /= w(:, 4:)))
    v(:, 4:6) = w(:, :3)
    call cgctab_reference_members(t, p(1), p(2), p(3), p(4), p(5), w, status)
    call check('limits', status == 0 .and. all(w(:, 1) == v(:, 3)) .and. all(w(:, 4:) /= w(:, 4:)))
    call cgctab_eval_one(t, 2, p, one, bound, status)
    call check('one', status == 0 .and. near(one, v(2, 1)) .and. near(bound, v(2, 2)))
    call cgctab_eval_one_members(t, 1, p, each, bound, status)
    call check('one of all', status == 0 .and. all(near(each, v(1, 4:6))) .and. near(bound, v(1, 2)))
    call cgctab_eval_one_members(t, 1, p, each(:2), bound, status)
    call check('two of three', status == e_usage .and. all(each(:2) /= each(:2)))
    dis = cgctab_dis(z=0.5_c_double, Q2=0.36_c_double, mass=0.4_c_double)
    call cgctab_dsigma_members(t, dis, p(1), p(3), p(4), p(5), w, status)
    call cgctab_dsigma(t, dis, p(1), p(3), p(4), p(5), sigma, status)
    dis%S_perp = 70.5_c_double ! of the first member
    call cgctab_dis_factors(dis, eps, f, status)
    call check('cross section', status == 0 .and. all(near(w(:, 1), sigma)) .and. &
               all(near(matmul(v(:, 1), f), sigma)))
    call cgctab_uncertainty(t, p(1), p(2), p(3), p(4), p(5), v(:, 7), v(:, 8), v(:, 9), status)
    call check('uncertainty', status == 0)
    call cgctab_close(t)
    write (*, '(2es18.9)') v
  end subroutine

  subroutine check_forward()
    type(cgctab_table) :: t
    type(cgctab_pa_slice) :: s
    real(c_double), parameter :: p(6) = [0.002_c_double, 0.4_c_double, 2._c_double, &
                                         1.5_c_double, 2.5_c_double, 1._c_double]
    real(c_double) :: v(2), again(2), two(5, 2)
    character(80) :: message
    integer :: c
    call cgctab_open(t, 'pa.cgct', status)
    call cgctab_pa_slice_open(s, t, p(1), status)
    call check('slice of forward dijets', status == 0)
    two = spread(p(2:), 2, 2)
    two(1, 2) = 1.5_c_double
    do c = cgctab_qg, cgctab_qqb
      call cgctab_pa_eval(t, c, p, v(1), v(2), status)
      call check('forward dijets', status == 0)
      call cgctab_pa_slice_eval(s, c, two, again, status)
      call check('share above 1', status /= 0 .and. again(2) /= again(2))
      write (*, '(2es18.9)') v, again(1), cgctab_pa_factor(c, p(2))
    end do
    call cgctab_pa_eval(t, cgctab_qg, [p(1), two(:, 2)], v(1), v(2), status, message)
    call check('message', v(1) /= v(1) .and. message == 'z = 1.5, want 0 < z < 1')
    call cgctab_pa_slice_eval(s, cgctab_qg, two(:4, :), again, status)
    call check('four numbers', status == e_usage .and. all(again /= again))
    call cgctab_close(t)
    call cgctab_pa_slice_eval(s, cgctab_qg, two, again, status)
    call check('closed', status == e_usage .and. all(again /= again))
    call cgctab_pa_slice_close(s)
  end subroutine
end program
