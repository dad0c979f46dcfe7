#!/bin/sh
# Programs recorded here and now by Debian's apitrace, compiled, run, and compared with
# glretrace's pictures on the same machine: glxgears and the scenes of live_scenes.c.
#   live.sh GPUVM PICTURE_DISTANCE LIVE_SCENES
. tests/cli/lib.sh
gpuvm=$1 distance=$2 scenes=$3
for tool in apitrace glretrace xvfb-run glxgears; do
    command -v $tool >/dev/null || skip "no $tool"
done
has_device "$gpuvm" || skip "no Vulkan device"
export LIBGL_ALWAYS_SOFTWARE=1 XDG_CACHE_HOME="$work/cache"

# Frames 1 to 3 of a trace: the first one after a window grew is not defined.
compare() {
    name=$1 trace=$work/$1.trace
    calls=$(apitrace dump --color=never "$trace" 2>/dev/null |
        awk '/ glXSwapBuffers\(/ { n++; if (n > 1 && n < 5) printf "%s%s", s, $1; if (n > 1) s = "," }')
    xvfb-run -a glretrace --headless --snapshot-force-backbuffer -S "$calls" -s "$work/$name-" "$trace" \
        >/dev/null 2>"$work/err" || fail "$name: glretrace: $(tail -n 1 "$work/err")"
    expect 0 "$name: compile" "$gpuvm" compile "$trace" -o "$work/x.gvp" --frames 0-3 || return
    expect 0 "$name: run" "$gpuvm" run "$work/x.gvp" --screenshots 1-3 \
        --screenshot-dir "$work/shots-$name" || return
    frame=1
    for call in $(echo "$calls" | tr ',' ' '); do
        told=$("$distance" "$work/$name-$(printf '%010d' "$call").png" \
            "$work/shots-$name/frame_$(printf '%06d' $frame).png" ${GPUVM_KEEP:+"$GPUVM_KEEP/live-$name.$frame.png"}) ||
            fail "$name frame $frame: $told"
        echo "$name	$frame	$told"
        frame=$((frame + 1))
    done
    [ $frame -eq 4 ] || fail "$name: $((frame - 1)) of 3 frames"
}

timeout -s INT 3 xvfb-run -a apitrace trace -o "$work/glxgears.trace" glxgears >/dev/null 2>&1
compare glxgears
for scene in lights lists textures raster arrays quads materials surfaces types calls \
    formats pixels wraps mips copies shadows compressed; do
    expect 0 "$scene: recorded" xvfb-run -a apitrace trace -o "$work/$scene.trace" "$scenes" $scene &&
        compare $scene
done
finish
