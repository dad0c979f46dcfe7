#!/bin/sh
# Slips of a newcomer, by table: each has its exit code, and a text that tells what is wrong.
#   slips.sh GPUVM MAKE_AEROGPU TABLE
. tests/cli/lib.sh
gpuvm=$(realpath "$1") table=$(realpath "$3")
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
mkdir -p "$work/bin" "$work/place/caps" "$work/place/golden"
ln -s "$gpuvm" "$work/bin/gpuvm"
PATH=$work/bin:$PATH
"$2" demo "$work/place/game.cap" && cp "$work/place/game.cap" "$work/place/caps" || fail "no capture"
cd "$work/place" || exit 1
expect 0 "a payload" gpuvm compile game.cap -o game.gvp -q
echo "text" >notes.txt
count=0
tab=$(printf '\t')
while IFS=$tab read -r code line text; do
    case $code in
    '#'*) continue ;;
    esac
    count=$((count + 1))
    sh -c "$line" >said 2>&1 </dev/null
    got=$?
    [ $got = "$code" ] || fail "$line: exit $got, not $code: $(cat said)"
    grep -qF -- "$text" said || fail "$line: no '$text' in: $(cat said)"
done <"$table"
[ $count -ge 60 ] || fail "$count slips"
for left in a.gvp k.gvp all.png a.png picture d; do
    [ -e $left ] && fail "a slip made $left"
done
finish
