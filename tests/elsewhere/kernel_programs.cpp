// Writes the programs of all kernels as a device would get them, for compilers that need no device.
//   kernel_programs CAPABILITIES FOLDER [SHARE]
// CAPABILITIES: JSON of DeviceCapabilities. SHARE: k/n, every n-th program beginning with the k-th.
// Each program with default parameters becomes FOLDER/NUMBER.cl. The output has a line for each:
//   NUMBER, the kernel, its types, its build options; separated by tabs
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <tessera/capabilities.hpp>
#include <utility>
#include <vector>

#include "kernels/resolve.hpp"
#include "operations.hpp"
#include "runtime/kernel_source.hpp"

namespace {

using namespace tessera;

std::string text_of(const ProductTypes& types) {
  std::string text(to_string(types.a));
  if (types.c != types.a) text += " to " + std::string(to_string(types.c));
  return text;
}

std::vector<Mode> modes() {
  std::vector<Mode> all;
  for (const Accuracy accuracy : {Accuracy::ieee, Accuracy::bounded})
    for (const Accumulator accumulator :
         {Accumulator::automatic, Accumulator::two_floats, Accumulator::compensated})
      for (const bool validate : {false, true}) all.push_back({accuracy, accumulator, validate});
  return all;
}

/// The ops that give different programs: kernels of complex types conjugate.
std::vector<Op> ops(const ProductTypes& types) {
  return {Op::none, is_complex(types.a) ? Op::conjugate_transpose : Op::transpose};
}

/// Problems that together have all types, ops and modes.
std::vector<Problem> problems(const kernels::Operation& operation) {
  std::vector<Problem> all;
  for (const ProductTypes& types : operation.types)
    for (const Op op_a : ops(types))
      for (const Op op_b : ops(types))
        for (const Mode& mode : modes())
          if (operation.transposes || (op_a == Op::none && op_b == Op::none))
            all.push_back({.operation = operation.name,
                           .types = types,
                           .op_a = op_a,
                           .op_b = op_b,
                           .mode = mode});
  return all;
}

class Programs {
 public:
  Programs(std::filesystem::path folder, std::size_t first, std::size_t step)
      : folder_(std::move(folder)), next_(first), step_(step) {}

  void write(const kernels::Variant& variant, const kernels::Target& target) {
    if (kernels::why_not(variant, target)) return;
    const auto parameters = kernels::resolve(variant, {}, target);
    const auto options = kernels::build_options(variant, parameters, target);
    if (!seen_.insert(variant.file() + options).second || seen_.size() != next_) return;
    next_ += step_;
    const std::size_t number = seen_.size();
    std::ofstream(folder_ / fmt::format("{}.cl", number)) << runtime::joined_source(variant.file());
    fmt::print("{}\t{}\t{}\t{}\n", number, variant.full_name(), text_of(target.types), options);
  }

 private:
  std::filesystem::path folder_;
  std::size_t next_, step_;
  std::set<std::string> seen_;
};

void write_all(const DeviceCapabilities& device, Programs& programs) {
  for (const kernels::Operation* operation : operation_tables()) {
    for (const Problem& problem : problems(*operation)) {
      const kernels::Target target(device, problem);
      for (const kernels::Variant* variant : operation->variants)
        if (!(variant->for_cpus && device.type == DeviceType::gpu))
          programs.write(*variant, target);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    std::size_t first = 1, step = 1;
    const bool is_share = count != 4 || (std::sscanf(arguments[3], "%zu/%zu", &first, &step) == 2 &&
                                         first > 0 && first <= step);
    if (count < 3 || count > 4 || !is_share) {
      fmt::print(stderr, "usage: kernel_programs CAPABILITIES FOLDER [SHARE]\n");
      return 2;
    }
    std::ifstream file(arguments[1]);
    const std::string json(std::istreambuf_iterator<char>(file), {});
    Programs programs(arguments[2], first, step);
    write_all(capabilities_from_json(json), programs);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
