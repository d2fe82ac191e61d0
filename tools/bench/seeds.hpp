// Seeds: the tables of the documents that the kernels come from, measured here.
#pragma once

namespace tessera::bench {

void register_seeds();

}  // namespace tessera::bench
