#!/bin/sh
# Programs recorded here and now by Debian's apitrace, compiled, run, and compared with
# glretrace's pictures on the same machine: glxgears and the scenes of live_scenes.c.
#   live.sh GPUVM PICTURE_DISTANCE LIVE_SCENES
. tests/live/live_lib.sh

# Frames 1 to 3 of a trace: the first one after a window grew is not defined. glretrace
# has the pictures of `shown`, another recording of the same program or the same one.
compare() {
    program=$1 shown=$2 trace=$work/$2.trace
    shift 2
    calls=$(apitrace dump --color=never "$trace" 2>/dev/null |
        awk '/ glXSwapBuffers\(/ { n++; if (n > 1 && n < 5) printf "%s%s", s, $1; if (n > 1) s = "," }')
    glretrace --headless --snapshot-force-backbuffer -S "$calls" -s "$work/$shown-" "$trace" \
        >/dev/null 2>"$work/err" || fail "$program: glretrace: $(tail -n 1 "$work/err")"
    expect 0 "$program: compile" "$gpuvm" compile "$work/$program.trace" -o "$work/x.gvp" \
        --frames 0-3 "$@" || return
    expect 0 "$program: run" "$gpuvm" run "$work/x.gvp" --screenshots 1-3 \
        --screenshot-dir "$work/shots-$program" || return
    frame=1
    for call in $(echo "$calls" | tr ',' ' '); do
        told=$("$distance" "$work/$shown-$(printf '%010d' "$call").png" \
            "$work/shots-$program/frame_$(printf '%06d' $frame).png" ${GPUVM_KEEP:+"$GPUVM_KEEP/live-$program.$frame.png"}) ||
            fail "$program frame $frame: $told"
        case $told in *"${exact-}") ;; *) fail "$program frame $frame: not exact: $told" ;; esac
        echo "$program	$frame	$told"
        frame=$((frame + 1))
    done
    [ $frame -eq 4 ] || fail "$program: $((frame - 1)) of 3 frames"
}

# It draws until it is stopped: on a busy machine that may have to be later.
for seconds in 3 10 30; do
    timeout -s INT $seconds apitrace trace -o "$work/glxgears.trace" glxgears >/dev/null 2>&1
    [ "$(apitrace dump --color=never "$work/glxgears.trace" 2>/dev/null | grep -c SwapBuffers)" -lt 5 ] || break
    rm -f "$work/glxgears.trace"
done
compare glxgears glxgears
for scene in lights lists textures raster arrays quads materials surfaces types calls \
    formats pixels wraps mips copies shadows compressed attributes nesting \
    tracking givens stencils blends fogs units planes lighting combiners fragments memory packs depths \
    samplers clears distances buffers restarts attenuation encoded encoded_targets assembly resolves named targets clips programs relinks differences ruled inputs \
    stages captures sizes wires smooths pipelines layers viewports \
    texels compares depthfilters astc conditions computes blocks images drives verticesalone \
    fragmentsalone widths beyond fetches equations subroutines members includes \
    cuts slices views kinds onto edges edgestages edgesamples edgecore edgees; do
    expect 0 "$scene: recorded" apitrace trace -o "$work/$scene.trace" "$scenes" $scene &&
        compare $scene $scene
done
# To the bit: what llvmpipe and lavapipe compute alike.
for scene in steps; do
    expect 0 "$scene: recorded" apitrace trace -o "$work/$scene.trace" "$scenes" $scene &&
        exact=exact compare $scene $scene
done
# What glretrace's windows or Mesa's reads of them lack shows in what the program has read
# in another recording.
for scene in accum samples edgesamples; do
    expect 0 "$scene: recorded" apitrace trace -o "$work/$scene.trace" "$scenes" $scene &&
        expect 0 "$scene: recorded" apitrace trace -o "$work/$scene-read.trace" "$scenes" \
            $scene read &&
        compare $scene $scene-read --option gl.visual=recorded
done
compare samples samples
expect 0 "chosen: recorded" apitrace trace -o "$work/chosen.trace" "$scenes" chosen &&
    compare chosen chosen
compare accum accum
expect 2 "a visual of no kind" "$gpuvm" compile "$work/accum.trace" -o "$work/x.gvp" \
    --option gl.visual=mine
finish
