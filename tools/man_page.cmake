# The manual page of the command, made of its --help and each subcommand's.
#   COMMAND  the program   VERSION  its version   PAGE  the file to write

string(ASCII 1 opening)
string(ASCII 2 closing)

# Text for roff: a leading dot and a backslash are special there.
function(to_roff text result)
  string(REPLACE "\\" "\\e" text "${text}")
  string(REPLACE "-" "\\-" text "${text}")
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# The help of `tessera ARGN`: its lines, each a list's element, in `lines`.
function(help_of)
  execute_process(COMMAND "${COMMAND}" ${ARGN} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "\t" help "${help}")  # a semicolon separates elements
  string(REPLACE "[" "${opening}" help "${help}")  # and brackets keep elements together
  string(REPLACE "]" "${closing}" help "${help}")
  string(REPLACE "\n" ";" help "${help}")
  set(lines "${help}" PARENT_SCOPE)
endfunction()

# Appends the help of `tessera ARGN`, and of its subcommands, to the page.
function(add_help)
  help_of(${ARGN})
  string(JOIN " " name tessera ${ARGN})
  to_roff("${name}" name)
  set(page "${page}.SH ${name}\n")
  set(subcommands "")
  foreach(line IN LISTS lines)
    string(REPLACE "\t" ";" line "${line}")
    string(REPLACE "${opening}" "[" line "${line}")
    string(REPLACE "${closing}" "]" line "${line}")
    to_roff("${line}" text)
    if(line MATCHES "^  ([a-z]+) +")
      list(APPEND subcommands ${CMAKE_MATCH_1})
    endif()
    if(line MATCHES "^[A-Z][a-z]+:$")
      string(REPLACE ":" "" text "${text}")
      string(APPEND page ".SS ${text}\n")
    elseif(text MATCHES "^  ([^ ].*[^ ])  +([^ ].*)$")
      string(APPEND page ".TP\n\\fB${CMAKE_MATCH_1}\\fR\n${CMAKE_MATCH_2}\n")
    elseif(text MATCHES "^  ([^ ].*)$")
      string(APPEND page ".TP\n\\fB${CMAKE_MATCH_1}\\fR\n")
    elseif(text MATCHES "^ +([^ ].*)$")
      string(APPEND page "${CMAKE_MATCH_1}\n")
    elseif(text)
      string(APPEND page ".PP\n${text}\n")
    endif()
  endforeach()
  foreach(subcommand IN LISTS subcommands)
    add_help(${ARGN} ${subcommand})
  endforeach()
  set(page "${page}" PARENT_SCOPE)
endfunction()

set(page ".TH TESSERA 1 \"\" \"Tessera ${VERSION}\" \"User commands\"\n.SH NAME\ntessera \\- dense matrix \
multiplication and dominant eigenpairs on any OpenCL device\n")
add_help()
file(WRITE "${PAGE}" "${page}")
