// tessera --version --json: the build, the OpenCL loader, and the drivers.
#include "commands/version.hpp"

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
#include "platform/path.hpp"
#include "platform/system.hpp"

namespace tessera::tool {
namespace {

constexpr std::string_view kCompiler =
#ifdef __clang__
    "clang " __clang_version__;
#else
    "gcc " __VERSION__;
#endif

/// The loader reports its name and version as text. Only ocl-icd has the function for this.
Json reported(void* function, unsigned property) {
  using GetInfo = int(unsigned, std::size_t, void*, std::size_t*);
  std::array<char, 256> text{};
  if (function == nullptr ||
      reinterpret_cast<GetInfo*>(function)(property, text.size() - 1, text.data(), nullptr) != 0)
    return nullptr;
  return text.data();
}

Json loader() {
  const auto [path, library] = opencl_loader();
  if (path.empty()) return nullptr;
  using GetAddress = void*(const char*);
  auto* address =
      library == nullptr
          ? nullptr
          : reinterpret_cast<GetAddress*>(symbol_of(library, "clGetExtensionFunctionAddress"));
  void* info = address == nullptr ? nullptr : address("clGetICDLoaderInfoOCLICD");
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(path_of(path), error);
  constexpr unsigned kVersion = 2, kName = 3;
  return {{"file", error ? path : text_of(file)},
          {"name", reported(info, kName)},
          {"version", reported(info, kVersion)}};
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
