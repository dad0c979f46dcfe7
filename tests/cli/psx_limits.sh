#!/bin/sh
# A dump on devices with no more than Vulkan 1.3 guarantees, made by the layer that hides:
# which way it goes is told, and is the same to the bit.
#   psx_limits.sh GPUVM MAKE_PSX LAYERS
. tests/cli/lib.sh
gpuvm=$1 make=$2 layers=$3
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
"$make" random "$work/dump" 5 150 || fail "no dump"

# under RULES COMMAND...: a command under the layer; no rules: without it.
under() {
    rules=$1
    shift
    [ -z "$rules" ] && { "$@"; return; }
    env GV_HIDE="$rules" VK_ADD_LAYER_PATH="$layers" \
        VK_INSTANCE_LAYERS=VK_LAYER_GPUVM_hide "$@"
}

# equal NAME RULES: pictures and VRAM as without the layer.
equal() {
    expect 0 "$1: run" under "$2" "$gpuvm" run "$work/any.gvp" --hash sha256-rgb \
        --export "vram=$work/$1.vram" || return
    cp "$work/out" "$work/$1.hashes"
    same "$work/plain.hashes" "$work/$1.hashes" "$1: pictures"
    same "$work/plain.vram" "$work/$1.vram" "$1: VRAM"
}

# goes NAME RULES TEXELS SUBGROUPS: which alternatives `devices` says are taken (0 or 1).
goes() {
    expect 0 "$1: devices" under "$2" "$gpuvm" devices "$work/any.gvp"
    says "$work/out" "	fits\$" "$1: fits"
    [ "$(grep -c 'alternative limit maxTexelBufferElements 540672, else VRAM' "$work/out")" = "$3" ] ||
        fail "$1: texel buffers"
    [ "$(grep -c 'alternative limit subgroupSupportedOperations 17, else records' "$work/out")" = "$4" ] ||
        fail "$1: subgroups"
    equal "$1" "$2"
}

expect 0 "compile" "$gpuvm" compile "$work/dump" -o "$work/any.gvp"
expect 0 "plain" "$gpuvm" run "$work/any.gvp" --hash sha256-rgb --export "vram=$work/plain.vram"
cp "$work/out" "$work/plain.hashes"
"$gpuvm" devices "$work/any.gvp" >"$work/devices"
texels=$(grep -c 'limit maxTexelBufferElements' "$work/devices") # few here, too
goes as_it_is "" "$texels" 0
goes few_texels "limit maxTexelBufferElements 65536" 1 0
goes no_shuffles "property subgroupSupportedOperations 1" "$texels" 1
goes minimum "preset minimum" 1 1
expect 0 "exact" under "preset minimum" "$gpuvm" run "$work/any.gvp" --frames 0 --json
says "$work/out" '"exact":true' "exact"
expect 0 "wide subgroups" under "property maxSubgroupSize 64" "$gpuvm" devices "$work/any.gvp"
says "$work/out" "alternative limit maxSubgroupSize 32, else records" "wide subgroups"
finish
