/* Statuses, errors, element types, the log and cancellation. See tessera/tessera.h. */
#ifndef TESSERA_C_BASE_H
#define TESSERA_C_BASE_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && !defined(TESSERA_C_STATIC)
#ifdef TESSERA_C_BUILDING
#define TESSERA_C_API __declspec(dllexport)
#else
#define TESSERA_C_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define TESSERA_C_API __attribute__((visibility("default")))
#else
#define TESSERA_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that the program runs with: 1002003 for 1.2.3. */
TESSERA_C_API int32_t tessera_version(void);

/* The result of a call. A number never changes its meaning, and new causes get new numbers. */
typedef int32_t tessera_status;
enum {
  TESSERA_OK = 0,
  TESSERA_ERROR_INTERNAL = 1, /* a defect of the library */

  TESSERA_ERROR_INVALID_VALUE = 101, /* a value is out of range, or a handle is NULL */
  TESSERA_ERROR_UNKNOWN_NAME = 102,  /* no operation, variant or parameter has this name */
  TESSERA_ERROR_CONFLICTING_OPTIONS =
      103,                               /* options exclude each other, or an operand is missing */
  TESSERA_ERROR_WRONG_CONTEXT = 104,     /* operands, streams or handles of different contexts */
  TESSERA_ERROR_UNSUPPORTED_QUEUE = 105, /* an adopted queue is out-of-order */
  TESSERA_ERROR_INVALID_JSON = 106,      /* the text is not the JSON of a problem */

  TESSERA_ERROR_INVALID_SHAPE =
      201, /* a shape does not match the other operands or the operation */
  TESSERA_ERROR_OUT_OF_BOUNDS = 202, /* a block, batch or view exceeds its matrix or its buffer */
  TESSERA_ERROR_OVERLAPPING = 203,   /* an output shares elements with an input or with itself */
  TESSERA_ERROR_MOVED_FROM = 204,    /* never in C */
  TESSERA_ERROR_TOO_LARGE = 205,     /* 64 bits cannot address the elements */
  TESSERA_ERROR_UNSUPPORTED_LAYOUT = 206, /* the elements of a vector are not contiguous */
  TESSERA_ERROR_UNSUPPORTED_BUFFER =
      207, /* the memory object is an image, or kernels may only read it */
  TESSERA_ERROR_INVALID_ELEMENT = 208, /* an element or a row sum is negative, infinite or NaN */
  TESSERA_ERROR_WRONG_TYPE = 209,      /* an operand's element type does not suit the others */

  TESSERA_ERROR_UNSUPPORTED = 301,  /* the kernel cannot compute this problem on this device */
  TESSERA_ERROR_FAILED_CHECK = 302, /* the kernel gave a wrong result or crashed in a check */

  TESSERA_ERROR_BUILD_FAILED =
      401, /* the device's compiler rejects a kernel: see tessera_error_log() */

  TESSERA_ERROR_NO_DEVICE = 501,      /* no device matches the selector */
  TESSERA_ERROR_FORKED_PROCESS = 502, /* the process was forked from one that had used OpenCL */

  TESSERA_ERROR_OUT_OF_MEMORY = 601, /* the device has too little memory */

  TESSERA_ERROR_OPENCL_FAILED = 701,      /* see tessera_error_opencl_code() */
  TESSERA_ERROR_DEVICE_LOST = 702,        /* the device is no longer available */
  TESSERA_ERROR_OUT_OF_HOST_MEMORY = 703, /* the host has too little memory */

  TESSERA_ERROR_IO = 801,            /* a file cannot be found, read, written or removed */
  TESSERA_ERROR_BUSY = 802,          /* another tuner is working on the same problem */
  TESSERA_ERROR_WORKER_FAILED = 803, /* a worker process cannot be started, or stops too often */

  TESSERA_ERROR_CANCELLED = 901 /* the caller has cancelled the operation */
};

/* "ok", "invalid_value", …; "unknown" for any other number. */
TESSERA_C_API const char* tessera_status_name(tessera_status status);

/* What went wrong. All functions accept NULL: TESSERA_OK, 0, "". */
typedef struct tessera_error tessera_error;
TESSERA_C_API tessera_status tessera_error_status(const tessera_error* error);
/* One line. */
TESSERA_C_API const char* tessera_error_message(const tessera_error* error);
/* OpenCL's error code, as -5; 0 if the error is not OpenCL's. */
TESSERA_C_API int32_t tessera_error_opencl_code(const tessera_error* error);
/* The compiler's log if a kernel could not be built, else "". */
TESSERA_C_API const char* tessera_error_log(const tessera_error* error);
TESSERA_C_API void tessera_error_destroy(tessera_error* error);

/* The elements of matrices. The 16-bit types are multiplied and summed in float. Products of int8
 * are int32; int32 arithmetic is modulo 2^32. Complex elements are two floats or two doubles, the
 * real part first. */
typedef int32_t tessera_type;
enum {
  TESSERA_FLOAT32 = 0,
  TESSERA_FLOAT64 = 1,
  TESSERA_INT32 = 2,
  TESSERA_FLOAT16 = 3,
  TESSERA_INT8 = 4,
  TESSERA_BFLOAT16 = 5,
  TESSERA_COMPLEX64 = 6,
  TESSERA_COMPLEX128 = 7
};
/* "float", "double", "int32", "half", "int8", "bfloat16", "complex64" or "complex128"; "unknown"
 * for any other number. */
TESSERA_C_API const char* tessera_type_name(tessera_type type);
/* Bytes of an element; 0 for any other number. */
TESSERA_C_API size_t tessera_type_size(tessera_type type);

/* How an operand is read. The conjugates of real elements are the elements. */
typedef int32_t tessera_op;
enum {
  TESSERA_NO_TRANSPOSE = 0,
  TESSERA_TRANSPOSE = 1,
  TESSERA_CONJUGATE_TRANSPOSE = 2,
  TESSERA_CONJUGATE = 3
};

/* The error bound of products, as the C++ header tessera/problem.hpp states it. */
typedef int32_t tessera_accuracy;
enum { TESSERA_ACCURACY_IEEE = 0, TESSERA_ACCURACY_BOUNDED = 1 };

/* Messages of the library: at most those of `level`, to `handler`, or to standard error if it is
 * NULL. Applies to the whole process. Any thread may call the handler, several at once, and a call
 * may still be running when tessera_log_set() returns. `line` is valid during the call. */
enum { TESSERA_LOG_OFF = 0, TESSERA_LOG_WARNING = 1, TESSERA_LOG_INFO = 2 };
typedef void (*tessera_log_handler)(int32_t level, const char* line, void* user);
TESSERA_C_API tessera_status tessera_log_set(int32_t level, tessera_log_handler handler, void* user,
                                             tessera_error** error);

/* A flag that ends long calls to which it was given: a solve or a host product, which then returns
 * TESSERA_ERROR_CANCELLED, or a tuning, which then returns what it found. It is set once, also from
 * a signal handler. */
typedef struct tessera_cancel tessera_cancel;
TESSERA_C_API tessera_status tessera_cancel_create(tessera_cancel** cancel, tessera_error** error);
TESSERA_C_API void tessera_cancel_request(const tessera_cancel* cancel);
TESSERA_C_API int32_t tessera_cancel_requested(const tessera_cancel* cancel);
TESSERA_C_API void tessera_cancel_destroy(tessera_cancel* cancel);

#ifdef __cplusplus
}
#endif

#endif
