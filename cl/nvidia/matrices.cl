// Operands of a warp's products, from local memory to registers (NVIDIA; PTX ISA 6.5, "ldmatrix").

#include "common/element.cl"

// Four matrices of 8 rows of 16 bytes of local memory, a word of each: lane 8 q + r gives the address of row r of
// matrix q, lane 4 g + t gets words t of rows g; or, transposed, of columns g the halves 2 t and 2 t + 1.
inlined void load_matrices(uint words[4], const uint address, const bool transposed) {
  if (transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(address)
                 : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(address)
                 : "memory");
  }
}
