// The structs of DLPack 1, as https://dmlc.github.io/dlpack describes them.
#pragma once

#include <cstdint>

namespace tessera_py::dlpack {

struct Device {
  std::int32_t type, id;
};
struct DataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
enum Code : std::uint8_t { kInt = 0, kFloat = 2, kBfloat = 4, kComplex = 5 };

struct Tensor {
  void* data;
  Device device;
  std::int32_t ndim;
  DataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  ///< in elements; null if the last dimension varies fastest
  std::uint64_t byte_offset;
};
struct Managed {
  Tensor tensor;
  void* context;
  void (*deleter)(Managed*);
};
struct Version {
  std::uint32_t major, minor;
};
struct ManagedVersioned {
  Version version;
  void* context;
  void (*deleter)(ManagedVersioned*);
  std::uint64_t flags;
  Tensor tensor;
};
constexpr std::uint64_t kReadOnly = 1, kIsCopied = 2;

constexpr const char* kName = "dltensor";
constexpr const char* kUsedName = "used_dltensor";
constexpr const char* kVersionedName = "dltensor_versioned";
constexpr const char* kUsedVersionedName = "used_dltensor_versioned";

}  // namespace tessera_py::dlpack
