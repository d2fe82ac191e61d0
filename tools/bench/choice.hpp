// Choice: the kernel that is chosen without a profile, beside all others.
#pragma once

namespace tessera::bench {

void register_choice();

}  // namespace tessera::bench
