#!/bin/sh
# The shaders of packages_files.list become SPIR-V.
#   packages_files.sh GLSL_CORPUS
# Packages that are installed are looked at, and those unpacked below $PACKAGES:
#   apt-get download NAME && dpkg -x NAME_*.deb $PACKAGES/NAME
# Without any the test skips. Prints for each package how many of its shaders are there and
# are valid.
. tests/cli/lib.sh
check=$1

# ROOT FILE: its text, or the Nth of those in it.
text_of() {
    case $2 in
    *'#'*) tr -s '\000' <"$1/${2%#*}" | tr '\n\000' '\001\n' | sed -n "${2##*#}p" | tr '\001' '\n' ;;
    *) cat "$1/$2" ;;
    esac | tr -d '\r'
}

# VERSION, as its program says it.
head_of() {
    [ "$1" = - ] || echo "#version $1" | tr _ ' '
    case $1 in
    *es | 100) echo 'precision highp float;' ;;
    esac
}

mkdir "$work/gl" "$work/GLES"
tab=$(printf '\t')
# Rows whose package is here, with where it is in front.
dpkg-query -W -f '${Package}\n' >"$work/installed"
grep -v '^#' tests/corpus/packages_files.list |
    awk -F '\t' -v unpacked="${PACKAGES:-}" '
        NR == FNR { installed[$1] = 1; next }
        !($1 in root) { root[$1] = unpacked != "" && !system("test -d " unpacked "/" $1) \
            ? unpacked "/" $1 : installed[$1] ? "/" : "" }
        root[$1] != "" { print root[$1] "\t" $0 }' "$work/installed" - >"$work/rows"
while IFS=$tab read -r root package api stage file version; do
    [ -e "$root/${file%#*}" ] || continue
    here=$work/$([ "$api" = es ] && echo GLES || echo gl)/program.$stage
    text_of "$root" "$file" >"$work/text"
    head_of "$version" >"$here"
    if [ "$version" = - ]; then cat "$work/text"; else grep -v '^[[:space:]]*#[[:space:]]*version' "$work/text"; fi >>"$here"
    "$check" "$here" >"$work/one" 2>&1
    grep -q ' ok$' "$work/one" || fail "$package: $file: $(cat "$work/one")"
    echo "$package" >>"$work/told"
done <"$work/rows"
[ -s "$work/told" ] || skip "none of the packages is here"
sort "$work/told" | uniq -c
finish
