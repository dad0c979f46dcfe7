#!/bin/sh
# Makes the good inputs that mutants are made of: the programs of tests/runtime/programs as text and as
# payloads, AeroGPU fixtures, apitrace traces and PlayStation dumps as captures and as payloads, objects of a
# store, a progress file, a cache of pipelines.
#   seeds.sh FOLDER GPUVM MAKE_AEROGPU MAKE_PSX MAKE_APITRACE SHADERS
# In FOLDER: text/ payload/ capture/ state/; gate/ with pictures and golden files
set -eu
folder=$1 gpuvm=$2 make_aerogpu=$3 make_psx=$4 make_apitrace=$5 shaders=$6
[ ! -e "$folder/made" ] || exit 0
rm -rf "$folder"
mkdir -p "$folder/text" "$folder/payload" "$folder/capture" "$folder/state" "$folder/gate" "$folder/fixtures"
python3 tests/fuzz/gate_seeds.py "$folder/gate"

"$make_aerogpu" fixtures "$folder/fixtures"
find "$folder/fixtures" -type f -size -64k | sort | while read -r file; do
    name=$(basename "$file")
    cp "$file" "$folder/capture/${name%.aerogputrace}.aerogputrace"
done
rm -rf "$folder/fixtures"
for what in tour "random 1 40" "random 2 400" still; do
    # shellcheck disable=SC2086 # words are arguments
    set -- $what
    kind=$1
    shift
    "$make_psx" "$kind" "$folder/capture/$kind${1:-}.psxgpu" "$@" 2>/dev/null || true
done
"$make_apitrace" scenes "$folder/capture" 0 raw
mkdir "$folder/packed"
"$make_apitrace" scenes "$folder/packed" 0 snappy
for file in "$folder"/packed/*; do
    mv "$file" "$folder/capture/packed_$(basename "$file")"
done
rmdir "$folder/packed"
find "$folder/capture" -size +256k -delete

# What does not assemble or compile is no good input.
for file in tests/runtime/programs/*.gvt; do
    name=$(basename "$file" .gvt)
    "$gpuvm" asm "$file" --include "$shaders" -o "$folder/payload/$name.gvp" >/dev/null 2>&1 ||
        continue
    cp "$file" "$folder/text/"
done
for file in "$folder"/capture/*; do
    name=$(basename "$file")
    "$gpuvm" compile "$file" --level 1 -o "$folder/payload/$name.gvp" >/dev/null 2>&1 || true
done
# With keyframes, where there is a device.
for file in $(find "$folder/payload" -name '*.gvp' | sort | awk 'NR % 25 == 1'); do
    name=$(basename "$file")
    "$gpuvm" keyframe "$file" --every 1 -o "$folder/payload/keyed_$name" >/dev/null 2>&1 || true
done
find "$folder/payload" -size +256k -delete

set -- "$folder"/capture/*.aerogputrace
"$gpuvm" compile "$1" --thin --store "$folder/store" -o "$folder/thin.gvp" >/dev/null 2>&1
find "$folder/store" -name '*.zst' | head -n 8 | while read -r file; do
    cp "$file" "$folder/state/"
done
XDG_CACHE_HOME=$(realpath "$folder")/cache "$gpuvm" run "$folder/payload/clears.gvp" \
    --progress-file "$folder/state/a.progress" >/dev/null 2>&1 || true
find "$folder/cache" -name '*.bin' -exec cp {} "$folder/state/" \; 2>/dev/null || true
touch "$folder/made"
