#!/bin/sh
# Drivers of hardware are not loaded where there is none, unless the user chose drivers.
#   drivers.sh GPUVM
. tests/cli/lib.sh
gpuvm=$(realpath "$1")
has_device "$gpuvm" || skip "no Vulkan device"
mkdir -p "$work/data/vulkan/icd.d"
for name in intel_none other_none; do
    echo '{"file_format_version":"1.0.0","ICD":{"library_path":"/nowhere/'$name'.so","api_version":"1.3.0"}}' \
        >"$work/data/vulkan/icd.d/$name.json"
done
unset VK_DRIVER_FILES VK_ICD_FILENAMES VK_LOADER_DRIVERS_SELECT VK_LOADER_DRIVERS_DISABLE
export XDG_DATA_HOME="$work/data" VK_LOADER_DEBUG=error,driver

tried() {
    grep -q "/nowhere/$1.so: cannot open" "$work/err"
}
expect 0 "devices" "$gpuvm" devices || finish
tried other_none || skip "this loader does not say what it opens"
if [ -e /dev/dri ]; then
    tried intel_none || fail "there may be hardware, and a driver of it was left out"
else
    tried intel_none && fail "a driver of hardware was loaded for nothing"
fi
export VK_LOADER_DRIVERS_DISABLE='other_*'
expect 0 "a choice" "$gpuvm" devices
tried intel_none || fail "the user's choice does not count"
tried other_none && fail "what the user chose to leave out was loaded"

# Who chose drivers and has none of them is told by which variable, who has none at all by
# which package.
for choice in VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent.json \
    VK_LOADER_DRIVERS_SELECT='none*' VK_LOADER_DRIVERS_DISABLE='*'; do
    expect 5 "$choice" env -u VK_LOADER_DRIVERS_DISABLE "$choice" "$gpuvm" devices
    says "$work/err" "no Vulkan driver: $(echo "$choice" | sed 's/=/ is /; s/\*/[*]/')$" "$choice"
done
finish
