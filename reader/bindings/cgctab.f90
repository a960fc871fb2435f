! SPDX-License-Identifier: MIT
! cgctab.f90: the reader for Fortran 2003.  Compile it with your program and link -lcgctab.
! Arrays are (2, n): T and L of each point; where a polarisation is an argument it is 1 for T, 2 for
! L.  Energies and momenta are in GeV, angles in radian; cgctab.h has the formulas.  status is 0 or as in cgctab.h; message tells why.
! Arrays of the wrong size give status 1 (CGCT_E_USAGE); results may have more columns than there
! are points.  What was not computed is NaN.
! A copy of a table, slice or sampler is another name of the same object: closing one closes them
! all.  After that, calls with any of them, and with what was made from them, return status 1.
module cgctab
  use, intrinsic :: iso_c_binding
  use, intrinsic :: ieee_arithmetic, only: ieee_value, ieee_quiet_nan
  implicit none
  private
  public :: cgctab_table, cgctab_slice, cgctab_sampler, cgctab_event
  public :: cgctab_open, cgctab_open_member, cgctab_load, cgctab_close, cgctab_eval, cgctab_meta, cgctab_check
  public :: cgctab_set_policy, cgctab_set_negative, cgctab_error, cgctab_reference
  public :: cgctab_members, cgctab_eval_members, cgctab_reference_members, cgctab_uncertainty
  public :: cgctab_slice_open, cgctab_slice_close, cgctab_slice_eval
  public :: cgctab_sampler_open, cgctab_sampler_close, cgctab_sample, cgctab_sample_many, cgctab_total
  public :: cgctab_left_out, cgctab_eval_one, cgctab_eval_one_members
  public :: cgctab_dis, cgctab_dis_factors, cgctab_dsigma, cgctab_dsigma_members, cgctab_dis_fluxes
  public :: cgctab_dijet, cgctab_variables, cgctab_dijet_variables, cgctab_dijet_momenta
  public :: cgctab_pa_slice, cgctab_pa_eval, cgctab_pa_factor
  public :: cgctab_pa_slice_open, cgctab_pa_slice_close, cgctab_pa_slice_eval

  ! What the library made.  It lies apart from the variables that share it, so that each of them
  ! knows when it is closed; therefore its 16 bytes are never deallocated.
  type :: holder
    type(c_ptr) :: handle = c_null_ptr
    type(holder), pointer :: made_from => null() ! must be open as well
  end type
  type :: shared
    private
    type(holder), pointer :: held => null()
  end type
  type, extends(shared) :: cgctab_table
  end type
  type, extends(shared) :: cgctab_slice
  end type
  type, extends(shared) :: cgctab_sampler
  end type
  type, extends(shared) :: cgctab_pa_slice
  end type
  ! Channels of forward dijets: q -> qg, g -> gg, g -> q qbar.
  integer, parameter, public :: cgctab_qg = 0, cgctab_gg = 1, cgctab_qqb = 2
  type, bind(c) :: cgctab_event
    real(c_double) :: q, k1, theta, weight
  end type

  ! As cgct_dis: S_perp in GeV^-2, 0 for that of the table's member; Q2 in GeV^2; mass of the quark.
  type, bind(c) :: cgctab_dis
    real(c_double) :: alpha_em = 1/137.036_c_double, e_q2 = 1, S_perp = 0, z, Q2, mass = 0
  end type
  ! As cgct_dijet: energies of the beams, mass of the lepton, Q2; y, or 0 and W; k1 and k2 (x and y).
  type, bind(c) :: cgctab_dijet
    real(c_double) :: lepton, target, lepton_mass = 0.51099895e-3_c_double, Q2, y = 0, W = 0, z
    real(c_double) :: mass = 0, k1(2), k2(2), turn = 0
  end type
  type, bind(c) :: cgctab_variables
    real(c_double) :: x, eps, q, k1, theta, y, W, M2, K, phi
  end type
  ! Columns of the momenta of cgctab_dijet_momenta.
  integer, parameter, public :: cgctab_gluon = 1, cgctab_lepton_in = 2, cgctab_lepton = 3, &
    cgctab_quark = 4, cgctab_antiquark = 5

  type, bind(c) :: error_text ! cgct_err
    character(kind=c_char) :: text(512) = c_null_char
  end type
  integer, parameter :: e_usage = 1 ! CGCT_E_USAGE

  ! Shapes that several functions of the library have.
  abstract interface
    integer(c_int) function choice_of(table, which) bind(c)
      import
      type(c_ptr), value :: table
      integer(c_int), value :: which
    end function
    integer(c_int) function values_at(table, x, eps, q, k1, theta, values) bind(c)
      import
      type(c_ptr), value :: table
      real(c_double), value :: x, eps, q, k1, theta
      real(c_double), intent(out) :: values(2, *)
    end function
    integer(c_int) function sections_at(table, dis, x, q, k1, theta, values) bind(c)
      import
      type(c_ptr), value :: table
      type(cgctab_dis), intent(in) :: dis
      real(c_double), value :: x, q, k1, theta
      real(c_double), intent(out) :: values(2, *)
    end function
    integer(c_int) function one_at(table, polarisation, at, values, error) bind(c)
      import
      type(c_ptr), value :: table
      integer(c_int), value :: polarisation
      real(c_double), intent(in) :: at(5)
      real(c_double), intent(out) :: values(*), error
    end function
    real(c_double) function number_of(object) bind(c)
      import
      type(c_ptr), value :: object
    end function
    subroutine end_of(object) bind(c)
      import
      type(c_ptr), value :: object
    end subroutine
  end interface
  procedure(choice_of), bind(c, name='cgct_set_policy') :: c_set_policy
  procedure(choice_of), bind(c, name='cgct_set_negative') :: c_set_negative
  procedure(values_at), bind(c, name='cgct_eval_error') :: c_error
  procedure(values_at), bind(c, name='cgct_reference') :: c_reference
  procedure(values_at), bind(c, name='cgct_eval_members') :: c_eval_members
  procedure(values_at), bind(c, name='cgct_reference_members') :: c_reference_members
  procedure(one_at), bind(c, name='cgct_eval_one') :: c_eval_one
  procedure(one_at), bind(c, name='cgct_eval_one_members') :: c_eval_one_members
  procedure(sections_at), bind(c, name='cgct_dsigma') :: c_dsigma
  procedure(sections_at), bind(c, name='cgct_dsigma_members') :: c_dsigma_members
  procedure(number_of), bind(c, name='cgct_sampler_total') :: c_total
  procedure(number_of), bind(c, name='cgct_sampler_left_out') :: c_left_out
  procedure(end_of), bind(c, name='cgct_close') :: c_close
  procedure(end_of), bind(c, name='cgct_slice_free') :: c_slice_free
  procedure(end_of), bind(c, name='cgct_pa_slice_free') :: c_pa_slice_free
  procedure(end_of), bind(c, name='cgct_sampler_free') :: c_sampler_free

  interface
    integer(c_int) function c_open(path, table, err) bind(c, name='cgct_open')
      import
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr), intent(out) :: table
      type(error_text), intent(inout) :: err
    end function
    integer(c_int) function c_open_member(from, member, table, err) bind(c, name='cgct_open_member')
      import
      type(c_ptr), value :: from
      character(kind=c_char), intent(in) :: member(*)
      type(c_ptr), intent(out) :: table
      type(error_text), intent(inout) :: err
    end function
    integer(c_int) function c_load(table, err) bind(c, name='cgct_load')
      import
      type(c_ptr), value :: table
      type(error_text), intent(inout) :: err
    end function
    type(c_ptr) function c_member_name(table, member) bind(c, name='cgct_member_name')
      import
      type(c_ptr), value :: table
      integer(c_size_t), value :: member
    end function
    integer(c_int) function c_uncertainty(table, x, eps, q, k1, theta, central, low, high) &
        bind(c, name='cgct_uncertainty')
      import
      type(c_ptr), value :: table
      real(c_double), value :: x, eps, q, k1, theta
      real(c_double), intent(out) :: central(2), low(2), high(2)
    end function
    integer(c_int) function c_dis_factors(dis, eps, factor) bind(c, name='cgct_dis_factors')
      import
      type(cgctab_dis), intent(in) :: dis
      real(c_double), intent(out) :: eps, factor(2, 2)
    end function
    integer(c_int) function c_dis_fluxes(alpha_em, y, Q2, lepton_mass, flux) &
        bind(c, name='cgct_dis_fluxes')
      import
      real(c_double), value :: alpha_em, y, Q2, lepton_mass
      real(c_double), intent(out) :: flux(2)
    end function
    integer(c_int) function c_dijet_variables(dijet, variables) &
        bind(c, name='cgct_dijet_variables')
      import
      type(cgctab_dijet), intent(in) :: dijet
      type(cgctab_variables), intent(out) :: variables
    end function
    integer(c_int) function c_dijet_momenta(dijet, p) bind(c, name='cgct_dijet_momenta')
      import
      type(cgctab_dijet), intent(in) :: dijet
      real(c_double), intent(out) :: p(4, 5)
    end function
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
      type(error_text), intent(inout) :: err
    end function
    integer(c_int) function c_slice_init(slice, table, x, eps, err) bind(c, name='cgct_slice_init')
      import
      type(c_ptr), intent(out) :: slice
      type(c_ptr), value :: table
      real(c_double), value :: x, eps
      type(error_text), intent(inout) :: err
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
    integer(c_int) function c_pa_eval(table, channel, at, T, error) bind(c, name='cgct_pa_eval')
      import
      type(c_ptr), value :: table
      integer(c_int), value :: channel
      real(c_double), intent(in) :: at(6)
      real(c_double), intent(out) :: T, error
    end function
    integer(c_int) function c_pa_check(table, channel, at, err) bind(c, name='cgct_pa_check')
      import
      type(c_ptr), value :: table
      integer(c_int), value :: channel
      real(c_double), intent(in) :: at(6)
      type(error_text), intent(inout) :: err
    end function
    real(c_double) function c_pa_factor(channel, z) bind(c, name='cgct_pa_factor')
      import
      integer(c_int), value :: channel
      real(c_double), value :: z
    end function
    integer(c_int) function c_pa_slice_init(slice, table, x, err) bind(c, name='cgct_pa_slice_init')
      import
      type(c_ptr), intent(out) :: slice
      type(c_ptr), value :: table
      real(c_double), value :: x
      type(error_text), intent(inout) :: err
    end function
    integer(c_int) function c_pa_slice_eval(slice, channel, at, T) &
        bind(c, name='cgct_pa_slice_eval')
      import
      type(c_ptr), value :: slice
      integer(c_int), value :: channel
      real(c_double), intent(in) :: at(5)
      real(c_double), intent(out) :: T
    end function
    integer(c_int) function c_sampler_init(sampler, slice, factor, err) &
        bind(c, name='cgct_sampler_init')
      import
      type(c_ptr), intent(out) :: sampler
      type(c_ptr), value :: slice
      real(c_double), intent(in) :: factor(2)
      type(error_text), intent(inout) :: err
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

  subroutine give(err, message)
    type(error_text), intent(in) :: err
    character(*), intent(out), optional :: message
    integer :: i
    if (.not. present(message)) return
    message = ''
    do i = 1, min(size(err%text), len(message))
      if (err%text(i) == c_null_char) exit
      message(i:i) = err%text(i)
    end do
  end subroutine

  ! NULL, which every function of the library refuses, unless it and what it was made from are open.
  type(c_ptr) function handle_of(object)
    class(shared), intent(in) :: object
    type(holder), pointer :: p
    handle_of = c_null_ptr
    p => object%held
    do while (associated(p))
      if (.not. c_associated(p%handle)) return
      p => p%made_from
    end do
    if (associated(object%held)) handle_of = object%held%handle
  end function

  subroutine close_with(free, object)
    procedure(end_of) :: free
    class(shared), intent(inout) :: object
    if (.not. associated(object%held)) return
    call free(object%held%handle)
    object%held%handle = c_null_ptr
  end subroutine

  real(c_double) function not_a_number()
    not_a_number = ieee_value(0._c_double, ieee_quiet_nan)
  end function

  ! Whether an array has room for T and L of n points.
  pure logical function has_room(values, n)
    real(c_double), intent(in) :: values(:, :)
    integer(c_size_t), intent(in) :: n
    has_room = size(values, 1) == 2 .and. size(values, 2, kind=c_size_t) >= n
  end function

  subroutine cgctab_open(table, path, status, message)
    type(cgctab_table), intent(out) :: table
    character(*), intent(in) :: path
    integer, intent(out) :: status
    character(*), intent(out), optional :: message
    type(error_text) :: err
    allocate (table%held)
    status = c_open(terminated(path), table%held%handle, err)
    call give(err, message)
  end subroutine

  ! Another member of an open table, by name or number, which shares what the file holds.
  subroutine cgctab_open_member(table, from, member, status, message)
    type(cgctab_table), intent(out) :: table
    type(cgctab_table), intent(in) :: from
    character(*), intent(in) :: member
    integer, intent(out) :: status
    character(*), intent(out), optional :: message
    type(error_text) :: err
    allocate (table%held)
    table%held%made_from => from%held
    status = c_open_member(handle_of(from), terminated(member), table%held%handle, err)
    call give(err, message)
  end subroutine

  ! Unpacks and checks all that no call has needed yet: a good idea before many threads share it.
  subroutine cgctab_load(table, status, message)
    type(cgctab_table), intent(in) :: table
    integer, intent(out) :: status
    character(*), intent(out), optional :: message
    type(error_text) :: err
    status = c_load(handle_of(table), err)
    call give(err, message)
  end subroutine

  ! Outside the table: 0 refuses, 1 takes the nearest end of each range; below the smallest eps it
  ! keeps eps^2 I_T and I_L.
  subroutine cgctab_set_policy(table, policy, status)
    type(cgctab_table), intent(in) :: table
    integer, intent(in) :: policy
    integer, intent(out) :: status
    status = c_set_policy(handle_of(table), int(policy, c_int))
  end subroutine

  ! Where the interpolated value lies below 0: 0 returns 0, or status 12 and NaN where it is negative
  ! by more than its bound; 1 returns the number itself.
  subroutine cgctab_set_negative(table, negative, status)
    type(cgctab_table), intent(in) :: table
    integer, intent(in) :: negative
    integer, intent(out) :: status
    status = c_set_negative(handle_of(table), int(negative, c_int))
  end subroutine

  subroutine cgctab_close(table)
    type(cgctab_table), intent(inout) :: table
    call close_with(c_close, table)
  end subroutine

  ! Empty where there is no such key.
  function cgctab_meta(table, key) result(text)
    type(cgctab_table), intent(in) :: table
    character(*), intent(in) :: key
    character(:), allocatable :: text
    character(kind=c_char), pointer :: c(:)
    type(c_ptr) :: p
    integer :: i, n
    p = c_meta(handle_of(table), terminated(key))
    n = 0
    if (c_associated(p)) n = int(c_strlen(p))
    if (n > 0) call c_f_pointer(p, c, [n])
    allocate (character(n) :: text)
    do i = 1, n
      text(i:i) = c(i)
    end do
  end function

  ! values(2, n) of n points, each argument of the size n; points that fail are NaN, status is that
  ! of the first.
  subroutine cgctab_eval(table, x, eps, q, k1, theta, values, status)
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x(:), eps(:), q(:), k1(:), theta(:)
    real(c_double), intent(out) :: values(:, :)
    integer, intent(out) :: status
    integer(c_size_t) :: n, first
    values = not_a_number()
    status = e_usage
    n = size(x, kind=c_size_t)
    if (any([size(eps), size(q), size(k1), size(theta)] /= size(x))) return
    if (.not. has_room(values, n)) return
    status = c_eval_many(handle_of(table), n, x, eps, q, k1, theta, values(:, :n), first)
  end subroutine

  ! A bound on |error of I| at one point, as cgct_eval_error in cgctab.h.
  subroutine cgctab_error(table, x, eps, q, k1, theta, error, status)
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x, eps, q, k1, theta
    real(c_double), intent(out) :: error(:)
    integer, intent(out) :: status
    error = not_a_number()
    status = e_usage
    if (size(error) == 2) status = c_error(handle_of(table), x, eps, q, k1, theta, error)
  end subroutine

  ! The correlation limit at one point, as cgct_reference in cgctab.h; NaN where it is not known.
  subroutine cgctab_reference(table, x, eps, q, k1, theta, value, status)
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x, eps, q, k1, theta
    real(c_double), intent(out) :: value(:)
    integer, intent(out) :: status
    value = not_a_number()
    status = e_usage
    if (size(value) == 2) status = c_reference(handle_of(table), x, eps, q, k1, theta, value)
  end subroutine

  ! Number of members.
  integer function cgctab_members(table)
    type(cgctab_table), intent(in) :: table
    cgctab_members = 0
    do while (c_associated(c_member_name(handle_of(table), int(cgctab_members, c_size_t))))
      cgctab_members = cgctab_members + 1
    end do
  end function

  ! values(2, members) at one point.
  subroutine cgctab_eval_members(table, x, eps, q, k1, theta, values, status)
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x, eps, q, k1, theta
    real(c_double), intent(out) :: values(:, :)
    integer, intent(out) :: status
    integer(c_size_t) :: n
    values = not_a_number()
    status = e_usage
    n = cgctab_members(table)
    if (.not. has_room(values, n)) return
    status = c_eval_members(handle_of(table), x, eps, q, k1, theta, values(:, :n))
  end subroutine

  ! The correlation limit of each member, values(2, members).
  subroutine cgctab_reference_members(table, x, eps, q, k1, theta, values, status)
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x, eps, q, k1, theta
    real(c_double), intent(out) :: values(:, :)
    integer, intent(out) :: status
    integer(c_size_t) :: n
    values = not_a_number()
    status = e_usage
    n = cgctab_members(table)
    if (.not. has_room(values, n)) return
    status = c_reference_members(handle_of(table), x, eps, q, k1, theta, values(:, :n))
  end subroutine

  ! What the members say of the uncertainty at one point, as cgct_uncertainty in cgctab.h.
  subroutine cgctab_uncertainty(table, x, eps, q, k1, theta, central, low, high, status)
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x, eps, q, k1, theta
    real(c_double), intent(out) :: central(:), low(:), high(:)
    integer, intent(out) :: status
    central = not_a_number()
    low = not_a_number()
    high = not_a_number()
    status = e_usage
    if (any([size(central), size(low), size(high)] /= 2)) return
    status = c_uncertainty(handle_of(table), x, eps, q, k1, theta, central, low, high)
  end subroutine

  ! One polarisation at [x, eps, q, k1, theta], and the bound on its error, in less time than both.
  subroutine cgctab_eval_one(table, polarisation, at, value, error, status)
    type(cgctab_table), intent(in) :: table
    integer, intent(in) :: polarisation
    real(c_double), intent(in) :: at(5)
    real(c_double), intent(out) :: value, error
    integer, intent(out) :: status
    real(c_double) :: one(1)
    one = not_a_number()
    error = not_a_number()
    status = c_eval_one(handle_of(table), int(polarisation - 1, c_int), at, one, error)
    value = one(1)
  end subroutine

  ! The same of all members, and the bound on the error of the table's member.
  subroutine cgctab_eval_one_members(table, polarisation, at, values, error, status)
    type(cgctab_table), intent(in) :: table
    integer, intent(in) :: polarisation
    real(c_double), intent(in) :: at(5)
    real(c_double), intent(out) :: values(:), error
    integer, intent(out) :: status
    integer :: n
    values = not_a_number()
    error = not_a_number()
    status = e_usage
    n = cgctab_members(table)
    if (size(values) < n) return
    status = c_eval_one_members(handle_of(table), int(polarisation - 1, c_int), at, &
                                values(:n), error)
  end subroutine

  ! eps, and factor(:, p) of I_T and I_L in the cross section of a photon of the polarisation p.
  subroutine cgctab_dis_factors(dis, eps, factor, status)
    type(cgctab_dis), intent(in) :: dis
    real(c_double), intent(out) :: eps, factor(2, 2)
    integer, intent(out) :: status
    status = c_dis_factors(dis, eps, factor)
  end subroutine

  ! The cross sections of transverse and longitudinal photons for dz d2k1 d2k2, GeV^-6.
  subroutine cgctab_dsigma(table, dis, x, q, k1, theta, dsigma, status)
    type(cgctab_table), intent(in) :: table
    type(cgctab_dis), intent(in) :: dis
    real(c_double), intent(in) :: x, q, k1, theta
    real(c_double), intent(out) :: dsigma(2)
    integer, intent(out) :: status
    dsigma = not_a_number()
    status = c_dsigma(handle_of(table), dis, x, q, k1, theta, dsigma)
  end subroutine

  ! Those of all members, values(2, members), each with its own area where that of dis is 0.
  subroutine cgctab_dsigma_members(table, dis, x, q, k1, theta, values, status)
    type(cgctab_table), intent(in) :: table
    type(cgctab_dis), intent(in) :: dis
    real(c_double), intent(in) :: x, q, k1, theta
    real(c_double), intent(out) :: values(:, :)
    integer, intent(out) :: status
    integer(c_size_t) :: n
    values = not_a_number()
    status = e_usage
    n = cgctab_members(table)
    if (.not. has_room(values, n)) return
    status = c_dsigma_members(handle_of(table), dis, x, q, k1, theta, values(:, :n))
  end subroutine

  ! Numbers of transverse and longitudinal photons of a lepton in dy dQ2, GeV^-2.
  subroutine cgctab_dis_fluxes(alpha_em, y, Q2, lepton_mass, flux, status)
    real(c_double), intent(in) :: alpha_em, y, Q2, lepton_mass
    real(c_double), intent(out) :: flux(2)
    integer, intent(out) :: status
    status = c_dis_fluxes(alpha_em, y, Q2, lepton_mass, flux)
  end subroutine

  subroutine cgctab_dijet_variables(dijet, variables, status)
    type(cgctab_dijet), intent(in) :: dijet
    type(cgctab_variables), intent(out) :: variables
    integer, intent(out) :: status
    status = c_dijet_variables(dijet, variables)
  end subroutine

  ! (px, py, pz, E) of each particle: p(:, cgctab_quark) and so on.
  subroutine cgctab_dijet_momenta(dijet, p, status)
    type(cgctab_dijet), intent(in) :: dijet
    real(c_double), intent(out) :: p(4, 5)
    integer, intent(out) :: status
    status = c_dijet_momenta(dijet, p)
  end subroutine

  subroutine cgctab_check(table, x, eps, q, k1, theta, status, message)
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x, eps, q, k1, theta
    integer, intent(out) :: status
    character(*), intent(out), optional :: message
    type(error_text) :: err
    status = c_check(handle_of(table), x, eps, q, k1, theta, err)
    call give(err, message)
  end subroutine

  subroutine cgctab_slice_open(slice, table, x, eps, status, message)
    type(cgctab_slice), intent(out) :: slice
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x, eps
    integer, intent(out) :: status
    character(*), intent(out), optional :: message
    type(error_text) :: err
    allocate (slice%held)
    slice%held%made_from => table%held
    status = c_slice_init(slice%held%handle, handle_of(table), x, eps, err)
    call give(err, message)
  end subroutine

  subroutine cgctab_slice_close(slice)
    type(cgctab_slice), intent(inout) :: slice
    call close_with(c_slice_free, slice)
  end subroutine

  subroutine cgctab_slice_eval(slice, q, k1, theta, values, status)
    type(cgctab_slice), intent(in) :: slice
    real(c_double), intent(in) :: q(:), k1(:), theta(:)
    real(c_double), intent(out) :: values(:, :)
    integer, intent(out) :: status
    integer(c_size_t) :: n, first
    values = not_a_number()
    status = e_usage
    n = size(q, kind=c_size_t)
    if (size(k1) /= size(q) .or. size(theta) /= size(q) .or. .not. has_room(values, n)) return
    status = c_slice_many(handle_of(slice), n, q, k1, theta, values(:, :n), first)
  end subroutine

  ! Forward dijets (tables of process pa): T in GeV^-4 and the bound on its error at
  ! [x, z, k1, k2, angle, Lambda], as cgct_pa_eval in cgctab.h.
  subroutine cgctab_pa_eval(table, channel, at, T, error, status, message)
    type(cgctab_table), intent(in) :: table
    integer, intent(in) :: channel
    real(c_double), intent(in) :: at(6)
    real(c_double), intent(out) :: T, error
    integer, intent(out) :: status
    character(*), intent(out), optional :: message
    type(error_text) :: err
    integer :: checked
    T = not_a_number()
    error = not_a_number()
    status = c_pa_eval(handle_of(table), int(channel, c_int), at, T, error)
    if (status /= 0) checked = c_pa_check(handle_of(table), int(channel, c_int), at, err)
    call give(err, message)
  end subroutine

  ! dsigma/(dy1 dy2 d2k1 d2k2) over x_p f(x_p) alpha_s S_perp T.
  real(c_double) function cgctab_pa_factor(channel, z)
    integer, intent(in) :: channel
    real(c_double), intent(in) :: z
    cgctab_pa_factor = c_pa_factor(int(channel, c_int), z)
  end function

  subroutine cgctab_pa_slice_open(slice, table, x, status, message)
    type(cgctab_pa_slice), intent(out) :: slice
    type(cgctab_table), intent(in) :: table
    real(c_double), intent(in) :: x
    integer, intent(out) :: status
    character(*), intent(out), optional :: message
    type(error_text) :: err
    allocate (slice%held)
    slice%held%made_from => table%held
    status = c_pa_slice_init(slice%held%handle, handle_of(table), x, err)
    call give(err, message)
  end subroutine

  subroutine cgctab_pa_slice_close(slice)
    type(cgctab_pa_slice), intent(inout) :: slice
    call close_with(c_pa_slice_free, slice)
  end subroutine

  ! T(n) at the points at(:, i) = [z, k1, k2, angle, Lambda]; those that fail are NaN, status is that
  ! of the first.
  subroutine cgctab_pa_slice_eval(slice, channel, at, T, status)
    type(cgctab_pa_slice), intent(in) :: slice
    integer, intent(in) :: channel
    real(c_double), intent(in) :: at(:, :)
    real(c_double), intent(out) :: T(:)
    integer, intent(out) :: status
    integer :: i, each
    T = not_a_number()
    status = e_usage
    if (size(at, 1) /= 5 .or. size(T) < size(at, 2)) return
    status = 0
    do i = 1, size(at, 2)
      each = c_pa_slice_eval(handle_of(slice), int(channel, c_int), at(:, i), T(i))
      if (status == 0) status = each
    end do
  end subroutine

  subroutine cgctab_sampler_open(sampler, slice, factor, status, message)
    type(cgctab_sampler), intent(out) :: sampler
    type(cgctab_slice), intent(in) :: slice
    real(c_double), intent(in) :: factor(:)
    integer, intent(out) :: status
    character(*), intent(out), optional :: message
    type(error_text) :: err
    status = e_usage
    if (present(message)) message = 'cgctab_sampler_open: want two factors, of T and L'
    if (size(factor) /= 2) return
    allocate (sampler%held)
    sampler%held%made_from => slice%held
    status = c_sampler_init(sampler%held%handle, handle_of(slice), factor, err)
    call give(err, message)
  end subroutine

  subroutine cgctab_sampler_close(sampler)
    type(cgctab_sampler), intent(inout) :: sampler
    call close_with(c_sampler_free, sampler)
  end subroutine

  ! u: five independent numbers, uniform in [0,1).
  subroutine cgctab_sample(sampler, u, event, status)
    type(cgctab_sampler), intent(in) :: sampler
    real(c_double), intent(in) :: u(:)
    type(cgctab_event), intent(out) :: event
    integer, intent(out) :: status
    event = no_event()
    status = e_usage
    if (size(u) == 5) status = c_sample(handle_of(sampler), u, event)
  end subroutine

  type(cgctab_event) function no_event()
    no_event = cgctab_event(not_a_number(), not_a_number(), not_a_number(), not_a_number())
  end function

  ! u(5, n): five numbers for each event.
  subroutine cgctab_sample_many(sampler, u, events, status)
    type(cgctab_sampler), intent(in) :: sampler
    real(c_double), intent(in) :: u(:, :)
    type(cgctab_event), intent(out) :: events(:)
    integer, intent(out) :: status
    integer(c_size_t) :: n, first
    events = no_event()
    status = e_usage
    n = size(u, 2, kind=c_size_t)
    if (size(u, 1) /= 5 .or. size(events, kind=c_size_t) < n) return
    status = c_sample_many(handle_of(sampler), n, u, events(:n), first)
  end subroutine

  real(c_double) function cgctab_total(sampler)
    type(cgctab_sampler), intent(in) :: sampler
    cgctab_total = c_total(handle_of(sampler))
  end function

  ! The integral of |density| over places that are left out, because the mean is negative there.
  real(c_double) function cgctab_left_out(sampler)
    type(cgctab_sampler), intent(in) :: sampler
    cgctab_left_out = c_left_out(handle_of(sampler))
  end function

end module
