#!/bin/sh
# Builds programs and library for another machine, with Debian's cross compiler and Debian's
# libraries for that machine, unpacked into a folder of their own: nothing is installed here.
#   tools/cross.sh aarch64 [TARGET...]      into build/aarch64; TARGETs: gpuvm, gpuvm-player,
#                                           library (all three), sysroot (only that folder)
# Needs gcc-aarch64-linux-gnu, and a Debian mirror the first time. The environment wins:
# CC, AR, OBJCOPY, CFLAGS, LDFLAGS; SYSROOT, a folder that has the libraries already.
cd "$(dirname "$0")/.."
. tools/steps.sh
usage() {
    sed -n 's/^#  *\(tools.cross.*\)/usage: \1/p' tools/cross.sh >&2
    exit 2
}
[ $# -gt 0 ] || usage
machine=$1
shift
case $machine in
aarch64) triple=aarch64-linux-gnu debian=arm64 ;;
*) usage ;;
esac
out=build/$machine
sysroot=${SYSROOT:-$PWD/$out/sysroot}

# What programs for that machine link, and what runs them: a loader and a driver.
packages="libc6-dev libstdc++-12-dev libxxhash-dev libzstd-dev liblzma-dev zlib1g-dev libbrotli-dev
libsnappy-dev liblz4-dev libdeflate-dev nettle-dev libseccomp-dev libgl-dev libvulkan-dev libvulkan-volk-dev
libcurl4-openssl-dev glslang-dev libspirv-cross-c-shared-dev spirv-tools spirv-headers libvulkan1 mesa-vulkan-drivers
libpng-dev libsdl2-dev"

# apt with lists, cache and status of its own, so that this machine knows of no other.
fetch() {
    apt=$PWD/$out/apt
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$sysroot.new"
    : >"$apt/status"
    own="-o APT::Architecture=$debian -o APT::Architectures=$debian -o Dir::State::Lists=$apt/lists
        -o Dir::State::status=$apt/status -o Dir::Cache=$apt/cache -o APT::Sandbox::User=
        -o Debug::NoLocking=1"
    # shellcheck disable=SC2086 # words are options and packages
    apt-get -q $own update &&
        apt-get -q -y $own install --download-only --no-install-recommends $packages
    for deb in "$apt"/cache/archives/*.deb; do
        dpkg-deb -x "$deb" "$sysroot.new"
    done
    # Links within it are to stay within it.
    find "$sysroot.new" -type l -lname '/*' | while read -r link; do
        ln -sfn "$(realpath -ms --relative-to="$(dirname "$link")" "$sysroot.new$(readlink "$link")")" "$link"
    done
    rm -rf "$apt" "$sysroot"
    mv "$sysroot.new" "$sysroot"
}
step "fetching libraries for $machine"
if [ ! -d "$sysroot" ]; then
    mkdir -p "$out"
    fetch >"$out/sysroot.log" 2>&1 || {
        tail -n 5 "$out/sysroot.log" >&2
        echo "cross: no libraries for $machine" >&2
        exit 1
    }
fi
[ "${1:-}" != sysroot ] || exit 0

step "building for $machine"
export CC="${CC:-$triple-gcc}" AR="${AR:-$triple-ar}" OBJCOPY="${OBJCOPY:-$triple-objcopy}"
# The cross compiler looks for libstdc++ beside itself, where only Debian's g++ for that machine
# has it; the sysroot has it where that machine's own compiler would look.
export CFLAGS="--sysroot=$sysroot ${CFLAGS:-}" LDFLAGS="-L$sysroot/usr/lib/gcc/$triple/12 ${LDFLAGS:-}"
# The configurations of this machine, elsewhere and without their tests.
for configuration in release library; do
    sed "s|^dir = build|dir = $out|; /^include tests/d" tools/build/$configuration.ninja |
        sed "s|^build library:|build $out/library:|" >"$out/$configuration.ninja"
done
cat >"$out/build.ninja" <<END
ninja_required_version = 1.10
builddir = $out
include tools/build/rules.ninja
subninja $out/release.ninja
subninja $out/library.ninja
END
[ $# -gt 0 ] || set -- gpuvm gpuvm-player library
for target; do
    shift
    set -- "$@" "$out/$target"
done
ninja -f "$out/build.ninja" ${JOBS:+-j"$JOBS"} "$@"
