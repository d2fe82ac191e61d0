# Writes OUTPUT, a C++ file with the text of every file of KERNELS (paths below FOLDER).
set(rows "")
foreach(kernel IN LISTS KERNELS)
  file(READ "${FOLDER}/${kernel}" text)
  string(APPEND rows "    {\"${kernel}\", R\"~~~(${text})~~~\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// The kernels of cl/, as text. Generated.
#include <array>

#include \"runtime/kernel_source.hpp\"

namespace tessera::inline v0::runtime {

std::span<const EmbeddedKernel> embedded_kernels() {
  static constexpr auto kKernels = std::to_array<EmbeddedKernel>({
${rows}  });
  return kKernels;
}

}  // namespace tessera::inline v0::runtime
")
