#!/bin/sh
# One of our shaders as a C array of SPIR-V words, small and without names.
#   spirv-header.sh OUT NAME IN [FLAG...]
# Ids are numbered by what they stand for, not one after another, so that shaders which
# share code compress together (but modules of a few hundred words have ids too large for
# the runtime then). SPIR-V 1.5, since
# spirv-remap forgets the operands of OpExecutionModeId, which 1.6 has for sizes.
. "$(dirname "$0")/steps.sh"
out=$1 name=$2 in=$3
shift 3
work=$out.tmp
rm -rf "$work"
mkdir -p "$work/mapped"
at_end 'rm -rf "$work"'
step "$in"
glslangValidator -V -g0 --quiet --target-env vulkan1.2 "$@" -o "$work/module.spv" "$in"
spirv-remap --map all --input "$work/module.spv" --output "$work/mapped" >/dev/null
spirv-val --target-env vulkan1.2 "$work/mapped/module.spv"
{
    echo "#pragma once"
    echo "const uint32_t $name[] = {"
    od -An -v -tx4 --endian=little "$work/mapped/module.spv" |
        sed 's/\([0-9a-f]\{8\}\)/0x\1,/g'
    echo "};"
} >"$work/header"
mv "$work/header" "$out"
