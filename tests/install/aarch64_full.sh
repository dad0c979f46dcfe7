#!/bin/sh
# The player for aarch64 shows what the one for this machine shows: frames of our own captures,
# replayed under qemu with that machine's lavapipe. tools/cross.sh builds it.
#   aarch64_full.sh GPUVM PLAYER MAKE_AEROGPU MAKE_PSX STEP      every STEPth fixture of AeroGPU
# With SSSE3 lavapipe rounds filtered texels in a way that no other processor does, so here it
# goes without. What then differs is how floating point rounds: a byte by one level, or a pixel
# at the edge of a triangle, one in 10,000. Of the PlayStation's whole numbers nothing differs.
. tests/cli/lib.sh
unset CC AR OBJCOPY CFLAGS CPPFLAGS LDFLAGS SYSROOT
gpuvm=$1 player=$2 make_aerogpu=$3 make_psx=$4 step=$5
for needed in aarch64-linux-gnu-gcc qemu-aarch64-static; do
    command -v $needed >/dev/null || skip "no $needed"
done
has_device "$gpuvm" || skip "no Vulkan device"
tools/cross.sh aarch64 sysroot >"$work/log" 2>&1 || skip "no libraries for aarch64"
tools/cross.sh aarch64 gpuvm-player >"$work/log" 2>&1 || {
    tail -n 20 "$work/log"
    fail "cross.sh"
    finish
}
out=$PWD/build/aarch64
icd=$out/sysroot/usr/share/vulkan/icd.d/lvp_icd.aarch64.json
there() {
    qemu-aarch64-static -L "$out/sysroot" -E VK_DRIVER_FILES="$icd" -E XDG_CACHE_HOME="$work/cache-there" "$@"
}
expect 0 "devices there" there "$out/gpuvm-player" devices
says "$work/out" llvmpipe "lavapipe"

"$make_aerogpu" fixtures "$work/fixtures" >/dev/null && "$make_aerogpu" demo "$work/demo" &&
    "$make_psx" demo "$work/psx-demo" && "$make_psx" tour "$work/psx-tour" &&
    "$make_psx" random "$work/psx-random" 1 400 || fail "no captures"
find "$work/fixtures" -type f | LC_ALL=C sort | awk -v step="$step" 'NR % step == 1 || step == 1' >"$work/list"
printf '%s\n' "$work/demo" "$work/psx-demo" "$work/psx-tour" "$work/psx-random" >>"$work/list"
# far A B: how many bytes differ by more than a level.
far() {
    cmp -l "$1" "$2" | awk 'function octal(s) { return 64 * int(s / 100) + 8 * int(s / 10 % 10) + s % 10 }
        { d = octal($2) - octal($3); if (d < -1 || d > 1) n++ } END { print n + 0 }'
}

captures=0 frames=0 equal=0
while read -r capture; do
    name=$(basename "$capture")
    "$gpuvm" compile "$capture" -o "$work/here.gvp" >/dev/null 2>&1 || continue
    rm -rf "$work/here" "$work/there"
    set -- run -q "$work/here.gvp" --screenshots all --screenshot-format raw --screenshot-dir
    GALLIUM_OVERRIDE_CPU_CAPS=sse3 "$player" "$@" "$work/here" >/dev/null 2>&1 </dev/null || continue
    there "$out/gpuvm-player" "$@" "$work/there" --timeout 0 >/dev/null 2>"$work/err" </dev/null ||
        fail "$name: $(tail -n 1 "$work/err")"
    captures=$((captures + 1))
    for frame in "$work"/here/*.raw; do
        [ -e "$frame" ] || continue
        frames=$((frames + 1))
        cmp -s "$frame" "$work/there/$(basename "$frame")" && equal=$((equal + 1)) && continue
        case $name in
        psx-*) fail "$name: $(basename "$frame") differs" ;;
        esac
        [ "$(stat -c %s "$frame")" -eq "$(stat -c %s "$work/there/$(basename "$frame")")" ] &&
            bytes=$(far "$frame" "$work/there/$(basename "$frame")") &&
            [ "$bytes" -le $(($(stat -c %s "$frame") / 10000)) ] ||
            fail "$name: $(basename "$frame"): ${bytes:-all} bytes differ by more than rounding"
    done
done <"$work/list"
echo "$captures captures, $frames frames: $equal equal to the bit, $((frames - equal)) but for rounding"
[ $captures -ge 4 ] || fail "only $captures captures ran"
finish
