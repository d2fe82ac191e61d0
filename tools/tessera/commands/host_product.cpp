// Products by multiply_host: their devices, their times, what they copied.
#include "commands/host_product.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <tessera/host_product.hpp>

#include "commands/print_json.hpp"
#include "commands/product_output.hpp"
#include "commands/progress.hpp"
#include "figures.hpp"
#include "files/input.hpp"
#include "files/matrix_output.hpp"
#include "text.hpp"

namespace tessera::tool {
namespace {

detail::HostOperand host_operand(const AnyMatrix& matrix, Op op) {
  const bool turned = is_transposed(op);
  const auto [rows, columns, stack] = matrix.shape;
  return {matrix.elements.data(),
          turned ? columns : rows,
          turned ? rows : columns,
          columns,
          matrix.type,
          composed(matrix.type, Op::none, op),
          false};
}

AnyMatrix copy_of(const AnyMatrix& matrix) {
  AnyMatrix copy(matrix.type, matrix.shape);
  std::ranges::copy(matrix.elements, copy.elements.begin());
  return copy;
}

/// The product, and the runs that computed it.
struct HostRuns {
  AnyMatrix c;
  HostProductReport report;
  Spread seconds;
};

HostRuns compute(const Operands& operands, const MultiplyCommand& command) {
  const MultiplyOptions factors = options_of(command, operands.types);
  HostProductOptions options{
      .alpha = factors.alpha, .beta = factors.beta, .accuracy = factors.accuracy};
  if (!command.device.empty()) options.devices = {operands.engine};
  Progress progress;
  options.progress = [&](const HostProductProgress& now) {
    progress.set_total(now.tiles);
    progress.update(now.tiles_done, "tiles");
  };
  HostRuns runs;
  std::vector<double> times;
  const unsigned warm_up = command.repeat > 1 ? 1 : 0;
  for (unsigned run = 0; run < command.repeat + warm_up; run++) {
    runs.c = {};  // frees the last run's
    runs.c = command.beta != 0 ? copy_of(operands.c0)
                               : AnyMatrix(operands.types.c, {operands.rows, operands.columns, 0});
    runs.report = detail::multiply_host(host_operand(runs.c, Op::none),
                                        host_operand(operands.a, command.op_a()),
                                        host_operand(operands.b, command.op_b()), options);
    if (run >= warm_up) times.push_back(runs.report.seconds);
  }
  runs.seconds = spread_of(std::move(times));
  return runs;
}

Json json_of(const HostRuns& runs, const Operands& operands,
             const std::optional<Verification>& verification) {
  Json devices = Json::array();
  for (const HostProductDevice& device : runs.report.devices) {
    devices.push_back({{"name", device.engine.device().name},
                       {"tiles", device.tiles},
                       {"bytes_in", device.bytes_in},
                       {"bytes_out", device.bytes_out},
                       {"in_place", device.in_place},
                       {"failure", device.failure}});
  }
  Json json = {{"devices", std::move(devices)},
               {"tile_rows", runs.report.tile_rows},
               {"tile_columns", runs.report.tile_columns},
               {"depth", runs.report.depth},
               {"seconds", runs.seconds.median},
               {"seconds_min", runs.seconds.min},
               {"seconds_max", runs.seconds.max},
               {"repetitions", runs.seconds.count},
               {"gflops", gflops(operands, runs.seconds.median)}};
  add_verification(json, operands, verification);
  return json;
}

void print(std::FILE* out, const HostRuns& runs, const Operands& operands,
           const MultiplyCommand& command) {
  std::vector<std::string> names;
  for (const HostProductDevice& device : runs.report.devices)
    names.push_back(one_line(device.engine.device().name));
  fmt::print(out, "{}, {} in host memory on {}\n", text_of_sizes(operands),
             to_string(operands.types), fmt::join(names, " and "));
  print_rounded(out, operands, command);
  for (const HostProductDevice& device : runs.report.devices) {
    if (!device.failure.empty())
      fmt::print(out, "{} failed, others computed its tiles: {}\n",
                 one_line(device.engine.device().name), one_line(device.failure));
  }
  fmt::print(out, "tiles of {} x {}, {} of k at a time\n", runs.report.tile_rows,
             runs.report.tile_columns, runs.report.depth);
  fmt::print(out, "{}, {:.4g} GFLOP/s, copies included\n", text_of(runs.seconds),
             gflops(operands, runs.seconds.median));
}

}  // namespace

std::string why_on_device(const MultiplyCommand& command, const ProductShape& shape) {
  if (command.every_kernel) return "--every-kernel";
  if (!command.kernel.empty()) return "--kernel";
  if (!command.settings.empty()) return "--set";
  return shape.batch > 1 || shape.is_stack ? "a batch" : "";
}

int run_on_host(const Operands& operands, const MultiplyCommand& command) {
  std::optional<MatrixOutput> output;
  if (!command.output.empty()) output.emplace(command.output, operands.types.c);
  const HostRuns runs = compute(operands, command);
  std::optional<Verification> verification;
  if (command.verify)
    verification = verify(operands, command, options_of(command, operands.types), runs.c);
  if (output) output->write(runs.c);
  if (command.json) {
    print_json(json_of(runs, operands, verification));
  } else {
    std::FILE* const out = command.output == kStandardStream ? stderr : stdout;
    print(out, runs, operands, command);
    print_verification(out, verification, operands);
    if (!output) print_elements(runs.c);
  }
  return passed(verification) ? done : check_failed;
}

}  // namespace tessera::tool
