// Subprocesses by CreateProcess, each in a job that ends with its parent.
#include "runtime/subprocess.hpp"

#include <fmt/format.h>
#include <windows.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "runtime/log.hpp"
#include "runtime/windows/wide.hpp"
#include "tessera/error.hpp"

namespace tessera::inline v0::runtime {
namespace {

/// The exit code of a process that its parent ends.
constexpr UINT kEndedByParent = 0xe0000001;

Error failure(const std::string& what) {
  return Error(ErrorCode::worker_failed,
               fmt::format("{}: {}", what, text_of_error(::GetLastError())));
}

/// A handle that is closed at the end.
class Handle {
 public:
  explicit Handle(HANDLE handle = nullptr) : handle_(handle) {}
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Handle() {
    if (is_open()) ::CloseHandle(handle_);
  }
  bool is_open() const { return handle_ != nullptr && handle_ != INVALID_HANDLE_VALUE; }
  HANDLE get() const { return handle_; }

 private:
  HANDLE handle_;
};

/// The end of a stream that this process has, and the end that a child inherits.
struct Ends {
  Handle ours, theirs;
};

SECURITY_ATTRIBUTES inheritable() { return {sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE}; }

/// Leads from this process to a child.
Ends input_stream() {
  constexpr DWORD kBytes = 1 << 20;
  SECURITY_ATTRIBUTES attributes = inheritable();
  HANDLE read = nullptr, write = nullptr;
  if (!::CreatePipe(&read, &write, &attributes, kBytes)) throw failure("no pipe to a worker");
  Ends ends{Handle(write), Handle(read)};
  ::SetHandleInformation(write, HANDLE_FLAG_INHERIT, 0);
  return ends;
}

/// Leads from a child to this process, which must not wait for an answer: only named pipes allow
/// that.
Ends output_stream(const void* owner) {
  const std::wstring name =
      wide(fmt::format(R"(\\.\pipe\tessera-{}-{})", ::GetCurrentProcessId(), owner));
  constexpr DWORD kBytes = 65536;
  Handle ours(::CreateNamedPipeW(
      name.c_str(), PIPE_ACCESS_INBOUND | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
      PIPE_TYPE_BYTE | PIPE_REJECT_REMOTE_CLIENTS, 1, kBytes, kBytes, 0, nullptr));
  if (!ours.is_open()) throw failure("no pipe from a worker");
  SECURITY_ATTRIBUTES attributes = inheritable();
  Handle theirs(
      ::CreateFileW(name.c_str(), GENERIC_WRITE, 0, &attributes, OPEN_EXISTING, 0, nullptr));
  if (!theirs.is_open()) throw failure("no pipe from a worker");
  return {std::move(ours), std::move(theirs)};
}

/// Standard error of a child: this process's for a log, else nothing.
Handle error_output() {
  SECURITY_ATTRIBUTES attributes = inheritable();
  HANDLE copy = nullptr;
  const HANDLE self = ::GetCurrentProcess(), error = ::GetStdHandle(STD_ERROR_HANDLE);
  if (log_wanted() && ::DuplicateHandle(self, error, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS))
    return Handle(copy);
  return Handle(::CreateFileW(L"NUL", GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                              &attributes, OPEN_EXISTING, 0, nullptr));
}

/// A job whose processes end when its last handle is closed, which the death of this process does.
Handle job() {
  Handle made(::CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  ::SetInformationJobObject(made.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits);
  return made;
}

/// A word of a command line as CommandLineToArgvW() reads it. No argument ends in a backslash or
/// has a quotation mark.
std::wstring in_quotes(std::string_view word) { return L'"' + wide(word) + L'"'; }

/// A child begins in this job, and inherits these handles and no others.
class Beginning {
 public:
  Beginning(std::array<HANDLE, 3> streams, HANDLE job) : streams_(streams), job_(job) {
    SIZE_T bytes = 0;
    ::InitializeProcThreadAttributeList(nullptr, 2, 0, &bytes);
    memory_.resize(bytes);
    ::InitializeProcThreadAttributeList(list(), 2, 0, &bytes);
    set(PROC_THREAD_ATTRIBUTE_HANDLE_LIST, streams_.data(), sizeof streams_);
    set(PROC_THREAD_ATTRIBUTE_JOB_LIST, &job_, sizeof job_);
  }
  Beginning(const Beginning&) = delete;
  Beginning& operator=(const Beginning&) = delete;
  ~Beginning() { ::DeleteProcThreadAttributeList(list()); }

  STARTUPINFOEXW startup() {
    STARTUPINFOEXW info = {};
    info.StartupInfo.cb = sizeof info;
    info.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    info.StartupInfo.hStdInput = streams_[0];
    info.StartupInfo.hStdOutput = streams_[1];
    info.StartupInfo.hStdError = streams_[2];
    info.lpAttributeList = list();
    return info;
  }

 private:
  LPPROC_THREAD_ATTRIBUTE_LIST list() {
    return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
  }

  void set(DWORD_PTR attribute, void* value, std::size_t bytes) {
    if (!::UpdateProcThreadAttribute(list(), 0, attribute, value, bytes, nullptr, nullptr))
      throw failure("no attributes of a process");
  }

  std::array<HANDLE, 3> streams_;
  HANDLE job_;
  std::vector<unsigned char> memory_;
};

/// Starts a process in the job.
Handle start(const std::filesystem::path& program, std::wstring command,
             std::array<HANDLE, 3> streams, const Handle& job) {
  Beginning beginning(streams, job.get());
  STARTUPINFOEXW startup = beginning.startup();
  PROCESS_INFORMATION made = {};
  constexpr DWORD kFlags = EXTENDED_STARTUPINFO_PRESENT | CREATE_NO_WINDOW;
  if (!::CreateProcessW(program.c_str(), command.data(), nullptr, nullptr, TRUE, kFlags, nullptr,
                        nullptr, &startup.StartupInfo, &made))
    throw failure(text_of(program) + " cannot be started");
  const Handle thread(made.hThread);
  return Handle(made.hProcess);
}

}  // namespace

bool Ending::is_from_outside() const {
  const auto code = static_cast<UINT>(status);
  return code == STATUS_CONTROL_C_EXIT || code == kEndedByParent;
}

std::string Ending::text() const {
  const auto code = static_cast<UINT>(status);
  if (code == kEndedByParent) return "killed by its parent";
  constexpr UINT kExceptions = 0x80000000;
  return code >= kExceptions ? fmt::format("killed by exception 0x{:08x}", code)
                             : fmt::format("ended with status {}", code);
}

std::filesystem::path program_file(std::filesystem::path stem) { return stem += ".exe"; }

/// A read is always in flight, and sets the event when it has ended.
struct Subprocess::Connection {
  Handle process, job, input, output, event;
  OVERLAPPED reading = {};
  std::array<char, 65536> buffer;
  bool is_open = true;

