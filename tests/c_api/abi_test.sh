#!/bin/sh
# The C interface has everything that the last release had: no function, struct member or constant went or changed.
#   abi_test.sh           compares the headers with the record; ends with 77 without abidiff (Debian's abigail-tools)
#   abi_test.sh record    makes the record, for a release
set -eu
cd "$(dirname "$0")/../.."
record=tests/c_api/libtessera_c.abi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v abidiff > /dev/null || exit 77

# A library with the declared functions and nothing else: the types inside of the real one are not part of the interface.
{
  echo '#include <tessera/tessera.h>'
  cat include/tessera/c/*.h | grep -v '^#' | tr '\n' ' ' | grep -oE 'TESSERA_C_API [^;(]*\([^;]*\);' |
    sed -E 's/^TESSERA_C_API //; s/;$/ { __builtin_trap(); }/'
} > "$work/stub.c"
gcc -g -fPIC -shared -DTESSERA_C_BUILDING -Iinclude -Wno-return-type "$work/stub.c" -o "$work/libtessera_c.so.0" -Wl,-soname,libtessera_c.so.0
abidw --no-corpus-path --no-comp-dir-path --no-show-locs "$work/libtessera_c.so.0" > "$work/now.abi"
# Enumerators are constants, which no function's type mentions. Members are numbered, as abidiff forgives all changes of a
# struct that may grow.
declarations=$(cat include/tessera/c/*.h | grep -v '^#' | tr '\n' ' ' | sed 's:/\*[^*]*\*/::g')
{
  echo "$declarations" | sed 's/enum {/\n&/g' | sed -nE 's/^enum \{([^}]*)\}.*/\1/p' | tr ',' '\n' |
    sed -nE 's/^ *(TESSERA_[A-Z0-9_]+) = ([0-9]+).*/<!-- \1 = \2 -->/p'
  echo "$declarations" | sed 's/typedef struct/\n&/g' |
    sed -nE 's/^typedef struct [a-z_]+ \{([^}]*)\} ([a-z_]+);.*/\2;\1/p' |
    awk -F ';' '{ for (i = 2; i < NF; i++) { gsub(/ +/, " ", $i); print "<!-- " $1 " " i - 1 ":" $i " -->" } }'
} | sort >> "$work/now.abi"
if [ "${1:-}" = record ]; then
  cp "$work/now.abi" "$record"
  exit
fi
cat > "$work/suppressions" <<'END'
[suppress_type]
  type_kind = struct
  name_regexp = ^tessera_.*_options$
  has_data_member_inserted_at = end
END
if ! abidiff --no-added-syms --suppressions "$work/suppressions" "$record" "$work/libtessera_c.so.0"; then
  echo "the C interface has changed since the last release, not only grown"
  exit 1
fi
grep '^<!-- ' "$record" | sort > "$work/before"
if gone=$(grep '^<!-- ' "$work/now.abi" | sort | comm -23 "$work/before" -) && [ -n "$gone" ]; then
  echo "constants or members that went or changed: $gone"
  exit 1
fi
echo "$(grep -c "<elf-symbol name='tessera_" "$work/now.abi") functions, $(wc -l < "$work/before") constants and members of the record"
