#!/bin/sh
# Every object of JSON of every command, failures too, against docs/schema/, which refuse what is not theirs.
#   json_schemas.sh GPUVM PLAYER MAKE_AEROGPU MAKE_PSX MAKE_APITRACE
. tests/cli/lib.sh
python3 -c 'import jsonschema' 2>/dev/null || skip "no python3-jsonschema"
gpuvm=$(realpath "$1") player=$(realpath "$2")
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
"$3" demo "$work/demo.aerogputrace" && "$4" demo "$work/game.psxgpu" &&
    "$5" tour "$work/tour.trace" 6 snappy || fail "no captures"
expect 0 "the page of the schemas" tools/schema-docs.py --check
expect 0 "objects and schemas" python3 tests/cli/json_schemas.py docs/schema "$work" "$gpuvm" "$player"
cat "$work/out"
finish
