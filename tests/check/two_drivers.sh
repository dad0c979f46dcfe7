#!/bin/sh
# One golden folder on lavapipe and SwiftShader: by lines of a device's own, and by a tolerance; a fault fails on both.
#   two_drivers.sh GPUVM MAKE_AEROGPU MAKE_PSX MAKE_APITRACE
. tests/cli/lib.sh
gpuvm=$(realpath "$1")
lavapipe=$(find /usr/share/vulkan/icd.d -name 'lvp_icd*.json' | head -n 1)
swiftshader=$(dpkg -L chromium-common 2>/dev/null | grep vk_swiftshader_icd.json)
[ -n "$lavapipe" ] && [ -n "$swiftshader" ] || skip "not both drivers"
export XDG_CACHE_HOME="$work/cache"
mkdir -p "$work/place/captures" "$work/place/golden"
"$2" demo "$work/place/captures/demo.aerogputrace" && "$3" demo "$work/place/captures/game.psxgpu" &&
    "$4" tour "$work/place/captures/tour.trace" 6 snappy || fail "no captures"
cd "$work/place" || exit 1

# on DRIVER CODE NAME OPTIONS...: a check with that driver. SwiftShader loses 88 bytes of each descriptor update template
# that it destroys, so nobody looks for leaks.
export ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}"
on() {
    driver=$1 code=$2 name=$3
    shift 3
    VK_DRIVER_FILES=$driver VK_ICD_FILENAMES=$driver expect "$code" "$name" "$gpuvm" check captures --golden golden "$@"
}

on "$lavapipe" 0 "bless" --bless --pictures
printf 'swiftshader\tSwiftShader\t*\n' >golden/devices.tsv
on "$swiftshader" 1 "one driver's lines"
says "$work/out" "^Fail	demo	24 frames differ" "AeroGPU's demo rounds otherwise"
says "$work/out" "^Pass	game\$" "PlayStation's is the same to the bit"

# Lines of its own.
on "$swiftshader" 0 "bless its own" --bless
[ "$(ls golden/*.swiftshader.tsv)" = golden/demo.swiftshader.tsv ] || fail "own lines: $(ls golden)"
[ "$(wc -l <golden/demo.swiftshader.tsv)" = 24 ] || fail "one for each frame"
on "$swiftshader" 0 "its own lines"
on "$lavapipe" 0 "the lines of all"

# Instead of them a tolerance.
rm golden/demo.swiftshader.tsv
echo "tolerance 1" >>golden/demo.tsv
on "$swiftshader" 1 "a level is too little"
for tolerance in gl perceptual; do
    sed -i '/^tolerance/d' golden/demo.tsv
    echo "tolerance $tolerance" >>golden/demo.tsv
    on "$swiftshader" 0 "tolerance $tolerance"
    says "$work/out" "^Pass	demo	24 frames within the tolerance" "tolerance $tolerance"
    on "$lavapipe" 0 "tolerance $tolerance is not needed"
done

# A frame that is another one fails on both, whatever the tolerance.
sed -i '/^frame\t5\t/d' golden/demo.tsv
sed -n 's/^frame\t9\t/frame\t5\t/p' golden/demo.tsv >>golden/demo.tsv
cp golden/demo/frame_000009.png golden/demo/frame_000005.png
for driver in "$lavapipe" "$swiftshader"; do
    on "$driver" 1 "another frame"
    says "$work/out" "^Fail	demo	frame 5: " "which frame"
done
finish
