#!/bin/sh
# The packages: the same bytes from two builds in two places, no error of lintian's, and in a
# bare Debian what apt installs runs a payload made here and is gone after a purge.
#   packages_full.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$1 make=$2
for needed in dpkg-buildpackage dh lintian debootstrap; do
    command -v $needed >/dev/null || skip "no $needed"
done
[ "$(id -u)" = 0 ] || skip "not root"
has_device "$gpuvm" || skip "no Vulkan device"
# One package of a bare Debian tells whether there is a mirror.
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
bare=$work/bare
debootstrap --variant=minbase bookworm "$bare" "$mirror" >"$work/log" 2>&1 || skip "no bare Debian"

mkdir -p "$work/elsewhere/below"
for place in first elsewhere/below/second; do
    tools/package.sh "$work/$(basename $place)-out" "$work/$place" || {
        fail "package.sh"
        finish
    }
done
mv "$work/first-out" "$work/one" && mv "$work/second-out" "$work/two"
packages=0
for package in gpuvm gpuvm-player libgpuvm1 libgpuvm-dev; do
    for deb in "$work"/one/"${package}"_*.deb; do
        same "$deb" "$work/two/$(basename "$deb")" "two builds"
        packages=$((packages + 1))
    done
done
[ $packages -eq 4 ] || fail "$packages packages"
# What is inside without a dependency is said.
built_using() {
    dpkg-deb -f "$work"/one/"$1"_*.deb Built-Using >"$work/inside"
    for source in $2; do
        says "$work/inside" "(^|, )$source \(= [^)]+\)" "$1 is built using $source"
    done
}
built_using gpuvm "brotli glslang libdeflate libseccomp libzstd lz4 nettle snappy spirv-cross spirv-tools xz-utils zlib"
built_using gpuvm-player "libdeflate libseccomp nettle spirv-tools"
built_using libgpuvm1 spirv-tools
lintian --fail-on error "$work"/one/*.changes >"$work/lintian" 2>&1 ||
    fail "lintian: $(cat "$work/lintian")"

"$make" demo "$work/demo" && "$gpuvm" compile "$work/demo" -o "$work/demo.gvp" >/dev/null || fail "no payload"
"$gpuvm" run -q "$work/demo.gvp" --hash sha256-rgba >"$work/golden" 2>/dev/null
[ -s "$work/golden" ] || fail "no frames here"

inside() {
    LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$bare" "$@"
}
mount -t proc proc "$bare/proc" || skip "no /proc for a folder"
trap 'umount "$bare/proc"; rm -rf "$work"' EXIT
# What packages leave, not what apt keeps for itself.
contents() {
    (cd "$bare" && find . -xdev ! -path './proc*' ! -path './tmp*' ! -path './var/cache/*' \
        ! -path './var/log/*' ! -path './var/lib/apt/*' ! -path './var/lib/dpkg/*' | sort)
    inside dpkg-query -W
}
contents >"$work/before"
mkdir "$bare/tmp/packages"
cp "$work"/one/*.deb "$work/demo.gvp" "$bare/tmp/packages"
expect 0 "apt update" inside apt-get update -q
expect 0 "apt install" inside sh -c 'apt-get install -q -y /tmp/packages/*.deb'
expect 0 "the player" inside gpuvm-player run -q /tmp/packages/demo.gvp --hash sha256-rgba
same "$work/out" "$work/golden" "frames"
expect 0 "the program" inside gpuvm info /tmp/packages/demo.gvp
expect 0 "a host" inside sh -c 'apt-get install -q -y --no-install-recommends gcc libc6-dev pkg-config >/dev/null 2>&1 &&
    cd /tmp && echo "#include <gpuvm.h>
int main(void) { struct gpuvm_error e; return !gpuvm_open_file(\"packages/demo.gvp\", 0, 0, &e); }" >host.c &&
    gcc host.c -o host $(pkg-config --cflags --libs gpuvm) && ./host &&
    gcc host.c -o fixed -Wl,-Bstatic -lgpuvm -Wl,-Bdynamic $(pkg-config --static --libs gpuvm | sed s/-lgpuvm//) &&
    ./fixed && ! ldd fixed | grep libgpuvm'
expect 0 "apt purge" inside apt-get purge -q -y gpuvm gpuvm-player libgpuvm1 libgpuvm-dev gcc libc6-dev pkg-config
inside dpkg-query -W -f '${Package}\n' | grep gpuvm && fail "a package is left"
expect 0 "apt autoremove" inside apt-get autoremove -q -y --purge
rm -rf "$bare"/root/.cache
contents >"$work/after"
diff "$work/before" "$work/after" >"$work/left"
grep -i gpuvm "$work/left" && fail "left behind"
echo "left by what they depend on: $(grep -c '^>' "$work/left")"
finish
