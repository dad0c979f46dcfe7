#!/bin/sh
# Devices that nobody here has, made by the layer that hides (tests/layers/hide).
#   hidden.sh GPUVM MAKE_AEROGPU LAYERS TEST_RUNTIME_MEMORY TEST_RUNTIME_GVT SHADERS
. tests/cli/lib.sh
. tests/drivers/lib.sh
gpuvm=$1 make_aerogpu=$2 layers=$3 test_memory=$4 test_gvt=$5 shaders=$6
use_driver lavapipe "$gpuvm"
export XDG_CACHE_HOME="$work/cache"
"$make_aerogpu" fixtures "$work/fixtures" || fail "make_aerogpu"

# hidden RULES COMMAND...: a command under the layer.
hidden() {
    rules=$1
    shift
    env GV_HIDE="$rules" VK_ADD_LAYER_PATH="$layers" \
        VK_INSTANCE_LAYERS=VK_LAYER_GPUVM_hide "$@"
}

# capture NAME: the path of a fixture.
capture() {
    echo "$work/fixtures/$1.aerogputrace"
}

# refused NAME RULES FIXTURE MESSAGE: before the run, saying what is missing.
refused() {
    expect 5 "$1" hidden "$2" "$gpuvm" run "$(capture "$3")" --hash sha256-rgba || return
    says "$work/err" "$4" "$1"
}

# equal NAME RULES FIXTURE: the same picture as without the layer.
equal() {
    expect 0 "$1: plain" "$gpuvm" run "$(capture "$3")" --hash sha256-rgba || return
    cp "$work/out" "$work/plain"
    expect 0 "$1" hidden "$2" "$gpuvm" run "$(capture "$3")" --hash sha256-rgba &&
        same "$work/out" "$work/plain" "$1"
}

# The layer is there, and what it does not understand fails.
expect 0 "layer" hidden "" "$gpuvm" devices
says "$work/out" "hidden in part" "layer"
expect 5 "a wrong rule" hidden "hide feature noSuchFeature" "$gpuvm" devices
says "$work/err" "no feature noSuchFeature" "a wrong rule"
# Without the subset devices have what it may take away.
expect 134 "fans without the subset" hidden "hide feature triangleFans" "$gpuvm" devices
says "$work/err" "broken: .*triangleFans.* VK_KHR_portability_subset" "fans without the subset"
expect 0 "fans shown again" hidden "hide feature triangleFans; show feature triangleFans" \
    "$gpuvm" devices
expect 0 "all features" hidden "hide feature *" "$gpuvm" devices
refused "own feature" "hide feature timelineSemaphore" texture_bc1 \
    "the device misses: feature timelineSemaphore"
equal "minimum" "preset minimum" clear_b8g8r8a8
# Compilers declare clip distances that nobody uses; such a device has none.
equal "minimum: a draw" "preset minimum" blend_add
equal "minimum: Direct3D 9" "preset minimum" d3d9_cube_py
refused "viewport" "preset minimum" viewport_wide \
    "the device misses: limit maxViewportDimensions\[0\] 10000"
equal "biases are not clamped" "hide feature depthBiasClamp" depth_bias_same_unit

# Memory: AMD's types first in the list, memory apart from the host's, none coherent.
for preset in amd discrete noncoherent; do
    expect 0 "$preset: heaps" hidden "preset $preset" "$test_memory"
    filter=.gvt
    [ $preset = noncoherent ] || filter=transfers
    expect 0 "$preset: programs" hidden "preset $preset" "$test_gvt" tests/vm "$shaders" \
        $filter
    equal "$preset: capture" "preset $preset" texture_b5g5r5a1_clear
done

# Families that do not draw come first.
equal "queue families" "queues 3" texture_b5g5r5a1_clear

# Portable devices: the loader shows them to who asks, the subset must be enabled, what
# they lack is refused by name.
sed 's|"ICD": {|"ICD": { "is_portability_driver": true,|' \
    "$VK_DRIVER_FILES" >"$work/portable.json"
export VK_DRIVER_FILES="$work/portable.json"
expect 0 "portable: found" "$gpuvm" devices
equal "portable: runs" "preset portability" texture_b5g5r5a1_clear
equal "portable: fans" "preset portability" topology_triangle_fan
equal "portable: fans by name" "preset portability; hide feature triangleFans" \
    topology_triangle_fan
refused "portable: swizzles" "preset portability" texture_b8g8r8x8 \
    "the device misses: feature imageViewFormatSwizzle"
refused "portable: adjacency" "preset portability" topology_adjacency_10 \
    "the device misses: feature geometryShader"
finish
