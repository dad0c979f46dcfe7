#!/bin/sh
# The corpus of gfxreconstruct captures, read: every call decodes to its last byte, every
# encoding of one recording has one dump and one payload, no damaged file crashes, hangs or is taken where its
# table says that it is to be refused.
#   gfxr_reader.sh GPUVM
# The corpus is $GPUVM_CORPUS/gfxr, default ../shared/corpus; without it the test skips.
. tests/cli/lib.sh
gpuvm=$1
corpus=${GPUVM_CORPUS:-../shared/corpus}/gfxr
[ -e "$corpus/manifest.tsv" ] || skip "no corpus in $corpus"
tab=$(printf '\t')

sed 1d "$corpus/manifest.tsv" | cut -f 1,10,11,12,13,14,15 | sort -u >"$work/files"
count=0
while IFS="$tab" read -r file frames calls functions fills fill_bytes threads; do
    count=$((count + 1))
    expect 0 "$file: info" "$gpuvm" info "$corpus/$file" || continue
    for fact in "frames +$frames" "calls +$calls" "functions +$functions" \
        "memory_fills +$fills" "memory_fill_bytes +$fill_bytes" "threads +$threads"; do
        says "$work/out" "^$fact\$" "$file: $fact"
    done
    expect 0 "$file: dump" "$gpuvm" dump -v "$corpus/$file" -o "$work/text"
done <"$work/files"
[ "$count" -gt 0 ] || fail "no files"

for file in "$corpus"/containers/*.gfxr*; do
    expect 0 "dump of $file" "$gpuvm" dump -v "$file" -o "$work/container"
    [ -e "$work/first" ] || cp "$work/container" "$work/first"
    same "$work/container" "$work/first" "dump of $file"
    expect 0 "compile of $file" "$gpuvm" compile "$file" --strip -o "$work/payload"
    # The line of provenance says which file it was.
    expect 0 "dump of the payload" "$gpuvm" dump "$work/payload" -o "$work/assembly"
    sed -i '/^\.provenance /d' "$work/assembly"
    [ -e "$work/first.gvt" ] || cp "$work/assembly" "$work/first.gvt"
    same "$work/assembly" "$work/first.gvt" "payload of $file"
done

# What only the meaning of calls can tell is refused when it is compiled.
while IFS="$tab" read -r file expected _; do
    case $file in file | '') continue ;; esac
    status=0
    timeout 60 "$gpuvm" dump -v "$corpus/bad/$file" >/dev/null 2>"$work/err" || status=$?
    [ $status = 0 ] || [ $status = 3 ] || fail "dump of $file: $status"
    status=0
    timeout 60 "$gpuvm" compile --strict "$corpus/bad/$file" -o "$work/bad.gvp" >/dev/null \
        2>"$work/err" || status=$?
    case $expected/$status in
    ok/0 | reject/3 | either*/0 | either*/3) ;;
    *) fail "compile of $file: $status, $expected expected" ;;
    esac
done <"$corpus/bad/manifest.tsv"
finish
