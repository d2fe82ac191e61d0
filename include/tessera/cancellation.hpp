// Cancellation: a flag by which one thread ends the work of another.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace tessera::inline v0 {

/// Reads the flag of a CancelSource. A default-constructed token is never cancelled. Safe to use
/// from several threads.
class CancelToken {
 public:
  CancelToken() = default;

  bool cancelled() const noexcept {
    return (flag_ != nullptr && flag_->load()) || (other_ != nullptr && other_->cancelled());
  }

  /// A token that is cancelled as soon as one of the two is.
  friend CancelToken either_of(CancelToken one, CancelToken other) {
    one.other_ = std::make_shared<const CancelToken>(
        one.other_ == nullptr ? std::move(other) : either_of(*one.other_, std::move(other)));
    return one;
  }

 private:
  friend class CancelSource;
  explicit CancelToken(std::shared_ptr<const std::atomic<bool>> flag) : flag_(std::move(flag)) {}

  std::shared_ptr<const std::atomic<bool>> flag_;
  std::shared_ptr<const CancelToken> other_;
};

/// Owns a flag that is set once. Copies share the flag. Safe to use from several threads.
///
///     tessera::CancelSource source;
///     std::jthread impatient([&] { source.cancel(); });
///     auto pair = dominant_eigenpair(a, {.cancel = source.token()});  // may throw CancelledError
class CancelSource {
 public:
  CancelSource() : flag_(std::make_shared<std::atomic<bool>>(false)) {}
  // A move is a copy: a source always has a flag.
  CancelSource(const CancelSource&) = default;
  CancelSource& operator=(const CancelSource&) = default;
  ~CancelSource() = default;

  /// May be called from a signal handler.
  void cancel() const noexcept { flag_->store(true); }
  bool cancelled() const noexcept { return flag_->load(); }
  CancelToken token() const { return CancelToken(flag_); }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free);  // what signal handlers require

  std::shared_ptr<std::atomic<bool>> flag_;
};

}  // namespace tessera::inline v0
