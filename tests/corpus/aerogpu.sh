#!/bin/sh
# The AeroGPU corpus: every row of expect.tsv compiles and runs to its hash or pixels, every
# row of bad/expect.tsv is refused (or runs) as its table says, nothing crashes.
#   aerogpu.sh GPUVM [all|slice] [RUN OPTION...]
# The corpus is $GPUVM_CORPUS/aerogpu, default ../shared/corpus; without it the test skips.
# `slice` takes every third good row and all bad ones.
. tests/cli/lib.sh
gpuvm=$1
part=${2:-all}
[ $# -ge 2 ] && shift 2 || shift 1
corpus=${GPUVM_CORPUS:-../shared/corpus}/aerogpu
[ -e "$corpus/expect.tsv" ] || skip "no corpus in $corpus"
"$gpuvm" devices >/dev/null 2>&1 || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
tab=$(printf '\t')

# pixels RAW WIDTH HEIGHT PROBES TOLERANCE: probes are x,y,r,g,b,a;...
pixels() {
    raw=$1 width=$2 height=$3 probes=$4 tolerance=$5
    [ "$(wc -c <"$raw")" -eq $((width * height * 4)) ] || return 1
    for probe in $(echo "$probes" | tr ';' ' '); do
        echo "$probe" | tr ',' ' ' >"$work/probe"
        read -r x y r g b a <"$work/probe"
        od -An -tu1 -j $(((y * width + x) * 4)) -N 4 "$raw" >"$work/texel"
        read -r r2 g2 b2 a2 <"$work/texel"
        for difference in $((r - r2)) $((g - g2)) $((b - b2)) $((a - a2)); do
            [ "${difference#-}" -le "$tolerance" ] || {
                echo "    ($x,$y): $r2 $g2 $b2 $a2, not $r $g $b $a" >&2
                return 1
            }
        done
    done
}

good=0 wanted=0 row=0
while IFS="$tab" read -r file frame width height _ probes tolerance hash _; do
    case $file in \#* | '') continue ;; esac
    row=$((row + 1))
    [ "$part" = slice ] && [ $((row % 3)) -ne 1 ] && continue
    wanted=$((wanted + 1))
    name="$file frame $frame"
    rm -rf "$work/shots"
    expect 0 "$name: compile" "$gpuvm" compile "$corpus/$file" -o "$work/x.gvp" || continue
    # All frames are run; the row's one is looked at.
    expect 0 "$name: run" "$gpuvm" run "$work/x.gvp" --frames all --hash sha256-rgba "$@" ||
        continue
    cp "$work/out" "$work/hashes"
    if [ "$hash" != - ]; then
        says "$work/hashes" "^frame	$frame	${width}x$height	sha256-rgba:$hash$" "$name" &&
            grep -q ":$hash$" "$work/hashes" && good=$((good + 1))
        continue
    fi
    expect 0 "$name: screenshot" "$gpuvm" run "$work/x.gvp" --screenshots "$frame" \
        --screenshot-dir "$work/shots" --screenshot-format raw "$@" || continue
    raw=$work/shots/$(printf 'frame_%06d.raw' "$frame")
    if pixels "$raw" "$width" "$height" "$probes" "$tolerance"; then
        good=$((good + 1))
    else
        fail "$name: pixels"
    fi
done <"$corpus/expect.tsv"

refused=0 bad=0
while IFS="$tab" read -r file level reference _; do
    case $file in \#* | '') continue ;; esac
    bad=$((bad + 1))
    name="bad/$file ($level)"
    case $reference in
    ok:*)
        # No picture, but it runs.
        expect 0 "$name" "$gpuvm" run "$corpus/bad/$file" --hash sha256-rgba "$@" &&
            refused=$((refused + 1))
        ;;
    *)
        expect 3 "$name: compile" "$gpuvm" compile "$corpus/bad/$file" -o "$work/bad.gvp" ||
            continue
        grep -qE '\((code )?byte [0-9]+' "$work/err" || {
            fail "$name: no offset: $(cat "$work/err")"
            continue
        }
        [ -e "$work/bad.gvp" ] && fail "$name: a payload is left"
        expect 3 "$name: run" "$gpuvm" run "$corpus/bad/$file" "$@" &&
            refused=$((refused + 1))
        ;;
    esac
done <"$corpus/bad/expect.tsv"

echo "aerogpu corpus ($part): $good of $wanted rows as expected, $refused of $bad bad files"
finish
