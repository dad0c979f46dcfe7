#!/bin/sh
# Contents of random objects at random places of each capture of the corpus: those that a run
# of no more than they need gives are those of the whole run.
#   random_contents.sh GPUVM RANDOM_CONTENTS [all|few]
# The corpus is $GPUVM_CORPUS, default ../shared/corpus; without it the test skips. `few` takes
# a few small captures of each kind. A line for each capture.
. tests/cli/lib.sh
gpuvm=$1 random_contents=$2 part=${3:-all}
corpus=${GPUVM_CORPUS:-../shared/corpus}
[ -d "$corpus" ] || skip "no corpus in $corpus"
has_device "$gpuvm" || skip "no Vulkan device"

all() {
    ls "$corpus"/psx/*.psxgpu* "$corpus"/aerogpu/*.aerogputrace "$corpus"/apitrace/*.trace \
        "$corpus"/gfxr/*.gfxr
}
few() {
    for name in psx/feedback.psxgpu psx/fill-copy.psxgpu aerogpu/aerogpu_cmd_depth_test.aerogputrace \
        aerogpu/aerogpu_cmd_copy_texture2d.aerogputrace apitrace/pc_mrt.trace apitrace/pe_tf.trace \
        apitrace/pb_attrib.trace; do
        [ ! -e "$corpus/$name" ] || echo "$corpus/$name"
    done
}

list=all wanted=20 checked=0
[ "$part" = all ] || list=few wanted=6
for capture in $($list); do
    "$gpuvm" compile "$capture" -o "$work/x.gvp" -q 2>"$work/err" || {
        echo "${capture##*/}: not compiled: $(head -1 "$work/err")"
        continue
    }
    "$random_contents" "$work/x.gvp" $wanted 7 >"$work/out" 2>"$work/err"
    case $? in
    0) ;;
    77)
        echo "${capture##*/}: not on this device: $(head -1 "$work/out")"
        continue
        ;;
    *) fail "$capture: $(cat "$work/out" "$work/err")" ;;
    esac
    echo "${capture##*/}: $(tail -1 "$work/out")"
    checked=$((checked + 1))
done
[ "$checked" -gt 0 ] || skip "no captures in $corpus"
echo "$checked captures"
finish
