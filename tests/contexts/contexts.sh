#!/bin/sh
# Programs of several contexts, and of EGL, recorded here and now and compared with
# glretrace's pictures.
#   contexts.sh GPUVM PICTURE_DISTANCE LIVE_CONTEXTS LIVE_EGL
. tests/live/live_lib.sh
egl=$4

for scene in alone ended threads; do
    expect 0 "$scene: recorded" apitrace trace -o "$work/$scene.trace" "$scenes" $scene &&
        exact=exact compare_frames $scene $scene
done
expect 0 "eglapart: recorded" apitrace trace --api egl -o "$work/eglapart.trace" "$egl" eglapart &&
    exact=exact compare_frames eglapart eglapart
# glretrace has no images as renderbuffers and no windows of sRGB: what the program has
# read shows in another recording.
for scene in eglrenderbuffers egllight; do
    expect 0 "$scene: recorded" apitrace trace --api egl -o "$work/$scene.trace" "$egl" $scene &&
        expect 0 "$scene: recorded" apitrace trace --api egl -o "$work/$scene-read.trace" \
            "$egl" $scene read &&
        compare_frames $scene $scene-read --option gl.visual=recorded
done
finish
