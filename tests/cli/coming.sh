#!/bin/sh
# Captures through pipes: compiled and run while they come.
#   coming.sh GPUVM MAKE_AEROGPU MAKE_PSX MAKE_APITRACE
gpuvm=$1 make_aerogpu=$2 make_psx=$3 make_apitrace=$4
here=$(dirname "$0")
. "$here/lib.sh"
slow_pipe=$here/slow_pipe.py
export XDG_CACHE_HOME="$work/cache"
"$make_aerogpu" demo "$work/demo" >/dev/null || fail "make_aerogpu"
"$make_psx" demo "$work/psx" >/dev/null || fail "make_psx"
"$make_psx" tour "$work/tour" >/dev/null || fail "make_psx"
mkdir "$work/scenes"
"$make_apitrace" scenes "$work/scenes" 0 raw >/dev/null || fail "make_apitrace"
scene=$(ls "$work"/scenes/* | head -1)
pipe=$work/pipe
mkfifo "$pipe"
# feed COMMAND...: into the pipe, beside this shell. It is a new one each time: who wrote or
# read the one before may not have gone yet.
fed=
feed() {
    [ -z "$fed" ] || {
        kill -9 "$fed" 2>/dev/null
        wait "$fed"
    }
    rm -f "$pipe"
    mkfifo "$pipe"
    "$@" >"$pipe" 2>"$work/fed" &
    fed=$!
}

# hash FILE: of the capture that a payload was made of, and how long that was.
hash() {
    "$gpuvm" info "$1" | sed -n 's/.*"capture":{"bytes":\([0-9]*\),.*"xxh3":"\([0-9a-f]*\)".*"options.*/\1 \2/p'
}

# ---- the payload is the same; with --live it is one of the same bytes ----
gzip -c "$scene" >"$work/packed.gz"
zstd -q "$scene" -o "$work/packed.zst"
zstd -q "$work/psx" -o "$work/psx.zst"
for capture in "$work/demo" "$work/psx" "$work/tour" "$scene" "$work/packed.gz" \
    "$work/packed.zst" "$work/psx.zst"; do
    name=$(basename "$capture")
    expect 0 "$name" "$gpuvm" compile "$capture" -o "$work/whole.gvp"
    feed cat "$capture"
    expect 0 "$name, piped" "$gpuvm" compile - -o "$work/piped.gvp" <"$pipe"
    same "$work/whole.gvp" "$work/piped.gvp" "$name, piped"
    feed python3 "$slow_pipe" pieces "$capture"
    expect 0 "$name, live" "$gpuvm" compile --live - -o "$work/live.gvp" <"$pipe"
    expect 0 "$name, verify" "$gpuvm" verify --deep "$work/live.gvp"
    [ -n "$(hash "$work/whole.gvp")" ] || fail "$name: no hash"
    [ "$(hash "$work/whole.gvp")" = "$(hash "$work/live.gvp")" ] ||
        fail "$name: $(hash "$work/live.gvp") is not what was read"
done
feed cat "$work/demo"
expect 0 "a pipe with a name" "$gpuvm" compile --live "$pipe" -o "$work/live.gvp"
feed cat "$work/psx"
expect 0 "some frames" "$gpuvm" compile --live --frames 0-3 - -o "$work/few.gvp" <"$pipe"
expect 0 "info" "$gpuvm" info "$work/few.gvp"
says "$work/out" '^frames +4$' "some frames"
feed cat "$work/psx"
expect 2 "frames that do not come" "$gpuvm" compile --live --frames 3,999 - -o "$work/few.gvp" <"$pipe"
says "$work/err" 'frame 999 is out of range: there are 60' "frames that do not come"

# ---- what nobody can know before the end ----
feed python3 "$slow_pipe" prologue "$work/psx" 4000000
expect 0 "VSync, then the trace begins" "$gpuvm" compile --live - -o "$work/x.gvp" <"$pipe"
expect 0 "info" "$gpuvm" info "$work/x.gvp"
says "$work/out" '^frames +60$' "VSync, then the trace begins"
feed python3 "$slow_pipe" prologue "$work/psx" 4200000
expect 0 "VSync, long before, read whole" "$gpuvm" compile - -o "$work/x.gvp" <"$pipe"
feed python3 "$slow_pipe" prologue "$work/psx" 4200000
expect 3 "VSync, long before" "$gpuvm" compile --live - -o "$work/x.gvp" <"$pipe"
says "$work/err" 'unsupported: a VSync long before the trace begins.*byte [0-9]+' "VSync, long before"
python3 "$slow_pipe" toc "$work/demo" >"$work/overlap"
expect 0 "frames that overlap" "$gpuvm" compile "$work/overlap" -o "$work/x.gvp"
feed cat "$work/overlap"
expect 3 "frames that overlap, live" "$gpuvm" compile --live - -o "$work/x.gvp" <"$pipe"
says "$work/err" 'unsupported: a table of contents with another order' "frames that overlap, live"

