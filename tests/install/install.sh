#!/bin/sh
# What `ninja install` writes: the whole of it, found by those who look for it, and gone again
# after `ninja uninstall`.
#   install.sh MAKE_AEROGPU
. tests/cli/lib.sh
make=$1
unset DESTDIR PREFIX LIBDIR MANDIR BUILD NATIVE
export XDG_CACHE_HOME="$work/cache"
has_device build/gpuvm || skip "no Vulkan device"

# For a package: below a folder that no file names.
expect 0 "for a package" env DESTDIR="$work/dest" PREFIX=/opt/gpuvm LIBDIR=/opt/gpuvm/lib/here tools/install.sh
(cd "$work/dest" && find . ! -type d | sed 's/^\.//' | sort) >"$work/there"
grep -v '/$' "$work/dest/opt/gpuvm/share/gpuvm/manifest" | sort >"$work/listed"
same "$work/there" "$work/listed" "the list of files"
grep -rlF "$work" "$work/dest" --include='*.pc' --include='*.1' --include=manifest >"$work/out" &&
    fail "DESTDIR stands in $(cat "$work/out")"
says "$work/dest/opt/gpuvm/lib/here/pkgconfig/gpuvm.pc" '^libdir=/opt/gpuvm/lib/here$' "LIBDIR"
says "$work/dest/opt/gpuvm/lib/here/pkgconfig/gpuvm.pc" '^includedir=/opt/gpuvm/include$' "PREFIX"

# Every manual page is one of a package's, whose lists are patterns.
ls "$work/dest/opt/gpuvm/share/man/man1" | sort >"$work/pages"
patterns=$(sed 's|.*/||' debian/*.manpages)
# shellcheck disable=SC2086 # to be expanded there
(cd "$work/dest/opt/gpuvm/share/man/man1" && ls -d $patterns 2>&1) | sort -u >"$work/packaged"
same "$work/packaged" "$work/pages" "manual pages of packages"

# The package's list of symbols is the map, its version the program's.
sed -n 's/^ \(gpuvm_[a-z_]*\)@.*/\1/p' debian/libgpuvm1.symbols | sort >"$work/symbols"
sed -n 's/^ *\(gpuvm_[a-z_]*\);$/\1/p' tools/library/gpuvm.map | sort >"$work/names"
same "$work/symbols" "$work/names" "debian/libgpuvm1.symbols"
[ "gpuvm $(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)" = "$(build/gpuvm --version)" ] ||
    fail "the version of debian/changelog"

# Beside what is there already.
prefix=$work/prefix
mkdir -p "$prefix/lib" "$prefix/share/man"
: >"$prefix/lib/other"
find "$prefix" | sort >"$work/before"
PREFIX=$prefix
export PREFIX
expect 0 "install" tools/install.sh
expect 0 "install again" tools/install.sh
PATH=$prefix/bin:$PATH
for command in $(gpuvm --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    MANPATH=$prefix/share/man man -w "gpuvm-$command" >"$work/out" 2>&1 || fail "no page of $command"
done
MANPATH=$prefix/share/man man -w gpuvm-player >/dev/null 2>&1 || fail "no page of gpuvm-player"

# Programs as pkg-config says, with the shared library, and where there is the archive alone.
"$make" demo "$work/demo.aerogputrace" || fail "no capture"
gpuvm compile "$work/demo.aerogputrace" -o "$work/demo.gvp" >/dev/null || fail "no payload"
gpuvm-player run "$work/demo.gvp" --screenshots 3 --screenshot-dir "$work" \
    --screenshot-prefix player_ >/dev/null 2>&1 || fail "the player does not run"
mkdir "$work/archive"
cp -R "$prefix/lib" "$work/archive/lib"
rm "$work"/archive/lib/libgpuvm.so*
sed -i "s|^libdir=.*|libdir=$work/archive/lib|" "$work/archive/lib/pkgconfig/gpuvm.pc"
[ "gpuvm $(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --modversion gpuvm)" = "$(gpuvm --version)" ] ||
    fail "the version of gpuvm.pc"
sed 's|"tools/library/gpuvm.h".*|<gpuvm.h>|' tests/library/examples/save_frame.c >"$work/save_frame.c"
for how in shared static; do
    case $how in
    shared) found=$prefix/lib options= ;;
    static) found=$work/archive/lib options=--static ;;
    esac
    # shellcheck disable=SC2046,SC2086 # words are arguments
    gcc -std=c11 -Wall -Wextra -pedantic -Werror "$work/save_frame.c" -o "$work/$how" \
        $(PKG_CONFIG_PATH=$found/pkgconfig pkg-config $options --cflags --libs gpuvm) -lpng ||
        fail "$how: does not build"
    LD_LIBRARY_PATH=$prefix/lib expect 0 "$how" "$work/$how" "$work/demo.gvp" 3 "$work/$how.png"
done
same "$work/shared.png" "$work/static.png" "both kinds of library"
[ -s "$work/player_000003.png" ] || fail "no picture of the player"
LD_LIBRARY_PATH=$prefix/lib ldd "$work/shared" | grep -q "$prefix/lib/libgpuvm.so.1" || fail "not shared"
LD_LIBRARY_PATH=$prefix/lib ldd "$work/static" | grep -q libgpuvm && fail "not static"

expect 0 "uninstall" tools/install.sh remove
find "$prefix" | sort >"$work/after"
same "$work/after" "$work/before" "what was there before"
expect 2 "uninstall again" tools/install.sh remove
PREFIX=here expect 2 "a part of a path" tools/install.sh
finish
