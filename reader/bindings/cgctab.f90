! SPDX-License-Identifier: MIT
! cgctab.f90: the reader for Fortran 2003.  Compile it with your program and link -lcgctab.
! Arrays are (2, n): T and L of each point.  status is 0 or as in cgctab.h; message tells why.
module cgctab
  use, intrinsic :: iso_c_binding
  implicit none
  private
  public :: cgctab_table, cgctab_slice, cgctab_sampler, cgctab_event
  public :: cgctab_open, cgctab_close, cgctab_set_policy, cgctab_eval, cgctab_meta, cgctab_check
  public :: cgctab_error, cgctab_reference, cgctab_uncertainty
  public :: cgctab_slice_open, cgctab_slice_close, cgctab_slice_eval
  public :: cgctab_sampler_open, cgctab_sampler_close, cgctab_sample, cgctab_sample_many, cgctab_total

  type :: cgctab_table
    private
    type(c_ptr) :: handle = c_null_ptr
  end type
  type :: cgctab_slice
    private
    type(c_ptr) :: handle = c_null_ptr
  end type
  type :: cgctab_sampler
    private
    type(c_ptr) :: handle = c_null_ptr
  end type
  type, bind(c) :: cgctab_event
    real(c_double) :: q, k1, theta, weight
  end type

  integer, parameter :: message_size = 512

  interface
    integer(c_int) function c_open(path, table, err) bind(c, name='cgct_open')
      import
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(out) :: table
      character(kind=c_char), intent(out) :: err(*)
    end function
    integer(c_int) function c_set_policy(table, policy) bind(c, name='cgct_set_policy')
      import
      type(c_ptr), value :: table
      integer(c_int), value :: policy
    end function
    integer(c_int) function c_error(table, x, eps, q, k1, theta, values) bind(c, name='cgct_eval_error')
      import
      type(c_ptr), value :: table
      real(c_double), value :: x, eps, q, k1, theta
      real(c_double), intent(out) :: values(2)
    end function
    integer(c_int) function c_reference(table, x, eps, q, k1, theta, values) &
        bind(c, name='cgct_reference')
      import
      type(c_ptr), value :: table
      real(c_double), value :: x, eps, q, k1, theta
      real(c_double), intent(out) :: values(2)
    end function
    integer(c_int) function c_uncertainty(table, x, eps, q, k1, theta, central, low, high) &
        bind(c, name='cgct_uncertainty')
      import
      type(c_ptr), value :: table
      real(c_double), value :: x, eps, q, k1, theta
      real(c_double), intent(out) :: central(2), low(2), high(2)
    end function
    subroutine c_close(table) bind(c, name='cgct_close')
      import
      type(c_ptr), value :: table
    end subroutine
    type(c_ptr) function c_meta(table, key) bind(c, name='cgct_meta')
      import
      type(c_ptr), value :: table
      character(kind=c_char), intent(in) :: key(*)
    end function
    integer(c_int) function c_eval_many(table, n, x, eps, q, k1, theta, values, first) &
        bind(c, name='cgct_eval_many')
      import
      type(c_ptr), value :: table
      integer(c_size_t), value :: n
      real(c_double), intent(in) :: x(*), eps(*), q(*), k1(*), theta(*)
      real(c_double), intent(out) :: values(2, *)
      integer(c_size_t), intent(out) :: first
    end function
    integer(c_int) function c_check(table, x, eps, q, k1, theta, err) bind(c, name='cgct_check')
      import
      type(c_ptr), value :: table
      real(c_double), value :: x, eps, q, k1, theta
      character(kind=c_char), intent(out) :: err(*)
    end function
    integer(c_int) function c_slice_init(slice, table, x, eps, err) bind(c, name='cgct_slice_init')
      import
      type(c_ptr), intent(out) :: slice
      type(c_ptr), value :: table
      real(c_double), value :: x, eps
      character(kind=c_char), intent(out) :: err(*)
    end function
    integer(c_int) function c_slice_many(slice, n, q, k1, theta, values, first) &
        bind(c, name='cgct_slice_many')
      import
      type(c_ptr), value :: slice
      integer(c_size_t), value :: n
      real(c_double), intent(in) :: q(*), k1(*), theta(*)
      real(c_double), intent(out) :: values(2, *)
      integer(c_size_t), intent(out) :: first
    end function
    subroutine c_slice_free(slice) bind(c, name='cgct_slice_free')
      import
      type(c_ptr), value :: slice
    end subroutine
    integer(c_int) function c_sampler_init(sampler, slice, factor, err) &
        bind(c, name='cgct_sampler_init')
      import
      type(c_ptr), intent(out) :: sampler
      type(c_ptr), value :: slice
      real(c_double), intent(in) :: factor(2)
      character(kind=c_char), intent(out) :: err(*)
    end function
    integer(c_int) function c_sample(sampler, u, event) bind(c, name='cgct_sample')
      import
      type(c_ptr), value :: sampler
      real(c_double), intent(in) :: u(5)
      type(cgctab_event), intent(out) :: event
    end function
    integer(c_int) function c_sample_many(sampler, n, u, events, first) &
        bind(c, name='cgct_sample_many')
      import
      type(c_ptr), value :: sampler
      integer(c_size_t), value :: n
      real(c_double), intent(in) :: u(5, *)
      type(cgctab_event), intent(out) :: events(*)
      integer(c_size_t), intent(out) :: first
    end function
    real(c_double) function c_total(sampler) bind(c, name='cgct_sampler_total')
      import
      type(c_ptr), value :: sampler
    end function
    subroutine c_sampler_free(sampler) bind(c, name='cgct_sampler_free')
      import
      type(c_ptr), value :: sampler
    end subroutine
    integer(c_size_t) function c_strlen(s) bind(c, name='strlen')
      import
      type(c_ptr), value :: s
    end function
  end interface

