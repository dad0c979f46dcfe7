#!/bin/sh
# One capture compiled in eight ways (levels 1 and 3, fat and thin, for desktop and baseline):
#   row.sh GPUVM NAME CAPTURE
# prints NAME and the XXH3 of what was made of it: the payloads with the objects of their
# stores, their dumps, and exit codes with all that was said. The capture is copied to one
# name, so that no path is in what is said.
set -u
gpuvm=$1 name=$2
box=$(mktemp -d) || exit 1
trap 'rm -rf "$box"' EXIT
case $3 in
*.zst | *.xz) ending=.${3##*.} ;;
*) ending= ;;
esac
cp "$3" "$box/capture$ending" && cd "$box" || exit 1

# way LEVEL fat|thin TARGET
way() {
    thin=
    [ "$2" = fat ] || thin="--thin --store store"
    echo "$*" >>words
    # shellcheck disable=SC2086 # options are words
    "$gpuvm" compile "capture$ending" -o payload --no-child -j 1 --level "$1" --target "$3" \
        $thin >>words 2>&1
    echo "exit $?" >>words
    if [ -e payload ]; then
        cat payload >>payloads
        "$gpuvm" dump payload >>dumps 2>>words || echo "dump: exit $?" >>words
        rm payload
    fi
    [ ! -d store ] || find store -type f | LC_ALL=C sort | xargs cat >>payloads
    rm -rf store
}

: >payloads
: >dumps
for level in 1 3; do
    for kind in fat thin; do
        for target in desktop baseline; do
            way $level $kind $target
        done
    done
done
[ -z "${GUARD_KEEP-}" ] || cp payloads dumps words "$GUARD_KEEP"
digest() { xxhsum -q -H3 <"$1" | sed "s/.* //"; }
printf '%s\t%s\t%s\t%s\n' "$name" "$(digest payloads)" "$(digest dumps)" "$(digest words)"
