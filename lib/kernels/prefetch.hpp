// Prefetch: PREFETCH, the parameter of kernels that prefetch memory (cl/common/numbers.cl).
#pragma once

#include "kernels/variant.hpp"

namespace tessera::inline v0::kernels {

inline bool can_prefetch(const Target& target) {
  return target.device().type == DeviceType::cpu && target.device().has_prefetches;
}

inline Rule prefetch_rule() {
  return {
      .text =
          "PREFETCH is 0 where the compiler has no prefetch builtin, and on devices other than "
          "CPUs",
      .holds = [](const Parameters& p,
                  const Target& target) { return p.at("PREFETCH") == 0 || can_prefetch(target); },
      .depends_on = {"PREFETCH"}};
}

}  // namespace tessera::inline v0::kernels
