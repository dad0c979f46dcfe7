# A bare Debian in a folder, for tests that are root's. Usage: `. tests/install/bare.sh` behind
# tests/cli/lib.sh, `begin_bare PACKAGE,...`; then `inside COMMAND...` runs in $bare. Skips by name.
# DEBIAN_MIRROR: where packages come from, else where this machine's apt has them from.

begin_bare() {
    command -v debootstrap >/dev/null || skip "no debootstrap"
    [ "$(id -u)" = 0 ] || skip "not root"
    apt_mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        grep -m 1 '/debian/*$')
    mirror=${DEBIAN_MIRROR:-${apt_mirror:-http://deb.debian.org/debian}}
    bare=$work/bare
    debootstrap --variant=minbase --include="$1" bookworm "$bare" "$mirror" \
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
exec chroot "$bare" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "$@"
END
    inside true 2>"$work/log" || skip "nothing can be mounted: $(tail -n 1 "$work/log")"
}

inside() {
    unshare --mount --propagation private --pid --fork --kill-child \
        sh "$work/inside" "$bare" "$@"
}
