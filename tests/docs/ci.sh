#!/bin/sh
# The CI files of a page: at most 12 lines each, and their commands do what they are for.
#   ci.sh GPUVM MAKE_AEROGPU PAGE
. tests/cli/lib.sh
gpuvm=$(realpath "$1") make=$2 page=$3
has_device "$gpuvm" || skip "no Vulkan device"
PATH=$(dirname "$gpuvm"):$PATH
export PATH XDG_CACHE_HOME="$work/cache"

# block NAME: the indented lines behind its mark.
block() {
    awk -v mark="<!-- ci: $1 -->" '$0 == mark { on = 1; next }
        on && /^    / { print substr($0, 5); seen = 1; next }
        seen && !/^$/ { exit }' "$page" >"$work/$1"
    [ -s "$work/$1" ] || fail "$page has no file for $1"
    [ "$(grep -c . "$work/$1")" -le 12 ] || fail "$1 has more than 12 lines"
}
for name in gitlab github shell; do
    block $name
done
mkdir -p "$work/place/captures"
"$make" demo "$work/place/captures/demo.aerogputrace" || fail "no capture"
for name in gitlab github; do
    python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))' "$work/$name" 2>"$work/err" ||
        grep -q "No module" "$work/err" || fail "$name: no YAML: $(cat "$work/err")"
    sed -n 's/^ *- \(run: \)\{0,1\}\(gpuvm .*\)/\2/p' "$work/$name" >"$work/$name.sh"
    [ -s "$work/$name.sh" ] || fail "$name runs no gpuvm"
done
cd "$work/place" || exit 1
expect 0 "bless" gpuvm check captures --golden golden --bless -q
for name in gitlab.sh github.sh shell shell; do
    expect 0 "$name" sh "$work/$name"
    [ -s results/junit.xml ] || fail "$name: no results/junit.xml"
done
sed -i 's/^frame\t1\t256/frame\t1\t257/' golden/demo.tsv
expect 1 "the script, a wrong picture" sh "$work/shell"
says "$work/out" "^newly-failing	demo" "the script tells what changed"
for name in gitlab.sh github.sh; do
    expect 1 "$name, a wrong picture" sh "$work/$name"
done
finish
