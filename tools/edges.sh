#!/bin/sh
# Writes the build edges that follow from the files there are, so that no file is listed by
# hand where its folder says it all. ninja runs this when a file comes or goes (build.ninja).
#   LAYER/edges.ninja        an object for each .c, the layer's archive
#   tests/ROOM/edges.ninja   the programs that tests/ROOM/tests.list names, the room's archive
#   tests/all.ninja          what `ninja test` and its like make (tools/list-tests.sh)
#   docs/files.md            every file with its words (tools/list-files.sh)
# A file whose edge stands in another .ninja of its layer or room is left to that.
#   tools/edges.sh [STAMP]   STAMP is new when something was written; STAMP.d: what was read
cd "$(dirname "$0")/.."
. tools/steps.sh
export LC_ALL=C
work=build/edges
mkdir -p "$work"
rm -f "$work/written"

# put FILE: standard input becomes FILE, which keeps its time when it says so already.
put() {
    cat >"$work/new"
    cmp -s "$work/new" "$1" && return
    cp "$work/new" "$1"
    : >"$work/written"
}

# Sources below FOLDERs that have an edge by hand.
by_hand() {
    find "$@" -name '*.ninja' ! -name edges.ninja ! -name all.ninja -exec cat {} + |
        sed -n 's/^build .*: \(cc\|spirv\) \([^ ]*\).*/\2/p'
}

# objects FOLDER SOURCE...: edges of those that have none by hand.
objects() {
    by_hand "$1" >"$work/hand"
    shift
    [ $# -gt 0 ] || return 0
    printf '%s\n' "$@" | grep -vxFf "$work/hand" |
        sed 's|\(.*\)\.c$|build $dir/\1.o: cc \1.c|' || true
}

# archive NAME SOURCE...
archive() {
    echo "build \$dir/$1: ar \$"
    shift
    printf '%s\n' "$@" | sed 's|\(.*\)\.c$|  $dir/\1.o $|; $s/ \$$//'
}

# layer FOLDER [ARCHIVE FOLDER]...: libFOLDER.a of all of it; an archive of a folder in it.
layer() {
    step "edges of $1"
    folder=$1
    shift
    # shellcheck disable=SC2046 # paths of ours are words
    {
        echo "# Written by tools/edges.sh from the files of $folder/."
        objects "$folder" $(find "$folder" -name '*.c' | sort)
        while [ $# -gt 0 ]; do
            archive "$1" $(find "$2" -name '*.c' | sort)
            shift 2
        done
        archive "lib$folder.a" $(find "$folder" -name '*.c' | sort)
    } | put "$folder/edges.ninja"
}

# Helpers of ROOM: its .c that are no program and have no edge by hand.
helpers() {
    {
        by_hand "$1"
        awk 'NR == FNR { path[$1] = $2 } NR != FNR && /^[a-z]/ && $1 != "script" && $2 in path {
            print path[$2] ".c" }' "$work/objects" "$1/tests.list"
    } >"$work/hand"
    find "$1" -name '*.c' | sort | grep -vxFf "$work/hand" || true
}

# room FOLDER: its programs link its helpers, so that a helper is no line anywhere.
room() {
    step "edges of $1"
    name=$(basename "$1")
    # shellcheck disable=SC2046
    {
        echo "# Written by tools/edges.sh from $1/tests.list and the files beside it."
        objects "$1" $(find "$1" -name '*.c' | sort)
        set -- "$1" $(helpers "$1")
        if [ $# -gt 1 ]; then
            own=$1/lib${name}_tests.a
            folder=$1
            shift
            archive "$own" "$@"
            set -- "$folder"
        else
            own=
        fi
        awk -v room="$1" -v own="$own" -f tools/edges.awk "$work/objects" "$1/tests.list"
    } >"$work/room"
    put "$1/edges.ninja" <"$work/room"
}

# The runtime's programs: every shader that needs no flag, and all there is to wait for.
programs=tests/runtime/programs
shaders() {
    find "$programs" -type f ! -name '*.gvt' ! -name '*.ninja' | sort
}
program_edges() {
    by_hand "$programs" | sort >"$work/hand"
    echo "# Written by tools/edges.sh from the files of $programs/."
    shaders | grep -vxFf "$work/hand" | sed 's|.*|build $dir/&.spv: spirv &|'
    echo "build \$dir/$programs/all: phony \$"
    {
        shaders | grep -vxFf "$work/hand" | sed 's|.*|$dir/&.spv|'
        sed -n 's/^build \([^:]*\): spirv .*/\1/p' "$programs/programs.ninja"
        find "$programs" -name '*.gvt'
    } | sort | sed 's/.*/  & $/; $s/ \$$//'
}

layer resources
layer vm
layer compiler libshader.a compiler/shader
layer runtime
layer tools

find resources vm compiler runtime tools tests -name '*.c' |
    sed 's|\(.*/\)\(.*\)\.c$|\2 \1\2|' >"$work/objects"
rooms=$(ls -d tests/*/tests.list | sed 's|/tests.list$||')
for each in $rooms; do
    room "$each"
done
step "edges of $programs"
program_edges | put "$programs/edges.ninja"
echo "$rooms" | sed 's|.*|include &/edges.ninja|' |
    { echo "# Written by tools/edges.sh: every room with a tests.list."; cat; } | put tests/edges.ninja
step "lists of tests and files"
tools/list-tests.sh >"$work/tests"
put tests/all.ninja <"$work/tests"
# A file without words stops no build; .ci/docs-files refuses it.
! tools/list-files.sh >"$work/files" || put docs/files.md <"$work/files"

[ $# -gt 0 ] || exit 0
# For ninja: folders, so that a new file is noticed, lists and edges by hand.
{
    printf '%s: ' "$1"
    find resources vm compiler runtime tools tests -type d ! -path 'tests/*/corpus/*' \
        -o -name '*.ninja' ! -name edges.ninja ! -name all.ninja -o -name tests.list |
        sort | tr '\n' ' '
    echo tools/edges.sh tools/edges.awk tools/list-tests.sh tools/list-files.sh
} >"$1.d"
[ -e "$1" ] && [ ! -e "$work/written" ] || touch "$1"
