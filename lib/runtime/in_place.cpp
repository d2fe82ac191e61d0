// Buffers over the host's memory.
#include "runtime/in_place.hpp"

#include <array>
#include <cstdint>
#include <mutex>
#include <string>

#include "runtime/event_state.hpp"
#include "runtime/opencl_error.hpp"

namespace tessera::inline v0::runtime {
namespace {

/// Finds out whether commands that write such a buffer change the host's memory at once. OpenCL
/// promises it only after a mapping, for runtimes that copy.
struct Probe {
  std::once_flag once;
  bool writes_at_once = false;

  void run(const Context& context) {
    struct alignas(4096) {
      std::array<cl_uint, 1024> words = {};
    } page;
    constexpr cl_uint kWritten = 0x5eed5eed;
    const cl::Buffer buffer(context.handle(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof page,
                            page.words.data());
    const cl::CommandQueue queue(context.handle(), context.device().handle);
    cl::Event written;
    queue.enqueueFillBuffer(buffer, kWritten, 0, sizeof page, nullptr, &written);
    queue.flush();
    written.wait();
    writes_at_once =
        ended(written()) && page.words.front() == kWritten && page.words.back() == kWritten;
  }
};

}  // namespace

std::optional<InPlace> in_place(Context& context, std::byte* data, std::size_t bytes,
                                bool read_only) {
  const Device& device = context.device();
  if (device.info.type != DeviceType::cpu || !device.shares_host_memory) return std::nullopt;
  auto& probe = context.extension<Probe>();
  with_opencl_errors([&] { std::call_once(probe.once, [&] { probe.run(context); }); },
                     [] { return std::string("trying host memory in place"); });
  if (!probe.writes_at_once) return std::nullopt;
  // Intel's runtime copies unless a buffer begins at a page and ends at a line of the cache. All of
  // these bytes are in pages of the caller's.
  constexpr std::uintptr_t kPage = 4096, kLine = 64;
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(data) % kPage;
  const std::size_t whole = (offset + bytes + kLine - 1) / kLine * kLine;
  const cl_mem_flags access = read_only ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
  cl_int status = CL_SUCCESS;
  const cl_mem made = clCreateBuffer(context.handle()(), access | CL_MEM_USE_HOST_PTR, whole,
                                     data - offset, &status);
  if (status != CL_SUCCESS) return std::nullopt;
  const cl::Buffer buffer(made);
  return InPlace{
      std::make_shared<Memory>(buffer, made, 0, std::make_shared<BufferUses>(), read_only), offset};
}

}  // namespace tessera::inline v0::runtime
