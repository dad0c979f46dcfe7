#!/bin/sh
# Traces that lie (hostile_rows.h): each is compiled and replayed. It ends with its frame or
# is refused (exit 3), and says what its row wants to hear.
#   hostile.sh GPUVM MAKE_HOSTILE EVERY [misses]
# Each EVERY-th row. `misses`: the device may lack what a row needs, and says what.
# Tells `ok ROW` or `FAILED: ROW ...`.
. tests/cli/lib.sh
gpuvm=$1 make=$2 every=$3 misses=${4:-}
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache" ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}"
"$make" "$work" "$every" >"$work/rows" || fail "make_hostile"

# judge NAME CODE SAYS: what a run left in NAME.err.
judge() {
    if grep -qE 'AddressSanitizer|runtime error' "$work/$1.err"; then
        fail "$1: a sanitizer complains"
    elif [ "$2" -eq 5 ] && [ "$misses" ] && grep -q 'the device misses' "$work/$1.err"; then
        echo "ok $1"
        return
    elif [ "$2" -ne 0 ] && [ "$2" -ne 3 ]; then
        fail "$1: exit $2"
    elif ! grep -qE -- "$3" "$work/$1.err"; then
        fail "$1: says no '$3'"
    elif [ "$2" -eq 0 ] && [ ! -s "$work/$1.sha" ]; then
        fail "$1: no frame"
    else
        echo "ok $1"
        return
    fi
    sed 's/^/    /' "$work/$1.err" >&2
}

run() {
    timeout 300 "$gpuvm" run "$work/$1.trace" --hash sha256-rgba --timeout 250 \
        --mem-mb 1000 >"$work/$1.sha" 2>"$work/$1.err"
    echo $? >"$work/$1.code"
}

# Two at a time.
cut -f 1 "$work/rows" | while read -r name && { read -r other || other=; }; do
    run "$name" &
    [ -z "$other" ] || run "$other"
    wait
done
tab=$(printf '\t')
while IFS="$tab" read -r name says; do
    judge "$name" "$(cat "$work/$name.code")" "$says"
done <"$work/rows"
finish
