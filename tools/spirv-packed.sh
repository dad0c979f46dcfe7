#!/bin/sh
# One of the runtime's kernels as a C array of its compressed SPIR-V, and how long that is
# decompressed: a player on a small device carries all of them and needs few.
#   spirv-packed.sh OUT NAME IN
. "$(dirname "$0")/steps.sh"
out=$1 name=$2 in=$3
at_end 'rm -f "$out.spv" "$out.zst" "$out.tmp"'
step "$in"
glslangValidator -V -g0 --quiet --target-env vulkan1.3 -o "$out.spv" "$in"
zstd -q -f -19 --no-check --stream-size="$(stat -c %s "$out.spv")" -c <"$out.spv" >"$out.zst"
{
    echo "enum { ${name}_size = $(stat -c %s "$out.spv") };"
    echo "static const uint8_t $name[] = {"
    od -An -v -tx1 "$out.zst" | sed 's/\([0-9a-f]\{2\}\)/0x\1,/g'
    echo "};"
} >"$out.tmp"
mv "$out.tmp" "$out"
