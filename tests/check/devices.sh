#!/bin/sh
# Words of devices that nobody here has, made by the layer that hides (tests/layers/hide): one that is lost, lacks a
# feature that a capture needs, or one that it prefers; and of a capture with unsupported calls.
#   devices.sh GPUVM MAKE_AEROGPU MAKE_APITRACE LAYERS
. tests/cli/lib.sh
gpuvm=$(realpath "$1") layers=$(realpath "$4")
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
mkdir -p "$work/place/captures"
"$2" fixtures "$work/fixtures" && "$2" demo "$work/place/captures/demo.aerogputrace" &&
    "$3" tour "$work/place/captures/tour.trace" 6 snappy || fail "no captures"
for name in blend_add depth_bias_same_unit texture_bc1; do
    cp "$work/fixtures/$name.aerogputrace" "$work/place/captures"
done
cd "$work/place" || exit 1

# on RULES CODE NAME OPTIONS...: a check with such a device.
on() {
    rules=$1 code=$2 name=$3
    shift 3
    GV_HIDE=$rules VK_ADD_LAYER_PATH=$layers VK_INSTANCE_LAYERS=VK_LAYER_GPUVM_hide \
        expect "$code" "$name" "$gpuvm" check captures --golden golden "$@"
}
# told LINES: all that the check has told.
told() {
    printf "$1" | diff - "$work/out" || fail "$name: other words"
}

on "" 0 "bless" --bless
grep -q "^Pass (incomplete)	tour	blessed" "$work/out" || fail "blessed: $(cat "$work/out")"
on "" 0 "the whole device"
told 'Pass\tblend_add\nPass\tdemo\nPass\tdepth_bias_same_unit\nPass\ttexture_bc1\nPass (incomplete)\ttour\n'
on "" 1 "incomplete is not enough" --strict
says "$work/out" "^Fail \(incomplete\)	tour	unsupported calls were skipped, which --strict refuses" "why"

# Needed: skipped. Preferred: inexact. Nobody else minds.
on "hide feature textureCompressionBC" 0 "a feature that is needed" -o skipped
told 'Pass\tblend_add\nPass\tdemo\nPass\tdepth_bias_same_unit\nSkip\ttexture_bc1\tthe device misses: feature textureCompressionBC\nPass (incomplete)\ttour\n'
grep -q '^texture_bc1,Skip,' skipped/results.csv && grep -q '<skipped message="the device misses' skipped/junit.xml ||
    fail "Skip in files"
[ -s skipped/failures.csv ] && fail "Skip is a failure"
on "hide feature textureCompressionBC" 5 "nothing but that" --filter bc1
on "hide feature depthBiasClamp" 0 "a feature that is preferred"
says "$work/out" "^Pass \\(inexact\\)	depth_bias_same_unit\$" "its word"
[ "$(grep -c inexact "$work/out")" = 1 ] || fail "others are inexact"
on "hide feature depthBiasClamp" 1 "inexact is not enough" --strict --filter depth
says "$work/out" "^Fail \\(inexact\\)	depth_bias_same_unit	the device lacks what is preferred, which --strict refuses" "why"
on "hide feature depthBiasClamp; hide feature textureCompressionBC" 0 "both"
says "$work/err" "5 checked, 4 Pass, 1 Skip" "counts"

# Lost at the ninth submit, which short captures do not reach.
on "lost 8" 1 "lost" -o lost -j 2
says "$work/out" "^Crash	demo	.*VK_ERROR_DEVICE_LOST" "its word"
[ "$(grep -c '^Pass' "$work/out")" = 4 ] || fail "others were lost: $(cat "$work/out")"
grep -q '<error type="Crash" message=".*VK_ERROR_DEVICE_LOST' lost/junit.xml || fail "Crash in JUnit"
on "" 0 "the device is back" --against lost -q
says "$work/out" "^newly-passing	demo\$" "what passes again"
finish
