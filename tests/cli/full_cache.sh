#!/bin/sh
# Folders for caches that are full, may not grow, or cannot be: runs do without.
#   full_cache.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$(realpath "$1") make=$2
has_device "$gpuvm" || skip "no Vulkan device"
capture=$work/demo.aerogputrace
"$make" demo "$capture" || fail "no demo capture"
"$gpuvm" compile "$capture" -o "$work/demo.gvp" >"$work/text" || fail "no payload"
XDG_CACHE_HOME="$work/cache" "$gpuvm" run "$work/demo.gvp" --hash sha256-rgba >"$work/hashes"

# in_small KIB FULL COMMAND...: with a file system of its own at $work/small, which the cache
# is on. "full": earlier runs have left their index, all holes, and there is no room.
in_small() {
    size=$1 full=$2
    shift 2
    unshare -rm sh -c '
        mount -t tmpfs -o size="$2k" small "$1" || exit 99
        if [ "$3" = full ]; then
            for folder in "$1" "$1/gpuvm/driver"; do
                mkdir -p "$folder/mesa_shader_cache"
                truncate -s 1310728 "$folder/mesa_shader_cache/index"
            done
            cat /dev/zero >"$1/filled" 2>/dev/null
        fi
        shift 3
        exec "$@"' sh "$work/small" "$size" "$full" env XDG_CACHE_HOME="$work/small" "$@"
}
mkdir "$work/small"
if unshare -rm mount -t tmpfs small "$work/small" 2>/dev/null; then
    for child in "" --no-child; do
        for size in 64 2048 16384; do
            for full in full empty; do
                expect 0 "$size KiB, $full $child" in_small $size $full \
                    "$gpuvm" run "$work/demo.gvp" -v --expect "$work/hashes" $child
                [ "$size $full" = "16384 empty" ] ||
                    says "$work/err" "no room in .*small/gpuvm/driver" "$size KiB, $full"
            done
        done
        says "$work/err" "gpuvm" "-v says something"
    done
    grep -q 'no room' "$work/err" && fail "an empty cache folder has no room"
    expect 0 "devices beside a full cache" in_small 64 full "$gpuvm" devices
else
    echo "no file systems of its own: files that may not grow alone"
fi

# An index with holes, left by another run, is filled.
export XDG_CACHE_HOME="$work/holes"
index=$XDG_CACHE_HOME/gpuvm/driver/mesa_shader_cache/index
mkdir -p "$(dirname "$index")"
truncate -s 1310728 "$index"
expect 0 "an index with holes" "$gpuvm" run "$work/demo.gvp" --expect "$work/hashes"
[ "$(du -k "$index" | cut -f1)" -ge 1280 ] || fail "the holes are still there"

# One that is larger than any would take all of the disk, filled: another is made. What is
# no file, or leads elsewhere, is left alone.
for size in 1310729 2G 100G; do
    rm -f "$index"
    truncate -s $size "$index"
    expect 0 "an index of $size" "$gpuvm" run "$work/demo.gvp" --expect "$work/hashes"
    [ "$(du -k "$index" | cut -f1)" -le 1290 ] || fail "the index takes the disk: $size"
    [ "$(stat -c %s "$index")" -eq 1310728 ] || fail "no index of the right size: $size"
done
rm "$index"
truncate -s 100G "$work/elsewhere"
ln -s "$work/elsewhere" "$index"
expect 0 "a link" "$gpuvm" run "$work/demo.gvp" -v --expect "$work/hashes"
says "$work/err" "an index that is none" "a link"
[ "$(stat -c '%s %b' "$work/elsewhere")" = "107374182400 0" ] || fail "a link is followed"

small_files() {
    (
        ulimit -f 128
        exec "$@"
    )
}
export XDG_CACHE_HOME="$work/limited"
expect 0 "files that may not grow" small_files "$gpuvm" run "$work/demo.gvp" -v \
    --expect "$work/hashes"
says "$work/err" "no room in .*limited/gpuvm/driver" "files that may not grow"
XDG_CACHE_HOME=$work/demo.gvp/none
expect 0 "a folder that cannot be" "$gpuvm" run "$work/demo.gvp" --expect "$work/hashes"
XDG_CACHE_HOME=$work/chosen
export MESA_SHADER_CACHE_DIR="$work/mesa"
expect 0 "a folder of the user's choice" "$gpuvm" run "$work/demo.gvp" -v \
    --expect "$work/hashes"
grep -q 'no room' "$work/err" && fail "the folder chosen has no room"
finish
