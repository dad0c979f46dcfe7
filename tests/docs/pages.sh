#!/bin/sh
# The command lines of pages, run one after the other as a reader would.
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
for page in "$@"; do
    mkdir "$work/place"
    "$make_aerogpu" demo "$work/place/demo.aerogputrace" && "$make_psx" demo "$work/place/demo.psxgpu" ||
        fail "no captures"
    # How long it takes until something is drawn depends on who else has the cores.
    for seconds in 2 8 30; do
        timeout $seconds apitrace trace -o "$work/whole.trace" glxgears >/dev/null 2>&1
        apitrace trim --frames=0-60 -o "$work/place/game.trace" "$work/whole.trace" >/dev/null 2>&1
        "$gpuvm" info "$work/place/game.trace" 2>/dev/null | grep -qE '^frames +[1-9][0-9]' && break
        rm -f "$work/place/game.trace"
    done
    python3 tests/docs/session.py "$page" "$work/place" || fail "$page"
    rm -rf "$work/place"
done
finish
