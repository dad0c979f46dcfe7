#!/bin/sh
# Prints tests/all.ninja anew from the test edges there are, for tools/edges.sh. Slow ones,
# and those of one configuration only, are sorted by name here.
cd "$(dirname "$0")/.."
. tools/steps.sh

linked=$(ninja -t targets rule link)
targets=$(ninja -t targets rule test)
stamps=$(printf '%s\n' "$targets" | sed 's/:.*//' | grep '^build/\(asan/\)\?tests/.*\.stamp$' | sort -u)
# Tests on drivers: each runs on its own; a slice of them is in `test`.
drivers='^build/tests/drivers/'
drivers_in_test="${drivers}\\(alternatives_slice\\|open\\|hidden\\|stated_slice\\|[a-z]*_formats_slice\\|\\(swiftshader\\|lavapipe-sse\\)_\\(programs\\|\\(half_\\)\\?values\\|fixtures_slice\\)\\)\\.stamp"
late() {
    grep "$@" -e '^build/tests/\(fuzz\|wire\)/' -e '^build/tests/corpus/[a-z_]*_slice' \
        -e '^build/asan/tests/corpus/\(aerogpu\|psx\|apitrace\|apitrace_reader\|glsl\)\(_validate\)\?\.stamp' \
        -e '^build/asan/tests/cli/lost' -e '^build/asan/tests/live/live' -e '/tests/attacks/' -e '/tests/fuzz/mutants_' \
        -e '^build/asan/tests/reverse_' -e '^build/tests/growth' -e '/psx_million' -e '/vm/\(slice\|keyframe\)_random_full' -e '/gl_random/gl_random_.*full' -e '^build/asan/tests/gl_random/' -e '/tests/library/\(library_cycles\|.*_full\)' -e '^build/asan/tests/library/' -e '^build/asan/tests/window/window\.' -e '/tests/install/.*_full' -e '^build/asan/tests/\(install\|bench\)/' -e '/hostile/hostile_full' -e '/cli/memory' -e '/cli/\(gfxr\|store_stress\|http\|nginx\|pipes\)_full' -e '/corpus/[a-z]*_reverse' -e '/corpus/held_effects\.' \
        -e '/corpus/apitrace_bytes' -e '/corpus/\(piglit\|packages\|slices\|contents\|keyframes\|wire\)\.' -e '^build/asan/tests/corpus/\(slices\|contents\|keyframes\|wire\)' \
        -e '^build/asan/tests/aerogpu/test_aerogpu_fixtures' -e '^build/tests/aerogpu/fixtures_slice' \
        -e '^build/asan/tests/cli/\(bars\|compile\|http\|keyframe\|pipes\|store_stress\|foreign\|full_cache\|inputs\|outputs\|psx\|psx_limits\|stop\|streams\)\.' \
        -e '^build/asan/tests/psx/test_psx_vulkan_' -e '^build/asan/tests/compiler/emit_mistakes'
}
in_test() {
    printf '%s\n' "$stamps" | grep -v '/tests/drivers/' | late -v
    printf '%s\n' "$stamps" | grep "$drivers_in_test"
}
only_full() {
    # Attacks are bounded in memory, benches measure, mutants are for sanitizers, equal bytes are equal
    # without them, programs recorded here take an hour, the compiler's mistakes are gcc's.
    printf '%s\n' "$stamps" | grep -v '/tests/drivers/' | late |
        grep -v -e '^build/asan/tests/\(attacks\|bench\|install\|library/library_cycles\|corpus/apitrace_bytes\|corpus/piglit\|corpus/packages\|corpus/held_effects\.\|corpus/\(slices\|contents\|keyframes\|wire\)\.\|cli/[a-z_]*_full\|gl_random/gl_random_[a-z_]*full\|compiler/emit_mistakes\)' -e '^build/tests/fuzz/mutants_'
    echo build/analyze.stamp
    echo test-drivers
}
on_drivers() {
    printf '%s\n' "$stamps" | grep "$drivers" | grep -v _slice
}
list() {
    sed 's/.*/  & $/'
}
programs() {
    printf '%s\n' "$linked" | grep '^build/clang/' | sort -u
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

# Every driver there is, and devices that are not.
build test-drivers: phony $
END
on_drivers | list
cat <<'END'

# The rest, before something is called done.
build test-full: phony test $
END
only_full | list
echo
