// Devices, engines, streams and events in C.
#include <string>
#include <tessera/interop.hpp>
#include <vector>

#include "c_api/handles.hpp"
#include "c_api/options.hpp"

using namespace tessera::c_api;  // NOLINT: the functions that are declared in C
namespace interop = tessera::interop;

struct tessera_devices {
  std::vector<tessera::DeviceInfo> infos;
  std::vector<LazyText> json;

  explicit tessera_devices(std::vector<tessera::DeviceInfo> all)
      : infos(std::move(all)), json(infos.size()) {}
  bool has(std::size_t index) const { return index < infos.size(); }
};

tessera_status tessera_devices_create(tessera_devices** devices, tessera_error** error) {
  return create(devices, error, [] { return tessera::devices(); });
}
std::size_t tessera_devices_count(const tessera_devices* devices) {
  return devices != nullptr ? devices->infos.size() : 0;
}
const char* tessera_devices_selector(const tessera_devices* devices, std::size_t index) {
  return devices != nullptr && devices->has(index) ? devices->infos[index].selector.c_str()
                                                   : nullptr;
}
const char* tessera_devices_name(const tessera_devices* devices, std::size_t index) {
  return devices != nullptr && devices->has(index) ? devices->infos[index].name.c_str() : nullptr;
}
const char* tessera_devices_json(const tessera_devices* devices, std::size_t index) {
  if (devices == nullptr || !devices->has(index)) return nullptr;
  return devices->json[index].get([&] { return tessera::to_json(devices->infos[index]); });
}
void tessera_devices_destroy(tessera_devices* devices) { destroy(devices); }

tessera_status tessera_engine_create(tessera_engine** engine, const tessera_engine_options* options,
                                     tessera_error** error) {
  return create(engine, error, [&] {
    const auto given = read<tessera_engine_options>(options, TESSERA_ENGINE_OPTIONS_INIT);
    need_zero(given.reserved);
    const auto text = [](const char* of) { return std::string(of != nullptr ? of : ""); };
    return tessera::Engine({.device = text(given.device),
                            .profiling = given.profiling != 0,
                            .profile = text(given.profile)});
  });
}
tessera_status tessera_engine_adopt_queue(tessera_engine** engine, cl_command_queue queue,
                                          tessera_error** error) {
  return create(engine, error, [&] {
    need(queue, "the queue");
    return interop::adopt(queue);
  });
}
tessera_status tessera_engine_adopt_context(tessera_engine** engine, cl_context context,
                                            cl_device_id device, tessera_error** error) {
  return create(engine, error, [&] {
    need(context, "the context");
    need(device, "the device");
    return interop::adopt(context, device);
  });
}
std::int32_t tessera_engine_device_type(const tessera_engine* engine) {
  return engine != nullptr ? static_cast<std::int32_t>(engine->engine.device().type)
                           : TESSERA_DEVICE_OTHER;
}
const char* tessera_engine_device_name(const tessera_engine* engine) {
  return engine != nullptr ? engine->engine.device().name.c_str() : "";
}
const char* tessera_engine_device_json(const tessera_engine* engine) {
  if (engine == nullptr) return "";
  return engine->json.get([&] { return tessera::to_json(engine->engine.device()); });
}
tessera_status tessera_engine_finish(const tessera_engine* engine, tessera_error** error) {
  return guarded(error, [&] { get(engine).finish(); });
}
tessera_status tessera_engine_lost(const tessera_engine* engine, std::int32_t* lost,
                                   tessera_error** error) {
  return gives(lost, 0, error, [&] { return get(engine).lost() ? 1 : 0; });
}
tessera_status tessera_engine_memory(const tessera_engine* engine, std::uint64_t* live,
                                     std::uint64_t* scratch, std::uint64_t* capacity,
                                     tessera_error** error) {
  for (std::uint64_t* number : {live, scratch, capacity}) {
    if (number != nullptr) *number = 0;
  }
  return guarded(error, [&] {
    const tessera::MemoryUse use = get(engine).memory();
    if (live != nullptr) *live = use.live;
    if (scratch != nullptr) *scratch = use.scratch;
    if (capacity != nullptr) *capacity = use.capacity;
  });
}
tessera_status tessera_engine_release_scratch(const tessera_engine* engine, tessera_error** error) {
  return guarded(error, [&] { get(engine).release_scratch(); });
}
cl_context tessera_engine_context(const tessera_engine* engine) {
  return engine != nullptr ? interop::context(engine->engine) : nullptr;
}
cl_device_id tessera_engine_device(const tessera_engine* engine) {
  return engine != nullptr ? interop::device(engine->engine) : nullptr;
}
void tessera_engine_destroy(tessera_engine* engine) { destroy(engine); }

tessera_status tessera_stream_create(tessera_stream** stream, const tessera_engine* engine,
                                     tessera_error** error) {
  return create(stream, error, [&] { return get(engine).new_stream(); });
}
tessera_status tessera_stream_of(tessera_stream** stream, const tessera_engine* engine,
                                 tessera_error** error) {
  return create(stream, error, [&] { return get(engine).stream(); });
}
tessera_status tessera_stream_adopt(tessera_stream** stream, const tessera_engine* engine,
                                    cl_command_queue queue, tessera_error** error) {
  return create(stream, error, [&] {
    need(queue, "the queue");
    return interop::adopt(get(engine), queue);
  });
}
tessera_status tessera_stream_finish(const tessera_stream* stream, tessera_error** error) {
  return guarded(error, [&] { get(stream).finish(); });
}
tessera_status tessera_stream_wait_for(const tessera_stream* stream, tessera_event* const* events,
                                       std::size_t count, tessera_error** error) {
  return guarded(error, [&] { get(stream).wait_for(events_of(events, count)); });
}
cl_command_queue tessera_stream_queue(const tessera_stream* stream) {
  cl_command_queue queue = nullptr;
  guarded(nullptr, [&] { queue = interop::queue(get(stream)); });
  return queue;
}
void tessera_stream_destroy(tessera_stream* stream) { destroy(stream); }

tessera_status tessera_event_adopt(tessera_event** event, cl_event handle, tessera_error** error) {
  return create(event, error, [&] {
    need(handle, "the event");
    return interop::event(handle);
  });
}
tessera_status tessera_event_wait(const tessera_event* event, tessera_error** error) {
  return guarded(error, [&] { get(event).wait(); });
}
tessera_status tessera_event_complete(const tessera_event* event, std::int32_t* complete,
                                      tessera_error** error) {
  return gives(complete, 0, error, [&] { return get(event).complete() ? 1 : 0; });
}
cl_event tessera_event_handle(const tessera_event* event) {
  cl_event handle = nullptr;
  guarded(nullptr, [&] { handle = interop::handle(get(event)); });
  return handle;
}
void tessera_event_destroy(tessera_event* event) { destroy(event); }
