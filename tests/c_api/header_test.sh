#!/bin/sh
# The C interface compiles as C99 to C2x and as C++98, without a padded struct, and a client calls every function that
# the library exports.
#   header_test.sh INCLUDE_FOLDER LIBRARY CLIENT
set -eu
for standard in c99 c11 c17 c2x; do
  gcc "-std=$standard" -pedantic-errors -Wall -Wextra -Wstrict-prototypes -Wc++-compat -Wpadded -Werror -fsyntax-only \
    -x c "-I$1" "$1/tessera/tessera.h"
done
g++ -std=c++98 -pedantic-errors -Wall -Wextra -Wpadded -Werror -fsyntax-only -x c++ "-I$1" "$1/tessera/tessera.h"
exported=$(nm -D --defined-only "$2" | awk '$2 == "T" { sub("@.*", "", $3); print $3 }' | sort)
if foreign=$(echo "$exported" | grep -v '^tessera_'); then
  echo "exported besides: $foreign"
  exit 1
fi
called=$(nm -D --undefined-only "$3" | awk '{ sub("@.*", "", $2); print $2 }' | grep '^tessera_' | sort)
test "$(echo "$exported" | wc -l)" -gt 100
if [ "$exported" != "$called" ]; then
  echo "the client does not call:"
  printf '%s\n' "$exported" "$called" | sort | uniq -u
  exit 1
fi
readelf -d "$2" | grep -q 'SONAME.*libtessera_c\.so\.0\]'
echo "$(echo "$exported" | wc -l) functions"
