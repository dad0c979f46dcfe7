# Shared by scripts that record programs by Debian's apitrace and compare with glretrace.
# A script is given GPUVM PICTURE_DISTANCE LIVE_SCENES, reads this file, ends with `finish`.
. tests/cli/lib.sh
gpuvm=$1 distance=$2 scenes=$3
for tool in apitrace glretrace xvfb-run glxgears; do
    command -v $tool >/dev/null || skip "no $tool"
done
has_device "$gpuvm" || skip "no Vulkan device"
# One X server for all.
[ -n "${GPUVM_X-}" ] || {
    rm -rf "$work"
    GPUVM_X=1 exec xvfb-run -a "$0" "$@"
}
export LIBGL_ALWAYS_SOFTWARE=1 XDG_CACHE_HOME="$work/cache"
