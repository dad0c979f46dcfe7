#!/bin/sh
# What the compiler makes of every fixture, of the project's own captures and, where there
# is one, of the corpus (refused inputs too), against the committed list: payloads, dumps and
# words are those it says (row.sh).
#   guard.sh GPUVM MAKE_AEROGPU MAKE_PSX LIST [CORPUS]   compares
#   guard.sh -w GPUVM MAKE_AEROGPU MAKE_PSX LIST [CORPUS]   writes the list anew
# GUARD_JOBS processes at once (2).
set -u
write=false
[ "$1" != -w ] || {
    write=true
    shift
}
gpuvm=$(realpath "$1") make_aerogpu=$(realpath "$2") make_psx=$(realpath "$3") list=$4
corpus=${5-}
row=$(realpath "$(dirname "$0")/row.sh")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
own=$work/own
mkdir -p "$own/aerogpu" "$own/psx"

make_own() {
    "$make_aerogpu" fixtures "$own/fixtures" &&
        "$make_aerogpu" demo "$own/aerogpu/demo" &&
        "$make_aerogpu" stress-frames "$own/aerogpu/frames" 4 200 &&
        "$make_aerogpu" stress-constants "$own/aerogpu/constants" 4 4096 &&
        "$make_psx" demo "$own/psx/demo" &&
        "$make_psx" tour "$own/psx/tour" &&
        "$make_psx" still "$own/psx/still" 20 &&
        "$make_psx" random "$own/psx/random" 1 400
}
make_own >"$work/made" 2>&1 || {
    cat "$work/made"
    echo "guard: cannot make the captures"
    exit 1
}

# NAME <TAB> FILE of every capture.
{
    (cd "$own" && find . -type f) | sed "s|^\./\(.*\)|\1	$own/\1|"
    for kind in aerogpu psx; do
        [ -z "$corpus" ] || [ ! -d "$corpus/$kind" ] ||
            (cd "$corpus" && find "$kind" -type f \
                \( -name '*.aerogputrace' -o -name '*.psxgpu*' -o -path '*/bad/*' \)) |
            sed "s|\(.*\)|corpus/\1	$corpus/\1|"
    done
} | LC_ALL=C sort >"$work/captures"

tr '\t' '\n' <"$work/captures" |
    xargs -d '\n' -P "${GUARD_JOBS:-2}" -n 2 "$row" "$gpuvm" |
    LC_ALL=C sort >"$work/rows"
if $write; then
    cp "$work/rows" "$list"
    exit
fi

# Rows of a corpus that is not here are not missed.
if [ -d "$corpus/aerogpu" ]; then cat "$list"; else grep -v '^corpus/' "$list"; fi >"$work/want"
diff "$work/want" "$work/rows" >"$work/diff" && {
    echo "guard: $(wc -l <"$work/rows") captures, eight ways each: as listed"
    exit 0
}
cat "$work/diff"
echo "guard: captures whose payloads (second column), dumps (third) or words (fourth) changed: \
$(grep -c '^>' "$work/diff")"
exit 1
