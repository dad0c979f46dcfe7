#!/bin/sh
# Which tolerance sees which of 60 planted faults: docs/figures/verdicts.md is of today.
#   planted.sh GPUVM MAKE_AEROGPU MAKE_PSX
. tests/cli/lib.sh
has_device "$1" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
expect 0 "the table" tests/verdict/planted.py "$1" "$2" "$3" "$work" --check
finish
