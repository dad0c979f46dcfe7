#!/bin/sh
# Captures of gfxreconstruct from outside: facts, text and its SETs, codecs and layers, cut
# files, the payload from a file and from a pipe, its places and pictures.
#   gfxr.sh GPUVM MAKE_GFXR HOLD [full]    full: 2 GB through a pipe too
. tests/cli/lib.sh
gpuvm=$1 make=$2 hold=$3 full=${4-}
export XDG_CACHE_HOME="$work/cache"
frames=40

for codec in none lz4 zlib zstd; do
    "$make" $frames "$work/$codec.gfxr" $codec || fail "no capture"
    expect 0 "dump of $codec" "$gpuvm" dump -v "$work/$codec.gfxr" -o "$work/$codec.txt"
    same "$work/$codec.txt" "$work/none.txt" "dump of $codec"
done
file=$work/lz4.gfxr
expect 0 "info" "$gpuvm" info "$file"
for fact in 'format +gfxr' 'file_version +0.0' 'compression +lz4' "frames +$frames" \
    "submissions +$frames" 'draws +0' 'not_lowered +0' "memory_fills +$frames" \
    'memory_fill_bytes_of_a_frame +1048576' 'snapshot +no' 'cut +no'; do
    says "$work/out" "^$fact\$" "info"
done
says "$work/out" '^function_calls .*vkMapMemory 1' "info"
expect 0 "info as JSON" "$gpuvm" info --json "$file"
says "$work/out" "\"frames\": *$frames" "info as JSON"

# A layer around the file is peeled, and a pipe is as good.
gzip -c "$work/none.gfxr" >"$work/layer.gz"
zstd -qc "$work/none.gfxr" >"$work/layer.zst"
for layer in gz zst; do
    expect 0 "dump under $layer" "$gpuvm" dump -v "$work/layer.$layer"
    same "$work/out" "$work/none.txt" "dump under $layer"
done
"$gpuvm" dump -v - <"$file" | cmp -s - "$work/none.txt" || fail "dump of a pipe"

# ---- which calls ----

# selects SET LINES PATTERN: all lines match.
selects() {
    expect 0 "dump of $1" "$gpuvm" dump --calls "$1" "$file"
    [ "$(grep -cE "$3" "$work/out")" = "$2" ] && [ "$(wc -l <"$work/out")" = "$2" ] ||
        fail "--calls $1: $(wc -l <"$work/out") lines, not $2 of $3"
}
selects '*/submit' $frames '^[0-9]+ vkQueueSubmit\('
selects '*/frame' $frames '^[0-9]+ vkQueuePresentKHR\('
selects 10/submit 0 .
selects 8/submit 1 '^8 vkQueueSubmit'
selects 3-5 3 '^[345] vk(Allocate|Create|Bind)'
selects draw 0 .
selects 99999 0 .
expect 2 "no SET" "$gpuvm" dump --calls x "$file"
expect 2 "the last of what is still read" "$gpuvm" dump --calls last "$file"

# ---- cut, broken ----

head -c 4000 "$file" >"$work/cut.gfxr"
for command in info dump "compile -o $work/cut.gvp"; do
    # shellcheck disable=SC2086 # words are arguments
    expect 3 "$command of a cut file" "$gpuvm" $command "$work/cut.gfxr"
    says "$work/err" 'block [0-9]+: the file ends in it \(byte [0-9]+, command [0-9]+\)' "$command"
    # shellcheck disable=SC2086
    expect 0 "$command of a cut file, taken" "$gpuvm" $command --allow-truncated "$work/cut.gfxr"
done
printf 'GFXR\1\0\0\0\0\0\0\0\0\0\0\0' >"$work/new.gfxr"
expect 3 "a newer version" "$gpuvm" info "$work/new.gfxr"
says "$work/err" 'header: version 1.0' "a newer version"

# ---- payloads ----

expect 0 "compile" "$gpuvm" compile --strict "$file" -o "$work/file.gvp"
"$gpuvm" compile --strict - -o "$work/pipe.gvp" -q <"$file" || fail "compile of a pipe"
same "$work/pipe.gvp" "$work/file.gvp" "payload of a pipe"
expect 0 "one thread" "$gpuvm" compile --strict -j 1 "$file" -o "$work/one.gvp"
same "$work/one.gvp" "$work/file.gvp" "payload by one thread"
expect 0 "some frames" "$gpuvm" compile --frames 0-4 "$file" -o "$work/few.gvp"
expect 0 "verify" "$gpuvm" verify "$work/file.gvp"
expect 0 "info of the payload" "$gpuvm" info "$work/file.gvp"
says "$work/out" "^frames +$frames\$" "info of the payload"
says "$work/out" '"front_end":"gfxr"' "info of the payload"
expect 0 "frames of the payload" "$gpuvm" inspect "$work/file.gvp" /
expect 0 "objects behind a block" "$gpuvm" inspect "$work/file.gvp" c8/objects
says "$work/out" 'buffer' "objects behind a block"
if has_device "$gpuvm"; then
    expect 0 "run" "$gpuvm" run "$work/file.gvp" --hash sha256-rgba -q
    [ "$(wc -l <"$work/out")" = $frames ] || fail "run: not $frames pictures"
    cp "$work/out" "$work/hashes"
    expect 0 "run of the capture" "$gpuvm" run "$file" --expect "$work/hashes" -q
fi

# ---- long ----

if [ "$full" = full ]; then
    "$make" 2000 /dev/stdout none |
        "$hold" "$work/report" --seconds 300 -- "$gpuvm" compile - -o "$work/long.gvp" -q
    IFS='	' read -r code peak _ <"$work/report"
    echo "2 GB through a pipe: $code, $peak MiB"
    [ "$code" = exit:0 ] && [ "$peak" -lt 476 ] || fail "2 GB through a pipe: $code, $peak MiB"
fi
finish
