! A product in Fortran by the C interface. Fortran's matrices are column-major, so each is the
! transpose of a row-major one: c^T = b^T * a^T.
module tessera
  use iso_c_binding
  implicit none
  interface
    integer(c_int32_t) function tessera_engine_create(engine, options, error) bind(c)
      import
      type(c_ptr), intent(out) :: engine, error
      type(c_ptr), value :: options
    end function
    integer(c_int32_t) function tessera_matrix_create(matrix, engine, stream, kind, rows, columns, error) bind(c)
      import
      type(c_ptr), intent(out) :: matrix, error
      type(c_ptr), value :: engine, stream
      integer(c_int32_t), value :: kind
      integer(c_size_t), value :: rows, columns
    end function
    integer(c_int32_t) function tessera_matrix_upload(matrix, from, leading_dimension, error) bind(c)
      import
      type(c_ptr), value :: matrix
      real(c_float), intent(in) :: from(*)
      integer(c_size_t), value :: leading_dimension
      type(c_ptr), intent(out) :: error
    end function
    integer(c_int32_t) function tessera_matrix_download(matrix, to, leading_dimension, error) bind(c)
      import
      type(c_ptr), value :: matrix
      real(c_float), intent(out) :: to(*)
      integer(c_size_t), value :: leading_dimension
      type(c_ptr), intent(out) :: error
    end function
    integer(c_int32_t) function tessera_multiply(c, a, b, options, run, error) bind(c)
      import
      type(c_ptr), value :: c, a, b, options, run
      type(c_ptr), intent(out) :: error
    end function
    type(c_ptr) function tessera_error_message(error) bind(c)
      import
      type(c_ptr), value :: error
    end function
    subroutine tessera_error_destroy(error) bind(c)
      import
      type(c_ptr), value :: error
    end subroutine
    subroutine tessera_matrix_destroy(matrix) bind(c)
      import
      type(c_ptr), value :: matrix
    end subroutine
    subroutine tessera_engine_destroy(engine) bind(c)
      import
      type(c_ptr), value :: engine
    end subroutine
    integer(c_size_t) function strlen(text) bind(c)
      import
      type(c_ptr), value :: text
    end function
  end interface
  integer(c_int32_t), parameter :: float32 = 0
contains
  subroutine check(status, error)
    integer(c_int32_t), intent(in) :: status
    type(c_ptr), intent(in) :: error
    character(kind=c_char), pointer :: text(:)
    if (status == 0) return
    call c_f_pointer(tessera_error_message(error), text, [strlen(tessera_error_message(error))])
    print '(*(a))', text
    call tessera_error_destroy(error)
  end subroutine
end module

program product
  use tessera
  implicit none
  type(c_ptr) :: engine, a, b, wide, c, error
  real(c_float) :: x(2, 2), y(2, 2)
  integer(c_size_t), parameter :: two = 2, three = 3, five = 5
  x = reshape([1., 3., 2., 4.], [2, 2]) ! the rows are 1 2 and 3 4
  call check(tessera_engine_create(engine, c_null_ptr, error), error)
  call check(tessera_matrix_create(a, engine, c_null_ptr, float32, two, two, error), error)
  call check(tessera_matrix_create(b, engine, c_null_ptr, float32, two, two, error), error)
  call check(tessera_matrix_create(c, engine, c_null_ptr, float32, two, two, error), error)
  call check(tessera_matrix_create(wide, engine, c_null_ptr, float32, three, five, error), error)
  call check(tessera_matrix_upload(a, x, two, error), error)
  call check(tessera_matrix_upload(b, x, two, error), error)
  call check(tessera_multiply(c, b, a, c_null_ptr, c_null_ptr, error), error)
  call check(tessera_matrix_download(c, y, two, error), error)
  print '(i0, 3(1x, i0))', int(transpose(y))
  call check(tessera_multiply(c, a, wide, c_null_ptr, c_null_ptr, error), error)
  call tessera_matrix_destroy(a)
  call tessera_matrix_destroy(b)
  call tessera_matrix_destroy(c)
  call tessera_matrix_destroy(wide)
  call tessera_engine_destroy(engine)
end program
