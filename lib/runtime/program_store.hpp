// Program store: from kernel files and build options to a built program, through memory, disk,
// compiler.
#pragma once

#include <cstddef>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/binary_cache.hpp"
#include "runtime/device.hpp"
#include "runtime/opencl.hpp"

namespace tessera::inline v0::runtime {

/// A kernel function of a built program. Its arguments are state of the kernel object: hold the
/// mutex from setting the first until the kernel is enqueued.
struct Kernel {
  cl::Kernel handle;
  std::string name;
  std::size_t max_work_group = 0;  ///< that this device allows for this kernel
  std::mutex mutex;
};

class Program {
 public:
  Program(cl::Program handle, cl::Device device, std::string identity)
      : handle_(std::move(handle)), device_(std::move(device)), identity_(std::move(identity)) {}

  /// Identifies the program's source and options, compiled for this device by this driver.
  const std::string& identity() const { return identity_; }

  /// The kernel function of that name; the reference is valid as long as the program lives.
  Kernel& kernel(const std::string& name);

 private:
  cl::Program handle_;
  cl::Device device_;
  std::string identity_;
  std::mutex mutex_;
  std::map<std::string, Kernel> kernels_;
};

class ProgramStore {
 public:
  ProgramStore(cl::Context context, Device device);

  /// The program of a file below cl/, built only once even if several threads request it. Throws
  /// BuildError; a later call tries again.
  std::shared_ptr<Program> get(const std::string& file, const std::string& options);

  /// Program::identity() of such a program, without building it.
  std::string identity(const std::string& file, const std::string& options) const;
  /// Build options of every program: $TESSERA_BUILD_OPTIONS when the store was made.
  const std::string& more_options() const { return more_options_; }
  /// Stores facts about programs. Stores their binaries too, unless the runtime keeps programs and
  /// $TESSERA_CACHE is not set.
  const BinaryCache& disk() const { return disk_; }

 private:
  cl::Program build(const std::string& file, const std::string& source, const std::string& options);
  cl::Program compile(const std::string& file, const std::string& source,
                      const std::string& options);
  std::string all_options(const std::string& own) const;
  std::string disk_key(const std::string& source, const std::string& options) const;

  using Build = std::shared_future<std::shared_ptr<Program>>;

  cl::Context context_;
  Device device_;
  std::string more_options_;  // from the environment, for every program
  BinaryCache disk_;
  BinaryCache binaries_;  // `disk_`, or off: see disk()
  std::mutex mutex_;
  std::map<std::string, Build> programs_;
};

}  // namespace tessera::inline v0::runtime
