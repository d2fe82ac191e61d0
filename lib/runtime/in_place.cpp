// Buffers over the host's memory.
#include "runtime/in_place.hpp"

#include <cstdint>

namespace tessera::inline v0::runtime {

std::optional<InPlace> in_place(Context& context, std::byte* data, std::size_t bytes,
                                bool read_only) {
  const Device& device = context.device();
  if (device.info.type != DeviceType::cpu || !device.shares_host_memory) return std::nullopt;
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
