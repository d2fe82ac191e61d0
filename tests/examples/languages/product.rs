// A product in Rust by the C interface.
use std::ffi::{c_char, c_void, CStr};
use std::ptr::null;

type Handle = *mut c_void;

#[link(name = "tessera_c")]
extern "C" {
    fn tessera_engine_create(engine: *mut Handle, options: *const c_void, error: *mut Handle) -> i32;
    fn tessera_engine_destroy(engine: Handle);
    fn tessera_matrix_create(matrix: *mut Handle, engine: Handle, stream: *const c_void, kind: i32,
                             rows: usize, columns: usize, error: *mut Handle) -> i32;
    fn tessera_matrix_upload(matrix: Handle, from: *const f32, leading_dimension: usize, error: *mut Handle) -> i32;
    fn tessera_matrix_download(matrix: Handle, to: *mut f32, leading_dimension: usize, error: *mut Handle) -> i32;
    fn tessera_matrix_destroy(matrix: Handle);
    fn tessera_multiply(c: Handle, a: Handle, b: Handle, options: *const c_void, run: *mut Handle,
                        error: *mut Handle) -> i32;
    fn tessera_error_message(error: Handle) -> *const c_char;
    fn tessera_error_destroy(error: Handle);
}

/// Calls a function that takes a place for an error.
fn call(function: impl FnOnce(*mut Handle) -> i32) -> Result<(), String> {
    let mut error: Handle = std::ptr::null_mut();
    if function(&mut error) == 0 {
        return Ok(());
    }
    let message = unsafe { CStr::from_ptr(tessera_error_message(error)) }.to_string_lossy().into_owned();
    unsafe { tessera_error_destroy(error) };
    Err(message)
}

fn matrix(engine: Handle, rows: usize, columns: usize) -> Result<Handle, String> {
    const FLOAT32: i32 = 0;
    let mut made: Handle = std::ptr::null_mut();
    call(|error| unsafe { tessera_matrix_create(&mut made, engine, null(), FLOAT32, rows, columns, error) })?;
    Ok(made)
}

fn main() -> Result<(), String> {
    let mut engine: Handle = std::ptr::null_mut();
    call(|error| unsafe { tessera_engine_create(&mut engine, null(), error) })?;
    let (a, c, wide) = (matrix(engine, 2, 2)?, matrix(engine, 2, 2)?, matrix(engine, 3, 5)?);
    let numbers = [1f32, 2., 3., 4.];
    let mut product = [0f32; 4];
    call(|error| unsafe { tessera_matrix_upload(a, numbers.as_ptr(), 2, error) })?;
    call(|error| unsafe { tessera_multiply(c, a, a, null(), std::ptr::null_mut(), error) })?;
    call(|error| unsafe { tessera_matrix_download(c, product.as_mut_ptr(), 2, error) })?;
    println!("{} {} {} {}", product[0], product[1], product[2], product[3]);
    if let Err(message) =
        call(|error| unsafe { tessera_multiply(c, a, wide, null(), std::ptr::null_mut(), error) })
    {
        println!("{message}");
    }
    for handle in [a, c, wide] {
        unsafe { tessera_matrix_destroy(handle) };
    }
    unsafe { tessera_engine_destroy(engine) };
    Ok(())
}
