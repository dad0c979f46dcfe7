#!/bin/sh
# Joins objects and what they need of archives into one, whose names are local but for those
# of a version map.
#   tools/library/join.sh CC OUT MAP OBJECT...
set -eu
cc=$1 out=$2 map=$3
shift 3
sed -n 's/^ *\(gpuvm_[a-z_]*\);$/\1/p' "$map" >"$out.names"
$cc -nostdlib -r -o "$out" "$@"
"${OBJCOPY:-objcopy}" --keep-global-symbols="$out.names" "$out"