# ---- ends ----
for bytes in 0 3 15 17 31 40 100; do
    for capture in "$work/demo" "$work/psx" "$scene"; do
        feed head -c $bytes "$capture"
        expect 3 "$bytes bytes of $(basename "$capture")" timeout 60 "$gpuvm" compile --live - \
            -o "$work/x.gvp" <"$pipe"
    done
done
# Cut behind the last record: within the footer, the table of contents, its first bytes.
size=$(wc -c <"$work/demo")
table=$(od -An -tu8 -j $((size - 16)) -N 8 "$work/demo" | tr -d ' ')
for at in $((size - 1)) $((size - 31)) $((size - 32)) $((size - 40)) $((table + 20)) $((table + 8)) \
    $((table + 7)) $((table + 1)) "$table"; do
    head -c "$at" "$work/demo" >"$work/cut"
    expect 0 "cut at $at" "$gpuvm" compile --allow-truncated "$work/cut" -o "$work/x.gvp"
    says "$work/out" ' 24 frames,' "cut at $at"
    feed cat "$work/cut"
    expect 0 "cut at $at, live" "$gpuvm" compile --live --allow-truncated - -o "$work/x.gvp" <"$pipe"
    says "$work/out" ' 24 frames,' "cut at $at, live"
    feed cat "$work/cut"
    expect 3 "cut at $at, refused" "$gpuvm" compile --live - -o "$work/x.gvp" <"$pipe"
done
"$gpuvm" compile "$work/psx" -o "$work/plain.gvp" >/dev/null
feed head -c 9000 "$work/plain.gvp"
expect 3 "a payload" "$gpuvm" compile --live - -o "$work/x.gvp" <"$pipe"
says "$work/err" "a payload, not a capture" "a payload"
# Who reads goes: the writer of ever more ends, and so does the compiler.
endless() {
    python3 "$slow_pipe" endless "$work/psx"
    echo $? >"$work/writer"
}
{ endless | timeout 60 "$gpuvm" compile --live - -o - 2>"$work/err"; echo $? >"$work/code"; } |
    head -c 300000 >/dev/null
for _ in $(seq 100); do
    [ -s "$work/code" ] && break
    sleep 0.1
done
[ "$(cat "$work/code")" = 7 ] || fail "nobody reads the payload: exit $(cat "$work/code")"
# What may wait has a bound.
feed python3 "$slow_pipe" endless "$work/psx"
expect 3 "endless" timeout 100 "$gpuvm" compile --spill-mb 3 - -o "$work/x.gvp" <"$pipe"
says "$work/err" 'over 3 MiB wait in a file: --spill-mb' "endless"
"$make_aerogpu" stress-noise "$work/noise" 4 >/dev/null || fail "make_aerogpu"
feed cat "$work/noise"
expect 3 "AeroGPU's may be read again" "$gpuvm" compile --live --spill-mb 3 - -o "$work/x.gvp" <"$pipe"
says "$work/err" 'over 3 MiB wait in a file: --spill-mb' "AeroGPU's may be read again"
# A trace of OpenGL's is none that may, and is hashed to its end.
"$make_apitrace" game "$work/game" 12 raw >/dev/null || fail "make_apitrace"
expect 0 "OpenGL's" "$gpuvm" compile "$work/game" -o "$work/whole.gvp"
feed cat "$work/game"
expect 0 "OpenGL's, live" "$gpuvm" compile --live --spill-mb 8 - -o "$work/live.gvp" <"$pipe"
[ "$(hash "$work/whole.gvp")" = "$(hash "$work/live.gvp")" ] ||
    fail "OpenGL's: $(hash "$work/live.gvp") is not what was read"
feed python3 "$slow_pipe" repeat "$work/psx" 4
expect 0 "PlayStation's are not" "$gpuvm" compile --live --spill-mb 16 - -o "$work/x.gvp" <"$pipe"

