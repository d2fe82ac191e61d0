// Defects of a run among faults: a wrong result, or an error that the library does not document.
#include "defect.hpp"

#include <exception>

#include "data_scenarios.hpp"
#include "fault.hpp"
#include "runtime/opencl.hpp"
#include "tessera/error.hpp"

namespace tessera::test {

bool is_failed_call(std::string_view call) {
  // CLHPP names no function where it takes or gives up a reference.
  return call == failed_call() ||
         (call == "Retain Object" && failed_call().starts_with("clRetain")) ||
         (call == "Release Object" && failed_call().starts_with("clRelease"));
}

bool tells_failure(std::string_view text, int code) {
  constexpr int kNoPlatform = -1001;  // CL_PLATFORM_NOT_FOUND_KHR
  const auto has = [&](std::string_view words) { return text.find(words) != text.npos; };
  if (code == CL_DEVICE_NOT_FOUND || code == kNoPlatform)
    return has("no OpenCL device") || has("no device \"");  // where other platforms have some
  if (code == CL_BUILD_PROGRAM_FAILURE || code == CL_INVALID_BUILD_OPTIONS)
    return has("does not compile");
  return has(failed_call() + ":") ||
         (has("Retain Object:") && failed_call().starts_with("clRetain")) ||
         (has("Release Object:") && failed_call().starts_with("clRelease"));
}

namespace {

/// Returns whether the error is a failed command's, or a lost device's.
bool is_of_a_command(int code) {
  return code == CL_OUT_OF_RESOURCES || code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
}

}  // namespace

std::string defect(const Scenario& scenario, const Engine& engine, bool& threw, int code) try {
  threw = true;
  scenario.run(engine);
  threw = false;
  return "";
} catch (const OpenClError& error) {
  if (code == 0 ? is_of_a_command(error.opencl_code())
                : error.opencl_code() == code && is_failed_call(error.call()))
    return "";
  return std::string("blames another call: ") + error.what();
} catch (const MatrixError& error) {
  return std::string("blames the caller's matrix: ") + error.what();
} catch (const Error& error) {
  const std::string text = error.what();
  if (text.empty()) return "an error that says nothing";
  if (code == 0 || tells_failure(text, code)) return "";
  return "does not name the failed call: " + text;
} catch (const WrongResult&) {
  return "wrong values";
} catch (const std::exception& error) {
  return std::string("not the library's error: ") + error.what();
}

}  // namespace tessera::test
