#!/bin/sh
# The programs' children: every way out tried from within, and what -v tells of it.
#   sandbox.sh GPUVM MAKE_AEROGPU WAYS_OUT.SO
. tests/cli/lib.sh
gpuvm=$1 make=$2 ways=$(realpath "$3")
[ -e /proc/sys/kernel/seccomp/actions_avail ] || skip "no seccomp filters"
export XDG_CACHE_HOME="$work/cache"
capture=$work/demo.aerogputrace
"$make" demo "$capture" || fail "no demo capture"
mkdir "$work/foreign"
echo alive >"$work/foreign/victim"

# from_within NAME COMMAND...: a child of the command tries to get out.
from_within() {
    name=$1
    shift
    expect 0 "$name" env LD_PRELOAD="$ways" WAYS_OUT_FOLDER="$work/foreign" \
        ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=0" "$@"
    says "$work/err" '^ways out: [0-9]+ tried, 0 open' "$name"
    [ "$(cat "$work/foreign/victim")" = alive ] || fail "$name: a foreign file was written"
    [ "$(ls "$work/foreign")" = victim ] || fail "$name: a foreign file was made"
}

from_within compile "$gpuvm" compile -v "$capture" -o "$work/demo.gvp"
says "$work/err" '^gpuvm: refused: system call socket$' "compile -v names what it refuses"
expect 0 "the payload is whole" "$gpuvm" verify "$work/demo.gvp" --deep
expect 0 "compile without a child" "$gpuvm" compile "$capture" -o "$work/alone.gvp" --no-child
same "$work/demo.gvp" "$work/alone.gvp" "with and without a child"
from_within "compile to a store" "$gpuvm" compile "$capture" -o "$work/thin.gvp" \
    --thin --store "$work/store"
from_within "verify --deep" "$gpuvm" verify --deep -v "$work/demo.gvp"
says "$work/err" '^gpuvm: refused: system call socket$' "verify -v names what it refuses"
printf '.resource r repeat 1000 ( u32 1 )\nframe_end()\n' >"$work/plain.gvt"
expect 0 "assemble resources alone" "$gpuvm" asm "$work/plain.gvt" -o "$work/plain.gvp"
from_within "verify --deep of resources alone" "$gpuvm" verify --deep "$work/plain.gvp"
from_within "verify --deep of a store" "$gpuvm" verify --deep "$work/thin.gvp" \
    --store "$work/store"

# Without /proc: what cannot be done is told by name, all else is done. A build that looks
# for leaks cannot do without.
hide_proc() {
    unshare -rm sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$@"
}
without_proc() {
    # shellcheck disable=SC2086 # words
    expect "$1" "$2 without /proc" hide_proc "$gpuvm" $3
}
proc_can_go=false
hide_proc "$gpuvm" --version >/dev/null 2>&1 && proc_can_go=true
if $proc_can_go; then
    without_proc 0 compile "compile -v $capture -o $work/demo.gvp"
    says "$work/err" 'sandbox: /proc is not mounted' "compile -v without /proc"
    without_proc 0 "verify --deep" "verify --deep $work/demo.gvp"
    without_proc 5 run "run $work/demo.gvp"
    says "$work/err" 'mount /proc, or name a --progress-file' "run without /proc"
fi

has_device "$gpuvm" || {
    echo "the rest needs a Vulkan device"
    finish
}

expect 0 "a run without a child" "$gpuvm" run "$work/demo.gvp" --no-child --hash sha256-rgba
mv "$work/out" "$work/hashes"
from_within run "$gpuvm" run -v "$work/demo.gvp" --expect "$work/hashes"
says "$work/err" '^gpuvm: refused: system call io_uring_setup$' "run -v names what it refuses"
from_within "run of a capture" "$gpuvm" run "$capture" --expect "$work/hashes"
from_within "run with a store" "$gpuvm" run "$work/thin.gvp" --store "$work/store" \
    --screenshots 0 --screenshot-dir "$work/shots" --progress-file "$work/progress" \
    --expect "$work/hashes"
