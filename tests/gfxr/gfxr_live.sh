#!/bin/sh
# Programs of Vulkan recorded here and now by Debian's gfxreconstruct, compiled, run, and
# compared with gfxrecon-replay's pictures on the same device: every scene of
# vulkan_scenes.def, each frame to the bit.
#   gfxr_live.sh GPUVM PICTURE_DISTANCE VULKAN_SCENES
. tests/cli/lib.sh
gpuvm=$1 distance=$2 scenes=$3
for tool in gfxrecon-replay xvfb-run python3; do
    command -v $tool >/dev/null || skip "no $tool"
done
has_device "$gpuvm" || skip "no Vulkan device"
# One X server for all.
[ -n "${GPUVM_X-}" ] || {
    rm -rf "$work"
    GPUVM_X=1 exec xvfb-run -a "$0" "$@"
}
export XDG_CACHE_HOME="$work/cache"

# The peer counts frames from 1, and writes none where its folder is missing.
compare_scene() {
    scene=$1
    mkdir "$work/$scene"
    expect 0 "$scene: recorded" env VK_INSTANCE_LAYERS=VK_LAYER_LUNARG_gfxreconstruct \
        GFXRECON_CAPTURE_FILE="$work/$scene.gfxr" GFXRECON_CAPTURE_FILE_TIMESTAMP=false \
        "$scenes" "$scene" &&
        expect 0 "$scene: gfxrecon-replay" timeout 60 gfxrecon-replay --wsi xlib \
            --screenshots 1-9 --screenshot-dir "$work/$scene" "$work/$scene.gfxr" &&
        expect 0 "$scene: compile" "$gpuvm" compile --strict "$work/$scene.gfxr" -o "$work/x.gvp" &&
        expect 0 "$scene: run" "$gpuvm" run "$work/x.gvp" --screenshots all \
            --screenshot-dir "$work/shots-$scene" || return
    frame=0
    while [ -f "$work/$scene/screenshot_frame_$((frame + 1)).bmp" ]; do
        tests/gfxr/bmp_png.py "$work/$scene/screenshot_frame_$((frame + 1)).bmp" "$work/peer.png"
        told=$("$distance" "$work/peer.png" \
            "$work/shots-$scene/frame_$(printf '%06d' $frame).png" \
            ${GPUVM_KEEP:+"$GPUVM_KEEP/gfxr-$scene.$frame.png"})
        case $told in *exact) ;; *) fail "$scene frame $frame: $told" ;; esac
        frame=$((frame + 1))
    done
    [ $frame -ge 3 ] || fail "$scene: $frame of 3 frames"
    echo "$scene	$frame frames"
}

for name in $(sed -n 's/^SCENE(\(.*\))$/\1/p' tests/gfxr/vulkan_scenes.def); do
    compare_scene "$name"
done
finish
