#!/bin/sh
# Pictures of recorded OpenGL and Vulkan: every row of manifest.tsv compiles, runs and holds
# against its reference (picture_distance.c), but those that apitrace_misses.tsv (of Vulkan:
# gfxr_misses.tsv) names with their cause, which must still miss. Rows without a picture, or
# whose picture need not hold, are passed over.
#   apitrace.sh GPUVM PICTURE_DISTANCE [all|slice|FOLDER] [RUN OPTION...]
# The corpora are folders of $GPUVM_CORPUS, default ../shared/corpus: programs in apitrace/,
# small scenes of single rules in field/ and rules/, Vulkan in gfxr/. Without one the test skips.
# `slice` takes every fourth trace, for sanitizers. $GPUVM_KEEP: a folder for
# shots that miss, beside their references.
. tests/cli/lib.sh
gpuvm=$1 distance=$2 part=${3:-all}
[ $# -ge 3 ] && shift 3 || shift $#
case $part in
all | slice) folder=apitrace ;;
*) folder=$part ;;
esac
corpus=${GPUVM_CORPUS:-../shared/corpus}/$folder
[ -e "$corpus/manifest.tsv" ] || skip "no corpus in $corpus"
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
misses=tests/corpus/apitrace_misses.tsv
[ "$folder" != gfxr ] || misses=tests/corpus/gfxr_misses.tsv

# One line per picture: trace, frame, reference.
awk -F "\t" 'FNR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $2 == "-" || ("expect" in column && $column["expect"] != "picture") { next }
    { print $1, $2, $column["ref"] }' "$corpus/manifest.tsv" >"$work/rows"
cut -d ' ' -f 1 "$work/rows" | sort -u >"$work/traces"
[ "$part" != slice ] || {
    sed -n '1~4p' "$work/traces" | grep -v '^qt_hellogles3' >"$work/some" # takes minutes there
    mv "$work/some" "$work/traces"
}
: >"$work/report"

# One picture against its reference, into the report.
compare() {
    shot=$work/shots/$(printf 'frame_%06d.png' "$2")
    told=missing
    [ ! -e "$shot" ] ||
        told=$("$distance" "$corpus/$3" "$shot" ${GPUVM_KEEP:+"$GPUVM_KEEP/$1.$2.png"})
    printf '%s\t%s\t%s\n' "$1" "$2" "$told" >>"$work/report"
    case $told in
    *exact | *holds) ok=1 ;;
    *) ok=0 ;;
    esac
    known=$(grep -c "^$1	$2	" "$misses")
    [ $ok -ne "$known" ] || case $ok in
    1) fail "$1 frame $2 holds: it stands in $misses" ;;
    0) fail "$1 frame $2: $told" ;;
    esac
}

while read -r trace; do
    frames=$(awk -v t="$trace" '$1 == t { printf "%s%s", s, $2; s = "," }' "$work/rows")
    rm -rf "$work/shots"
    timeout 600 "$gpuvm" compile "$corpus/$trace" -o "$work/x.gvp" >"$work/out" 2>"$work/err" &&
        timeout 600 "$gpuvm" run "$work/x.gvp" --screenshots "$frames" \
            --screenshot-dir "$work/shots" --timeout 500 "$@" >"$work/out" 2>"$work/err" ||
        echo "$trace: $(tail -n 1 "$work/err")" >&2
    grep "^$trace " "$work/rows" >"$work/these"
    while read -r file frame reference; do
        compare "$file" "$frame" "$reference"
    done <"$work/these"
done <"$work/traces"
cat "$work/report"
echo "exact $(grep -c 'exact$' "$work/report"), hold $(grep -c 'holds$' "$work/report"), of $(wc -l <"$work/report")"
finish
