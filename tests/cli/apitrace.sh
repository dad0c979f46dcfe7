#!/bin/sh
# Traces of apitrace from outside: info, dump and its SETs, containers and layers, cut files,
# frames; where apitrace is installed, its dump is the same.
#   apitrace.sh GPUVM MAKE_APITRACE
. tests/cli/lib.sh
gpuvm=$1 make=$2
export XDG_CACHE_HOME="$work/cache"

tour=$work/tour.trace
for container in raw snappy gzip zstd zstd-seekable brotli; do
    "$make" tour "$work/$container" 6 $container 900 || fail "no trace"
    expect 0 "info of $container" "$gpuvm" info "$work/$container"
    says "$work/out" "^container +$container\$" "info of $container"
    says "$work/out" "^calls +29\$" "info of $container"
    expect 0 "dump of $container" "$gpuvm" dump -v "$work/$container"
    same "$work/out" tests/golden/apitrace_tour_dump.txt "dump of $container"
done
cp "$work/snappy" "$tour"
# A layer around a container is peeled.
if command -v xz >/dev/null; then
    xz -c "$tour" >"$work/tour.xz"
    expect 0 "dump under xz" "$gpuvm" dump -v "$work/tour.xz"
    same "$work/out" tests/golden/apitrace_tour_dump.txt "dump under xz"
fi
gzip -c "$tour" >"$work/tour.gz"
expect 0 "info of snappy under gzip" "$gpuvm" info "$work/tour.gz"
says "$work/out" "^container +snappy\$" "snappy under gzip"
says "$work/out" "^layer +gzip\$" "snappy under gzip"
"$gpuvm" dump -v - <"$tour" | cmp -s - tests/golden/apitrace_tour_dump.txt || fail "from a pipe"

# ---- which calls ----

expect 0 "dump" "$gpuvm" dump "$tour"
grep -q glGetError "$work/out" && fail "calls that only ask are shown"
expect 0 "a SET" "$gpuvm" dump --calls '10-14 26' --calls 28 "$tour"
same "$work/out" tests/golden/apitrace_tour_calls.txt "a SET"
printf '10-14\n26\n28\n' >"$work/set"
expect 0 "a SET in a file" "$gpuvm" dump --calls "@$work/set" "$tour" -o "$work/calls"
same "$work/calls" tests/golden/apitrace_tour_calls.txt "a SET in a file"
[ -s "$work/out" ] && fail "-o prints as well"
expect 0 "frames" "$gpuvm" dump --calls '*/frame' "$tour"
[ "$(grep -c glXSwapBuffers "$work/out")" = 3 ] || fail "not three ends of frames"
expect 2 "no SET" "$gpuvm" dump --calls 'x' "$tour"
says "$work/err" "expected a number" "no SET"
for set in last 0,end draw/2; do
    expect 2 "$set of what is still read" "$gpuvm" dump --calls "$set" "$tour"
    says "$work/err" "--calls: 'last', 'end' and a step among calls of a kind" "$set"
done
expect 2 "no such file" "$gpuvm" dump --calls "@$work/none" "$tour"
printf 'PSXGPUDUMPv1r1\0\0' >"$work/other"
expect 3 "another format" "$gpuvm" dump --calls 1 "$work/other"
says "$work/err" "unsupported: --calls for this format" "another format"

# ---- cut, broken ----

head -c 1000 "$tour" >"$work/cut.trace"
expect 3 "cut" "$gpuvm" dump "$work/cut.trace"
says "$work/err" "ends early: --allow-truncated takes what there is \(chunk at byte [0-9]+ of the file\) \(byte [0-9]+\)" "cut"
says "$work/out" "^0 glXCreateContext" "what came before is printed"
expect 0 "cut, taken" "$gpuvm" dump --allow-truncated "$work/cut.trace"
expect 0 "cut, described" "$gpuvm" info --allow-truncated "$work/cut.trace"
says "$work/out" "^cut +yes\$" "cut, described"
expect 3 "cut, compiled" "$gpuvm" compile "$work/cut.trace" -o "$work/x.gvp"
[ -e "$work/x.gvp" ] && fail "a payload of a cut trace is left"
expect 3 "cut, dumped to a file" "$gpuvm" dump "$work/cut.trace" -o "$work/x.txt"
[ -e "$work/x.txt" ] && fail "half a text is left"

# Recorded without its window system: no context, no frame, and what to do about it.
advice="no call of a window system.*apitrace trace --api egl"
for calls in 0 3; do
    "$make" windowless "$work/windowless.trace" $calls raw || fail "no windowless trace"
    expect 0 "windowless" "$gpuvm" info "$work/windowless.trace"
    says "$work/out" "^advice +$advice" "windowless"
    expect 0 "windowless, compiled" "$gpuvm" compile "$work/windowless.trace" -o "$work/x.gvp"
    says "$work/err" "^warning no-window .*$advice" "windowless, compiled"
    expect 0 "windowless, run" "$gpuvm" run --hash md5-rgb "$work/windowless.trace"
    says "$work/err" "^warning no-window .*$advice" "windowless, run"
done
expect 0 "with windows" "$gpuvm" info "$tour"
grep '^advice' "$work/out" && fail "advice that nobody needs"
rm -f "$work/x.gvp"

# ---- a reader that goes, a disk that is full ----

"$make" game "$work/game.trace" 8 snappy || fail "no game"
"$gpuvm" dump "$work/game.trace" 2>"$work/err" | head -n 1 >/dev/null
[ -s "$work/err" ] && fail "a reader that goes: says something"
expect 7 "a full disk" sh -c "'$gpuvm' dump '$work/game.trace' >/dev/full"

# ---- frames: no further than wanted ----

expect 0 "one frame" "$gpuvm" compile "$work/game.trace" -o "$work/one.gvp" --frames 0
says "$work/out" ", 1 frame," "one frame"
expect 0 "its account" "$gpuvm" info "$work/one.gvp"
says "$work/out" '"read":[0-9]+,"layer":"none","xxh3"' "what was read"
read=$(sed -n 's/.*"read":\([0-9]*\),.*/\1/p' "$work/out")
hash=$(sed -n 's/.*"capture":{[^}]*"xxh3":"\([0-9a-f]*\)".*/\1/p' "$work/out")
[ "$hash" = "$(head -c "$read" "$work/game.trace" | xxhsum -H2 | sed 's/ .*//')" ] ||
    fail "the hash is not that of what was read"
expect 0 "the last frames" "$gpuvm" compile "$work/game.trace" -o "$work/last.gvp" --frames last
expect 2 "a frame that is not there" \
    "$gpuvm" compile "$work/game.trace" -o "$work/x.gvp" --frames 999999
says "$work/err" "frame 999999 is out of range: there are [0-9]+" "a frame that is not there"
[ -e "$work/x.gvp" ] && fail "a payload is left"

# ---- beside apitrace ----

if command -v apitrace >/dev/null; then
    apitrace dump --color=never "$work/game.trace" >"$work/theirs" 2>/dev/null
    expect 0 "the game" "$gpuvm" dump "$work/game.trace"
    same "$work/out" "$work/theirs" "dump as apitrace prints it"
fi
finish
