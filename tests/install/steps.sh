#!/bin/sh
# Scripts end with the first command that fails, and say in which step that was.
#   steps.sh
. tests/cli/lib.sh
fake=$work/fake
mkdir "$fake"
export PATH="$fake:$PATH"

# stand_in NAME TEXT...: a program of that name comes before the others.
stand_in() {
    name=$1
    shift
    printf '#!/bin/sh\n%s\n' "$*" >"$fake/$name"
    chmod +x "$fake/$name"
}
# ends CODE LAST NAME COMMAND...: with this line at the end of standard error, and no other of
# a step.
ends() {
    code=$1 last=$2
    shift 2
    expect "$code" "$@"
    [ "$(tail -n 1 "$work/err")" = "$last" ] || fail "$1: no '$last' at the end of: $(cat "$work/err")"
}

cat >"$work/script" <<'END'
. tools/steps.sh
at_end 'echo first made, last removed'
at_end 'echo last made, first removed'
step "$1"
eval "$2"
echo "went on"
END
ends 3 "script: a step: failed (3)" "a step" sh "$work/script" "a step" '(exit 3)'
says "$work/out" "^last made, first removed" "what is done at the end"
grep -q "went on" "$work/out" && fail "goes on behind what failed"
ends 2 "script: unset: failed (2)" "unset" sh "$work/script" unset 'echo "$nothing_of_that_name"'
expect 0 "nothing fails" sh "$work/script" "a step" true
[ ! -s "$work/err" ] || fail "says something for nothing"
expect 143 "ended" sh "$work/script" "a step" 'kill -TERM $$'
says "$work/out" "^first made, last removed" "what is done at the end, ended"

# A test that ends by itself says where.
printf '%s\n' '. tests/cli/lib.sh' 'expect 0 "the last command" true' 'echo "$nothing_of_that_name"' finish \
    >"$work/test"
expect 2 "a test that ends" sh "$work/test"
says "$work/err" "^FAILED: ended with 2 behind: the last command" "a test that ends"

# What this machine lacks is no matter of this test.
stand_in dpkg-query 'printf installed'
stand_in tar 'echo "tar: no space left" >&2; exit 1'
ends 1 "package.sh: copying the files: failed (1)" "tar" tools/package.sh "$work/out-of-tar"
[ -z "$(ls "$work/out-of-tar")" ] || fail "something is left of packages that failed"
stand_in git 'exit 128'
ends 128 "package.sh: listing the files that git knows: failed (128)" "git" tools/package.sh "$work/out-of-git"
rm "$fake/git" "$fake/tar"
stand_in dpkg-buildpackage 'echo "no compiler"; exit 1'
ends 1 "package.sh: dpkg-buildpackage (all of it: $work/built/build.log): failed (1)" "a build" \
    tools/package.sh "$work/built"
says "$work/err" "^no compiler" "the build's own words"
stand_in dpkg-query 'exit 1'
stand_in id 'echo 0'
stand_in apt-get '[ "$1" = update ] || exit 100'
ends 100 "demo.sh: installing what building needs: failed (100)" "apt-get" tools/demo.sh "$work/demo"
says "$work/err" "^setup.sh: apt-get install .*gcc.*: failed \(100\)" "its own step"
stand_in dpkg-query 'printf installed'
stand_in ninja 'exit 1'
ends 1 "demo.sh: building: failed (1)" "a build of the demo" tools/demo.sh "$work/demo"
for script in tools/package.sh "tools/setup.sh nonsense" tools/cross.sh; do
    expect 2 "$script" $script
    says "$work/err" "usage: " "$script"
done

# Of tests the sum is the last line; what is built beside them counts.
mkdir -p build/tests/install
cat >"$fake/ninja" <<'END'
#!/bin/sh
case "$1 $2" in
"-t query") printf '%s:\n  input: phony\n    build/tests/install/none.stamp\n  outputs:\n' "$3" ;;
"-k 0") exit "${NINJA_ENDS:-0}" ;;
esac
END
echo passed >build/tests/install/none.stamp
for code in 0 1; do
    expect $code "tests with $code" env NINJA_ENDS=$code tools/test.sh some-target
    [ "$(tail -n 1 "$work/out")" = "1 passed, $code failed, 0 skipped" ] || fail "the sum: $(cat "$work/out")"
done
rm build/tests/install/none.stamp
finish
