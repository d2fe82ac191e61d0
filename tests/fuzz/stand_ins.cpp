// Stand-ins: what the readers ask of the library's tables of kernels, and of the machine.
#include <unistd.h>

#include <string>
#include <string_view>

#include "kernels/operation.hpp"
#include "kernels/profile.hpp"
#include "runtime/kernel_source.hpp"
#include "tessera/error.hpp"

// The linker is told to call this in place of sysconf(): a machine with so little memory that
// matrices which are too large for it are found at once.
extern "C" long __real_sysconf(int name);
extern "C" long __wrap_sysconf(int name) {
  return name == _SC_PHYS_PAGES ? 64 : __real_sysconf(name);
}

namespace tessera::inline v0 {

const OperationInfo& info_of(const std::string& operation) {
  static const OperationInfo all{.name = "multiply", .dimensions = Dimensions::product};
  if (operation != all.name)
    throw ArgumentError(ErrorCode::unknown_name, "no operation " + operation);
  return all;
}

Work work_of(const Problem&) { return {.flops = 2, .bytes = 12}; }

std::string describe(const Problem& problem) { return problem.operation; }

namespace kernels {

const Variant& find_variant(const Operation&, std::string_view name) {
  static const Variant naive{.name = "naive", .summary = {}};
  if (name != naive.name)
    throw ArgumentError(ErrorCode::unknown_name, "no variant " + std::string(name));
  return naive;
}

std::string source_hash(const Variant&) { return "0123456789abcdef"; }

}  // namespace kernels

namespace runtime {

std::span<const EmbeddedKernel> embedded_kernels() { return {}; }

}  // namespace runtime
}  // namespace tessera::inline v0