contains

  pure function terminated(text) result(c)
    character(*), intent(in) :: text
    character(kind=c_char) :: c(len_trim(text) + 1)
    integer :: i
    do i = 1, len_trim(text)
      c(i) = text(i:i)
    end do
    c(len_trim(text) + 1) = c_null_char
  end function

  subroutine give(buffer, message)
    character(kind=c_char), intent(in) :: buffer(message_size)
    character(*), intent(out), optional :: message
    integer :: i
    if (.not. present(message)) return
    message = ''
    do i = 1, min(message_size, len(message))
      if (buffer(i) == c_null_char) exit
      message(i:i) = buffer(i)
    end do
  end subroutine

  subroutine cgctab_open(table, path, status, message)
    type(cgctab_table), intent(out) :: table
    character(*), intent(in) :: path
    integer, intent(out) :: status
    character(*), intent(out), optional :: message
    character(kind=c_char) :: buffer(message_size)
    buffer = c_null_char
    status = c_open(terminated(path), table%handle, buffer)
    call give(buffer, message)
  end subroutine

  ! freeze: points outside the table take the nearest end of each range; otherwise they fail.
  subroutine cgctab_set_policy(table, freeze)
    type(cgctab_table), intent(in) :: table
    logical, intent(in) :: freeze
    integer(c_int) :: status
    status = c_set_policy(table%handle, merge(1_c_int, 0_c_int, freeze))
  end subroutine

  ! A bound on |error of I|, T and L.
  subroutine cgctab_error(table, x, eps, q, k1, theta, values, status)
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x, eps, q, k1, theta
    real(c_double), intent(out) :: values(2)
    integer, intent(out) :: status
    status = c_error(table%handle, x, eps, q, k1, theta, values)
  end subroutine

  ! The correlation limit; NaN where it is not known.
  subroutine cgctab_reference(table, x, eps, q, k1, theta, values, status)
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x, eps, q, k1, theta
    real(c_double), intent(out) :: values(2)
    integer, intent(out) :: status
    status = c_reference(table%handle, x, eps, q, k1, theta, values)
  end subroutine

  ! What the members say: central value, low and high.
  subroutine cgctab_uncertainty(table, x, eps, q, k1, theta, central, low, high, status)
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x, eps, q, k1, theta
    real(c_double), intent(out) :: central(2), low(2), high(2)
    integer, intent(out) :: status
    status = c_uncertainty(table%handle, x, eps, q, k1, theta, central, low, high)
  end subroutine

  subroutine cgctab_close(table)
    type(cgctab_table), intent(inout) :: table
    call c_close(table%handle)
    table%handle = c_null_ptr
  end subroutine

  ! Empty where there is no such key.
  function cgctab_meta(table, key) result(text)
    type(cgctab_table), intent(in) :: table
    character(*), intent(in) :: key
    character(:), allocatable :: text
    character(kind=c_char), pointer :: c(:)
    type(c_ptr) :: p
    integer :: i, n
    p = c_meta(table%handle, terminated(key))
    text = ''
    if (.not. c_associated(p)) return
    n = int(c_strlen(p))
    call c_f_pointer(p, c, [n])
    deallocate (text)
    allocate (character(n) :: text)
    do i = 1, n
      text(i:i) = c(i)
    end do
  end function

  ! values(2, n); points that fail are NaN, status is that of the first.
  subroutine cgctab_eval(table, x, eps, q, k1, theta, values, status)
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x(:), eps(:), q(:), k1(:), theta(:)
    real(c_double), intent(out) :: values(2, size(x))
    integer, intent(out) :: status
    integer(c_size_t) :: first
    status = c_eval_many(table%handle, size(x, kind=c_size_t), x, eps, q, k1, theta, values, first)
  end subroutine

  subroutine cgctab_check(table, x, eps, q, k1, theta, status, message)
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x, eps, q, k1, theta
    integer, intent(out) :: status
    character(*), intent(out), optional :: message
    character(kind=c_char) :: buffer(message_size)
    buffer = c_null_char
    status = c_check(table%handle, x, eps, q, k1, theta, buffer)
    call give(buffer, message)
  end subroutine

  subroutine cgctab_slice_open(slice, table, x, eps, status, message)
    type(cgctab_slice), intent(out) :: slice
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x, eps
    integer, intent(out) :: status
    character(*), intent(out), optional :: message
    character(kind=c_char) :: buffer(message_size)
    buffer = c_null_char
    status = c_slice_init(slice%handle, table%handle, x, eps, buffer)
    call give(buffer, message)
  end subroutine

  subroutine cgctab_slice_close(slice)
    type(cgctab_slice), intent(inout) :: slice
    call c_slice_free(slice%handle)
    slice%handle = c_null_ptr
  end subroutine

  subroutine cgctab_slice_eval(slice, q, k1, theta, values, status)
    type(cgctab_slice), intent(in) :: slice
    real(c_double), intent(in) :: q(:), k1(:), theta(:)
    real(c_double), intent(out) :: values(2, size(q))
    integer, intent(out) :: status
    integer(c_size_t) :: first
    status = c_slice_many(slice%handle, size(q, kind=c_size_t), q, k1, theta, values, first)
  end subroutine

  subroutine cgctab_sampler_open(sampler, slice, factor, status, message)
    type(cgctab_sampler), intent(out) :: sampler
    type(cgctab_slice), intent(in) :: slice
    real(c_double), intent(in) :: factor(2)
    integer, intent(out) :: status
    character(*), intent(out), optional :: message
    character(kind=c_char) :: buffer(message_size)
    buffer = c_null_char
    status = c_sampler_init(sampler%handle, slice%handle, factor, buffer)
    call give(buffer, message)
  end subroutine

  subroutine cgctab_sampler_close(sampler)
    type(cgctab_sampler), intent(inout) :: sampler
    call c_sampler_free(sampler%handle)
    sampler%handle = c_null_ptr
  end subroutine

  ! u: five independent numbers, uniform in [0,1).
  subroutine cgctab_sample(sampler, u, event, status)
    type(cgctab_sampler), intent(in) :: sampler
    real(c_double), intent(in) :: u(5)
    type(cgctab_event), intent(out) :: event
    integer, intent(out) :: status
    status = c_sample(sampler%handle, u, event)
  end subroutine

  ! u: five numbers for each event.
  subroutine cgctab_sample_many(sampler, u, events, status)
    type(cgctab_sampler), intent(in) :: sampler
    real(c_double), intent(in) :: u(:, :)
    type(cgctab_event), intent(out) :: events(size(u, 2))
    integer, intent(out) :: status
    integer(c_size_t) :: first
    status = 1 ! a call that cannot be
    if (size(u, 1) /= 5) return
    status = c_sample_many(sampler%handle, size(u, 2, kind=c_size_t), u, events, first)
  end subroutine

  real(c_double) function cgctab_total(sampler)
    type(cgctab_sampler), intent(in) :: sampler
    cgctab_total = c_total(sampler%handle)
  end function

end module
