// Journal: what tuners have tried for a problem on a device, in a file that survives them.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/plan.hpp"
#include "kernels/profile.hpp"
#include "runtime/file.hpp"
#include "runtime/json_reader.hpp"
#include "tessera/error.hpp"
#include "tessera/tune.hpp"
#include "tuning/policy.hpp"

namespace tessera::inline v0::tuning {

/// The system refuses to make or open the file: read-only, full, forbidden, or no folder is set.
class UnwritableJournal : public Error {
 public:
  explicit UnwritableJournal(const std::string& what) : Error(ErrorCode::io, what) {}
};

class Journal {
 public:
  /// Reads the existing file, and locks other tuners out for its lifetime. Trials of kernels whose
  /// source has changed since are ignored; `fresh` discards all trials. Throws UnwritableJournal,
  /// and Error if the file is not this user's alone or another tuner holds it.
  Journal(std::filesystem::path file, const kernels::Operation& operation, const Policy& policy,
          bool fresh);
  /// Without a file: has no trials and writes none. `failure` says why.
  Journal(const kernels::Operation& operation, std::string failure);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  /// Earlier trials in order, then the configurations that tuners died of.
  const std::vector<Trial>& trials() const { return trials_; }
  void started(const KernelChoice& kernel);
  void ended(const Trial& trial);
  /// Why a line could not be written; empty if all were. Nothing is written after such a line.
  const std::string& failure() const { return failure_; }

 private:
  void write(const runtime::Json& entry);
  void read(const Policy& policy);
  const std::string& source_of(const std::string& variant);

  std::filesystem::path path_;
  const kernels::Operation& operation_;
  std::map<std::string, std::string> sources_;
  std::set<std::pair<std::string, Parameters>> pending_;
  std::vector<Trial> trials_;
  std::string failure_;
  runtime::Descriptor file_;
};

/// Path of the journal of a problem on a device, below $XDG_STATE_HOME/tessera/tuning. Throws
/// UnwritableJournal if neither this variable nor HOME is set.
std::filesystem::path journal_path(const DeviceInfo& device, const Problem& problem);

}  // namespace tessera::inline v0::tuning
