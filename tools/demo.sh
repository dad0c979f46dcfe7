#!/bin/sh
# Sets up, builds, and shows the main job: a capture becomes a payload becomes pictures.
#   tools/demo.sh [FOLDER]     default: build/demo
set -eu
cd "$(dirname "$0")/.."
out=${1:-build/demo}

tools/setup.sh build
ninja build/gpuvm build/gpuvm-player build/tests/make_aerogpu
mkdir -p "$out"
step() {
    echo "\$ $*"
    "$@"
}
step build/tests/make_aerogpu demo "$out/demo.aerogputrace"
step build/gpuvm compile "$out/demo.aerogputrace" -o "$out/demo.gvp"
step build/gpuvm run "$out/demo.gvp" --hash sha256-rgba \
    --screenshots all --screenshot-dir "$out"
echo "pictures:"
ls "$PWD/$out"/frame_*.png 2>/dev/null || ls "$out"/frame_*.png
