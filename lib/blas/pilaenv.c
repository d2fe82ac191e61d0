/* ScaLAPACK's inner dimension of the products that a rank computes at a time. Its own choice, 32,
 * leaves no product that is worth a device. It must be the same on every rank, so no device's
 * properties decide. */
#include <stddef.h>

#include "names.h"

EXPORT int pilaenv_(const int* context, const char* precision, size_t length) {
  int (*next)(const int*, const char*, size_t);
  if (!settings()->is_off) return settings()->slice;
  *(void**)&next = find_next("pilaenv_", CALLER);
  return next != NULL ? next(context, precision, length) : 32;
}
