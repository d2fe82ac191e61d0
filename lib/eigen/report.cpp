// Conversion of a report from the device's layout.
#include "eigen/report.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace tessera::inline v0::eigen {
namespace {

template <class Stored>
Stored stored(std::span<const std::byte> bytes) {
  Stored value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

template <class Component>
RoundState from_device(const DeviceState<Component>& state) {
  return {.halt = state.halt,
          .rounds = state.rounds,
          .bad_row = state.bad_row,
          .has_zeros = state.zeros != 0,
          .flushes = state.flushes != 0,
          .gap = static_cast<double>(state.gap),
          .gap_before = static_cast<double>(state.gap_before),
          .lower = state.lower.value(),
          .upper = state.upper.value()};
}

template <class Component>
Evidence from_device(const DeviceEvidence<Component>& device, std::size_t n) {
  // The deviation's own rounding: a difference, a quotient and a product.
  constexpr double kRounding = 8 * double{std::numeric_limits<Component>::epsilon()};
  Evidence evidence{.size = n,
                    .unproven_row = {},
                    .minimum = device.minimum.value(),
                    .largest = device.largest.value(),
                    .lowest = device.lowest.value(),
                    .highest = device.highest.value(),
                    .middle = device.middle.value(),
                    .deviation = static_cast<double>(device.deviation) * (1 + kRounding)};
  if (device.unproven_row < n) evidence.unproven_row = device.unproven_row;
  return evidence;
}

template <class Component>
Report from_device(const DeviceReport<Component>& device) {
  Report report{.state = from_device(device.state)};
  std::ranges::transform(device.rounds, report.rounds.begin(), [](const auto& record) {
    return RoundRecord{record.lower.value(), record.upper.value(),
                       static_cast<double>(record.scale)};
  });
  return report;
}

}  // namespace

std::size_t report_size(Wide wide) {
  return with_component(wide,
                        []<class Component>(Component) { return sizeof(DeviceReport<Component>); });
}

std::size_t evidence_offset(Wide wide) {
  return with_component(
      wide, []<class Component>(Component) { return offsetof(DeviceReport<Component>, evidence); });
}

std::size_t state_size(Wide wide, std::size_t n) {
  return report_size(wide) + n * with_component(wide, []<class Component>(Component) {
                               return sizeof(Findings<Component>);
                             });
}

Report report_of(std::span<const std::byte> bytes, Wide wide) {
  return with_component(wide, [&]<class Component>(Component) {
    return from_device(stored<DeviceReport<Component>>(bytes));
  });
}

Evidence evidence_in(std::span<const std::byte> bytes, Wide wide, std::size_t n) {
  return with_component(wide, [&]<class Component>(Component) {
    return from_device(stored<DeviceReport<Component>>(bytes).evidence, n);
  });
}

RoundState state_of(std::span<const std::byte> bytes, Wide wide) {
  return with_component(wide, [&]<class Component>(Component) {
    return from_device(stored<DeviceState<Component>>(bytes));
  });
}

std::vector<std::byte> initial_state(Wide wide) {
  return with_component(wide, []<class Component>(Component) {
    const DeviceState<Component> state;
    std::vector<std::byte> bytes(sizeof state);
    std::memcpy(bytes.data(), &state, sizeof state);
    return bytes;
  });
}

}  // namespace tessera::inline v0::eigen
