#!/bin/sh
# The files of results in other people's readers: JUnit's in xmllint and junitparser, the page
# in Chromium.
#   page.sh TEST_RESULTS
. tests/cli/lib.sh
write=$1
for count in 1000 10000; do
    mkdir "$work/$count"
    "$write" write "$work/$count" $count || fail "no results"
done
size() {
    [ "$(stat -c %s "$1")" -le "$2" ] || fail "$1 has $(stat -c %s "$1") bytes"
}
size "$work/1000/index.html" 200000
size "$work/10000/index.html" 1000000
readers=
if command -v xmllint >/dev/null; then
    readers=xmllint
    expect 0 "JUnit's schema" xmllint --noout --schema tests/check/junit.xsd "$work/1000/junit.xml"
fi
if python3 -c 'import junitparser' 2>/dev/null; then
    readers="$readers junitparser"
    expect 0 "junitparser" python3 -c '
import sys, junitparser
suite = next(iter(junitparser.JUnitXml.fromfile(sys.argv[1])))
assert (suite.tests, suite.failures, suite.errors) == (1000, 100, 0), suite
assert len([case for case in suite if case.result]) == 100' "$work/1000/junit.xml"
fi
if command -v chromedriver >/dev/null && command -v chromium >/dev/null; then
    readers="$readers chromium"
    expect 0 "the page" python3 tests/check/page.py "$work/1000" "$work/10000"
    cat "$work/out"
fi
[ -n "$readers" ] || skip "no xmllint, junitparser, chromedriver"
finish