[ -s "$work/shots/frame_000000.png" ] || fail "no picture out of the sandbox"

if $proc_can_go; then
    without_proc 0 "run with a progress file" \
        "run $work/demo.gvp --progress-file $work/progress --expect $work/hashes"
    without_proc 0 "run with no child" "run $work/demo.gvp --no-child --expect $work/hashes"
fi

# All of its threads, those of the driver too; and a process group of its own.
"$gpuvm" run "$work/demo.gvp" --loop 1000000 --progress-file "$work/progress" \
    >"$work/text" 2>&1 9<"$0" 8>>"$work/lock" &
run=$!
for _ in $(seq 100); do
    sleep 0.1
    "$gpuvm" info "$work/progress" 2>/dev/null | grep -qE '^recorded_command +[1-9]' && break
done
child=$(pgrep -P $run)
for status in /proc/"$child"/task/*/status; do
    grep -q '^Seccomp:[[:space:]]*2' "$status" || fail "a thread without a filter"
    grep -q '^NoNewPrivs:[[:space:]]*1' "$status" || fail "a thread may gain privileges"
done
[ "$(ps -o pgid= -p "$child" | tr -d ' ')" = "$child" ] || fail "in its parent's group"
# Nothing that its caller left open; the program itself keeps it, since a lock may hang on it.
readlink /proc/"$child"/fd/* | grep -qE "^($(realpath "$0")|$work/lock)\$" &&
    fail "the child inherits descriptors"
[ -e /proc/$run/fd/8 ] || fail "the program lets go of its caller's lock"
kill $run
wait $run 2>/dev/null
expect 0 "descriptors that are named" "$gpuvm" run /dev/fd/9 --expect /proc/self/fd/8 \
    9<"$work/demo.gvp" 8<"$work/hashes"
GPUVM_EXPECT=/dev/fd/9 expect 0 "one that a variable names" "$gpuvm" run "$work/demo.gvp" \
    9<"$work/hashes"

# What children cannot write themselves arrives all the same.
cat >"$work/export.gvt" <<'END'
.export words buffer
.const source u32 ( 1 2 3 4 )
b = buffer_create(16, STORAGE)
buffer_upload(b, 0, source)
post_buffer(words, b, 0, 16)
frame_end()
END
expect 0 "assemble" "$gpuvm" asm "$work/export.gvt" -o "$work/export.gvp"
expect 0 "export alone" "$gpuvm" run "$work/export.gvp" --no-child --export words="$work/alone"
[ "$(wc -c <"$work/alone")" -eq 16 ] || fail "the export is no buffer of 16 bytes"
echo old >"$work/target"
chmod 606 "$work/target"
ln -s target "$work/link"
expect 0 "exports" "$gpuvm" run "$work/export.gvp" --export words="$work/plain" \
    --export words="$work/link" --export words=/dev/null
same "$work/alone" "$work/plain" "an export"
same "$work/alone" "$work/target" "an export through a link"
[ -L "$work/link" ] || fail "the link was replaced"
[ "$(stat -c %a "$work/target")" = 606 ] || fail "the export lost its permissions"
expect 7 "an export that cannot be" "$gpuvm" run "$work/export.gvp" \
    --export words="$work/export.gvp/x"
says "$work/err" "cannot make folder $work/export.gvp: " "the export is named"
mkfifo "$work/unread"
start=$(date +%s%N)
expect 7 "a pipe that nobody reads" "$gpuvm" run "$work/export.gvp" --export words="$work/unread" \
    --timeout 1
says "$work/err" "nobody reads the pipe" "an unread pipe"
[ $((($(date +%s%N) - start) / 1000000)) -lt 4500 ] || fail "waited for longer than --timeout"
expect 7 "a full device" "$gpuvm" run "$work/export.gvp" --export words=/dev/full
finish
