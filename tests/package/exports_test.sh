#!/bin/sh
# The shared library exports the names of tessera:: and no others, and no name that depends on a constraint.
#   exports_test.sh LIBRARY INCLUDE_FOLDER
set -eu
names=$(nm -D --defined-only "$1" | awk '{ print $3 }')
own='^_Z(N|NK|TIN|TSN|TVN)7tessera'
echo "$(echo "$names" | grep -cE "$own") names of tessera::"
if foreign=$(echo "$names" | grep -vE "$own"); then
  echo "exported besides:"
  echo "$foreign" | c++filt
  exit 1
fi
echo "$names" | grep -q multiply_into

# Clang 17 and newer mangle the constraints of a function template into its name, GCC does not: exported ones have plain
# parameters.
if grep -n -A 1 -E '^ *template <[A-Z]' -r "$2" | grep 'TESSERA_API' | grep -vE 'class TESSERA_API'; then
  echo "these exported function templates have constrained parameters"
  exit 1
fi
