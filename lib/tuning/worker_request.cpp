// The table of a worker's requests.
#include "tuning/worker_request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <string>

#include "tessera/error.hpp"

namespace tessera::inline v0::tuning {
namespace {

constexpr std::array<RequestRow, 6> kRequests = {{{WorkerRequest::open, "open"},
                                                  {WorkerRequest::prepare, "prepare"},
                                                  {WorkerRequest::build, "build"},
                                                  {WorkerRequest::measure, "measure", true},
                                                  {WorkerRequest::time, "time", true},
                                                  {WorkerRequest::check, "check"}}};

}  // namespace

const RequestRow& row_of(WorkerRequest request) {
  return kRequests[static_cast<std::size_t>(request)];
}

Json json_of(WorkerRequest request, const Json& arguments) {
  Json line = {{"do", row_of(request).name}};
  line.update(arguments);
  return line;
}

WorkerRequest request_of(const Json& line) {
  const std::string name = line.at("do");
  const auto row = std::ranges::find(kRequests, name, &RequestRow::name);
  if (row != kRequests.end()) return row->request;
  throw Error(ErrorCode::worker_failed,
              fmt::format("worker: unknown request '{}'; expected one of {}", name,
                          fmt::join(std::views::transform(kRequests, &RequestRow::name), ", ")));
}

}  // namespace tessera::inline v0::tuning
