#!/bin/sh
# Prints tests/all.ninja anew from the test edges there are; for whoever adds a test:
#   tools/list-tests.sh >build/all.ninja && mv build/all.ninja tests/all.ninja
# Slow ones, and those of one configuration only, are sorted by name here.
set -eu
cd "$(dirname "$0")/.."

stamps=$(ninja -t targets rule test | grep '^build/\(asan/\)\?tests/.*\.stamp$' | sort -u)
in_test() {
    printf '%s\n' "$stamps" | grep -v \
        -e '^build/tests/fuzz/' -e '^build/tests/corpus/[a-z]*_slice' \
        -e '^build/asan/tests/corpus/\(aerogpu\|psx\)\(_validate\)\?\.stamp' \
        -e '^build/asan/tests/cli/lost' -e '/psx_million' -e '^build/asan/tests/drivers/'
}
only_full() {
    printf '%s\n' "$stamps" | grep \
        -e '^build/tests/fuzz/' -e '^build/tests/corpus/[a-z]*_slice' \
        -e '^build/asan/tests/corpus/\(aerogpu\|psx\)\(_validate\)\?\.stamp' \
        -e '^build/asan/tests/cli/lost' -e '/psx_million'
}
list() {
    sed 's/.*/  & $/'
}
programs() {
    ninja -t targets rule link | grep '^build/clang/' | grep -v '/tests/bench' | sort -u
}

cat <<'END'
# What `ninja test` and its like make. Written by tools/list-tests.sh; a check compares.
build clang: phony $
END
programs | list
cat <<'END'

# What CI runs.
build test: phony build/lint.stamp clang build/gpuvm build/gpuvm-player $
END
in_test | list
cat <<'END'

# The rest, before something is called done.
build test-full: phony test $
END
only_full | list
echo
