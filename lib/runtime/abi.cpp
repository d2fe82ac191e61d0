// The name of the layout that containers have in the library.
#include "tessera/export.hpp"

#if defined(TESSERA_CONTAINERS)
namespace tessera::inline v0 {

const char abi::TESSERA_CONTAINERS = 0;

}  // namespace tessera::inline v0
#endif
