#!/bin/sh
# What a payload says it needs is all it needs: each capture runs, with the same picture,
# on a device that has Vulkan's minimum, the payload's requirements and nothing else (the
# layer that hides, tests/layers/hide). A use without its row is refused in the run, or
# draws something else.
#   stated.sh GPUVM MAKE_AEROGPU LAYERS EACH TEST_RUNTIME_GVT SHADERS
# Each EACHth of the fixtures; with 1 also the AeroGPU corpus, where there is one. Payload
# programs likewise, as to features: theirs are the lines .require.
. tests/cli/lib.sh
. tests/drivers/lib.sh
gpuvm=$1 make_aerogpu=$2 layers=$3 each=$4 test_gvt=$5 shaders=$6
corpus=${GPUVM_CORPUS:-../shared/corpus}/aerogpu
use_driver lavapipe "$gpuvm"
export XDG_CACHE_HOME="$work/cache"
"$make_aerogpu" fixtures "$work/captures" || fail "make_aerogpu"
if [ "$each" = 1 ] && [ -e "$corpus/expect.tsv" ]; then
    cp "$corpus"/*.aerogputrace "$work/captures"
fi

# rules: of the layer, from what `info` says of a payload. What Vulkan guarantees with a
# feature comes with it.
rules() {
    awk '
        BEGIN {
            print "preset minimum"
            split("multiViewport maxViewports 16 shaderClipDistance maxClipDistances 8 " \
                "shaderCullDistance maxCullDistances 8 dualSrcBlend maxFragmentDualSrcAttachments 1 " \
                "wideLines lineWidthRange[1] 8 largePoints pointSizeRange[1] 64 " \
                "samplerAnisotropy maxSamplerAnisotropy 16 multiDrawIndirect maxDrawIndirectCount 65535 " \
                "shaderClipDistance maxCombinedClipAndCullDistances 8 " \
                "shaderCullDistance maxCombinedClipAndCullDistances 8 " \
                "shaderImageGatherExtended maxTexelGatherOffset 7 " \
                "shaderImageGatherExtended minTexelGatherOffset -8", with, " ")
        }
        $1 != "requires" || $2 == "alternative" { next }
        $3 == "feature" {
            print "show feature " $4
            for (i = 1; i in with; i += 3)
                if (with[i] == $4)
                    print "limit " with[i + 1] " " with[i + 2]
        }
        $3 == "extension" { print "show extension " $4 }
        # Transfers come with any other use of a format.
        $3 == "format" { print "show format " $4 " transfer " $5 }
        $3 == "limit" && $4 ~ /SampleCounts/ { print "limit " $4 " " $5 + 5 }
        $3 == "limit" && $4 == "subgroupSupportedOperations" { print "property " $4 " " $5 + 1 - $5 % 2 }
        # Properties beside the limits: subgroups, float controls.
        $3 == "limit" && $4 ~ /[sS]ubgroup|^shader|Independence/ && $4 != "subgroupSupportedOperations" { print "property " $4 " " $5 }
        $3 == "limit" && $4 !~ /SampleCounts|[sS]ubgroup|^shader|Independence/ { print "limit " $4 " " $5 }
    ' "$1"
}

poor() {
    env GV_HIDE="preset @$work/rules" VK_ADD_LAYER_PATH="$layers" \
        VK_INSTANCE_LAYERS=VK_LAYER_GPUVM_hide "$@"
}

number=0 count=0 refused=0
for capture in "$work/captures"/*.aerogputrace; do
    number=$((number + 1))
    [ $((number % each)) -eq 0 ] || continue
    row=$(basename "$capture")
    row=${row%.aerogputrace}
    "$gpuvm" compile "$capture" -o "$work/x.gvp" >"$work/out" 2>"$work/err" || {
        refused=$((refused + 1)) # its own affair, and other tests'
        continue
    }
    count=$((count + 1))
    expect 0 "$row: info" "$gpuvm" info "$work/x.gvp" || continue
    rules "$work/out" >"$work/rules"
    expect 0 "$row: plain" "$gpuvm" run "$work/x.gvp" --hash sha256-rgba || continue
    cp "$work/out" "$work/plain"
    expect 0 "$row: poor" poor "$gpuvm" run "$work/x.gvp" --hash sha256-rgba || continue
    same "$work/out" "$work/plain" "$row"
done

programs=0
extension_of() {
    sed -n "s/^GV_FEATURE(\([a-z0-9_]*\), \(.*\.\)\?$1)/\1/p" runtime/vk/device/features.def | while read -r member; do
        sed -n "s/^GV_EXTENSION($member, \"\(.*\)\")/show extension \1/p" runtime/vk/device/features.def
    done
}
for program in tests/runtime/programs/*.gvt; do
    row=$(basename "$program")
    # Those that must fail want a whole device; the endless one takes its time.
    case $row in refuse_* | hostile_loop.gvt) continue ;; esac
    number=$((number + 1))
    [ $((number % each)) -eq 0 ] || continue
    {
        echo "preset minimum-features"
        echo "preset minimum-subgroups"
        echo "hide extension *"
        sed -n 's/^\.require feature "\(.*\)".*/\1/p' "$program" | while read -r feature; do
            echo "show feature $feature"
            extension_of "$feature"
        done
    } >"$work/rules"
    programs=$((programs + 1))
    rm -rf "$work/one" && mkdir "$work/one" && cp "$program" "$work/one" # its name alone
    expect 0 "$row" poor env GV_TEST_NO_VALIDATION=1 "$test_gvt" "$work/one" "$shaders" "$row"
done
echo "$programs payload programs, $count captures on Vulkan's minimum and what they say they need; $refused do not compile"
[ $count -gt 0 ] || fail "no captures"
finish
