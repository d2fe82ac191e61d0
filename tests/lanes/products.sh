#!/bin/sh
# Lane: random products of every type, kernel, layout, scalar and kind of numbers, each element judged by the documented
# bound; see tests/multiply/random_products.cpp.
#   products.sh [COUNT [SEED [TYPE]]]    on the device of $TESSERA_DEVICE; a failure names its product. With TYPE, only
#                                        types whose names begin with it are drawn: complex
. "$(dirname "$0")/lane.sh"
count=${1:-5000} seed=${2:-$(random_seed)} type=${3:-}
TESSERA_TARGET=random-products tools/build.sh
echo "$count random products, seed $seed: tests/lanes/products.sh $count $seed $type"
# PoCL's compiler writes warnings to standard error.
TESSERA_PROFILE=off build/tests/random-products "$count" "$seed" 0 "$type" 2> "$work/log" ||
  { cat "$work/log" >&2; exit 1; }
