#!/bin/sh
# One of the runtime's kernels as a C array of its compressed SPIR-V, and how long that is
# decompressed: a player on a small device carries all of them and needs few.
#   spirv-packed.sh OUT NAME IN
set -e
out=$1 name=$2 in=$3
trap 'rm -f "$out.spv" "$out.tmp"' EXIT
glslangValidator -V -g0 --quiet --target-env vulkan1.3 -o "$out.spv" "$in"
{
    echo "enum { ${name}_size = $(stat -c %s "$out.spv") };"
    echo "static const uint8_t $name[] = {"
    zstd -q -19 --no-check --stream-size="$(stat -c %s "$out.spv")" -c <"$out.spv" |
        od -An -v -tx1 | sed 's/\([0-9a-f]\{2\}\)/0x\1,/g'
    echo "};"
} >"$out.tmp"
mv "$out.tmp" "$out"
