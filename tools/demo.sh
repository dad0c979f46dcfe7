#!/bin/sh
# Sets up, builds, and shows the main job: a capture becomes a payload becomes pictures.
#   tools/demo.sh [FOLDER]     default: build/demo
set -eu
cd "$(dirname "$0")/.."
out=${1:-build/demo}

tools/setup.sh build
ninja build/gpuvm build/gpuvm-player build/tests/aerogpu/make_aerogpu build/tests/psx/make_psx
mkdir -p "$out"
step() {
    echo "\$ $*"
    "$@"
}
step build/tests/aerogpu/make_aerogpu demo "$out/demo.aerogputrace"
step build/gpuvm compile "$out/demo.aerogputrace" -o "$out/demo.gvp"
step build/gpuvm run "$out/demo.gvp" --hash sha256-rgba \
    --screenshots all --screenshot-dir "$out"
step build/tests/psx/make_psx demo "$out/demo.psxgpu"
step build/gpuvm run "$out/demo.psxgpu" --screenshots 0-59/12 \
    --screenshot-dir "$out" --screenshot-prefix psx_ --export vram="$out/psx_vram.png"
echo "pictures:"
ls "$PWD/$out"/*.png 2>/dev/null || ls "$out"/*.png
