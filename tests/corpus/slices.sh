#!/bin/sh
# Every frame of every capture of the corpus, alone: the code that the slicer keeps for it gives
# the picture of the whole run.
#   slices.sh GPUVM SLICE_FRAMES [all|few]
# The corpus is $GPUVM_CORPUS, default ../shared/corpus; without it the test skips. `few`
# takes a few small captures of each kind. A line for each capture: what is kept of the last
# frame's prefix.
. tests/cli/lib.sh
gpuvm=$1 slice_frames=$2 part=${3:-all}
corpus=${GPUVM_CORPUS:-../shared/corpus}
[ -d "$corpus" ] || skip "no corpus in $corpus"
has_device "$gpuvm" || skip "no Vulkan device"

all() {
    ls "$corpus"/psx/*.psxgpu* "$corpus"/aerogpu/*.aerogputrace "$corpus"/apitrace/*.trace \
        "$corpus"/gfxr/*.gfxr*
}
few() {
    for name in psx/feedback.psxgpu psx/hw-lines.psxgpu psx/fill-copy.psxgpu \
        psx/state-restore.psxgpu.zst aerogpu/aerogpu_cmd_depth_test.aerogputrace \
        aerogpu/derived_two_frames.aerogputrace aerogpu/aerogpu_cmd_copy_texture2d.aerogputrace \
        apitrace/pc_mrt.trace apitrace/pe_tf.trace apitrace/pb_attrib.trace \
        gfxr/vp_reuse.gfxr gfxr/vkcube_trim.gfxr; do
        [ ! -e "$corpus/$name" ] || echo "$corpus/$name"
    done
}

list=all
[ "$part" = few ] && list=few
checked=0
for capture in $($list); do
    expect 0 "$capture: compile" "$gpuvm" compile "$capture" -o "$work/x.gvp" || continue
    step=1
    [ "$part" = all ] || step=4
    expect 0 "$capture" "$slice_frames" "$work/x.gvp" $step
    echo "${capture##*/}: $(tail -1 "$work/out")"
    checked=$((checked + 1))
done
[ "$checked" -gt 0 ] || skip "no captures in $corpus"
echo "$checked captures"
finish
