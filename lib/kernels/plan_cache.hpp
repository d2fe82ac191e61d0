// The plans of a context: those made, and the one chosen for each problem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>

#include "kernels/operation.hpp"

namespace tessera::inline v0::kernels {

struct Plan;

class PlanCache {
 public:
  /// The caller of an operation asks for a kernel by name. A profile or the operation's preferences
  /// accept another one if it does not run. A plan asks for itself in another mode.
  enum class Asker { caller, preference, other_mode };
  /// The key of a plan. A look-up uses views, which copy nothing.
  using Key =
      std::tuple<const Operation*, ProductTypes, Op, Op, Mode, std::string, Parameters, Asker>;
  using KeyView = std::tuple<const Operation*, ProductTypes, Op, Op, Mode, std::string_view,
                             const Parameters&, Asker>;
  /// The properties of a problem that determine its kernel on a device with a profile: operation,
  /// types, m, n, k, batch, transposes, leading dimensions and offsets of a, b and c, whether c is
  /// read, mode.
  using Choosing = std::tuple<const Operation*, ProductTypes, std::size_t, std::size_t, std::size_t,
                              std::size_t, Op, Op, Strides, Strides, bool, Mode>;

  /// Null if none was made.
  std::shared_ptr<const Plan> made(const KeyView& key);
  /// The first that was made for the key.
  std::shared_ptr<const Plan> remember(const KeyView& key, std::shared_ptr<const Plan> plan);

  /// Null if none was chosen since the profile's last change: asking a profile and a model takes
  /// microseconds.
  std::shared_ptr<const Plan> chosen(const Choosing& key, std::uint64_t profile_version);
  void choose(const Choosing& key, std::uint64_t profile_version, std::shared_ptr<const Plan> plan);

 private:
  struct Before {
    using is_transparent = void;
    bool operator()(const Key& a, const Key& b) const { return a < b; }
    bool operator()(const Key& a, const KeyView& b) const;
    bool operator()(const KeyView& a, const Key& b) const;
  };
  struct Chosen {
    std::uint64_t profile_version;
    std::shared_ptr<const Plan> plan;
  };

  std::mutex mutex_;
  std::map<Key, std::shared_ptr<const Plan>, Before> made_;
  std::map<Choosing, Chosen> chosen_;
};

}  // namespace tessera::inline v0::kernels
