#!/bin/sh
# Any of standard input, output and error closed, or full: results that cannot be written
# are exit 7, and nothing lands in a file or pipe that got the number of a closed stream.
#   streams.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$(realpath "$1") here=$(realpath "$(dirname "$0")")
export XDG_CACHE_HOME="$work/cache"
"$2" stress-frames "$work/capture" 3 1 || fail "no capture"

# without SUBSET COMMAND...: with the streams of SUBSET ("01", "2", ...) closed.
without() {
    subset=$1
    shift
    case $subset in
    0) "$@" <&- ;;
    1) "$@" >&- ;;
    2) "$@" 2>&- ;;
    01) "$@" <&- >&- ;;
    02) "$@" <&- 2>&- ;;
    12) "$@" >&- 2>&- ;;
    012) "$@" <&- >&- 2>&- ;;
    esac
}

# The exit code without each stream, and without all: 7 where standard output is closed
# and wanted. The other subsets are tried with two commands.
closed() {
    case $2 in
    "verify p.gvp" | "run p.gvp --json") subsets="0 1 2 01 02 12 012" ;;
    *) subsets="0 1 2 012" ;;
    esac
    for subset in $subsets; do
        case $subset in
        *1*) wanted=$1 ;;
        *) wanted=0 ;;
        esac
        without $subset "$gpuvm" $2 </dev/null >"$work/out" 2>"$work/err"
        got=$?
        [ $got -eq "$wanted" ] || fail "$2 without $subset: exit $got, not $wanted: $(cat "$work/err")"
    done
    [ "$1" = 7 ] || return 0
    "$gpuvm" $2 >/dev/full 2>"$work/err"
    got=$?
    [ $got -eq 7 ] || fail "$2 into /dev/full: exit $got"
    says "$work/err" "cannot write standard output" "$2 into /dev/full"
    "$gpuvm" $2 1</dev/null 2>"$work/err"
    got=$?
    [ $got -eq 7 ] || fail "$2 into a file opened for reading: exit $got"
}

expect 0 "compile" "$gpuvm" compile "$work/capture" -o "$work/p.gvp"
expect 0 "dump" "$gpuvm" dump "$work/p.gvp" -o "$work/p.gvt"
cd "$work" || exit 1
closed 7 "--version"
closed 7 "--help"
closed 7 "info --help"
closed 7 "info p.gvp"
closed 7 "info p.gvp --json"
closed 7 "verify p.gvp"
closed 7 "explain p.gvp"
closed 7 "dump p.gvp"
closed 7 "asm p.gvt --resources p.gvp -o -"
closed 7 "compile capture -o -"
closed 7 "compile capture -o q.gvp --json"
closed 7 "compile capture -o q.gvp"
cmp -s p.gvp q.gvp || fail "a payload compiled without streams differs"
closed 0 "dump p.gvp -o q.gvt"
cmp -s p.gvt q.gvt || fail "a text dumped without streams differs"
closed 0 "asm p.gvt --resources p.gvp -o q.gvp"
cmp -s p.gvp q.gvp || fail "a payload assembled without streams differs"
for subset in 0 01 02 012; do
    without $subset "$gpuvm" info - >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] || fail "standard input closed and wanted, without $subset"
done
for subset in 0 1 2 01 02 12 012; do
    without $subset "$gpuvm" info none >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] || fail "no input, without $subset: another exit"
done

has_device "$gpuvm" || {
    echo "the rest needs a Vulkan device"
    finish
}
closed 7 "devices"
closed 7 "devices p.gvp --json"
closed 7 "run p.gvp --hash sha256-rgba"
closed 7 "run p.gvp --stats"
closed 7 "run p.gvp --json"
closed 7 "run p.gvp --json --no-child"
closed 0 "run p.gvp --screenshots all --screenshot-dir shots --progress-file progress"
expect 0 "the pictures again" "$gpuvm" run p.gvp --screenshots all --screenshot-dir again
diff -r shots again >&2 || fail "pictures of a run without streams differ"
expect 0 "the progress file" "$gpuvm" info progress
# A reader that has gone by the time the first bytes leave wants no message.
printf 'frame_end()\n' | "$gpuvm" asm - -o short.gvp || fail "a short payload"
for file in p.gvp short.gvp; do
    { sleep 1 && "$gpuvm" dump $file 2>err; echo $? >code; } | :
    [ "$(cat code)" = 7 ] || fail "dump $file to nobody: exit $(cat code)"
    [ ! -s err ] || fail "dump $file to nobody says $(cat err)"
done

# Streams that do not block: what has not come yet is waited for, and who has not read yet.
"$gpuvm" dump p.gvp >right || fail "dump"
for kind in pipe socket; do
    for what in "dump p.gvp" "dump -"; do
        python3 "$here/not_blocking.py" $kind p.gvp got "$gpuvm" $what || fail "$kind, $what: exit $?"
        same right got "$kind, $what"
    done
    for what in "compile - -o x.gvp" "compile - -o x.gvp --live" "info -" "compile - -o -"; do
        python3 "$here/not_blocking.py" $kind capture got "$gpuvm" $what || fail "$kind, $what: exit $?"
    done
    same p.gvp got "$kind, a payload to standard output"
    python3 "$here/not_blocking.py" $kind p.gvt got "$gpuvm" asm - --resources p.gvp -o y.gvp || fail "$kind, asm: exit $?"
    same p.gvp y.gvp "$kind, asm"
    has_device "$gpuvm" || continue
    "$gpuvm" run -q p.gvp --hash md5-rgba >right-hashes
    for file in p.gvp capture; do
        python3 "$here/not_blocking.py" $kind $file got "$gpuvm" run -q - --hash md5-rgba ||
            fail "$kind, run of $file: exit $?"
        same right-hashes got "$kind, run of $file"
    done
    echo 1 >lines
    python3 "$here/not_blocking.py" $kind lines got "$gpuvm" run -q p.gvp --interactive || fail "$kind, lines"
done
finish
