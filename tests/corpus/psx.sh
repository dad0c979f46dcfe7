#!/bin/sh
# The PlayStation corpus: every dump of manifest.tsv compiles and runs to its VRAM, every
# frame's picture and its read words, to the bit; bad/ behaves as its table says.
#   psx.sh GPUVM [all|slice] [RUN OPTION...]
# With GPUVM_PSX_LIMITS=minimal dumps are compiled for devices with no more than Vulkan
# guarantees. The corpus is $GPUVM_CORPUS/psx, default ../shared/corpus; without it the test skips.
# `slice` takes every other dump below 1 MB. hazard-texcache depends on the texture cache,
# which is not modelled: its difference is reported, not counted.
. tests/cli/lib.sh
gpuvm=$1
part=${2:-all}
[ $# -ge 2 ] && shift 2 || shift 1
corpus=${GPUVM_CORPUS:-../shared/corpus}/psx
[ -e "$corpus/manifest.tsv" ] || skip "no corpus in $corpus"
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
tab=$(printf '\t')

# check NAME: compares what a run left in $work with what the corpus expects.
check() {
    differs=
    zstd -dcq "$corpus/$1.vram.bin.zst" >"$work/want.vram"
    cmp -s "$work/want.vram" "$work/vram" ||
        differs="VRAM ($(cmp -l "$work/want.vram" "$work/vram" 2>&1 | wc -l) bytes)"
    if [ -e "$corpus/$1.readback.bin" ]; then
        cmp -s "$corpus/$1.readback.bin" "$work/readback" || differs="$differs readback"
    fi
    awk -F'\t' 'NR > 1 { printf "frame\t%s\t%sx%s\tsha256-rgb:%s\n", $1, $3, $4, $5 }' \
        "$corpus/$1.frames.tsv" >"$work/want.frames"
    cmp -s "$work/want.frames" "$work/frames" ||
        differs="$differs frames ($(diff "$work/want.frames" "$work/frames" | grep -c '^<'))"
    [ -z "$differs" ]
}

good=0 wanted=0 good_hw=0 wanted_hw=0 small=0
while IFS="$tab" read -r file _ _ primitives frames _; do
    case $file in file | '') continue ;; esac
    if [ "$part" = slice ]; then
        [ "$(wc -c <"$corpus/$file")" -le 1000000 ] || continue
        small=$((small + 1))
        [ $((small % 2)) -eq 1 ] || continue
    fi
    dump=${file%%.*}
    hw=0
    case $dump in hw-*) hw=1 ;; esac
    known=0
    [ "$dump" = hazard-texcache ] && known=1
    wanted=$((wanted + 1 - known)) wanted_hw=$((wanted_hw + hw))
    expect 0 "$dump: info" "$gpuvm" info "$corpus/$file"
    says "$work/out" "^primitives +$primitives\$" "$dump: info"
    says "$work/out" "^frames +$frames\$" "$dump: info"
    expect 0 "$dump: compile" "$gpuvm" compile "$corpus/$file" -o "$work/x.gvp" \
        ${GPUVM_PSX_LIMITS:+--option "psx.limits=$GPUVM_PSX_LIMITS"} || continue
    expect 0 "$dump: run" "$gpuvm" run "$work/x.gvp" --hash sha256-rgb \
        --export "vram=$work/vram" --export "readback=$work/readback" "$@" || continue
    cp "$work/out" "$work/frames"
    if check "$dump"; then
        good=$((good + 1 - known)) good_hw=$((good_hw + hw))
    elif [ $known -eq 1 ]; then
        echo "$dump: known difference: $differs"
    else
        fail "$dump: $differs"
    fi
done <"$corpus/manifest.tsv"

# accepted FILE [OPTION...]: runs, perhaps with a warning.
accepted() {
    expect 0 "bad/$1" "$gpuvm" run "$corpus/bad/$@" --hash sha256-rgb && kept=$((kept + 1))
}

# refused FILE [PATTERN]: exit 3 with an offset.
refused() {
    rm -f "$work/bad.gvp"
    expect 3 "bad/$1" "$gpuvm" compile "$corpus/bad/$1" -o "$work/bad.gvp" || return
    says "$work/err" "${2:-byte [0-9]+}" "bad/$1"
    [ -e "$work/bad.gvp" ] && fail "bad/$1: a payload is left"
    kept=$((kept + 1))
}

kept=0 bad=0
while IFS="$tab" read -r file _; do
    case $file in file | '') continue ;; esac
    bad=$((bad + 1))
    case $file in
    cut-packet-* | length-overrun.*)
        refused "$file" && kept=$((kept - 1))
        accepted "$file" --allow-truncated
        ;;
    vsync-length-3.* | discard-no-count.* | readback-4g.* | open-*) accepted "$file" ;;
    # Recognised by content: a dump is a dump under any name.
    not-really.*) accepted "$file" ;;
    empty.* | short-magic.* | wrong-magic.*) refused "$file" "not a capture|magic|byte" ;;
    *) refused "$file" ;;
    esac
done <"$corpus/bad/manifest.tsv"

echo "psx corpus ($part): $good of $wanted dumps equal, $good_hw of $wanted_hw of them" \
    "captured on a console, $kept of $bad bad files as their table says"
finish
