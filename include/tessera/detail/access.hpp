// Access: the way between public objects and the library's own state.
#pragma once

#include <utility>

namespace tessera::inline v0::detail {

struct Operand;

struct Access {
  template <class Handle, class... State>
  static Handle make(State&&... state) {
    return Handle(std::forward<State>(state)...);
  }
  template <class Handle>
  static const auto& state(const Handle& handle) {
    return handle.state_;
  }
  template <class Plan, class... Arguments>
  static auto run(const Plan& plan, const Arguments&... arguments) {
    return plan.run(arguments...);
  }
  template <class Matrix>
  static const Operand& operand(const Matrix& matrix) {
    return matrix.operand_;
  }
};

}  // namespace tessera::inline v0::detail
