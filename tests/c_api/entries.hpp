// Entries: a call of each function of the C interface that can fail, with valid arguments.
#pragma once

#include <tessera/tessera.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tessera::test {

struct Entry {
  std::string name;
  /// Calls the function and destroys what it makes. Throws a std::string if it fails and gives
  /// something nevertheless.
  std::function<tessera_status(tessera_error**)> call;
};

/// The operands of the entries, on the device that $TESSERA_DEVICE names.
class Operands {
 public:
  Operands();
  Operands(const Operands&) = delete;
  Operands& operator=(const Operands&) = delete;
  ~Operands();

  std::vector<Entry> entries();
  const tessera_engine* engine() const { return engine_; }

 private:
  tessera_engine* engine_ = nullptr;
  tessera_stream* stream_ = nullptr;
  tessera_matrix *a_ = nullptr, *b_ = nullptr, *c_ = nullptr, *column_ = nullptr, *sums_ = nullptr;
  tessera_event* event_ = nullptr;
  tessera_run* run_ = nullptr;
  tessera_plan* plan_ = nullptr;
  tessera_eigenpair* pair_ = nullptr;
  tessera_batch batch_of_a_ = {}, batch_of_b_ = {}, batch_of_c_ = {};
};

}  // namespace tessera::test
