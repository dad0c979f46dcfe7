#!/bin/sh
# Draws the tests of piglit.list out of Debian's piglit, by a seed:
#   piglit_draw.sh [SEED] >tests/corpus/piglit.list
# Of the OpenGL and shader profiles' spec folders (window systems' own left out) each gives
# as many tests as half the digits of its count in binary, rounded up. Prints their names.
set -eu
seed=${1:-1}
tests=${PIGLIT:-/usr/lib/x86_64-linux-gnu/piglit}/tests

for profile in quick_gl quick_shader; do
    zcat "$tests/$profile.xml.gz" | sed 's/<Test /\n&/g' |
        sed -n 's/^<Test .* name="\(spec@[^"]*\)">.*name="command".*/\1/p'
done | grep -v -e '^spec@egl' -e '^spec@glx' -e '^spec@mesa_platform' |
    LC_ALL=C sort -u | awk -F @ -v seed="$seed" '
    function next_random() { # Park and Miller: exact in a double
        state = state * 16807 % 2147483647
        return state / 2147483647
    }
    BEGIN { state = seed }
    $2 != folder { folders[++n] = folder = $2 }
    { names[$2, ++count[$2]] = $0 }
    END {
        for (i = 1; i <= 20; i++)
            next_random() # small seeds begin alike
        for (i = 1; i <= n; i++) {
            folder = folders[i]
            digits = 0
            for (k = count[folder]; k; k = int(k / 2))
                digits++
            for (k = 1; k <= int((digits + 1) / 2); k++) { # the head of a shuffle
                j = k + int(next_random() * (count[folder] - k + 1))
                held = names[folder, j]
                names[folder, j] = names[folder, k]
                names[folder, k] = held
                print held
            }
        }
    }'
