// Handles: the objects behind the pointers of the C interface.
#pragma once

#include <tessera/tessera.h>

#include <memory>
#include <mutex>
#include <string>
#include <tessera/tessera.hpp>
#include <utility>
#include <vector>

#include "c_api/status.hpp"

/// A text that is made when it is asked for.
class LazyText {
 public:
  /// "" if memory is short.
  template <class Make>
  const char* get(Make&& make) const noexcept {
    try {
      std::call_once(once_, [&] { text_ = make(); });
      return text_.c_str();
    } catch (...) {
      return "";
    }
  }

 private:
  mutable std::once_flag once_ = {};
  mutable std::string text_ = {};
};

struct tessera_engine {
  tessera::Engine engine;
  LazyText json = {};
};
struct tessera_stream {
  tessera::Stream stream;
};
struct tessera_event {
  tessera::Event event;
  void set(tessera::Event enqueued) { event = std::move(enqueued); }
};
struct tessera_matrix {
  tessera::detail::Operand operand;
};
struct tessera_cancel {
  tessera::CancelSource source;
};

/// Once a run is enqueued, nothing more can fail.
struct tessera_run {
  tessera::KernelRun run;
  LazyText kernel = {};
  void set(tessera::KernelRun enqueued) { run = std::move(enqueued); }
};

namespace tessera::c_api {

/// The library's object behind a handle. Throws ArgumentError for null.
inline const Engine& get(const tessera_engine* engine) {
  need(engine, "the engine");
  return engine->engine;
}
inline const Stream& get(const tessera_stream* stream) {
  need(stream, "the stream");
  return stream->stream;
}
inline const Event& get(const tessera_event* event) {
  need(event, "the event");
  return event->event;
}
inline const detail::Operand& get(const tessera_matrix* matrix, const char* name = "the matrix") {
  need(matrix, name);
  return matrix->operand;
}

}  // namespace tessera::c_api
