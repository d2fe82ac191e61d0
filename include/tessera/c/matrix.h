/* Matrices on a device, blocks of them, transfers and pinned host memory. See tessera/tessera.h. */
#ifndef TESSERA_C_MATRIX_H
#define TESSERA_C_MATRIX_H

#include <tessera/c/engine.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A dense row-major matrix on a device, a block of one, or the transpose of one. Blocks and
 * transposes share their matrix's memory, and keep it alive. Any shape is allowed, 0 rows or
 * columns too. Host memory is row-major: element (i, j) is at index i * leading_dimension + j. */
typedef struct tessera_matrix tessera_matrix;

/* The elements are undefined. `stream` is where its transfers and the operations that write it are
 * enqueued; NULL: the engine's own. */
TESSERA_C_API tessera_status tessera_matrix_create(tessera_matrix** matrix,
                                                   const tessera_engine* engine,
                                                   const tessera_stream* stream, tessera_type type,
                                                   size_t rows, size_t columns,
                                                   tessera_error** error);
/* A matrix in the program's buffer, which is retained: element (i, j) is at index
 * offset + i * leading_dimension + j. */
TESSERA_C_API tessera_status tessera_matrix_adopt(tessera_matrix** matrix,
                                                  const tessera_engine* engine,
                                                  const tessera_stream* stream,
                                                  struct _cl_mem* buffer, tessera_type type,
                                                  size_t offset, size_t rows, size_t columns,
                                                  size_t leading_dimension, tessera_error** error);
/* The `rows` x `columns` block that starts at (`row`, `column`). */
TESSERA_C_API tessera_status tessera_matrix_block(tessera_matrix** block,
                                                  const tessera_matrix* matrix, size_t row,
                                                  size_t column, size_t rows, size_t columns,
                                                  tessera_error** error);
/* The transpose, the conjugate transpose and the conjugates, without a copy. */
TESSERA_C_API tessera_status tessera_matrix_transposed(tessera_matrix** transposed,
                                                       const tessera_matrix* matrix,
                                                       tessera_error** error);
TESSERA_C_API tessera_status tessera_matrix_adjoint(tessera_matrix** adjoint,
                                                    const tessera_matrix* matrix,
                                                    tessera_error** error);
TESSERA_C_API tessera_status tessera_matrix_conjugated(tessera_matrix** conjugated,
                                                       const tessera_matrix* matrix,
                                                       tessera_error** error);
/* A dense copy on the stream of any engine; NULL: on the matrix's own stream. Waits if the contexts
 * differ. */
TESSERA_C_API tessera_status tessera_matrix_copy(tessera_matrix** copy,
                                                 const tessera_matrix* matrix,
                                                 const tessera_stream* stream,
                                                 tessera_error** error);
/* Enqueues a copy of the elements. Types and shapes are equal, nothing overlaps or is transposed.
 */
TESSERA_C_API tessera_status tessera_matrix_copy_into(const tessera_matrix* to,
                                                      const tessera_matrix* from,
                                                      tessera_event** done, tessera_error** error);
TESSERA_C_API void tessera_matrix_destroy(tessera_matrix* matrix);

/* The shape is that of the transpose if it is one. */
TESSERA_C_API size_t tessera_matrix_rows(const tessera_matrix* matrix);
TESSERA_C_API size_t tessera_matrix_columns(const tessera_matrix* matrix);
TESSERA_C_API tessera_type tessera_matrix_type(const tessera_matrix* matrix);
TESSERA_C_API tessera_op tessera_matrix_op(const tessera_matrix* matrix);
/* The place of the first element in the buffer, in elements; the buffer is not retained. */
TESSERA_C_API size_t tessera_matrix_offset(const tessera_matrix* matrix);
TESSERA_C_API size_t tessera_matrix_leading_dimension(const tessera_matrix* matrix);
TESSERA_C_API struct _cl_mem* tessera_matrix_buffer(const tessera_matrix* matrix);

/* Copies all elements from host memory, or to it, and waits. Transposes can be downloaded only. */
TESSERA_C_API tessera_status tessera_matrix_upload(const tessera_matrix* matrix, const void* from,
                                                   size_t leading_dimension, tessera_error** error);
TESSERA_C_API tessera_status tessera_matrix_download(const tessera_matrix* matrix, void* to,
                                                     size_t leading_dimension,
                                                     tessera_error** error);
/* The same without waiting: the host memory must be left alone until `done` is complete, even if
 * waiting for it fails. Pinned memory needs no further copy by the driver. Transposes are refused.
 */
TESSERA_C_API tessera_status tessera_matrix_upload_async(const tessera_matrix* matrix,
                                                         const void* from, size_t leading_dimension,
                                                         tessera_event** done,
                                                         tessera_error** error);
TESSERA_C_API tessera_status tessera_matrix_download_async(const tessera_matrix* matrix, void* to,
                                                           size_t leading_dimension,
                                                           tessera_event** done,
                                                           tessera_error** error);

/* Pinned host memory for `rows` x `columns` elements, which a device copies by itself. */
typedef struct tessera_pinned tessera_pinned;
TESSERA_C_API tessera_status tessera_pinned_create(tessera_pinned** pinned,
                                                   const tessera_engine* engine, tessera_type type,
                                                   size_t rows, size_t columns,
                                                   tessera_error** error);
/* NULL if there are no elements. */
TESSERA_C_API void* tessera_pinned_data(const tessera_pinned* pinned);
TESSERA_C_API void tessera_pinned_destroy(tessera_pinned* pinned);

#ifdef __cplusplus
}
#endif

#endif
