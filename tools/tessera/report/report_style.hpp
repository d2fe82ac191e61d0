// The style sheet of the report.
#pragma once

namespace tessera::tool {

extern const char* const kReportStyle;

}  // namespace tessera::tool
