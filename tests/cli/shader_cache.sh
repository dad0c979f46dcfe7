#!/bin/sh
# What the compiler made of shaders' texts is kept: the same bytes come with and without,
# and a folder that is spoilt, full or somebody else's changes nothing.
#   shader_cache.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$(realpath "$1") make=$2
capture=$work/demo.aerogputrace
"$make" demo "$capture" || fail "no demo capture"
export XDG_CACHE_HOME="$work/cache"
kept=$XDG_CACHE_HOME/gpuvm/shaders

# compiled NAME [OPTION...]: to the bytes of the first time.
compiled() {
    name=$1
    shift
    expect 0 "$name" "$gpuvm" compile "$capture" -o "$work/$name.gvp" "$@"
    same "$work/first.gvp" "$work/$name.gvp" "$name"
}
files() {
    find "$kept" -type f 2>/dev/null | wc -l
}

expect 0 first "$gpuvm" compile "$capture" -o "$work/first.gvp"
many=$(files)
[ "$many" -gt 0 ] || fail "nothing is kept"
stat -c '%n %y %i' "$kept"/* >"$work/before"
compiled again
compiled one -j1
compiled alone --no-child
stat -c '%n %y %i' "$kept"/* >"$work/after"
same "$work/before" "$work/after" "what is known is not written again"

for file in "$kept"/*; do echo spoilt >"$file"; done
compiled spoilt
for file in "$kept"/*; do : >"$file"; done
compiled emptied
for file in "$kept"/*; do rm "$file" && mkdir "$file"; done
compiled folders
[ "$(files)" -eq 0 ] || fail "folders are no files"
rm -r "$kept"
ln -s "$work" "$kept"
compiled link
rm "$kept"
mkdir -m 777 "$kept"
compiled shared
[ "$(files)" -eq 0 ] || fail "others may write there"
rmdir "$kept"
echo >"$kept"
compiled file
rm "$kept"
truncate -s 100M "$work/large"
mkdir "$kept"
touch -d '2001-01-01' "$work/large"
mv "$work/large" "$kept/00112233445566778899aabbccddeeff"
compiled pruned
[ "$(files)" -eq "$many" ] || fail "what is old goes: $(files), not $many"
XDG_CACHE_HOME=/dev/null compiled nowhere
env -u HOME -u XDG_CACHE_HOME "$gpuvm" compile "$capture" -o "$work/homeless.gvp" >"$work/out" 2>&1 ||
    fail "without a home"
same "$work/first.gvp" "$work/homeless.gvp" homeless
XDG_CACHE_HOME=relative expect 0 relative "$gpuvm" compile "$capture" -o "$work/relative.gvp"
[ ! -e relative ] || fail "a relative folder is made"
finish
