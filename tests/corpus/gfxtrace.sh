#!/bin/sh
# AGI's captures of the corpus: the facts and the hash of every frame that manifest.tsv has,
# the same bytes from a pipe. And captures of gfxreconstruct, written anew as AGI would have
# recorded them in one of three ABIs: the payload has the same code and the same contents.
#   gfxtrace.sh GPUVM MAKE_GFXTRACE
# The corpus is $GPUVM_CORPUS/gfxtrace, default ../shared/corpus; without it the test skips.
. tests/cli/lib.sh
gpuvm=$1 make_gfxtrace=$2
corpus=${GPUVM_CORPUS:-../shared/corpus}/gfxtrace
[ -e "$corpus/manifest.tsv" ] || skip "no corpus in $corpus"
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
count=0
for file in $(sed 1d "$corpus/manifest.tsv" | cut -f 1 | sort -u); do
    count=$((count + 1))
    awk -F '\t' -v f="$file" '$1 == f {
        printf "frame\t%s\t%sx%s\tsha256-rgb:%s\n", $2, $3, $4, $6 }' \
        "$corpus/manifest.tsv" >"$work/frames"
    expect 0 "$file: info" "$gpuvm" info "$corpus/$file"
    awk -F '\t' -v f="$file" '$1 == f {
        print "^calls +" $9 "$"; print "^observations +" $10 "$"
        print "^snapshot +" ($11 ? "yes" : "no") "$" }' "$corpus/manifest.tsv" | sort -u >"$work/facts"
    while read -r fact; do says "$work/out" "$fact" "$file: $fact"; done <"$work/facts"
    expect 0 "$file: dump" "$gpuvm" dump -v "$corpus/$file"
    expect 0 "$file: compile" "$gpuvm" compile "$corpus/$file" -o "$work/x.gvp"
    expect 0 "$file: frames" "$gpuvm" run "$work/x.gvp" --hash sha256-rgb
    same "$work/out" "$work/frames" "$file: pictures"
    expect 0 "$file: from a pipe" sh -c "cat '$corpus/$file' | '$gpuvm' compile - -o '$work/y.gvp'"
    same "$work/x.gvp" "$work/y.gvp" "$file: from a pipe"
done
[ "$count" -gt 0 ] || fail "no files"

# The payload as text, without numbers of commands and what follows from their length.
payload() {
    "$gpuvm" compile "$1" --strip -q -o "$work/p.gvp" 2>/dev/null
    "$gpuvm" dump "$work/p.gvp" 2>/dev/null | sed -E '/^\.(payload|provenance|limits) /d
        /^command /d; /^# chunk/d; s/ offset=[0-9]+//; s/commands?=[0-9-]+//'
}
made=0
for file in "$corpus"/../gfxr/*.gfxr; do
    [ -e "$file" ] || continue
    case $((made % 3)) in 0) abi=lp64 ;; 1) abi=arm32 ;; *) abi=x86 ;; esac
    status=0
    "$make_gfxtrace" "$file" "$work/made.gfxtrace" $abi 2>"$work/err" || status=$?
    [ $status != 77 ] || continue
    [ $status = 0 ] || fail "$file as $abi: $(cat "$work/err")"
    payload "$file" >"$work/want"
    payload "$work/made.gfxtrace" >"$work/got"
    [ -s "$work/want" ] || fail "$file: no payload"
    same "$work/got" "$work/want" "$file as $abi"
    made=$((made + 1))
done
echo "$count captures, $made written anew"
finish
