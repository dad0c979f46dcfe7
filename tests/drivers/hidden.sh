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

expect 5 "a wrong extension" hidden "hide extension VK_EXT_robustnes2" "$gpuvm" devices
says "$work/err" "no extension VK_EXT_robustnes2" "a wrong extension"
expect 5 "a limit of images" hidden "limit maxImageDimension2D 63" \
    "$gpuvm" run "$(capture topology_points)"
says "$work/err" "the device misses images of this size" "a limit of images"

# Points and lines that the device has of one pixel alone. The layer ends the process where
# it is asked for others.
thin="hide feature largePoints; limit pointSizeRange[1] 1; hide feature wideLines; limit lineWidthRange[1] 1"
for model in 2 3; do
    equal "points: model $model" "$thin" d3d9_point_size_$model
    equal "points: model $model on the minimum" "preset minimum" d3d9_point_size_$model
done
expect 0 "points: compile" "$gpuvm" compile "$(capture d3d9_point_size_2)" -o "$work/points.gvp"
expect 0 "points: devices" hidden "$thin" "$gpuvm" devices "$work/points.gvp"
says "$work/out" "alternative feature largePoints, else points are drawn as quads" "points: devices"

# lines CODE NAME RULES DESCRIPTION CALLS: a program with a pipeline of that description and
# those calls runs, and under the rules ends with that code.
lines() {
    wanted=$1 title=$2 rules=$3 description=$4 calls=$5
    cat >"$work/lines.gvt" <<END
.require alternative feature "wideLines" fallback "wide lines are drawn as quads"
.resource vs file "plain.vert.spv"
.const corners f32 ( -0.5 -0.5 0.5 0.5 0.5 -0.5 -0.5 0.5 0 0 0.9 0.1 )
.graphics d {
    vertex_binding 0
    attribute 0 format=R32G32_SFLOAT
    color 0 R8G8B8A8_UNORM
    $description
}
v = shader_create(vs)
p = pipeline_create_graphics(desc=d, vertex=v)
vb = buffer_create(48, VERTEX)
buffer_upload(vb, 0, corners)
rt = image_create(2D, R8G8B8A8_UNORM, width=8, height=8, usage=COLOR_ATTACHMENT)
pass_color(image=rt, load=CLEAR)
pass_begin(8, 8, 1)
bind_vertex_buffer(buffer=vb, stride=8)
bind_pipeline(p)
$calls
pass_end()
present(rt, width=8, height=8)
frame_end()
END
    expect 0 "$title: asm" "$gpuvm" asm "$work/lines.gvt" --include "$shaders" \
        -o "$work/lines.gvp"
    expect 0 "$title: plain" "$gpuvm" run "$work/lines.gvp"
    expect "$wanted" "$title" hidden "$rules" "$gpuvm" run "$work/lines.gvp"
}
wide='set_line_width(3)
draw(6)'
lines 0 "lines" "$thin" "topology = LINE_LIST" "$wide"
lines 0 "lines: thin edges" "$thin" "polygon_mode = LINE" "set_line_width(3)
set_line_width(1)
draw(6)"
for kind in "polygon_mode = LINE" "topology = LINE_STRIP
    line_mode = BRESENHAM" "topology = LINE_LIST
    viewport_count = 2"; do
    lines 5 "lines: $kind" "$thin" "$kind" "$wide"
    says "$work/err" "wideLines" "lines: $kind"
done
# Two buffers for the ends and one for the draw; two inputs and one.
lines 5 "lines: buffers" "$thin; limit maxVertexInputBindings 2" "topology = LINE_LIST" "$wide"
says "$work/err" "wideLines" "lines: buffers"
lines 5 "lines: inputs" "$thin; limit maxVertexInputAttributes 2" "topology = LINE_LIST" "$wide"
says "$work/err" "wideLines" "lines: inputs"

# Memory: AMD's types first in the list, memory apart from the host's, none coherent.
for preset in amd discrete noncoherent; do
    expect 0 "$preset: heaps" hidden "preset $preset" "$test_memory"
    filter=.gvt
    [ $preset = noncoherent ] || filter=transfers
    expect 0 "$preset: programs" hidden "preset $preset" "$test_gvt" tests/runtime/programs "$shaders" \
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
