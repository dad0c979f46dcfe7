#!/bin/sh
# The README's commands in a bare Debian that has nothing but git, without captures from
# elsewhere: the demo, the packages, all tests.
#   first_minute_full.sh
. tests/cli/lib.sh
command -v debootstrap >/dev/null || skip "no debootstrap"
[ "$(id -u)" = 0 ] || skip "not root"
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
bare=$work/bare
debootstrap --variant=minbase --include=git,ca-certificates bookworm "$bare" "$mirror" \
    >"$work/log" 2>&1 || skip "no bare Debian: $(tail -n 1 "$work/log")"
for folder in proc dev dev/pts sys; do
    mount --rbind "/$folder" "$bare/$folder" || skip "no /$folder for a folder"
done
leave() {
    for folder in sys dev/pts dev proc; do
        umount -l "$bare/$folder" 2>/dev/null
    done
    rm -rf --one-file-system "$work"
}
trap leave EXIT
inside() {
    chroot "$bare" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"
}
# What is not committed yet goes along.
mkdir "$bare/srv/gpuvm"
git ls-files -co --exclude-standard -z >"$work/names"
tar --null -c -T "$work/names" -f "$work/files.tar"
tar -x -f "$work/files.tar" -C "$bare/srv/gpuvm"
inside sh -ec 'cd /srv/gpuvm; git init -q; git add -A
    git -c user.name=test -c user.email=test@localhost commit -q -m files' || fail "git"

# command NAME SHELL TEXT...: it ends well, and its last lines are shown.
command_ends() {
    name=$1
    shift
    start=$(date +%s)
    inside sh -ec "cd /srv/gpuvm; $*" >"$work/out" 2>&1 || fail "$name: $(tail -n 20 "$work/out")"
    echo "$name: $(($(date +%s) - start)) s: $(tail -n 1 "$work/out")"
}
command_ends "demo" tools/demo.sh
says "$work/out" 'frame_000012.png' "demo"
command_ends "packages" tools/package.sh /srv/packages
[ "$(find "$bare/srv/packages" -name '*.deb' | wc -l)" -ge 4 ] || fail "packages: too few"
command_ends "tests" tools/test.sh
says "$work/out" ' passed, 0 failed, ' "tests"
grep '^skipped' "$work/out"
finish