# ---- memory: flat ----
# flat NAME FEWER MORE COMMAND...: a capture of so many times COMMAND's last argument.
flat() {
    case $gpuvm in */asan/*) return ;; esac # which keeps what was freed
    name=$1 fewer=$2 more=$3
    shift 3
    for n in $fewer $more; do
        feed "$@" "$n"
        expect 0 "$name $n" python3 "$slow_pipe" memory "$gpuvm" compile --level 1 --live - \
            -o "$work/x.gvp" <"$pipe"
        tail -1 "$work/out" >"$work/took.$n"
    done
    [ "$(cat "$work/took.$more")" -le $(($(cat "$work/took.$fewer") + 32)) ] ||
        fail "$name: $fewer take $(cat "$work/took.$fewer") MB, $more $(cat "$work/took.$more")"
    echo "$name: $fewer and $more: $(cat "$work/took.$fewer") and $(cat "$work/took.$more") MB resident"
}
flat "PlayStation" 150 300 python3 "$slow_pipe" repeat "$work/psx"
frames() {
    "$make_aerogpu" stress-frames "$work/frames" "$1" 10 >/dev/null && cat "$work/frames"
}
flat "AeroGPU, frames" 1500 6000 frames

has_device "$gpuvm" || finish

# ---- and run ----
for capture in "$work/demo" "$work/psx" "$work/tour" "$scene"; do
    name=$(basename "$capture")
    expect 0 "$name: run" "$gpuvm" run -q --hash sha256-rgba "$capture"
    cp "$work/out" "$work/lines"
    feed python3 "$slow_pipe" pieces "$capture"
    expect 0 "$name: run while it comes" "$gpuvm" run -q --hash sha256-rgba - <"$pipe"
    same "$work/out" "$work/lines" "$name: run while it comes"
    feed sh -c "'$gpuvm' compile --live - -o - <'$capture'"
    expect 0 "$name: by two programs" "$gpuvm" run -q --hash sha256-rgba - <"$pipe"
    same "$work/out" "$work/lines" "$name: by two programs"
    # Cut: whole frames, then exit 3, with one reason.
    case $name in demo | psx)
        size=$(wc -c <"$capture")
        feed head -c $((size * 9 / 10)) "$capture"
        expect 3 "$name: cut" "$gpuvm" run -q --hash sha256-rgba - <"$pipe"
        shown=$(wc -l <"$work/out")
        head -n "$shown" "$work/lines" | cmp -s - "$work/out" && [ "$shown" -gt 3 ] ||
            fail "$name: a cut capture shows $shown frames"
        [ "$(wc -l <"$work/err")" = 1 ] || fail "$name: cut: $(cat "$work/err")"
        says "$work/err" "byte [0-9]+" "$name: cut"
        feed head -c $((size * 9 / 10)) "$capture"
        expect 3 "$name: cut, JSON" "$gpuvm" run --json - <"$pipe"
        [ "$(wc -l <"$work/out")" = 1 ] || fail "$name: cut, JSON: $(cat "$work/out")"
        says "$work/out" '^\{"schema":1,[^{]*"status":"rejected"' "$name: cut, JSON"
        ;;
    esac
done
# Who has what was asked for waits for no more, and leaves no process.
feed python3 "$slow_pipe" endless "$work/psx"
expect 0 "some frames of ever more" timeout 60 "$gpuvm" run -q --hash sha256-rgba --frames 0-3 - <"$pipe"
[ "$(wc -l <"$work/out")" = 4 ] || fail "some frames of ever more: $(wc -l <"$work/out")"
feed sh -c "head -c $(($(wc -c <"$work/psx") / 2)) '$work/psx'; exec sleep 100"
expect 0 "some frames of what stalls" timeout 60 "$gpuvm" run -q --hash sha256-rgba --frames 0-3 - <"$pipe"
# What begins as no capture does is told from its beginning, however long it goes on.
for endless in "cat /dev/zero" "yes text" "cat /dev/zero | gzip" "cat /dev/urandom | gzip -1"; do
    for what in "run" "compile -o $work/x.gvp" "compile -o $work/x.gvp --no-child" \
        "compile -o $work/x.gvp --live"; do
        feed sh -c "$endless"
        # shellcheck disable=SC2086 # words
        expect 3 "$what: $endless" timeout 60 "$gpuvm" $what --spill-mb 8 - <"$pipe"
        says "$work/err" "^gpuvm: -: not a capture gpuvm knows" "$what: $endless"
        [ "$(wc -l <"$work/err")" = 1 ] || fail "$what: $endless: $(cat "$work/err")"
    done
done
# A layer that brings nothing gets 4 MiB.
gzip -c </dev/null | head -c 10 >"$work/gzip"
feed sh -c "cat $work/gzip && exec python3 -c \"import sys
while True: sys.stdout.buffer.write(b'\\0\\0\\0\\xff\\xff' * 10000)\""
expect 3 "a layer of nothing" timeout 60 "$gpuvm" compile --spill-mb 8 - -o "$work/x.gvp" <"$pipe"
says "$work/err" "gzip layer ends before anything comes out" "a layer of nothing"
for layer in "gzip -1" "zstd -19" "xz"; do
    command -v "${layer%% *}" >/dev/null || continue
    feed sh -c "$layer -c $work/demo"
    expect 0 "a layer, $layer" "$gpuvm" compile - -o "$work/layer.gvp" <"$pipe"
done
"$gpuvm" compile --live --level 1 "$work/noise" -o "$work/noise.gvp" >/dev/null
feed cat "$work/noise.gvp"
expect 3 "resources have a bound" "$gpuvm" run -q --spill-mb 3 - <"$pipe"
says "$work/err" 'resources of the stream take over 3 MiB: --spill-mb' "resources have a bound"

# ---- a slow pipe: frame 0 shows before much more than its bytes have come ----
for capture in "$work/demo" "$work/psx"; do
    : >"$work/out"
    feed python3 "$slow_pipe" first "$capture" "$work/out"
    expect 0 "slow pipe" "$gpuvm" run -q --hash sha256-rgba - <"$pipe"
    wait
    [ -s "$work/fed" ] && fail "slow pipe: $(cat "$work/fed")"
done
finish
