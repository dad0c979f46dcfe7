#!/bin/sh
# Bytes of the apitrace corpus: compiled twice, by one thread and by two, a trace gives the
# same payload and messages; a thin payload with its store shows the picture of the whole one.
#   apitrace_bytes.sh GPUVM [all|slice]
# The corpus is $GPUVM_CORPUS/apitrace, default ../shared/corpus; without it the test skips.
# `slice` takes every fourth trace. Pictures are the last of each trace in manifest.tsv.
. tests/cli/lib.sh
gpuvm=$1 part=${2:-all}
corpus=${GPUVM_CORPUS:-../shared/corpus}/apitrace
[ -e "$corpus/manifest.tsv" ] || skip "no corpus in $corpus"
export XDG_CACHE_HOME="$work/cache"
device=0
! has_device "$gpuvm" || device=1

for trace in "$corpus"/*.trace; do
    echo "${trace##*/}"
done >"$work/traces"
[ "$part" != slice ] || {
    sed -n '1~4p' "$work/traces" >"$work/some"
    mv "$work/some" "$work/traces"
}

# compiled NAME OPTION...: $work/NAME.gvp and, in NAME.told, what was said on the way.
compiled() {
    to=$1
    shift
    expect 0 "$trace: $to" "$gpuvm" compile "$corpus/$trace" -o "$work/$to.gvp" "$@" || return
    sed "s/$to\.gvp/x.gvp/" "$work/out" "$work/err" >"$work/$to.told"
}

# The last picture of a payload, as its hash.
picture() {
    expect 0 "$trace: run $1" "$gpuvm" run "$work/$1.gvp" --frames "$frame" \
        --hash sha256-rgb --store "$work/store" || return
    cp "$work/out" "$work/$1.picture"
    [ -s "$work/$1.picture" ] || fail "$trace: no picture of $1"
}

traces=0 pictures=0
while read -r trace; do
    rm -rf "$work/store" "$work"/*.gvp "$work"/*.told "$work"/*.picture
    compiled one -j 1 && compiled two -j 2 || continue
    same "$work/one.gvp" "$work/two.gvp" "$trace"
    same "$work/one.told" "$work/two.told" "$trace: messages"
    compiled thin --thin --store "$work/store" -j 2 || continue
    traces=$((traces + 1))
    frame=$(awk -v t="$trace" '$1 == t { last = $2 } END { print last }' "$corpus/manifest.tsv")
    [ -n "$frame" ] && [ $device = 1 ] || continue
    picture one && picture thin || continue
    same "$work/one.picture" "$work/thin.picture" "$trace: pictures"
    pictures=$((pictures + 1))
done <"$work/traces"
[ $traces -gt 0 ] || fail "no traces"
echo "$traces traces compiled alike ($part), $pictures pictures of thin payloads"
finish
