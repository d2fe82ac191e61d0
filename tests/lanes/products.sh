#!/bin/sh
# Lane: random products of every type, kernel, layout, scalar and kind of numbers, each element judged by the documented
# bound; see tests/multiply/random_products.cpp.
#   products.sh [COUNT [SEED]]    on the device of $TESSERA_DEVICE; a failure names the product that it is
set -eu
cd "$(dirname "$0")/../.."
count=${1:-5000} seed=${2:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
TESSERA_TARGET=random-products tools/build.sh
echo "$count random products, seed $seed: tests/lanes/products.sh $count $seed"
# PoCL's compiler tells of warnings on standard error.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
TESSERA_PROFILE=off build/tests/random-products "$count" "$seed" 2> "$log" || { cat "$log" >&2; exit 1; }
