// The system by the calls of POSIX.
#include "platform/system.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace tessera::tool {

std::vector<std::string> words_of_command_line(int argc, char** argv) {
  return argc > 1 ? std::vector<std::string>(argv + 1, argv + argc) : std::vector<std::string>();
}

void prepare_standard_streams() {
  for (int number = 0; number <= 2; number++) {
    if (::fcntl(number, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY));
  }
}

void set_environment(const char* name, const std::string& value) {
  ::setenv(name, value.c_str(), 1);
}

bool is_terminal(int descriptor) { return ::isatty(descriptor) != 0; }

std::size_t window_columns(int descriptor) {
  winsize window{};
  return ::ioctl(descriptor, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

double host_memory() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(::sysconf(_SC_PAGESIZE));
}

OpenClLoader opencl_loader() {
  OpenClLoader loader;
  ::dl_iterate_phdr(
      [](dl_phdr_info* object, std::size_t, void* found) {
        if (std::string_view(object->dlpi_name).find("libOpenCL.so") == std::string_view::npos)
          return 0;
        *static_cast<std::string*>(found) = object->dlpi_name;
        return 1;
      },
      &loader.file);
  if (!loader.file.empty()) loader.library = ::dlopen(loader.file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  return loader;
}

void* symbol_of(void* library, const char* name) { return ::dlsym(library, name); }

}  // namespace tessera::tool
