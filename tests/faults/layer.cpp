// Faults as a layer of OpenCL, for unchanged programs: $OPENCL_LAYERS names it to the loader, or
// $LD_PRELOAD if the loader does not support layers.
//   TESSERA_FAULTS         the faults, as parse_faults() reads them; calls are counted in any case
//   TESSERA_FAULTS_REPORT  a file to which each process adds how often it called each function
#include "opencl_header.hpp"
// This header needs the version that the header above defines.
#include <CL/cl_layer.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "fault.hpp"
#include "intercept.hpp"

namespace tessera::test {
namespace {

void report() {
  const char* const path = std::getenv("TESSERA_FAULTS_REPORT");
  if (path == nullptr) return;
  std::string text;
  for (const auto& [function, number] : calls_by_function())
    text += function + " " + std::to_string(number) + "\n";
  text += "failed " + std::to_string(failures()) + "\n";
  text += "unreleased " + unreleased() + "\n";
  // One write adds all lines, because other processes append to the file too.
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0 || write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    std::fprintf(stderr, "%s: not all written\n", path);
  if (file >= 0) close(file);
}

struct Layer {
  Layer() {
    const char* const text = std::getenv("TESSERA_FAULTS");
    try {
      inject(parse_faults(text != nullptr ? text : ""));
    } catch (const std::invalid_argument& error) {
      std::fprintf(stderr, "TESSERA_FAULTS: %s\n", error.what());
      std::_Exit(2);
    }
  }
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;
  ~Layer() { report(); }
};

const Layer layer;

}  // namespace

void watch_frees(void (*)(const void*, std::size_t)) {}  // for programs whose memory this is not

}  // namespace tessera::test

extern "C" {

cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t bytes, void* value, size_t* size) {
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const char text[] = "tessera-faults";
  const void* const what = name == CL_LAYER_API_VERSION ? static_cast<const void*>(&version) : text;
  const size_t number = name == CL_LAYER_API_VERSION ? sizeof version : sizeof text;
  if (name != CL_LAYER_API_VERSION && name != CL_LAYER_NAME) return CL_INVALID_VALUE;
  if (value != nullptr && bytes < number) return CL_INVALID_VALUE;
  if (value != nullptr) std::memcpy(value, what, number);
  if (size != nullptr) *size = number;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch* target,
                               cl_uint* layer_entries, const cl_icd_dispatch** layer_functions) {
  // What is not intercepted goes to the next layer as it is.
  static cl_icd_dispatch functions{}, next{};
  if (target == nullptr || layer_entries == nullptr || layer_functions == nullptr)
    return CL_INVALID_VALUE;
  std::memcpy(&next, target, std::min(entries * sizeof(void*), sizeof next));
  tessera::test::intercept::set_next(&next);
  functions = next;
#define INTERCEPT(name, ...) functions.name = name;
  FOR_EACH_ENTRY_POINT(INTERCEPT)
#undef INTERCEPT
  *layer_entries = sizeof functions / sizeof(void*);
  *layer_functions = &functions;
  return CL_SUCCESS;
}

// Loaders from 2026 on call this function instead of clInitLayer. No properties are defined.
cl_int CL_API_CALL clInitLayerWithProperties(cl_uint entries, const cl_icd_dispatch* target,
                                             cl_uint* layer_entries,
                                             const cl_icd_dispatch** layer_functions,
                                             const cl_properties*) {
  return clInitLayer(entries, target, layer_entries, layer_functions);
}

}  // extern "C"
