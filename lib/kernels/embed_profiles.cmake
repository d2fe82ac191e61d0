# Writes OUTPUT, a C++ file with the lines of all files of PROFILES.
set(parts "")
foreach(profile IN LISTS PROFILES)
  file(READ "${profile}" text)
  string(APPEND parts "\n      R\"~~~(${text})~~~\"")
endforeach()
file(WRITE "${OUTPUT}" "// The profiles of lib/kernels/profiles/, as text. Generated.
#include \"kernels/profile_file.hpp\"

namespace tessera::inline v0::kernels {

std::string_view shipped_profiles() {
  static constexpr std::string_view kLines = \"\"${parts};
  return kLines;
}

}  // namespace tessera::inline v0::kernels
")
