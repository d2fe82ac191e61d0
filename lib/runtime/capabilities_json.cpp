// Devices and their capabilities to JSON, and back.
#include <fmt/format.h>

#include <array>
#include <vector>

#include "runtime/json_reader.hpp"
#include "tessera/capabilities.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace {

using runtime::Json, runtime::number;

constexpr std::array kTypes = {DeviceType::cpu, DeviceType::gpu, DeviceType::accelerator,
                               DeviceType::other};

DeviceType type_named(const std::string& text) {
  for (const DeviceType type : kTypes) {
    if (name(type) == text) return type;
  }
  return DeviceType::other;
}

/// Of a device alone.
Json json_of(const DeviceInfo& device) {
  return {{"selector", device.selector},
          {"name", device.name},
          {"vendor", device.vendor},
          {"driver", device.driver},
          {"version", device.version},
          {"platform", device.platform},
          {"platform_version", device.platform_version},
          {"type", name(device.type)},
          {"compute_units", device.compute_units},
          {"clock_mhz", device.clock_mhz},
          {"global_memory", device.global_memory},
          {"max_allocation", device.max_allocation},
          {"local_memory", device.local_memory},
          {"max_work_group", device.max_work_group},
          {"max_work_items", device.max_work_items},
          {"sub_group_sizes", device.sub_group_sizes},
          {"simd_width", device.simd_width},
          {"has_double", device.has_double},
          {"has_images", device.has_images},
          {"max_image_width", device.max_image_width},
          {"max_image_height", device.max_image_height},
          {"extensions", device.extensions}};
}

void read_info(const Json& json, DeviceInfo& device) {
  const auto read = [&](const char* key, auto& value) { runtime::read(json, key, value); };
  read("selector", device.selector);
  read("name", device.name);
  read("vendor", device.vendor);
  read("driver", device.driver);
  read("version", device.version);
  read("platform", device.platform);
  read("platform_version", device.platform_version);
  device.type = type_named(json.value("type", ""));
  read("compute_units", device.compute_units);
  read("clock_mhz", device.clock_mhz);
  read("global_memory", device.global_memory);
  read("max_allocation", device.max_allocation);
  read("local_memory", device.local_memory);
  read("max_work_group", device.max_work_group);
  read("max_work_items", device.max_work_items);
  read("sub_group_sizes", device.sub_group_sizes);
  read("simd_width", device.simd_width);
  read("has_double", device.has_double);
  read("has_images", device.has_images);
  read("max_image_width", device.max_image_width);
  read("max_image_height", device.max_image_height);
  read("extensions", device.extensions);
}

std::string text_of(const Json& json) {
  return runtime::with_schema(json).dump(1, ' ', false, Json::error_handler_t::replace);
}

/// What `of` makes of the text.
template <class Of>
auto parsed(std::string_view text, Of&& of) {
  try {
    const Json json = runtime::parse(text);
    runtime::require_schema(json);
    return of(json);
  } catch (const Json::exception& error) {
    throw ArgumentError(ErrorCode::invalid_json,
                        fmt::format("not a valid device: {}", error.what()));
  }
}

}  // namespace

std::string to_json(const DeviceInfo& device) { return text_of(json_of(device)); }

DeviceInfo device_from_json(std::string_view text) {
  return parsed(text, [](const Json& json) {
    DeviceInfo device;
    read_info(json, device);
    return device;
  });
}

std::string to_json(const DeviceCapabilities& device) {
  Json lanes = Json::array();
  for (const LaneSupport& support : device.lane_exchanges)
    lanes.push_back({{"exchange", static_cast<int>(support.exchange)}, {"sizes", support.sizes}});
  Json json = json_of(device);
  json.update(Json{{"lane_exchanges", std::move(lanes)},
                   {"has_block_reads", device.has_block_reads},
                   {"has_float_atomics", device.has_float_atomics},
                   {"has_float_denormals", device.has_float_denormals},
                   {"has_exact_floats", device.has_exact_floats},
                   {"has_exact_doubles", device.has_exact_doubles},
                   {"has_exact_double_sums", device.has_exact_double_sums},
                   {"has_prefetches", device.has_prefetches},
                   {"has_device_fence", device.has_device_fence},
                   {"has_async_copies", device.has_async_copies},
                   {"has_cache_policies", device.has_cache_policies},
                   {"has_tensor_maps", device.has_tensor_maps},
                   {"has_wgmma", device.has_wgmma}});
  return text_of(json);
}

DeviceCapabilities capabilities_from_json(std::string_view text) {
  return parsed(text, [](const Json& json) {
    DeviceCapabilities device;
    read_info(json, device);
    const auto read = [&](const char* key, auto& value) { runtime::read(json, key, value); };
    for (const Json& lanes : json.value("lane_exchanges", Json::array())) {
      const int exchange =
          number<int>(lanes.at("exchange"), 0, static_cast<int>(LaneExchange::nvidia_ptx));
      LaneSupport& support =
          device.lane_exchanges.emplace_back(static_cast<LaneExchange>(exchange));
      runtime::read(lanes, "sizes", support.sizes);
    }
    read("has_block_reads", device.has_block_reads);
    read("has_float_atomics", device.has_float_atomics);
    read("has_float_denormals", device.has_float_denormals);
    read("has_exact_floats", device.has_exact_floats);
    read("has_exact_doubles", device.has_exact_doubles);
    read("has_exact_double_sums", device.has_exact_double_sums);
    read("has_prefetches", device.has_prefetches);
    read("has_device_fence", device.has_device_fence);
    read("has_async_copies", device.has_async_copies);
    read("has_cache_policies", device.has_cache_policies);
    read("has_tensor_maps", device.has_tensor_maps);
    read("has_wgmma", device.has_wgmma);
    return device;
  });
}

}  // namespace tessera::inline v0
