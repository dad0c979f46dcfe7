#!/bin/sh
# The README's commands in a bare Debian that has nothing but git, without captures from
# elsewhere: the demo, the packages, all tests. Says how long each takes, what it installs,
# and which tests are skipped, with why.
#   first_minute_full.sh
# DEBIAN_MIRROR: where packages come from, else where this machine's apt has them from.
. tests/cli/lib.sh
command -v debootstrap >/dev/null || skip "no debootstrap"
[ "$(id -u)" = 0 ] || skip "not root"
apt_mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    grep -m 1 '/debian/*$')
mirror=${DEBIAN_MIRROR:-${apt_mirror:-http://deb.debian.org/debian}}
bare=$work/bare
debootstrap --variant=minbase --include=git,ca-certificates bookworm "$bare" "$mirror" \
    >"$work/log" 2>&1 || skip "no bare Debian from $mirror: $(tail -n 1 "$work/log")"

# What is mounted for a command is seen by it alone, and is gone with the last of its processes.
cat >"$work/inside" <<'END'
set -eu
bare=$1
shift
mount -t proc proc "$bare/proc"
mount -t sysfs -o ro sysfs "$bare/sys"
mount -t devpts -o newinstance,ptmxmode=666,mode=620,gid=5 devpts "$bare/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$bare/dev/shm"
exec chroot "$bare" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
END
inside() {
    unshare --mount --propagation private --pid --fork --kill-child \
        sh "$work/inside" "$bare" "$@"
}
inside true 2>"$work/log" || skip "nothing can be mounted: $(tail -n 1 "$work/log")"

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
