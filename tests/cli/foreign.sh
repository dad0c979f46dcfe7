#!/bin/sh
# Text out of files reaches no terminal as it is: control characters, marks that turn the
# direction of text and bytes that are not UTF-8 are masked in lines, escaped in JSON.
#   foreign.sh GPUVM
. tests/cli/lib.sh
gpuvm=$1
export XDG_CACHE_HOME="$work/cache"
LC_ALL=C
export LC_ALL

line() {
    printf '%s\n' "$*"
}

# Names that would move the cursor, change colours, end the line, say what is not true.
esc=$(printf '\033') csi=$(printf '\302\233') bidi=$(printf '\342\200\256')
rest=$(printf '\302\205\342\200\250\342\201\246\357\273\277\r\177\b\a')
{
    for kind in feature extension limit format; do
        line ".require $kind \"${esc}[2J${csi}31m${bidi}name$rest\\ngpuvm: all is well\\tyes\" $([ $kind = limit ] || [ $kind = format ] && echo 7)"
    done
    line ".require preferred feature \"${esc}[1mpreferred\" fallback \"${csi}2J${bidi}else\\nfits\""
    line ".export \"${esc}[31mout$csi$bidi\\n\" buffer"
    line ".diagnostic warning \"${esc}code$csi\" \"${esc}[2Jtext$csi$bidi$rest\\nmore\""
    line ".provenance \"${esc}[2J$csi$bidi\\n\""
    line ".source 0 1 \"${esc}call$csi\""
    line "frame_end()"
} >"$work/names.gvt"
expect 0 "assemble" "$gpuvm" asm "$work/names.gvt" -o "$work/names.gvp"

# No control character but newlines and tabs, none of the marks, no line of the payload's.
clean() {
    for stream in out err; do
        tr -d '\n\t -~' <"$work/$stream" >"$work/strange"
        grep -q "[$(printf '\001-\037\177')]" "$work/strange" && fail "$1: a control character on $stream"
        grep -qE "$(printf '\302[\200-\237]|\342\200[\213-\217\250-\256]|\342\201[\240-\257]|\357\273\277')" \
            "$work/strange" && fail "$1: a mark on $stream"
        grep -q '^gpuvm: all is well' "$work/$stream" && fail "$1: a line of the payload's on $stream"
    done
}

# see CODE NAME COMMAND...: both streams, as text and as JSON.
see() {
    expect "$@"
    clean "$2"
}
see 0 "info" "$gpuvm" info "$work/names.gvp"
says "$work/out" '^requires +needed feature \?\[2J\?31m\?name' "info: the name"
says "$work/out" '^warning \?code\? - - \?\[2Jtext' "info: the diagnostic"
see 0 "info --json" "$gpuvm" info "$work/names.gvp" --json
says "$work/out" '"name":"\\u001b\[2J\\u009b31m\\u202ename\\u0085\\u2028\\u2066\\ufeff' "info --json: the name"
see 0 "explain" "$gpuvm" explain "$work/names.gvp"
see 0 "verify" "$gpuvm" verify "$work/names.gvp"
see 0 "dump" "$gpuvm" dump "$work/names.gvp"
expect 0 "dump into a file" "$gpuvm" dump "$work/names.gvp" -o "$work/again.gvt"
expect 0 "assemble again" "$gpuvm" asm "$work/again.gvt" -o "$work/again.gvp"
same "$work/names.gvp" "$work/again.gvp" "dump and asm"
cp "$work/names.gvp" "$work/${esc}[2J$csi.gvp"
see 0 "a name of a file" "$gpuvm" verify "$work/${esc}[2J$csi.gvp"
see 3 "a name of a file in an error" "$gpuvm" asm "$work/${esc}[2J$csi.gvp" -o "$work/x"
see 2 "a name of no file" "$gpuvm" info "$work/none$esc$csi" --json
see 2 "a command" "$gpuvm" "${esc}[2J$csi"
see 2 "an option" "$gpuvm" info "--${esc}[2J$csi"

# Names that are no UTF-8 are refused by who writes and by who reads.
for bytes in '\\x9b' '\233' '\300\257' '\355\240\200' '\364\220\200\200' '\342\202' '\377'; do
    bad=$(printf "$bytes")
    for text in ".require feature \"$bad\"" ".export \"$bad\" buffer" ".source 0 1 \"$bad\"" \
        ".provenance \"$bad\"" ".diagnostic note \"a\" \"$bad\""; do
        { line "$text"; line "frame_end()"; } >"$work/bad.gvt"
        see 3 "$text" "$gpuvm" asm "$work/bad.gvt" -o "$work/bad.gvp"
    done
done

has_device "$gpuvm" || {
    echo "the rest needs a Vulkan device"
    finish
}
see 5 "run" "$gpuvm" run "$work/names.gvp" -v
says "$work/err" 'misses: feature \?\[2J\?31m\?name' "run: the name"
see 5 "run --json" "$gpuvm" run "$work/names.gvp" --json
see 0 "devices" "$gpuvm" devices "$work/names.gvp"
says "$work/out" '^	feature \?\[2J\?31m\?name.* gpuvm: all is well yes$' "devices: one line"
see 0 "devices --json" "$gpuvm" devices "$work/names.gvp" --json
grep -v '^\.require [felm]' "$work/names.gvt" >"$work/runs.gvt"
expect 0 "assemble what runs" "$gpuvm" asm "$work/runs.gvt" -o "$work/runs.gvp"
see 0 "a warning of run" "$gpuvm" run "$work/runs.gvp"
says "$work/err" 'would prefer: feature \?\[1mpreferred; instead: \?2J\?else fits$' "the fallback"
see 2 "no such export" "$gpuvm" run "$work/runs.gvp" --export "no$esc$csi=x"
see 2 "no such device" "$gpuvm" run "$work/runs.gvp" --device "no$esc$csi"
printf 'frame\t0\t%s2x1\tmd5-rgba:00\n' "$esc" >"$work/expected"
"$gpuvm" run "$work/runs.gvp" --expect "$work/expected" >"$work/out" 2>"$work/err"
clean "a difference"
finish
