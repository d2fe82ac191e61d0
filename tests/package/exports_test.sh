#!/bin/sh
# The shared library exports the names of tessera:: and no others.
#   exports_test.sh LIBRARY
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
