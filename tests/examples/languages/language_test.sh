#!/bin/sh
# A program in another language multiplies by the C interface, and gets the text of an error.
#   language_test.sh C|fortran|rust|python COMPILER INCLUDE_FOLDER LIBRARY
# Ends with 77 if the compiler does not run.
set -eu
language=$1 compiler=$2 include=$3 folder=$(dirname "$4") here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$compiler" --version > /dev/null 2>&1 || exit 77
export LD_LIBRARY_PATH="$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
case $language in
  C) "$compiler" -std=c99 -Wall -Wextra -Werror "-I$include" "$here/product.c" -o "$work/product" "-L$folder" -ltessera_c ;;
  fortran) "$compiler" -Wall -Werror "-J$work" "$here/product.f90" -o "$work/product" "-L$folder" -ltessera_c ;;
  rust) "$compiler" --edition 2021 "$here/product.rs" -o "$work/product" -L "$folder" ;;
  python) printf '#!/bin/sh\nexec "%s" "%s" "%s"\n' "$compiler" "$here/product.py" "$4" > "$work/product" && chmod +x "$work/product" ;;
esac
printed=$("$work/product")
echo "$printed"
[ "$(echo "$printed" | head -1)" = "7 10 15 22" ]
echo "$printed" | sed -n 2p | grep -q "^multiply: a is 2 x 2 and b is 3 x 5"
