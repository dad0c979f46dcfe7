#!/bin/sh
# Every program that the traces of the apitrace corpus link becomes SPIR-V, or is refused by
# name; and the shaders of Debian's glmark2 and kodi, where their files are.
#   glsl.sh GLSL_CORPUS [all|slice]
# The corpus is $GPUVM_CORPUS/apitrace, default ../shared/corpus; without it the test skips.
# `slice` leaves out the traces over 200 KB. Prints how many programs there are, distinct
# ones, and the reasons of those that are refused.
. tests/cli/lib.sh
check=$1
part=${2:-all}
corpus=${GPUVM_CORPUS:-../shared/corpus}/apitrace
[ -e "$corpus/manifest.tsv" ] || skip "no corpus in $corpus"

for trace in "$corpus"/*.trace; do
    [ "$part" = slice ] && [ "$(stat -c %s "$trace")" -gt 200000 ] && continue
    "$check" "$trace" >"$work/rows" 2>"$work/err" || {
        fail "$trace"
        cat "$work/err" "$work/rows" >&2
    }
    cat "$work/rows" >>"$work/all"
done
[ -s "$work/all" ] || fail "no program at all"

# Stand-alone files: a fragment or a vertex shader each; what is only a part of one is not.
for folder in /usr/share/glmark2/shaders /usr/share/kodi/system/shaders; do
    [ -d "$folder" ] || continue
    find "$folder" -type f \( -name '*.vert' -o -name '*.frag' -o -name '*.glsl' \) |
        LC_ALL=C sort | while read -r file; do
        "$check" "$file" >"$work/one" 2>&1
        [ $? -le 1 ] || echo "$file" >>"$work/died"
        sed "s|^|$file: |" "$work/one"
    done
done >"$work/files"
[ ! -s "$work/died" ] || fail "the checker died of $(cat "$work/died")"

sort -u "$work/all" >"$work/distinct"
refused=$(grep -vc ' ok$' "$work/distinct")
echo "$(wc -l <"$work/distinct") distinct programs, $refused refused"
[ "$refused" = 0 ] || fail "$refused programs are refused"
grep -v ' ok$' "$work/distinct" | cut -d ' ' -f 2- | sort | uniq -c
[ ! -s "$work/files" ] || {
    echo "$(wc -l <"$work/files") files, $(grep -vc ' ok$' "$work/files") of them not whole"
    grep -v ' ok$' "$work/files" | sed 's/^.*: [0-9a-f]* //' | sort | uniq -c
}
finish
