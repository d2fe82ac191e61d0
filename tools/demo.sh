#!/bin/sh
# Builds the command, then multiplies real matrices by every kernel on an OpenCL device:
# $TESSERA_DEVICE, else the fastest.
set -eu
cd "$(dirname "$0")/.."
TESSERA_TARGET=tessera-command tools/build.sh
echo "Devices"
build/tools/tessera devices
echo
echo "Every kernel. A kernel is skipped if it needs another element type or another device."
build/tools/tessera multiply random:1024x1024:1 random:1024x1024:2 --every-kernel
