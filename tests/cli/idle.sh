#!/bin/sh
# Options without effect are told, by table: each option of each command is there. A warning, and with --pedantic exit
# code 2 before anything is done.
#   idle.sh GPUVM MAKE_AEROGPU TABLE MAKE_APITRACE
. tests/cli/lib.sh
gpuvm=$(realpath "$1") table=$(realpath "$3")
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
mkdir -p "$work/bin" "$work/place/caps" "$work/place/golden"
ln -s "$gpuvm" "$work/bin/gpuvm"
PATH=$work/bin:$PATH
"$4" tour "$work/place/tour.trace" 6 snappy && "$2" demo "$work/place/game.cap" && cp "$work/place/game.cap" "$work/place/caps" || fail "no capture"
cd "$work/place" || exit 1
expect 0 "a payload" gpuvm compile game.cap -o game.gvp -q
expect 0 "thin" gpuvm thin game.gvp --store objects -o thin.gvp
expect 0 "text" gpuvm dump game.gvp -o game.txt
expect 0 "a picture" gpuvm run game.gvp --frames 0 -o a.png -q
expect 0 "golden files" gpuvm check caps --golden golden --bless -q
cp a.png kept.png
tab=$(printf '\t')

# Every option that a command's --help has is in the table, and no other.
for command in $(gpuvm --help | awk '/^  [a-z]/ { print $1 }'); do
    gpuvm "$command" --help | grep -oE '^ +(-[a-zA-Z], )?--[a-z-]+' | grep -oE '[a-z-]+$' |
        sed "s/^-*/$command /"
done | grep -vE ' (help|pedantic|json|verbose|quiet)$' | sort >options
while IFS=$tab read -r command names _; do
    for name in $names; do
        [ "${command#\#}" = "$command" ] && echo "$command $name"
    done
done <"$table" | sort -u >listed
diff options listed || fail "the table lacks options, or has others"

count=0
while IFS=$tab read -r command names line text; do
    case $command-$line in
    '#'* | *-always) continue ;;
    esac
    for name in $names; do
        count=$((count + 1))
        sh -c "gpuvm $command --pedantic $(echo "$line" | sed "s/@/$name/g")" >said 2>&1 </dev/null
        got=$?
        [ $got = 2 ] || fail "$command $line: exit $got, not 2: $(cat said)"
        grep -qF -- "gpuvm: $command: --$name has no effect: $text" said || fail "$command --$name: $(cat said)"
    done
done <"$table"
[ $count -ge 50 ] || fail "$count options"
for left in made.gvp made.png results; do
    [ -e $left ] && fail "a refused command made $left"
done
same a.png kept.png "what was there"

# Without --pedantic it is done all the same.
expect 0 "a warning" gpuvm run game.gvp --frames 0 --tolerance 2 --store objects -o made.png
says "$work/err" "run: --tolerance has no effect: it needs --expect" "the one"
says "$work/err" "run: --store has no effect: the file holds all its resources" "the other"
same a.png made.png "the picture"
expect 0 "no warning" gpuvm run thin.gvp --frames 0 --store objects --no-prefetch -q --pedantic
finish
