// Choosing a reader by a source's ending, writing a matrix whole or not at all.
#include "matrix_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>

#include "generator.hpp"
#include "npy.hpp"
#include "text.hpp"
#include "text_matrix.hpp"

namespace tessera::tool {
namespace {

namespace fs = std::filesystem;

UsageError cannot_write(const std::string& path) {
  return UsageError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

}  // namespace

std::size_t checked_size(long long rows, long long columns, std::size_t element_size,
                         const std::string& where) {
  if (rows < 0 || columns < 0)
    throw UsageError(fmt::format("{}: {} x {}: a size is negative", where, rows, columns));
  const auto r = static_cast<std::size_t>(rows), c = static_cast<std::size_t>(columns);
  const std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / element_size;
  if (c != 0 && r > most / c) {
    throw UsageError(
        fmt::format("{}: {} x {} is more than 64 bits can address", where, rows, columns));
  }
  const auto memory = static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  if (r * c * element_size > memory) {
    throw UsageError(fmt::format("{}: {} x {} elements need {} bytes, this machine has {}", where,
                                 rows, columns, r * c * element_size, memory));
  }
  return r * c;
}

Source::Source(const std::string& name) : name_(name) {
  if (is_generator(name)) return;
  ending_ = fs::path(name).extension().string();
  if (ending_ != ".npy" && ending_ != ".mtx" && ending_ != ".csv") {
    throw UsageError(
        fmt::format("{}: is neither a file that ends in .npy, .mtx or .csv nor a generator", name));
  }
  content_ = read_file(name);
}

ElementType Source::natural_type() const {
  if (ending_ != ".npy") return ElementType::float32;
  const NpyHeader header = npy_header(content_, name_);
  if (header.kind != 'f') return ElementType::int32;
  return header.item_size == 8   ? ElementType::float64
         : header.item_size == 2 ? ElementType::float16
                                 : ElementType::float32;
}

template <Element T>
HostMatrix<T> Source::read() const {
  if (ending_ == ".npy") return read_npy<T>(content_, name_);
  return converted<T>(ending_ == ".mtx"   ? read_matrix_market(content_, name_)
                      : ending_ == ".csv" ? read_csv(content_, name_)
                                          : generate(name_, element_type_of<T>()),
                      name_);
}

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (fs::path(path).extension() != ".npy")
    throw UsageError(fmt::format("{}: an output ends in .npy", path));
  std::error_code failure;
  target_ = fs::weakly_canonical(path, failure).string();
  if (target_.empty()) target_ = path;
  const auto status = fs::status(target_, failure);
  if (fs::is_directory(status)) throw UsageError(fmt::format("{}: is a folder", path));
  if (fs::exists(status) && !fs::is_regular_file(status)) {  // a device or a pipe has nothing aside
    file_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    if (fs::exists(status)) {
      if (::access(target_.c_str(), W_OK) != 0) throw cannot_write(path_);
      mode_ = static_cast<unsigned>(status.permissions() & fs::perms::mask);
    }
    open_aside();  // only to see that it can be: a run that is broken off leaves nothing behind
    ::close(std::exchange(file_, -1));
    ::unlink(aside_.c_str());
    return;
  }
  if (file_ < 0) throw cannot_write(path_);
}

void OutputFile::open_aside() {
  aside_ = target_ + ".XXXXXX";
  file_ = ::mkostemp(aside_.data(), O_CLOEXEC);
  if (file_ >= 0) return;
  aside_.clear();
  throw cannot_write(path_);
}

OutputFile::~OutputFile() {
  if (file_ < 0) return;
  ::close(file_);
  if (!aside_.empty()) ::unlink(aside_.c_str());
}

template <Element T>
void OutputFile::write(const HostMatrix<T>& matrix) {
  if (file_ < 0) open_aside();
  const std::string header = npy_header_text(element_type_of<T>(), matrix.rows, matrix.columns);
  write_bytes(header.data(), header.size());
  write_bytes(matrix.elements.data(), matrix.elements.size() * sizeof(T));
  commit();
}

void OutputFile::write_bytes(const void* data, std::size_t bytes) {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const auto written = ::write(file_, next, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw cannot_write(path_);
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void OutputFile::commit() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool is_aside = !aside_.empty();
  if (is_aside && (::fchmod(file_, mode_.value_or(0666 & ~mask)) != 0 || ::fsync(file_) != 0))
    throw cannot_write(path_);
  const bool closed = ::close(std::exchange(file_, -1)) == 0;
  if (closed && (!is_aside || ::rename(aside_.c_str(), target_.c_str()) == 0)) return;
  const int error = errno;
  if (is_aside) ::unlink(aside_.c_str());
  errno = error;
  throw cannot_write(path_);
}

template HostMatrix<float> Source::read<float>() const;
template HostMatrix<double> Source::read<double>() const;
template HostMatrix<std::int32_t> Source::read<std::int32_t>() const;
template HostMatrix<half> Source::read<half>() const;
template void OutputFile::write<float>(const HostMatrix<float>&);
template void OutputFile::write<double>(const HostMatrix<double>&);
template void OutputFile::write<std::int32_t>(const HostMatrix<std::int32_t>&);
template void OutputFile::write<half>(const HostMatrix<half>&);

}  // namespace tessera::tool
