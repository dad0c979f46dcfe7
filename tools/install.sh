#!/bin/sh
# Installs what is built: programs, library, header, manual pages, completions.
#   [DESTDIR=D] [PREFIX=/usr/local] [LIBDIR=...] tools/install.sh [remove]
# DESTDIR is put before every place and named in no file. LIBDIR is $PREFIX/lib unless set,
# MANDIR $PREFIX/share/man. BUILD is the folder that is installed (build), NATIVE the folder of
# programs that can run here, to describe themselves (BUILD). What was written stands in
# share/gpuvm/manifest, for `remove`: files, and folders that were not there before.
cd "$(dirname "$0")/.."
. tools/steps.sh
umask 022
prefix=${PREFIX:-/usr/local}
case $prefix in
/*) ;;
*)
    echo "install: PREFIX is a whole path, not '$prefix'" >&2
    exit 2
    ;;
esac
prefix=${prefix%/}
libdir=${LIBDIR:-$prefix/lib}
mandir=${MANDIR:-$prefix/share/man}
build=${BUILD:-build}
native=${NATIVE:-$build}
root=${DESTDIR:-}
manifest=$prefix/share/gpuvm/manifest

if [ "${1:-}" = remove ]; then
    [ -f "$root$manifest" ] || {
        echo "install: nothing is installed: no $root$manifest" >&2
        exit 2
    }
    # From the bottom up; folders that others use by now stay.
    sort -r "$root$manifest" | while IFS= read -r name; do
        case $name in
        */) rmdir "$root$name" 2>/dev/null || true ;;
        *) rm -f "$root$name" ;;
        esac
    done
    exit 0
fi

written=$(mktemp)
made=$(mktemp)
at_end 'rm -f "$written" "$made"'

# folders PLACE: notes those above it that are not there yet, or were not before us.
folders() {
    above=${1%/*}
    while [ -n "$above" ]; do
        [ -d "$root$above" ] || echo "$above/" >>"$written"
        above=${above%/*}
    done
}

# put MODE FILE PLACE
put() {
    step "installing $3"
    folders "$3"
    install -D -m "$1" "$2" "$root$3"
    echo "$3" >>"$written"
}

# made PLACE: standard input becomes a file there.
made() {
    cat >"$made"
    put 644 "$made" "$1"
}

# link TARGET PLACE
link() {
    ln -sf "$1" "$root$2"
    echo "$2" >>"$written"
}

# commands PROGRAM: those that its help lists.
commands() {
    "$native/$1" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'
}

# completions PROGRAM
completions() {
    "$native/$1" --completion bash | made "$prefix/share/bash-completion/completions/$1"
    "$native/$1" --completion zsh | made "$prefix/share/zsh/site-functions/_$1"
    "$native/$1" --completion fish | made "$prefix/share/fish/vendor_completions.d/$1.fish"
}

[ ! -f "$root$manifest" ] || grep '/$' "$root$manifest" >"$written" || true
put 755 "$build/gpuvm" "$prefix/bin/gpuvm"
put 755 "$build/gpuvm-player" "$prefix/bin/gpuvm-player"
completions gpuvm
completions gpuvm-player
put 644 docs/gpuvm.1 "$mandir/man1/gpuvm.1"
for command in $(commands gpuvm); do
    "$native/gpuvm" --man "$command" | made "$mandir/man1/gpuvm-$command.1"
done
"$native/gpuvm-player" --man | made "$mandir/man1/gpuvm-player.1"

put 644 tools/library/gpuvm.h "$prefix/include/gpuvm.h"
put 755 "$build/library/libgpuvm.so.1" "$libdir/libgpuvm.so.1"
link libgpuvm.so.1 "$libdir/libgpuvm.so"
put 644 "$build/library/libgpuvm.a" "$libdir/libgpuvm.a"
version=$(sed -n 's/^#define GV_VERSION "\(.*\)"/\1/p' tools/version.h)
libs=$(sed -n 's/^runtime_libs = //p' runtime/runtime.ninja)
sed "s|@prefix@|$prefix|; s|@libdir@|$libdir|; s|@includedir@|$prefix/include|
    s|@version@|$version|; s|@libs@|$libs|" tools/library/gpuvm.pc.in |
    made "$libdir/pkgconfig/gpuvm.pc"

put 644 LICENSE "$prefix/share/doc/gpuvm/LICENSE"
folders "$manifest"
echo "$manifest" >>"$written"
sort -u "$written" >"$made"
install -D -m 644 "$made" "$root$manifest"
echo "installed in ${root}$prefix: $(grep -vc '/$' "$made") files"
