// Goes to another folder, then tunes. The worker must be the loaded library's own, even if that
// folder has one.
//   tune_elsewhere FOLDER
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <tessera/tessera.hpp>

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  std::filesystem::current_path(argv[1]);
  const tessera::TuneResult result =
      tessera::tune(tessera::Engine(), {.m = 16, .n = 16, .k = 16},
                    {.max_evaluations = 1,
                     .variant = "naive",
                     .parameters = {{"GROUP_COLUMNS", 8}, {"GROUP_ROWS", 4}},
                     .save = false,
                     .journal = "journal.jsonl"});
  const tessera::Trial& trial = result.trials.at(0);
  std::printf("%s %s\n", std::string(to_string(trial.outcome)).c_str(), trial.reason.c_str());
  return 0;
} catch (const std::exception& error) {
  std::printf("%s\n", error.what());
  return 1;
}
