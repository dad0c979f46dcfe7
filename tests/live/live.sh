#!/bin/sh
# Programs recorded here and now by Debian's apitrace, compiled, run, and compared with
# glretrace's pictures on the same machine: glxgears and the scenes of live_scenes.c.
#   live.sh GPUVM PICTURE_DISTANCE LIVE_SCENES
. tests/live/live_lib.sh

# It draws until it is stopped: on a busy machine that may have to be later.
for seconds in 3 10 30; do
    timeout -s INT $seconds apitrace trace -o "$work/glxgears.trace" glxgears >/dev/null 2>&1
    [ "$(apitrace dump --color=never "$work/glxgears.trace" 2>/dev/null | grep -c SwapBuffers)" -lt 5 ] || break
    rm -f "$work/glxgears.trace"
done
compare_frames glxgears glxgears
for scene in lists textures raster arrays quads materials surfaces types calls \
    formats pixels wraps mips copies shadows compressed attributes nesting \
    tracking givens stencils blends fogs units planes lighting combiners fragments memory packs depths \
    samplers clears distances buffers restarts attenuation encoded encoded_targets assembly resolves named targets clips programs relinks differences ruled inputs \
    stages sides captures sizes flats stipples wires smooths pipelines layers viewports \
    texels chosenbuffers tenbits zooms compares depthfilters astc conditions computes blocks images drives verticesalone \
    fragmentsalone modules widths beyond fetches equations subroutines members includes \
    internals oddmips esdepths \
    cuts slices views kinds onto encodings wholedistances offsets alphas tested lightcopied mixed edges edgestages edgesamples edgecore edgees; do
    expect 0 "$scene: recorded" apitrace trace -o "$work/$scene.trace" "$scenes" $scene &&
        compare_frames $scene $scene
done
# However often an edge on pixels' centres moves the viewport, frames are cut.
expect 0 "tieddraws: recorded" apitrace trace -o "$work/tieddraws.trace" "$scenes" tieddraws &&
    compare_frames tieddraws tieddraws &&
    expect 0 "tieddraws: whole" "$gpuvm" compile "$work/tieddraws.trace" -o "$work/x.gvp" &&
    expect 0 "tieddraws: slice" "$gpuvm" slice "$work/x.gvp" --frames 3 &&
    says "$work/out" '^calls' "tieddraws: a slice"
# To the bit: what llvmpipe and lavapipe compute alike.
for scene in lights steps medium counts clearvalues biases outside; do
    expect 0 "$scene: recorded" apitrace trace -o "$work/$scene.trace" "$scenes" $scene &&
        exact=exact compare_frames $scene $scene
done
# What glretrace's windows or Mesa's reads of them lack shows in what the program has read
# in another recording.
for scene in accum samples edgesamples; do
    expect 0 "$scene: recorded" apitrace trace -o "$work/$scene.trace" "$scenes" $scene &&
        expect 0 "$scene: recorded" apitrace trace -o "$work/$scene-read.trace" "$scenes" \
            $scene read &&
        compare_frames $scene $scene-read --option gl.visual=recorded
done
compare_frames samples samples
expect 0 "chosen: recorded" apitrace trace -o "$work/chosen.trace" "$scenes" chosen &&
    compare_frames chosen chosen
compare_frames accum accum
expect 2 "a visual of no kind" "$gpuvm" compile "$work/accum.trace" -o "$work/x.gvp" \
    --option gl.visual=mine
finish
