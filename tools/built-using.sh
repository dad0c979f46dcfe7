#!/bin/sh
# Prints what is linked into a program from archives of others, as Debian's Built-Using wants
# it: source packages and their versions. The linker's own command says which archives: those
# that it names, and libraries that are no shared ones.
#   tools/built-using.sh TARGET     build/gpuvm, ...
cd "$(dirname "$0")/.."
. tools/steps.sh
target=$1
work=$(mktemp -d)
at_end 'rm -rf "$work"'
step "how $target is linked"
ninja -t commands "$target" >"$work/commands"
tail -n 1 "$work/commands" | tr ' ' '\n' | sed -n 's/^-l:\(.*\)$/\1/p; s/^-l\([^:].*\)$/lib\1.so lib\1.a/p' \
    >"$work/names"
[ -s "$work/names" ]

# file NAME: where the compiler finds it, or nothing.
file() {
    found=$(${CC:-gcc} -print-file-name="$1")
    [ "$found" = "$1" ] || realpath "$found"
}
: >"$work/files"
while read -r name archive; do
    step "where $name is, for $target"
    place=$(file "$name")
    [ -n "$place" ] || place=$(file "$archive")
    case $place in
    *.a) [ -z "$(ar t "$place")" ] || echo "$place" >>"$work/files" ;; # libpthread.a has nothing
    *.so*) ;;
    *) false ;;
    esac
done <"$work/names"
sort -u "$work/files" >"$work/sorted"
step "whose the archives of $target are"
: >"$work/packages"
while read -r place; do
    dpkg-query -S "$place" >"$work/owner"
    sed 's/: .*//' "$work/owner" >>"$work/packages"
done <"$work/sorted"
sort -u "$work/packages" >"$work/unique"
xargs dpkg-query -W -f '${source:Package} (= ${source:Version})\n' <"$work/unique" >"$work/sources"
sort -u "$work/sources" | paste -sd , | sed 's/,/, /g'
