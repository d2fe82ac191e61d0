// The commit that this command was built from.
#pragma once

namespace tessera::tool {

/// 40 hexadecimal digits; empty if the sources came without a commit.
extern const char* const kCommit;

}  // namespace tessera::tool