  void begin_read() {
    reading = {};
    reading.hEvent = event.get();
    if (!::ReadFile(output.get(), buffer.data(), static_cast<DWORD>(buffer.size()), nullptr,
                    &reading) &&
        ::GetLastError() != ERROR_IO_PENDING)
      is_open = false;
  }
};

Subprocess::Subprocess(const std::filesystem::path& program,
                       const std::vector<std::string>& arguments)
    : connection_(std::make_unique<Connection>()) {
  Ends input = input_stream(), output = output_stream(connection_.get());
  const Handle error = error_output();
  std::wstring command = in_quotes(text_of(program));
  for (const std::string& argument : arguments) command += L' ' + in_quotes(argument);
  connection_->job = job();
  connection_->process = start(
      program, command, {input.theirs.get(), output.theirs.get(), error.get()}, connection_->job);
  connection_->input = std::move(input.ours);
  connection_->output = std::move(output.ours);
  connection_->event = Handle(::CreateEventW(nullptr, TRUE, FALSE, nullptr));
  connection_->begin_read();
}

Subprocess::~Subprocess() {
  end();
  DWORD count = 0;
  ::CancelIoEx(connection_->output.get(), &connection_->reading);
  if (connection_->is_open)
    ::GetOverlappedResult(connection_->output.get(), &connection_->reading, &count, TRUE);
}

void Subprocess::write(std::string_view bytes) const {
  DWORD written = 0;
  ::WriteFile(connection_->input.get(), bytes.data(), static_cast<DWORD>(bytes.size()), &written,
              nullptr);
}

bool Subprocess::read(std::string& received) {
  Connection& connection = *connection_;
  while (connection.is_open) {
    DWORD count = 0;
    if (::GetOverlappedResult(connection.output.get(), &connection.reading, &count, FALSE)) {
      received.append(connection.buffer.data(), count);
      connection.begin_read();
    } else if (::GetLastError() == ERROR_IO_INCOMPLETE) {
      return true;
    } else {
      connection.is_open = false;
    }
  }
  return false;
}

std::optional<Ending> Subprocess::end() noexcept {
  const Handle process = std::exchange(connection_->process, Handle());
  if (!process.is_open()) return std::nullopt;
  ::TerminateJobObject(connection_->job.get(), kEndedByParent);
  ::WaitForSingleObject(process.get(), INFINITE);
  DWORD status = 0;
  ::GetExitCodeProcess(process.get(), &status);
  return Ending{static_cast<int>(status)};
}

void Subprocess::wait(std::span<const Subprocess* const> processes,
                      std::chrono::milliseconds time) {
  std::vector<HANDLE> events;
  for (const Subprocess* process : processes) events.push_back(process->connection_->event.get());
  const auto milliseconds = static_cast<DWORD>(time.count());
  if (events.empty()) return ::Sleep(milliseconds);
  const auto count = static_cast<DWORD>(std::min<std::size_t>(events.size(), MAXIMUM_WAIT_OBJECTS));
  ::WaitForMultipleObjects(count, events.data(), FALSE, milliseconds);
}

}  // namespace tessera::inline v0::runtime
