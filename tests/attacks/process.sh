#!/bin/sh
# What a process is started with: descriptors that are closed, variables, limits, signals.
. tests/attacks/lib.sh
needs_device

cat >"$work/a.gvt" <<'GVT'
.export data buffer
.const noise repeat 4096 ( hex 00112233 44556677 8899aabb ccddeeff )
b = buffer_create(65536, STORAGE)
buffer_upload(b, 0, noise)
i = image_create(2D, R8G8B8A8_UNORM, width=512, height=512, usage=SAMPLED)
image_clear_color(i, 0, 1, 0, 1, 1.0, 0, 0, 1.0)
post_buffer(data, b, size=65536)
present(i, width=512, height=512)
frame_end()
GVT
"$gpuvm" asm "$work/a.gvt" -o "$work/a.gvp" || exit 1
"$(dirname "$(dirname "$hold")")/aerogpu/make_aerogpu" demo "$work/capture" || exit 1

payload=$work/a.gvp
text=$work/a.gvt
capture=$work/capture

# ---- descriptors: closed ones are not taken over by what is opened next ----

# closed NAME ALLOWED FDS COMMAND...
closed() {
    begin "closed-$1" || return
    codes=$2 fds= quiet=
    for fd in $3; do
        fds="$fds --close $fd"
        [ "$fd" != 2 ] || quiet=1
    done
    shift 3
    # shellcheck disable=SC2086 # options and their values
    attack "$codes" - $fds -- "$@"
}
for set in 0 1 2 "0 1" "0 2" "1 2" "0 1 2"; do
    title=$(echo "$set" | tr ' ' '-')
    needed=0
    case $set in *1*) needed=7 ;; esac # what it prints is lost
    closed "$title-run" 0 "$set" "$gpuvm" run "$payload" --export data=d --screenshots all \
        --screenshot-dir p
    closed "$title-hash" $needed "$set" "$gpuvm" run "$payload" --hash sha256-rgba
    closed "$title-json" $needed "$set" "$gpuvm" run "$payload" --json
    closed "$title-stats" $needed "$set" "$gpuvm" run "$payload" --stats
    closed "$title-info" $needed "$set" "$gpuvm" info "$payload"
    closed "$title-dump" $needed "$set" "$gpuvm" dump "$payload"
    closed "$title-verify" "0 7" "$set" "$gpuvm" verify --deep "$payload"
    closed "$title-asm" "0 7" "$set" "$gpuvm" asm "$text" -o made.gvp
    closed "$title-compile" "0 7" "$set" "$gpuvm" compile "$capture" -o made.gvp
    closed "$title-wrong" 2 "$set" "$gpuvm" run --no-such-option
done
closed in-payload 2 0 "$gpuvm" run -
closed out-payload 7 1 "$gpuvm" compile "$capture" -o -

# ---- variables ----

# variable NAME ALLOWED ASSIGNMENT COMMAND...
variable() {
    begin "variable-$1" || return
    codes=$2 assignment=$3
    shift 3
    attack "$codes" - -- env "$assignment" "$@"
}
long=$(head -c 100000 /dev/zero | tr '\0' 'a')
for value in "" -1 0 1 15 abc 99999999999999999999 "256 " 0x100 1e3 "$(printf '\033[31m')"; do
    title=$(printf '%s' "$value" | tr -c 'a-z0-9-' '_')
    case $value in "") code=0 ;; *) code=2 ;; esac
    variable "mem-mb-$title" $code "GPUVM_MEM_MB=$value" "$gpuvm" run "$payload"
    case $value in "" | 0 | 1 | 15) code=0 ;; *) code=2 ;; esac
    variable "timeout-$title" $code "GPUVM_TIMEOUT=$value" "$gpuvm" run "$payload"
done
variable flag-off 0 GPUVM_JSON=0 "$gpuvm" run "$payload"
variable flag-long 0 "GPUVM_JSON=$long" "$gpuvm" run "$payload"
variable text-long 2 "GPUVM_HASH=$long" "$gpuvm" run "$payload"
variable device-long "2 5" "GPUVM_DEVICE=$long" "$gpuvm" run "$payload"
variable device-none "2 5" GPUVM_DEVICE=nobody "$gpuvm" run "$payload"
variable device-far "2 5" GPUVM_DEVICE=99999999999999999999 "$gpuvm" run "$payload"
variable device-negative "2 5" GPUVM_DEVICE=-1 "$gpuvm" run "$payload"
variable cache-relative 0 XDG_CACHE_HOME=here "$gpuvm" run "$payload"
variable cache-long 0 "XDG_CACHE_HOME=/$long" "$gpuvm" run "$payload"
variable cache-process 0 XDG_CACHE_HOME=/proc "$gpuvm" run "$payload"
variable cache-null 0 XDG_CACHE_HOME=/dev/null "$gpuvm" run "$payload"
variable home-long 0 "HOME=/$long" env -u XDG_CACHE_HOME "$gpuvm" run "$payload"
variable home-relative 0 HOME=here env -u XDG_CACHE_HOME "$gpuvm" run "$payload"
variable home-none 0 HOME= env -u XDG_CACHE_HOME "$gpuvm" run "$payload"
variable driver-none 5 VK_DRIVER_FILES=/nonexistent "$gpuvm" run "$payload"
variable driver-null 5 VK_DRIVER_FILES=/dev/null "$gpuvm" run "$payload"
variable driver-zeros "5" VK_DRIVER_FILES="$text" "$gpuvm" run "$payload"
variable temporary-none 0 TMPDIR=/nonexistent "$gpuvm" run "$capture" --frames 0
variable locale "0" LC_ALL=tr_TR.UTF-8 "$gpuvm" run "$payload"
variable terminal "0" TERM="$(printf '\033]0;x\007')" "$gpuvm" run "$payload"
begin variable-none && attack 0 - -- env -i "$gpuvm" run "$payload"

