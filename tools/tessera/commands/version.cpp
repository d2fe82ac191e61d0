// tessera --version --json: the build, the OpenCL loader, and the drivers.
#include "commands/version.hpp"

#include <dlfcn.h>
#include <link.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <tessera/device.hpp>
#include <tessera/error.hpp>
#include <tessera/version.hpp>

#include "commands/commit.hpp"
#include "commands/print_json.hpp"
#include "exports/tune_json.hpp"

namespace tessera::tool {
namespace {

constexpr std::string_view kCompiler =
#ifdef __clang__
    "clang " __clang_version__;
#else
    "gcc " __VERSION__;
#endif

/// The file of the OpenCL loader that this process uses; empty if it uses none.
std::string loader_path() {
  std::string path;
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* found) {
        if (std::string_view(object->dlpi_name).find("libOpenCL.so") == std::string_view::npos)
          return 0;
        *static_cast<std::string*>(found) = object->dlpi_name;
        return 1;
      },
      &path);
  return path;
}

/// The loader reports its name and version as text. Only ocl-icd has the function for this.
Json text_of(void* function, unsigned property) {
  using GetInfo = int(unsigned, std::size_t, void*, std::size_t*);
  std::array<char, 256> text{};
  if (function == nullptr ||
      reinterpret_cast<GetInfo*>(function)(property, text.size() - 1, text.data(), nullptr) != 0)
    return nullptr;
  return text.data();
}

Json loader() {
  const std::string path = loader_path();
  if (path.empty()) return nullptr;
  void* handle = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  using GetAddress = void*(const char*);
  auto* address =
      handle == nullptr
          ? nullptr
          : reinterpret_cast<GetAddress*>(::dlsym(handle, "clGetExtensionFunctionAddress"));
  void* info = address == nullptr ? nullptr : address("clGetICDLoaderInfoOCLICD");
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(path, error);
  constexpr unsigned kVersion = 2, kName = 3;
  return {{"file", error ? path : file.string()},
          {"name", text_of(info, kName)},
          {"version", text_of(info, kVersion)}};
}

/// The platforms that have a device.
Json platforms() {
  Json result = Json::array();
  std::string number;
  for (const DeviceInfo& device : devices()) {
    const std::string its = device.selector.substr(0, device.selector.find(':'));
    if (result.empty() || its != number) {
      result.push_back({{"name", device.platform},
                        {"version", device.platform_version},
                        {"devices", Json::array()}});
      number = its;
    }
    result.back()["devices"].push_back(
        {{"selector", device.selector}, {"name", device.name}, {"driver", device.driver}});
  }
  return result;
}

}  // namespace

void print_version() {
  const std::string_view commit = kCommit;
  Json document = {{"version", TESSERA_VERSION_STRING},
                   {"library", to_string(version())},
                   {"commit", commit.empty() ? Json(nullptr) : Json(commit)},
                   {"compiler", kCompiler},
                   {"platforms", Json::array()}};
  try {
    document["platforms"] = platforms();
  } catch (const Error& error) {  // a broken driver must not hide the version
    document["error"] = error.what();
  }
  document["opencl_loader"] = loader();
  print_json(document);
}

}  // namespace tessera::tool
