#!/bin/sh
# Each call of docs/calls.md made without end, on what there is and on ever more
# (calls.tsv). Declared are few objects and little memory. A run may go on for as long as
# something is completed; what it may not is take more than it was given, or die.
. tests/attacks/lib.sh
needs_device

# program PLACE STATEMENTS
program() {
    echo ".limits objects=4000000 object_bytes=100000000 maps=1000000"
    cat "$here/world.gvt"
    printf 'push 16\nvolatile counter\nstore64\n'
    [ "$1" != in ] || printf 'pass_color(image=i, load=CLEAR)\npass_begin(64, 64, 1)\n'
    [ "$1" = lines ] || echo "loop 4294967295"
    echo "$2" | tr ';' '\n' | awk -f "$here/grow.awk" >statements
    if [ "$1" = lines ]; then
        n=0
        while [ $n -lt 20000 ]; do
            cat statements
            n=$((n + 1))
        done
    else
        cat statements
        echo loop_end
    fi
    [ "$1" != in ] || echo "pass_end()"
    echo "frame_end()"
}

# without_end NAME PLACE STATEMENTS
without_end() {
    begin "$1" || return
    program "$2" "$3" | make a || return
    case $1 in
    *post_buffer) set -- --export eb=eb ;;
    *post_image) set -- --export ei=ei ;;
    *) set -- --hash xxh3-rgba ;;
    esac
    attack "0 3 5 6 stopped" - --stop 10 --seconds 40 -- "$gpuvm" run a.gvp "$@"
}

tab=$(printf '\t')
while IFS=$tab read -r call place endless growing; do
    case $call in \#*) continue ;; esac
    without_end "endless-$call" "$place" "$endless"
    without_end "growing-$call" "$place" "$growing"
done <"$here/calls.tsv"

# No call is left out.
sed -n 's/^- \*\*\([a-z_0-9]*\)\*\*.*/\1/p' docs/calls.md | sort >"$work/calls"
grep -v '^#' "$here/calls.tsv" | cut -f1 | sort | diff - "$work/calls" || {
    name=$part/table
    failed "calls without a row"
}
finish
