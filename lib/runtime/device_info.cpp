// Queries of a device's properties, with fallbacks for devices that do not support them.
#include <algorithm>
#include <sstream>

#include "runtime/device.hpp"
#include "runtime/opencl_error.hpp"

namespace tessera::inline v0 {

std::string_view to_string(DeviceType type) { return runtime::name_of(type); }

bool DeviceInfo::has_extension(std::string_view extension) const {
  return std::ranges::find(extensions, extension) != extensions.end();
}

namespace runtime {
namespace {

constexpr cl_device_info kSubGroupSizesIntel = 0x4108;
constexpr cl_device_info kWarpSizeNv = 0x4003;
constexpr cl_device_info kWavefrontWidthAmd = 0x4043;

DeviceType type_of(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU) return DeviceType::gpu;
  if (type & CL_DEVICE_TYPE_CPU) return DeviceType::cpu;
  if (type & CL_DEVICE_TYPE_ACCELERATOR) return DeviceType::accelerator;
  return DeviceType::other;
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// Strips the null characters and the spaces with which some drivers pad names.
std::string trimmed(std::string text) {
  std::erase(text, '\0');
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

std::vector<std::size_t> sub_group_sizes(const cl::Device& device) {
  std::size_t bytes = 0;
  if (!knows(clGetDeviceInfo(device(), kSubGroupSizesIntel, 0, nullptr, &bytes))) return {};
  std::vector<std::size_t> sizes(bytes / sizeof(std::size_t));
  check(clGetDeviceInfo(device(), kSubGroupSizesIntel, bytes, sizes.data(), nullptr),
        "clGetDeviceInfo");
  // Some runtimes list every number, not only powers of two.
  std::erase_if(sizes, [](std::size_t size) { return size == 0 || (size & (size - 1)) != 0; });
  std::ranges::sort(sizes);
  return sizes;
}

unsigned simd_width(const cl::Device& device, const DeviceInfo& info) {
  if (info.has_extension("cl_nv_device_attribute_query"))
    return query<cl_uint>(device, kWarpSizeNv, 32);
  if (info.has_extension("cl_amd_device_attribute_query"))
    return query<cl_uint>(device, kWavefrontWidthAmd, 64);
  const cl_uint vector_width = device.getInfo<CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT>();
  if (info.type == DeviceType::gpu && !info.sub_group_sizes.empty()) {
    return static_cast<unsigned>(std::min<std::size_t>(info.sub_group_sizes.back(), 32));
  }
  return std::max<cl_uint>(vector_width, 1);
}

DeviceInfo info_of(const cl::Device& device, std::string selector) {
  const cl::Platform platform(device.getInfo<CL_DEVICE_PLATFORM>());
  DeviceInfo info;
  info.selector = std::move(selector);
  info.name = trimmed(device.getInfo<CL_DEVICE_NAME>());
  info.vendor = trimmed(device.getInfo<CL_DEVICE_VENDOR>());
  info.driver = trimmed(device.getInfo<CL_DRIVER_VERSION>());
  info.version = trimmed(device.getInfo<CL_DEVICE_VERSION>());
  info.platform = trimmed(platform.getInfo<CL_PLATFORM_NAME>());
  info.platform_version = trimmed(platform.getInfo<CL_PLATFORM_VERSION>());
  info.type = type_of(device.getInfo<CL_DEVICE_TYPE>());
  info.compute_units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();
  info.clock_mhz = device.getInfo<CL_DEVICE_MAX_CLOCK_FREQUENCY>();
  info.global_memory = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  info.max_allocation = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  info.local_memory = device.getInfo<CL_DEVICE_LOCAL_MEM_SIZE>();
  info.max_work_group = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();
  const auto items = device.getInfo<CL_DEVICE_MAX_WORK_ITEM_SIZES>();
  std::copy_n(items.begin(), std::min(items.size(), info.max_work_items.size()),
              info.max_work_items.begin());
  info.extensions = words(trimmed(device.getInfo<CL_DEVICE_EXTENSIONS>()));
  info.has_double = device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() != 0;
  info.has_images = device.getInfo<CL_DEVICE_IMAGE_SUPPORT>() == CL_TRUE;
  if (info.has_images) {
    info.max_image_width = device.getInfo<CL_DEVICE_IMAGE2D_MAX_WIDTH>();
    info.max_image_height = device.getInfo<CL_DEVICE_IMAGE2D_MAX_HEIGHT>();
  }
  if (info.has_extension("cl_intel_required_subgroup_size"))
    info.sub_group_sizes = sub_group_sizes(device);
  info.simd_width = simd_width(device, info);
  return info;
}

}  // namespace

Device describe(const cl::Device& device, std::string selector) {
  return {device, info_of(device, std::move(selector)),
          device.getInfo<CL_DEVICE_HOST_UNIFIED_MEMORY>() == CL_TRUE};
}

}  // namespace runtime
}  // namespace tessera::inline v0
