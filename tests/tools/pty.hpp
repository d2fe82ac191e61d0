// A pseudo terminal of a given width, and what was written to it.
#pragma once

#include <string>

namespace tessera::test {

class Pty {
 public:
  /// 0 columns: it does not know its width.
  explicit Pty(unsigned short columns);
  Pty(const Pty&) = delete;
  Pty& operator=(const Pty&) = delete;
  ~Pty();

  int descriptor() const { return slave_; }
  /// The path of the terminal, for other processes.
  std::string path() const;
  /// Waits until there is something to read; what there is then, with '\n' as the end of lines.
  std::string read_some();
  /// Ends the terminal, and returns everything that was written to it.
  std::string close();

 private:
  int master_, slave_;
};

}  // namespace tessera::test
