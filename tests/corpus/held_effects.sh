#!/bin/sh
# run --check-effects over the corpus: no call writes what it does not declare.
#   held_effects.sh GPUVM [all|few]
# The corpus is $GPUVM_CORPUS, default ../shared/corpus; without it the test skips. `few`
# takes a few small captures of each kind.
. tests/cli/lib.sh
gpuvm=$1 part=${2:-all}
corpus=${GPUVM_CORPUS:-../shared/corpus}
[ -d "$corpus" ] || skip "no corpus in $corpus"
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"

all() {
    ls "$corpus"/psx/*.psxgpu* "$corpus"/aerogpu/*.aerogputrace "$corpus"/apitrace/*.trace
}
few() {
    for name in psx/state-restore.psxgpu.zst psx/hw-lines.psxgpu \
        aerogpu/aerogpu_cmd_depth_test.aerogputrace aerogpu/derived_two_frames.aerogputrace \
        aerogpu/aerogpu_cmd_copy_texture2d.aerogputrace aerogpu/aerogpu_cmd_blend_add.aerogputrace \
        apitrace/pc_mrt.trace apitrace/pe_tf.trace apitrace/pe_tex.trace; do
        [ ! -e "$corpus/$name" ] || echo "$corpus/$name"
    done
}

list=all
[ "$part" = few ] && list=few
checked=0
for capture in $($list); do
    expect 0 "$capture" "$gpuvm" run "$capture" --check-effects --json -q || continue
    says "$work/out" '"effect_violations":0' "$capture: effects"
    checked=$((checked + 1))
done
[ "$checked" -gt 0 ] || skip "no captures in $corpus"
echo "$checked captures"
finish
