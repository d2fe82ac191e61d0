// Probe: the compiler has Clang's prefetch builtin. wrong[0] is 0 if it does.

kernel void probes_prefetch(global uint* restrict wrong) {
  __builtin_prefetch((const void*)(uintptr_t)wrong);
  wrong[0] = 0;
}
