# Writes OUTPUT, a C++ file with the text of the first of FILES, in which each "{{name}}" is replaced by the text of the
# file of that name.
list(POP_FRONT FILES first)
file(READ "${first}" page)
foreach(path IN LISTS FILES)
  get_filename_component(name "${path}" NAME)
  file(READ "${path}" text)
  string(REPLACE "{{${name}}}" "${text}" page "${page}")
endforeach()
file(WRITE "${OUTPUT}" "// The report's page, as text. Generated.
#include \"report/report.hpp\"

namespace tessera::tool {

std::string_view report_page() {
  static constexpr std::string_view kPage = R\"~~~(${page})~~~\";
  return kPage;
}

}  // namespace tessera::tool
")
