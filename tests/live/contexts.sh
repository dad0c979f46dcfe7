#!/bin/sh
# Programs of several contexts, recorded here and now and compared with glretrace's pictures.
#   contexts.sh GPUVM PICTURE_DISTANCE LIVE_CONTEXTS
. tests/live/live_lib.sh

for scene in alone ended threads; do
    expect 0 "$scene: recorded" apitrace trace -o "$work/$scene.trace" "$scenes" $scene &&
        exact=exact compare_frames $scene $scene
done
finish
