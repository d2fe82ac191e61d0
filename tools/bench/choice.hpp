// Choice: the kernel that a GPU's model chooses, beside all others.
#pragma once

namespace tessera::bench {

void register_choice();

}  // namespace tessera::bench
