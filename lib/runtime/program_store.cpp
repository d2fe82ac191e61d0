// Building programs: each built once per process, and compiled once per machine.
#include "runtime/program_store.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

#include "runtime/environment.hpp"
#include "runtime/kernel_source.hpp"
#include "runtime/log.hpp"
#include "runtime/nvidia_ptx.hpp"
#include "runtime/opencl_error.hpp"

namespace tessera::inline v0::runtime {
namespace {

/// The only binary of a program for one device; empty if the runtime provides none. Throws
/// cl::Error if the query fails.
Binary binary_of(const cl::Program& program) {
  auto binaries = program.getInfo<CL_PROGRAM_BINARIES>();
  return binaries.empty() ? Binary() : std::move(binaries.front());
}

/// The compiler's log; empty if the runtime has none, e.g. because it had no memory to build.
std::string log_of(const cl::Program& program, const cl::Device& device) {
  try {
    return program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(device);
  } catch (const cl::Error&) {
    return {};
  }
}

/// The maximum work-group size of this kernel. A size that the source fixes comes first, because
/// NVIDIA's driver 580 reports 256 for every such kernel.
std::size_t max_work_group(const cl::Kernel& kernel, const cl::Device& device) {
  const auto fixed = kernel.getWorkGroupInfo<CL_KERNEL_COMPILE_WORK_GROUP_SIZE>(device);
  const std::size_t items = fixed[0] * fixed[1] * fixed[2];
  return items > 0 ? items : kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);
}

}  // namespace

ProgramStore::ProgramStore(cl::Context context, Device device)
    : context_(std::move(context)),
      device_(std::move(device)),
      more_options_(environment("TESSERA_BUILD_OPTIONS")),
      disk_(BinaryCache::from_environment()),
      binaries_(keeps_programs(device_.info) && environment("TESSERA_CACHE").empty()
                    ? BinaryCache(std::nullopt)
                    : disk_) {}

Kernel& Program::kernel(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto known = kernels_.find(name);
  if (known != kernels_.end()) return known->second;
  return with_opencl_errors(
      [&]() -> Kernel& {
        cl::Kernel handle(handle_, name.c_str());
        const auto limit = max_work_group(handle, device_);
        Kernel& kernel = kernels_[name];
        kernel.handle = std::move(handle);
        kernel.name = name;
        kernel.max_work_group = limit;
        return kernel;
      },
      [&] { return "kernel " + name; });
}

std::shared_ptr<Program> ProgramStore::get(const std::string& file,
                                           const std::string& own_options) {
  const std::string source = joined_source(file);
  const std::string options = all_options(own_options);
  const std::string key = options + '\n' + source;
  std::promise<std::shared_ptr<Program>> promise;
  {
    std::unique_lock lock(mutex_);
    const auto [place, is_new] = programs_.try_emplace(key, promise.get_future().share());
    if (!is_new) {
      const Build build = place->second;
      lock.unlock();
      return build.get();
    }
  }
  try {
    auto program = std::make_shared<Program>(build("cl/" + file, source, options), device_.handle,
                                             disk_key(source, options));
    promise.set_value(program);
    return program;
  } catch (...) {
    promise.set_exception(std::current_exception());
    const std::lock_guard lock(mutex_);
    programs_.erase(key);
    throw;
  }
}

std::string ProgramStore::identity(const std::string& file, const std::string& options) const {
  return disk_key(joined_source(file), all_options(options));
}

std::string ProgramStore::all_options(const std::string& own) const {
  return own + (more_options_.empty() ? "" : " " + more_options_);
}

std::string ProgramStore::disk_key(const std::string& source, const std::string& options) const {
  const DeviceInfo& info = device_.info;
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", info.platform, info.platform_version,
                     info.vendor, info.name, info.driver, info.version, options, source);
}

cl::Program ProgramStore::build(const std::string& file, const std::string& source,
                                const std::string& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto report = [&](const char* how) {
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    if (log_wanted())
      log(fmt::format("{} {} in {:.1f} ms ({})", file, how, taken.count(), options));
  };
  const std::string key = binaries_.on() ? disk_key(source, options) : std::string();
  if (const auto binary = binaries_.read(key)) {
    try {
      cl::Program program(context_, {device_.handle}, {*binary});
      program.build({device_.handle}, options.c_str());
      report("from the cache");
      return program;
    } catch (const cl::Error&) {  // a driver may reject a binary that it once returned
      binaries_.remove(key);
    }
  }
  cl::Program program = compile(file, source, options);
  if (binaries_.on()) {
    try {
      if (const Binary binary = binary_of(program); !binary.empty()) binaries_.write(key, binary);
    } catch (const cl::Error&) {  // the next process compiles it again
    }
  }
  report("compiled");
  return program;
}

cl::Program ProgramStore::compile(const std::string& file, const std::string& source,
                                  const std::string& options) {
  // CLHPP would blame the query of a log for a build that has none.
  const auto build = [&](const cl::Program& program) {
    const cl_int status =
        clBuildProgram(program(), 1, &device_.handle(), options.c_str(), nullptr, nullptr);
    if (status == CL_BUILD_PROGRAM_FAILURE || status == CL_INVALID_BUILD_OPTIONS) {
      const std::string text = with_files(log_of(program, device_.handle), source);
      log(text);
      throw BuildError(file, device_.info.name, options, text);
    }
    check(status, "clBuildProgram");
  };
  try {
    cl::Program program(context_, source);
    build(program);
    if (!has_own_ptx(source)) return program;
    const auto ptx = with_own_ptx(binary_of(program));
    if (!ptx)
      throw BuildError(file, device_.info.name, options,
                       "the driver gives no PTX for sm_90 or later");
    cl::Program retargeted(context_, {device_.handle}, {*ptx});
    build(retargeted);
    return retargeted;
  } catch (const cl::Error& error) {
    throw OpenClError(error.err(), error.what(), "building " + file);
  }
}

}  // namespace tessera::inline v0::runtime
