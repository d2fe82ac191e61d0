// C = alpha * A * B + beta * C: A and B are read as images. A pixel is 16 bytes, PIXEL elements of a row; a work-item
// computes PIXEL elements of a row of C. The operands are copied into images first, in any layout. Zeros fill the ends
// of rows, and the rows of B up to a multiple of PIXEL. An image may be larger than the part of it that is used. Any
// work-group.

#include "common/product.cl"

#if ELEMENT == 1
// Images have no doubles: one is two 32-bit channels.
#define PIXEL 2
#define READ_PIXEL(image, x, y) as_double2(read_imageui(image, (int2)(x, y)))
#define WRITE_PIXEL(image, x, y, value) write_imageui(image, (int2)(x, y), as_uint4(value))
#elif ELEMENT == 2
#define PIXEL 4
#define READ_PIXEL(image, x, y) read_imageui(image, (int2)(x, y))
#define WRITE_PIXEL(image, x, y, value) write_imageui(image, (int2)(x, y), value)
#else
#define PIXEL 4
#define READ_PIXEL(image, x, y) read_imagef(image, (int2)(x, y))
#define WRITE_PIXEL(image, x, y, value) write_imagef(image, (int2)(x, y), value)
#endif

typedef union {
  JOIN(NUMBER, PIXEL) vector;
  number at[PIXEL];
} Pixel;

// rows x columns elements of x into an image of `width` x `height` pixels.
kernel void multiply_image_pack(const ulong rows, const ulong columns, const uint width, const uint height,
                                global const element* restrict x, const Layout x_at, write_only image2d_t image) {
  const uint column = get_global_id(0), row = get_global_id(1);
  if (column >= width || row >= height) return;
  Pixel pixel;
  for (uint q = 0; q < PIXEL; q++) {
    const ulong j = (ulong)column * PIXEL + q;
    pixel.at[q] = row < rows && j < columns ? LOAD(x, x_at.offset + row * x_at.row + j * x_at.column) : 0;
  }
  WRITE_PIXEL(image, column, row, pixel.vector);
}

kernel void multiply_image(const Shape shape, const number alpha, const number beta,
                           read_only image2d_t a,  // m x k elements
                           read_only image2d_t b,  // k x n elements
                           global output* restrict c, const Layout c_at) {  // m x n
  const uint column = get_global_id(0), i = get_global_id(1);
  const ulong j = (ulong)column * PIXEL;
  if (i >= shape.m || j >= shape.n) return;
  Pixel sum;
  for (uint q = 0; q < PIXEL; q++) sum.at[q] = 0;
  const uint steps = (shape.k + PIXEL - 1) / PIXEL;
  for (uint step = 0; step < steps; step++) {
    Pixel factor;
    factor.vector = READ_PIXEL(a, step, i);
    for (uint q = 0; q < PIXEL; q++) {
      sum.vector = MULTIPLY_ADD(factor.at[q], READ_PIXEL(b, column, step * PIXEL + q), sum.vector);
    }
  }
  for (uint q = 0; q < PIXEL; q++) {
    if (j + q < shape.n) update(c, c_at, i, j + q, alpha, sum.at[q], beta);
  }
}
