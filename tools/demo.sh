#!/bin/sh
# Sets up, builds, and shows the main job: a capture becomes a payload becomes pictures.
#   tools/demo.sh [FOLDER]     default: build/demo
cd "$(dirname "$0")/.."
. tools/steps.sh
out=${1:-build/demo}

step "installing what building needs"
tools/setup.sh build
step "building"
ninja build/gpuvm build/gpuvm-player build/tests/aerogpu/make_aerogpu build/tests/psx/make_psx
mkdir -p "$out"
does() {
    step "$1 $2"
    echo "\$ $*"
    "$@"
}
does build/tests/aerogpu/make_aerogpu demo "$out/demo.aerogputrace"
does build/gpuvm compile "$out/demo.aerogputrace" -o "$out/demo.gvp"
does build/gpuvm run "$out/demo.gvp" --hash sha256-rgba \
    --screenshots all --screenshot-dir "$out"
does build/tests/psx/make_psx demo "$out/demo.psxgpu"
does build/gpuvm run "$out/demo.psxgpu" --screenshots 0-59/12 \
    --screenshot-dir "$out" --screenshot-prefix psx_ --export vram="$out/psx_vram.png"
echo "pictures:"
ls "$PWD/$out"/*.png 2>/dev/null || ls "$out"/*.png
