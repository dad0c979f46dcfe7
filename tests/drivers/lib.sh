# Shared by the tests on drivers, after tests/cli/lib.sh.

# manifest PACKAGE FILE: $found, the driver's manifest, wherever the package puts it. A driver
# that is not installed is a failure: tools/setup.sh test.
manifest() {
    found=$(dpkg -L "$1" 2>/dev/null | grep "/$2\$" | head -n 1)
    if [ ! -e "$found" ]; then
        fail "no $2: install $1 (tools/setup.sh test)"
        finish
    fi
}

# use_driver DRIVER GPUVM: this driver alone from here on, which must show a device.
# lavapipe, lavapipe-sse (the same without AVX: other vectors, other code), swiftshader.
use_driver() {
    case $1 in
    lavapipe)
        manifest mesa-vulkan-drivers 'lvp_icd[^/]*json'
        label='llvmpipe '
        ;;
    lavapipe-sse)
        # Not LP_NATIVE_VECTOR_WIDTH: with AVX-512 that alone corrupts lavapipe's heap.
        manifest mesa-vulkan-drivers 'lvp_icd[^/]*json'
        label='llvmpipe .*128 bits'
        export GALLIUM_OVERRIDE_CPU_CAPS=sse4.1
        ;;
    swiftshader)
        manifest chromium-common 'vk_swiftshader_icd.json'
        label='SwiftShader '
        ;;
    *)
        fail "no driver is called $1"
        finish
        ;;
    esac
    export VK_DRIVER_FILES="$found"
    expect 0 "$1" "$2" devices || finish
    says "$work/out" "	$label" "$1"
}
