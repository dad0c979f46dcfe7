#!/bin/sh
# Files in each place that are none: pipes nobody writes to, input without end, files that
# are cut while they are read, a device without memory.
#   inputs.sh GPUVM MAKE_AEROGPU LIBCUT_MAPPED.SO LAYERS
. tests/cli/lib.sh
gpuvm=$1 make_aerogpu=$2 cutter=$(realpath "$3") layers=$4
export XDG_CACHE_HOME="$work/cache"

# At most so many seconds and MiB of address space: what waits or grows for ever is exit
# 124 or dies. Sanitizers take terabytes of address space.
bounded() {
    bound_s=$1 bound_mb=$2
    shift 2
    case $gpuvm in
    */asan/*) timeout "$bound_s" "$@" ;;
    *) (ulimit -v $((bound_mb * 1024)) && exec timeout "$bound_s" "$@") ;;
    esac
}

# ---- input without end ----

for command in info dump explain inspect verify "compile -o $work/x.gvp" "run --no-child" devices \
    "asm -o $work/x.gvp"; do
    # shellcheck disable=SC2086 # options
    expect 3 "$command /dev/zero" bounded 60 1500 "$gpuvm" $command --mem-mb 64 /dev/zero
    says "$work/err" "input is over 67108864 bytes" "$command /dev/zero"
done
endless() {
    cat /dev/zero | bounded 60 1500 "$gpuvm" info --mem-mb 64 -
}
expect 3 "an endless pipe" endless
for place in --expect --target; do
    bounded 60 1500 "$gpuvm" run "$place" /dev/zero "$0" >"$work/out" 2>"$work/err"
    [ $? -le 3 ] || fail "run $place /dev/zero"
done
mkdir -p "$work/some"
expect 3 "what looks has less memory" bounded 60 3500 "$gpuvm" info /dev/zero
says "$work/err" "input is over 1073741824 bytes" "the default of info"

# Files that a text names count as the text does, and so do repetitions.
for data in 'file "/dev/zero"' 'file "/dev/full"' 'zero 67108865' 'repeat 65537 ( zero 1024 )'; do
    echo ".const d $data" >"$work/endless.gvt"
    expect 3 "asm of $data" bounded 60 1500 "$gpuvm" asm --mem-mb 64 "$work/endless.gvt" \
        -o "$work/x.gvp"
    says "$work/err" "input is over 67108864 bytes|too much data" "asm of $data"
done

capture=$work/demo.aerogputrace
"$make_aerogpu" demo "$capture" || fail "no demo capture"
expect 0 "compile" "$gpuvm" compile "$capture" -o "$work/demo.gvp"
expect 3 "an endless list of hashes" bounded 60 1500 "$gpuvm" run --expect /dev/zero "$work/demo.gvp"
says "$work/err" "/dev/zero: input is over" "an endless list of hashes"

# ---- inputs that cannot be opened or read ----

ln -s loop "$work/loop"
echo "frame_end()" >"$work/text.gvt"
for odd in "$work/loop" /proc/self/mem "$work"; do
    expect 2 "asm --resources $odd" "$gpuvm" asm "$work/text.gvt" --resources "$odd" \
        -o "$work/x.gvp"
    expect 2 "compile --target $odd" "$gpuvm" compile "$capture" --target "$odd" \
        -o "$work/x.gvp"
    says "$work/err" "target \"$odd\": cannot" "compile --target $odd"
done

# ---- memory that a library does not get ----

# tight MIB COMMAND...: done, or a sentence and exit 5, whoever it is that finds none.
tight() {
    mib=$1
    shift
    bounded 60 "$mib" "$gpuvm" "$@" >"$work/out" 2>"$work/err"
    case $? in
    0) return ;;
    5) says "$work/err" "^gpuvm: " "$1 with $mib MiB" ;;
    127) says "$work/err" "loading shared libraries" "$1 with $mib MiB" ;;
    *) fail "$1 with $mib MiB: $(cat "$work/err")" ;;
    esac
    grep -q "terminate called" "$work/err" && fail "$1 with $mib MiB: $(cat "$work/err")"
}
# With what is known of shaders, and without.
"$gpuvm" compile "$capture" -o "$work/tight.gvp" >"$work/out"
for mib in 24 28 32 36 40 44 48 52 56 60 64; do
    tight $mib compile "$capture" -o "$work/tight.gvp"
    tight $mib compile --no-child "$capture" -o "$work/tight.gvp"
    XDG_CACHE_HOME=/dev/null tight $mib compile "$capture" -o "$work/tight.gvp"
    XDG_CACHE_HOME=/dev/null tight $mib compile --no-child "$capture" -o "$work/tight.gvp"
    tight $mib verify "$work/demo.gvp"
done
XDG_CACHE_HOME=/dev/null tight 40 compile --no-child --json "$capture" -o "$work/tight.gvp"
[ ! -s "$work/err" ] || says "$work/out" '^\{"schema":1,[^{]*"status":"device",.*"error":"out of memory' "JSON"

# A pipe is an input like any other.
piped() {
    cat "$work/demo.gvp" | "$gpuvm" verify -
}
expect 0 "a payload from a pipe" piped
mkfifo "$work/in"
cat "$work/demo.gvp" >"$work/in" &
expect 0 "a payload from a named pipe" bounded 60 1500 "$gpuvm" info "$work/in"
head -c 3000 /dev/zero >"$work/in" &
expect 3 "no payload from a named pipe" bounded 60 1500 "$gpuvm" info "$work/in"

# ---- files cut while they are mapped ----

# cut NAME FILE COMMAND...: exit 3 and a sentence that names the file.
cut() {
    name=$1 victim=$work/victim
    cp "$2" "$victim"
    shift 2
    expect 3 "$name" env CUT_MAPPED="$victim" LD_PRELOAD="$cutter" \
        ASAN_OPTIONS=verify_asan_link_order=0 "$@"
    says "$work/err" "^gpuvm: $victim: the file was cut short while in use" "$name"
}
for command in info dump explain inspect verify devices; do
    cut "$command of a cut payload" "$work/demo.gvp" "$gpuvm" $command "$work/victim"
done
cut "info of a cut capture" "$capture" "$gpuvm" info "$work/victim"
cut "info in JSON" "$work/demo.gvp" "$gpuvm" info "$work/victim" --json
says "$work/out" '^\{"schema":1,[^{]*"status":"rejected","file":".*victim","error":"the file was cut' "JSON"
[ "$(wc -l <"$work/out")" -eq 1 ] || fail "one object in JSON"
mkdir "$work/to"
cut "compile of a cut capture" "$capture" "$gpuvm" compile "$work/victim" -o "$work/to/x.gvp"
[ -z "$(ls -A "$work/to")" ] || fail "compile leaves $(ls -A "$work/to")"

# Cut once the output is begun: without a child, too, nothing of it is left.
"$make_aerogpu" stress-uploads "$work/long" 400 || fail "no long capture"
for child in "" --no-child; do
    cp "$work/long" "$work/victim"
    # shellcheck disable=SC2086 # none, or one
    "$gpuvm" compile "$work/victim" --level 19 -o "$work/to/x.gvp" $child \
        >"$work/out" 2>"$work/err" &
    pid=$!
    for _ in $(seq 300); do
        [ -n "$(ls -A "$work/to")" ] && break
        sleep 0.1
    done
    : >"$work/victim"
    wait $pid
    got=$?
    [ $got -eq 3 ] || fail "exit $got of compile $child of a capture cut meanwhile"
    says "$work/err" "victim: the file was cut short while in use" "cut meanwhile $child"
    [ -z "$(ls -A "$work/to")" ] || fail "compile $child leaves $(ls -A "$work/to")"
    rm -f "$work/to"/*
done
cut "run of a cut payload" "$work/demo.gvp" "$gpuvm" run "$work/victim"
cut "run without a child" "$work/demo.gvp" "$gpuvm" run --no-child "$work/victim"
"$gpuvm" dump "$work/demo.gvp" -o "$work/demo.gvt" || fail "dump"
cut "resources of asm" "$work/demo.gvp" "$gpuvm" asm "$work/demo.gvt" \
    --resources "$work/victim" -o "$work/x.gvp"

# ---- pipes as outputs ----

# Nobody reads: not waited for without end. Somebody comes late: all is written.
mkfifo "$work/unread"
for command in "dump $work/demo.gvp" "asm $work/demo.gvt --resources $work/demo.gvp" \
    "compile $capture"; do
    # shellcheck disable=SC2086 # words
    expect 7 "$command to an unread pipe" timeout 60 "$gpuvm" $command -o "$work/unread"
    says "$work/err" "cannot write $work/unread: nobody reads the pipe" "$command"
    # shellcheck disable=SC2086
    "$gpuvm" $command -o "$work/written" >/dev/null || fail "$command"
    (sleep 1 && cat "$work/unread" >"$work/read") &
    # shellcheck disable=SC2086
    expect 0 "$command to a pipe" timeout 60 "$gpuvm" $command -o "$work/unread"
    wait
    same "$work/read" "$work/written" "$command through a pipe"
done

# ---- a set-up that never ends ----

mkfifo "$work/icd.json"
stuck() {
    VK_DRIVER_FILES="$work/icd.json" bounded 60 9000 "$gpuvm" run "$work/demo.gvp" --timeout 1
}
expect 6 "a driver that never loads" stuck
says "$work/err" "time-out: the device was not ready for 1 s" "a driver that never loads"

has_device "$gpuvm" || {
    echo "the rest needs a Vulkan device"
    finish
}

# ---- caches and stores are regular files ----

expect 0 "a first run" "$gpuvm" run "$work/demo.gvp" --hash sha256-rgba
cp "$work/out" "$work/hashes"
cache=$(ls "$work"/cache/gpuvm/*.bin)
mkdir -p "${cache%/*}" # made by the run
[ -n "$cache" ] || fail "no pipeline cache"
for kind in fifo endless; do
    rm -f "$cache"
    case $kind in
    fifo) mkfifo "$cache" ;;
    endless) ln -s /dev/zero "$cache" ;;
    esac
    expect 0 "a cache that is $kind" timeout 60 "$gpuvm" run "$work/demo.gvp" \
        --hash sha256-rgba -v
    same "$work/out" "$work/hashes" "a cache that is $kind"
    says "$work/err" "pipeline cache not kept: .* no regular file" "a cache that is $kind"
done
rm -f "$cache"
expect 0 "a thin payload" "$gpuvm" compile "$capture" --thin --store "$work/store" \
    -o "$work/thin.gvp"
for kind in fifo endless; do
    rm -rf "$work/odd"
    cp -r "$work/store" "$work/odd"
    for object in $(find "$work/odd" -type f); do
        rm "$object"
        case $kind in
        fifo) mkfifo "$object" ;;
        endless) ln -s /dev/zero "$object" ;;
        esac
    done
    expect 4 "a store object that is $kind" bounded 60 20000 "$gpuvm" run "$work/thin.gvp" \
        --store "$work/odd" --timeout 2
    says "$work/err" "no regular file" "a store object that is $kind"
    expect 7 "storing into what is $kind" bounded 60 9000 "$gpuvm" compile "$capture" --thin \
        --store "$work/odd" -o "$work/thin.gvp"
done

# ---- a device without memory ----

if has_device "$gpuvm" && [ -e "$layers/libgpuvm_hide.so" ]; then
    exhausted() {
        GV_HIDE=exhausted VK_ADD_LAYER_PATH="$layers" VK_INSTANCE_LAYERS=VK_LAYER_GPUVM_hide \
            "$gpuvm" "$@"
    }
    expect 5 "no memory for a device" exhausted run "$work/demo.gvp"
    says "$work/err" "VK_ERROR_OUT_OF_DEVICE_MEMORY" "no memory for a device"
fi
finish
