#!/bin/sh
# The command lines of pages, run one after the other as a reader would; each page in a folder of
# its own with the same three captures.
#   pages.sh GPUVM MAKE_AEROGPU MAKE_PSX PAGE...
. tests/cli/lib.sh
gpuvm=$(realpath "$1") make_aerogpu=$2 make_psx=$3
shift 3
has_device "$gpuvm" || skip "no Vulkan device"
for program in apitrace glxgears xvfb-run jq; do
    command -v $program >/dev/null || skip "no $program"
done
[ -n "${DISPLAY-}" ] && [ -n "${GPUVM_X-}" ] || { # programs that are recorded want one
    GPUVM_X=1 exec xvfb-run -a "$0" "$gpuvm" "$make_aerogpu" "$make_psx" "$@"
}
PATH=$(dirname "$gpuvm"):$PATH
export PATH XDG_CACHE_HOME="$work/cache"
mkdir "$work/captures"
"$make_aerogpu" demo "$work/captures/demo.aerogputrace" && "$make_psx" demo "$work/captures/demo.psxgpu" ||
    fail "no captures"
# How long it takes until 61 frames are drawn depends on who else has the cores.
for seconds in 2 8 30; do
    timeout $seconds apitrace trace -o "$work/whole.trace" glxgears >/dev/null 2>&1
    apitrace trim --frames=0-60 -o "$work/captures/game.trace" "$work/whole.trace" >/dev/null 2>&1
    "$gpuvm" info "$work/captures/game.trace" 2>/dev/null | grep -qE '^frames +61$' && break
    rm -f "$work/captures/game.trace"
done
for page in "$@"; do
    cp -r "$work/captures" "$work/place"
    python3 tests/docs/session.py "$page" "$work/place" || fail "$page"
    rm -rf "$work/place"
done
finish
