#!/bin/sh
# The README's commands in a bare Debian that has nothing but git, without captures from
# elsewhere: the demo, the packages, all tests. Says how long each takes, what it installs,
# and which tests are skipped, with why.
#   first_minute_full.sh
. tests/cli/lib.sh
. tests/install/bare.sh
begin_bare git,ca-certificates

# What is not committed yet goes along.
mkdir "$bare/srv/gpuvm"
git ls-files -co --exclude-standard -z >"$work/names" &&
    tar --null -c -T "$work/names" -f "$work/files.tar" &&
    tar -x -f "$work/files.tar" -C "$bare/srv/gpuvm" &&
    inside sh -ec 'cd /srv/gpuvm; git init -q; git add -A
        git -c user.name=test -c user.email=test@localhost commit -q -m files' ||
    fail "the files"

installed() {
    dpkg-query --root="$bare" -W -f '${Package} ${Installed-Size}\n' | sort
}
# does NAME COMMAND...: in the repository. It ends well; its time, last line and packages are told.
does() {
    name=$1
    shift
    installed >"$work/before"
    start=$(date +%s)
    inside sh -ec 'cd /srv/gpuvm; exec "$@"' sh "$@" >"$work/out" 2>&1 || {
        fail "$name: $*"
        tail -n 40 "$work/out" >&2
    }
    echo "$name: $(($(date +%s) - start)) s: $(tail -n 1 "$work/out")"
    installed | comm -13 "$work/before" - |
        awk -v name="$name" '{ n++; size += $2 }
            END { print name ": installed " n + 0 " packages of " int(size / 1024) " MiB" }'
    grep '^setup: installing' "$work/out"
    return 0
}
does "demo" tools/demo.sh
says "$work/out" 'frame_000012.png' "demo"
does "packages" tools/package.sh /srv/packages
for package in gpuvm gpuvm-player libgpuvm1 libgpuvm-dev; do
    [ "$(find "$bare/srv/packages" -name "${package}_*.deb" | wc -l)" = 1 ] || fail "no package $package"
done
does "tests" tools/test.sh
says "$work/out" '^[0-9]+ passed, 0 failed, ' "tests"
grep '^skipped' "$work/out"
for stamp in $(sed -n 's/^failed: //p' "$work/out"); do
    echo "failed: $stamp"
    tail -n 15 "$bare/srv/gpuvm/$stamp.log" 2>/dev/null | sed 's/^/    /'
done
finish
