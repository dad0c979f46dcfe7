#!/bin/sh
# Sets up, builds, and runs all tests that CI runs (`ninja test`), lint included. Says which
# took longest; the last line is the sum: "N passed, N failed, N skipped".
#   tools/test.sh [NINJA TARGET]     default: test
cd "$(dirname "$0")/.."
. tools/steps.sh
target=${1:-test}

step "installing what tests need"
tools/setup.sh test
step "building and running $target"
built=yes
ninja -k 0 "$target" || built=no
step "counting the tests of $target"

# Every test is a stamp that says how it went; one that ninja would make again has failed.
# The lists are phony targets (tests/all.ninja): one of them may name another.
listed() {
    ninja -t query "$1" | sed -n '/input:/,/outputs:/s/^ *|* *\(build[^ ]*\|test\)$/\1/p'
}
all=$(listed "$target")
case " $(echo $all) " in *' test '*) all="$all $(listed test)" ;; esac
stamps=$(printf '%s\n' $all | grep '\.stamp$' | sort -u)
ninja build/edges.stamp >/dev/null # else -n would say no more than that it would make this
undone=$(ninja -n -v "$target" | grep -o '[^ ]*\.stamp' | sort -u)
passed=0 failed=0 skipped=0
for stamp in $stamps; do
    if printf '%s\n' "$undone" | grep -qxF "$stamp" || [ ! -e "$stamp" ]; then
        echo "failed: $stamp"
        failed=$((failed + 1))
    elif grep -q skipped "$stamp"; then
        echo "skipped: $stamp: $(tail -n 1 "$stamp.log" 2>/dev/null)"
        skipped=$((skipped + 1))
    else
        passed=$((passed + 1))
    fi
done
[ $built = yes ] || [ $failed -gt 0 ] || {
    echo "failed: what $target builds that is no test"
    failed=1
}
for stamp in $stamps; do
    [ ! -e "$stamp" ] || sed "s|^[a-z]* \([0-9]*\)\$|\1 s: $stamp|" "$stamp"
done | sort -rn | head -n 10
trap - EXIT
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