# ---- limits ----

# limit NAME ALLOWED OPTION VALUE COMMAND...
limit() {
    begin "limit-$1" || return
    codes=$2 option=$3 value=$4
    shift 4
    attack "$codes" - "$option" "$value" -- "$@"
}
for size in 0 1 100 4096 65535; do
    limit "file-$size-export" "7" --fsize $size "$gpuvm" run "$payload" --export data=d
    limit "file-$size-picture" "0 7" --fsize $size "$gpuvm" run "$payload" --screenshots all \
        --screenshot-dir p
    limit "file-$size-asm" "0 7" --fsize $size "$gpuvm" asm "$text" -o made.gvp
    limit "file-$size-compile" "0 7" --fsize $size "$gpuvm" compile "$capture" -o made.gvp
    limit "file-$size-dump" "0 7" --fsize $size "$gpuvm" dump "$payload" -o made.gvt
    limit "file-$size-progress" "0 7" --fsize $size "$gpuvm" run "$payload" \
        --progress-file f
    limit "file-$size-cache" "0 7" --fsize $size env XDG_CACHE_HOME="$work/fresh-$size" \
        "$gpuvm" run "$payload"
done
for files in 4 5 6 8 12 16 24 32 64; do
    limit "files-$files-run" "0 2 3 5 6 7" --nofile $files "$gpuvm" run "$payload"
    limit "files-$files-compile" "0 2 3 5 6 7" --nofile $files "$gpuvm" compile "$capture" -o m.gvp
    limit "files-$files-info" "0 2 3 5 7" --nofile $files "$gpuvm" info "$payload"
done
for mib in 64 100 150 200 300 500 800 1200; do
    # Where it is just not enough, lavapipe writes to what it was not given: 6.
    limit "memory-$mib-run" "0 2 3 5 6" --as $((mib << 20)) "$gpuvm" run "$payload"
    limit "memory-$mib-compile" "0 2 3 5" --as $((mib << 20)) "$gpuvm" compile "$capture" \
        -o m.gvp
    limit "memory-$mib-info" "0 2 3 5" --as $((mib << 20)) "$gpuvm" info "$payload"
done
for kib in 64 128 256 1024; do
    limit "stack-$kib-run" "0 3 5 6" --stack $((kib << 10)) "$gpuvm" run "$payload"
    limit "stack-$kib-compile" "0 3 5 6" --stack $((kib << 10)) "$gpuvm" compile "$capture" -o m.gvp
done

# ---- readers that go, and signals ----

# told NAME COMMAND: of the shell; what is told ends early, and nobody is the worse.
told() {
    begin "told-$1" || return
    attack "0 7" - -- sh -c "$2"
}
told dump-head "'$gpuvm' dump '$payload' | head -c 1 >/dev/null"
told hash-head "'$gpuvm' run '$payload' --hash xxh3-rgba | head -c 1 >/dev/null"
told json-gone "'$gpuvm' run '$payload' --json | true"
told compile-gone "'$gpuvm' compile '$capture' -o - | head -c 1 >/dev/null"
told errors-gone "'$gpuvm' run '$payload' --no-such 2>&1 >/dev/null | true"

# stopped NAME SECONDS COMMAND...: nothing is left beside what was there.
stopped() {
    begin "signal-$1" || return
    seconds=$2
    shift 2
    attack "0 stopped" - --stop "$seconds" -- "$@"
}
stopped run 1 "$gpuvm" run "$payload" --loop 1000000000
stopped run-progress 1 "$gpuvm" run "$payload" --loop 1000000000 --progress-file f
stopped export 1 "$gpuvm" run "$payload" --loop 1000000000 --export data=d
stopped compile 1 "$gpuvm" compile "$capture" --level 19 -o made.gvp
# Neither a byte nor an end: who opens a pipe for both reads and writes is its own writer.
stopped silent-pipe 1 sh -c "mkfifo f && exec '$gpuvm' run - <>f"
finish
