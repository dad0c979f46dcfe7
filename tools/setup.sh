#!/bin/sh
# Installs what building, testing and running gpuvm needs and this Debian 12 lacks.
#   tools/setup.sh [build|test|package]
# test (the default) is build and what only tests need, package what tools/package.sh needs.
# Uses sudo unless run by root. Says what it installs; does nothing when all is there.
. "$(dirname "$0")/steps.sh"

build="gcc libc6-dev libstdc++-12-dev ninja-build pkg-config libxxhash-dev libzstd-dev
liblzma-dev zlib1g-dev libbrotli-dev libsnappy-dev liblz4-dev libdeflate-dev nettle-dev libseccomp-dev libgl-dev libegl-dev
libvulkan-dev libvulkan-volk-dev libvulkan1 libsdl2-dev libcurl4-openssl-dev
zstd mesa-vulkan-drivers glslang-dev glslang-tools libspirv-cross-c-shared-dev spirv-headers spirv-tools"
test="git python3 g++ apitrace gfxreconstruct xvfb xauth xdotool openbox weston mesa-utils libx11-dev libpng-dev clang-14 clang clang-format clang-tidy libclang-rt-14-dev cppcheck
vulkan-validationlayers vulkan-tools libvkd3d-dev procps xz-utils man-db jq xxhash nginx-light
python3-jsonschema python3-junitparser libxml2-utils
chromium-driver
chromium-common" # has SwiftShader, a second driver

package="git build-essential debhelper"

case ${1:-test} in
build) wanted=$build ;;
test) wanted="$build $test" ;;
package) wanted="$build $package" ;;
*)
    echo "usage: tools/setup.sh [build|test|package]" >&2
    exit 2
    ;;
esac

missing=
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
if [ -z "$missing" ]; then
    exit 0
fi

as_root=
if [ "$(id -u)" != 0 ]; then
    step "becoming root"
    command -v sudo >/dev/null || {
        echo "setup: not root and no sudo; please install:$missing" >&2
        exit 1
    }
    as_root=sudo
fi
echo "setup: installing$missing"
export DEBIAN_FRONTEND=noninteractive
step "apt-get update"
$as_root apt-get update -q
step "apt-get install$missing"
# shellcheck disable=SC2086 # words are packages
$as_root apt-get install -y -q --no-install-recommends $missing
