// Devices and their capabilities to JSON, and back, by one list of fields.
#include <fmt/format.h>

#include <concepts>
#include <type_traits>
#include <vector>

#include "runtime/device.hpp"
#include "runtime/json_reader.hpp"
#include "tessera/capabilities.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0 {
namespace {

using runtime::Json;

/// Calls `field` with key and member of each field, in the order of the document.
template <class Device, class Field>
void for_fields_of_info(Device& device, const Field& field) {
  field("selector", device.selector);
  field("name", device.name);
  field("vendor", device.vendor);
  field("driver", device.driver);
  field("version", device.version);
  field("platform", device.platform);
  field("platform_version", device.platform_version);
  field("type", device.type);
  field("compute_units", device.compute_units);
  field("clock_mhz", device.clock_mhz);
  field("global_memory", device.global_memory);
  field("max_allocation", device.max_allocation);
  field("local_memory", device.local_memory);
  field("max_work_group", device.max_work_group);
  field("max_work_items", device.max_work_items);
  field("sub_group_sizes", device.sub_group_sizes);
  field("simd_width", device.simd_width);
  field("has_double", device.has_double);
  field("has_images", device.has_images);
  field("max_image_width", device.max_image_width);
  field("max_image_height", device.max_image_height);
  field("extensions", device.extensions);
}

/// The same for a DeviceInfo or for DeviceCapabilities.
template <class Device, class Field>
void for_fields(Device& device, const Field& field) {
  for_fields_of_info(device, field);
  if constexpr (std::derived_from<std::remove_const_t<Device>, DeviceCapabilities>) {
    field("lane_exchanges", device.lane_exchanges);
    field("has_block_reads", device.has_block_reads);
    field("has_float_atomics", device.has_float_atomics);
    field("has_float_denormals", device.has_float_denormals);
    field("has_exact_floats", device.has_exact_floats);
    field("has_exact_doubles", device.has_exact_doubles);
    field("has_exact_double_sums", device.has_exact_double_sums);
    field("has_prefetches", device.has_prefetches);
    field("has_device_fence", device.has_device_fence);
    field("has_cache_policies", device.has_cache_policies);
    field("has_wgmma", device.has_wgmma);
    field("async_copy_memory", device.async_copy_memory);
    field("tensor_map_memory", device.tensor_map_memory);
    field("nvidia_architecture", device.nvidia_architecture);
  }
}

Json json_of_field(DeviceType type) { return to_string(type); }
Json json_of_field(const std::vector<LaneSupport>& exchanges) {
  Json all = Json::array();
  for (const LaneSupport& support : exchanges)
    all.push_back({{"exchange", static_cast<int>(support.exchange)}, {"sizes", support.sizes}});
  return all;
}
template <class T>
Json json_of_field(const T& value) {
  return value;
}

/// An unknown name is read as `other`.
void read_field(const Json& json, const char* key, DeviceType& type) {
  type = runtime::value_named<DeviceType>(json.value(key, "")).value_or(DeviceType::other);
}
void read_field(const Json& json, const char* key, std::vector<LaneSupport>& exchanges) {
  for (const Json& lanes : json.value(key, Json::array())) {
    const int exchange =
        runtime::number<int>(lanes.at("exchange"), 0, static_cast<int>(LaneExchange::nvidia_ptx));
    LaneSupport& support = exchanges.emplace_back(static_cast<LaneExchange>(exchange));
    runtime::read(lanes, "sizes", support.sizes);
  }
}
template <class T>
void read_field(const Json& json, const char* key, T& value) {
  runtime::read(json, key, value);
}

template <class Device>
std::string document_of(const Device& device) {
  Json json;
  for_fields(device, [&](const char* key, const auto& value) { json[key] = json_of_field(value); });
  return runtime::with_schema(json).dump(1, ' ', false, Json::error_handler_t::replace);
}

template <class Device>
Device parsed(std::string_view text) {
  try {
    const Json json = runtime::parse(text);
    runtime::require_schema(json);
    Device device;
    for_fields(device, [&](const char* key, auto& value) { read_field(json, key, value); });
    return device;
  } catch (const Json::exception& error) {
    throw ArgumentError(ErrorCode::invalid_json,
                        fmt::format("not a valid device: {}", error.what()));
  }
}

}  // namespace

std::string to_json(const DeviceInfo& device) { return document_of(device); }
std::string to_json(const DeviceCapabilities& device) { return document_of(device); }

DeviceInfo device_from_json(std::string_view text) { return parsed<DeviceInfo>(text); }
DeviceCapabilities capabilities_from_json(std::string_view text) {
  return parsed<DeviceCapabilities>(text);
}

}  // namespace tessera::inline v0
