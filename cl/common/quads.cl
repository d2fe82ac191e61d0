// Four numbers of local memory at once, aligned to as many.

#include "common/element.cl"

typedef JOIN(NUMBER, 4) Quad;

inlined void load_quad(number* to, local const number* from) {
  const Quad quad = *(local const Quad*)from;
  to[0] = quad.x;
  to[1] = quad.y;
  to[2] = quad.z;
  to[3] = quad.w;
}
