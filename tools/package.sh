#!/bin/sh
# Builds the Debian packages from the files that git knows: gpuvm, gpuvm-player, libgpuvm1,
# libgpuvm-dev. The same files give the same bytes, wherever they are built.
#   tools/package.sh OUT [FOLDER]   OUT: where packages go; FOLDER: where to build (a new one)
# Installs what is missing (tools/setup.sh package). JOBS: how many at once (all cores).
cd "$(dirname "$0")/.."
. tools/steps.sh
[ $# -ge 1 ] || {
    echo "usage: tools/package.sh OUT [FOLDER]" >&2
    exit 2
}
step "installing what packaging needs"
tools/setup.sh package
step "making folders"
out=$1
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=${2:-$(mktemp -d)}
at_end 'rm -rf "$work"'
mkdir -p "$work/gpuvm"
step "listing the files that git knows"
# A list and an archive in files: what fails in the middle of a pipe is not noticed.
git ls-files -co --exclude-standard -z >"$work/names"
step "copying the files"
tar --null -c -T "$work/names" -f "$work/files.tar"
tar -x -f "$work/files.tar" -C "$work/gpuvm"
step "dpkg-buildpackage (all of it: $out/build.log)"
cd "$work/gpuvm"
# What differs from person to person is no part of a package.
unset CC AR CPPFLAGS CFLAGS LDFLAGS DESTDIR PREFIX LIBDIR MANDIR BUILD NATIVE
umask 022
LC_ALL=C.UTF-8 DEB_BUILD_OPTIONS="nocheck parallel=${JOBS:-$(nproc)}" \
    dpkg-buildpackage -b -us -uc >"$out/build.log" 2>&1 || {
    tail -n 40 "$out/build.log" >&2
    exit 1
}
step "putting the packages into $out"
cp ../*.deb ../*.buildinfo ../*.changes "$out"
