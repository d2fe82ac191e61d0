/* Tessera in C: dense matrix multiplication and dominant eigenpairs on any OpenCL device.
 *
 *   tessera_engine* engine;
 *   tessera_error* error;
 *   if (tessera_engine_create(&engine, NULL, &error) != TESSERA_OK) abort();
 *
 * The library is libtessera_c. C99, C++ and the foreign functions of other languages can use it; its
 * interface may only grow.
 *
 * Handles. A function with "create" or "adopt" in its name, and each one that gives a handle through
 * a pointer, makes an object that the matching "destroy" frees. Handles may be destroyed in any
 * order: an object keeps alive what it needs. destroy(NULL) does nothing. A handle that cannot be
 * made is set to NULL. An output that may be NULL is not made.
 *
 * Errors. A function that can fail returns a status, TESSERA_OK or one of the codes below. If its
 * last argument is not NULL, it sets it to NULL, or to an error with a message, which the caller
 * destroys. There is no state for each thread. No function ends the process, with one exception: the
 * library that reads and writes JSON does if memory runs out.
 *
 * Options are structs whose first member is their size: begin with the INIT macro of the same name.
 * NULL means the defaults. A program that was compiled with an older header passes fewer members,
 * and gets the defaults of the others. Members that this library does not know must be 0, which is
 * the default of all members that later versions add.
 *
 * Threads. All functions may be called from any thread, and at once on the same handle, except that
 * destroy() must not run at the same time as another call on its handle. A child process of fork()
 * can use nothing that its parent made, and gets TESSERA_ERROR_FORKED_PROCESS.
 *
 * Strings end with 0. They are UTF-8, apart from what a driver or a compiler says. Those returned
 * belong to the handle that they were asked of.
 *
 * Callbacks return: they neither throw exceptions nor call longjmp. pthread_cancel() must not meet a
 * thread within a call. */
#ifndef TESSERA_TESSERA_H
#define TESSERA_TESSERA_H

#include <tessera/c/base.h>
#include <tessera/c/eigenpair.h>
#include <tessera/c/engine.h>
#include <tessera/c/host_product.h>
#include <tessera/c/matrix.h>
#include <tessera/c/multiply.h>
#include <tessera/c/plan.h>
#include <tessera/c/tune.h>

#endif
