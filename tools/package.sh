#!/bin/sh
# Builds the Debian packages from the files that git knows: gpuvm, gpuvm-player, libgpuvm1,
# libgpuvm-dev. The same files give the same bytes, wherever they are built.
#   tools/package.sh OUT [FOLDER]   OUT: where packages go; FOLDER: where to build (a new one)
# Needs debhelper, and what tools/setup.sh build installs. JOBS: how many at once (all cores).
set -eu
cd "$(dirname "$0")/.."
out=$1
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=${2:-$(mktemp -d)}
mkdir -p "$work/gpuvm"
trap 'rm -rf "$work"' EXIT
git ls-files -co --exclude-standard -z | tar --null -c -T - | tar -x -C "$work/gpuvm"
cd "$work/gpuvm"
# What differs from person to person is no part of a package.
unset CC AR CPPFLAGS CFLAGS LDFLAGS DESTDIR PREFIX LIBDIR MANDIR BUILD NATIVE
umask 022
LC_ALL=C.UTF-8 DEB_BUILD_OPTIONS="nocheck parallel=${JOBS:-$(nproc)}" \
    dpkg-buildpackage -b -us -uc >"$out/build.log" 2>&1 || {
    tail -n 40 "$out/build.log" >&2
    exit 1
}
cp ../*.deb ../*.buildinfo ../*.changes "$out"
