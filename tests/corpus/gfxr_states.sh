#!/bin/sh
# The corpus of gfxreconstruct captures: `inspect`'s state at 200 places of each payload is what a
# replay notes that hears every call.
#   gfxr_states.sh GPUVM TEST_INSPECT
# The corpus is $GPUVM_CORPUS/gfxr, default ../shared/corpus; without it the test skips.
. tests/cli/lib.sh
gpuvm=$1 test_inspect=$2
corpus=${GPUVM_CORPUS:-../shared/corpus}/gfxr
[ -e "$corpus/manifest.tsv" ] || skip "no corpus in $corpus"
for file in "$corpus"/*.gfxr; do
    expect 0 "$file: compile" "$gpuvm" compile -q "$file" -o "$work/${file##*/}.gvp"
done
expect 0 "states" "$test_inspect" file 200 "$work"/*.gvp
sed "s|$work/||" "$work/out"
finish
