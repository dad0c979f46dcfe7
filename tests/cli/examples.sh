#!/bin/sh
# The examples of every --help do what they are examples of.
#   examples.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$(realpath "$1") make=$2
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
place=$work/place
mkdir "$place"
"$make" demo "$place/game.trace" || fail "no demo capture"
cp "$place/game.trace" "$place/texture.png"
echo game.trace >"$place/captures.list"
for name in expected actual; do
    mkdir "$place/$name"
    printf 'P6\n1 1\n255\nabc' >"$place/$name/one.ppm"
    cp "$place/$name/one.ppm" "$place/$name.png"
done
mkdir "$place/captures"
cp "$place/game.trace" "$place/captures"
(
    cd "$place" || exit 1
    "$gpuvm" check -q captures --golden golden --bless || exit
    "$gpuvm" compile -q game.trace -o game.gvp && "$gpuvm" dump game.gvp -o game.gvt &&
        "$gpuvm" thin game.gvp --store objects -o game.thin &&
        "$gpuvm" store pack objects game.pack
) >"$work/out" 2>&1 || fail "no files for the examples: $(cat "$work/out")"

# examples COMMAND: at least three, each in files of its own.
examples() {
    # shellcheck disable=SC2086 # two words of a verb
    "$gpuvm" $1 --help | sed -n '/^examples:$/,$s/^  gpuvm //p' >"$work/lines"
    [ "$(wc -l <"$work/lines")" -ge 3 ] || fail "$1 --help has fewer than 3 examples"
    while read -r line; do
        case $line in
        "$1" | "$1 "*) ;;
        *) fail "an example of $1: $line" ;;
        esac
        [ "$1" = play ] && continue # tests/window plays
        rm -rf "$work/copy"
        cp -r "$place" "$work/copy"
        (cd "$work/copy" && PATH=$(dirname "$gpuvm"):$PATH sh -ec "gpuvm $line") \
            >"$work/out" 2>"$work/err" </dev/null || {
            fail "gpuvm $line: exit $?"
            sed 's/^/    /' "$work/err" >&2
        }
        grep "has no effect" "$work/err" && fail "gpuvm $line: an option without effect"
    done <"$work/lines"
}
for command in $("$gpuvm" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    [ "$command" = store ] || examples "$command"
done
for verb in add ls check gc pack; do
    examples "store $verb"
done
finish
