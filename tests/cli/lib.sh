# Shared by the tests of the programs. Usage: `. tests/cli/lib.sh` at the start, `finish` at
# the end. $work is a folder that is removed.
set -u
failures=0
work=$(mktemp -d)
trap lib_over EXIT

# A test that ends before `finish` or `skip` says behind which command of `expect` it did.
lib_over() {
    lib_code=$?
    rm -rf "$work"
    [ $lib_code = 0 ] || [ $lib_code = 77 ] || [ $failures -gt 0 ] ||
        echo "FAILED: ended with $lib_code behind: ${lib_step:-the beginning}" >&2
}

fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

# expect CODE NAME COMMAND...: the exit code; output is in $work/out and $work/err.
expect() {
    code=$1 name=$2 lib_step=$2
    shift 2
    "$@" >"$work/out" 2>"$work/err"
    got=$?
    [ $got -eq "$code" ] && return 0
    fail "$name: exit $got, not $code: $*"
    sed 's/^/    /' "$work/err" >&2
    return 1
}

# says FILE PATTERN NAME: the file has a line that matches.
says() {
    grep -qE -- "$2" "$1" || {
        fail "$3: no '$2' in:"
        sed 's/^/    /' "$1" >&2
    }
}

same() {
    cmp -s "$1" "$2" || fail "$3: $1 and $2 differ"
}

skip() {
    echo "skipped: $*"
    exit 77
}

# Whether some Vulkan device is there: pixels need one.
has_device() {
    "$1" devices >/dev/null 2>&1
}

finish() {
    [ $failures -eq 0 ] || exit 1
    exit 0
}
