#!/bin/sh
# Work of over a second has a bar on a terminal, whatever it spends the time with.
#   bars.sh GPUVM MAKE_APITRACE MAKE_PSX
. tests/cli/lib.sh
gpuvm=$(realpath "$1")
command -v script >/dev/null || skip "no script, which makes terminals (bsdutils)"
has_device "$gpuvm" || skip "no Vulkan device"
export NO_COLOR=1
"$2" game "$work/game.trace" 8 snappy || fail "no game"

# bar WORD COMMAND...: on a terminal WORD has a bar; one that took no second has none.
bar() {
    word=$1
    shift
    start=$(date +%s%N)
    script -qec "$*" /dev/null </dev/null >"$work/out" 2>&1 || fail "$*: $(tail -n 3 "$work/out")"
    took=$((($(date +%s%N) - start) / 1000000))
    echo "$word: $took ms, $(tr '\r' '\n' <"$work/out" | grep -c "^$word [#.]* ") draws"
    if [ $took -gt 3000 ]; then
        tr '\r' '\n' <"$work/out" | grep -q "^$word [#.]*  *[0-9]* %" || fail "$*: no bar"
    fi
    expect 0 "$word: elsewhere" "$@"
    grep -q "^$word [#.]* " "$work/err" "$work/out" && fail "$*: a bar in a file"
}
bar compiling "$gpuvm" compile --level 19 "$work/game.trace" -o "$work/game.gvp"
"$3" demo "$work/demo.psxgpu" && "$gpuvm" compile "$work/demo.psxgpu" -o "$work/demo.gvp" >/dev/null || fail "no demo"
bar running "$gpuvm" keyframe --every 1 "$work/demo.gvp" -o "$work/keys.gvp"
# One for all passes.
script -qec "$gpuvm run $work/demo.gvp --loop 12" /dev/null </dev/null >"$work/out" 2>&1 || fail "passes"
tr '\r' '\n' <"$work/out" | sed -n 's/^running.* % \([0-9]* of [0-9]*\) frames, .*/\1/p' >"$work/told"
[ -s "$work/told" ] && grep -v " of 720$" "$work/told" && fail "not of all passes"
sort -c -n "$work/told" || fail "it goes back"
finish
