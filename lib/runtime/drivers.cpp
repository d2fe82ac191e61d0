// Drivers that $TESSERA_DRIVERS names by their paths, opened without a file of the loader.
#include <fmt/format.h>

#include <sstream>

#include "runtime/environment.hpp"
#include "runtime/opencl_loader.hpp"
#include "runtime/shared_library.hpp"

namespace tessera::inline v0::runtime {
namespace {

/// Appends the platforms of a driver. Returns why there are none, or an empty text.
std::string add_platforms(std::vector<cl::Platform>& platforms, const std::string& path) {
  std::string failure;
  void* const driver = open_library(path, failure);
  if (driver == nullptr) return failure;
  using Address = void*(CL_API_CALL*)(const char*);
  const auto address =
      reinterpret_cast<Address>(symbol_of(driver, "clGetExtensionFunctionAddress"));
  const auto platform_ids =
      address == nullptr
          ? nullptr
          : reinterpret_cast<clIcdGetPlatformIDsKHR_fn>(address("clIcdGetPlatformIDsKHR"));
  if (platform_ids == nullptr) return "it is no OpenCL driver";
  cl_uint count = 0;
  if (platform_ids(0, nullptr, &count) != CL_SUCCESS || count == 0) return "it has no platform";
  std::vector<cl_platform_id> found(count);
  if (platform_ids(count, found.data(), nullptr) != CL_SUCCESS) return "its platforms are unknown";
  for (cl_platform_id platform : found) platforms.emplace_back(platform);
  return {};
}

}  // namespace

#ifndef TESSERA_LOAD_OPENCL
bool has_opencl_loader() { return true; }  // the program would not have started
#endif

std::vector<cl::Platform> platforms_of_drivers(std::string& failures) {
  std::vector<cl::Platform> platforms;
  std::istringstream paths(environment("TESSERA_DRIVERS"));
  for (std::string path; std::getline(paths, path, kPathSeparator);) {
    if (path.empty()) continue;
    const std::string failure = add_platforms(platforms, path);
    if (!failure.empty())
      failures += fmt::format("; the driver {} of TESSERA_DRIVERS: {}", path, failure);
  }
  return platforms;
}

}  // namespace tessera::inline v0::runtime
