#!/bin/sh
# Each command of docs/first-hour.md and docs/ci.md in a bare Debian that has what these pages name: gpuvm's packages, a
# driver, apitrace and mesa-utils; and what the test itself needs (Xvfb, jq, Python).
#   first_hour_full.sh MAKE_AEROGPU MAKE_PSX
. tests/cli/lib.sh
. tests/install/bare.sh
for needed in dpkg-buildpackage dh; do
    command -v $needed >/dev/null || skip "no $needed"
done
begin_bare ca-certificates
tools/package.sh "$work/packages" "$work/build" >"$work/log" 2>&1 || {
    fail "package.sh: $(tail -n 5 "$work/log")"
    finish
}
place=$bare/srv/pages
mkdir -p "$place/tests/cli" "$place/docs"
cp "$work"/packages/*.deb "$1" "$2" "$place"
cp -r tests/docs "$place/tests"
cp tests/cli/lib.sh "$place/tests/cli"
cp docs/first-hour.md docs/ci.md "$place/docs"
expect 0 "apt-get update" inside apt-get update -q
# As docs/ci.md has it, and the player beside it.
expect 0 "the packages" inside sh -c 'cd /srv/pages && apt-get install -q -y ./gpuvm_*.deb ./gpuvm-player_*.deb mesa-vulkan-drivers'
expect 0 "programs of the pages" inside apt-get install -q -y --no-install-recommends apitrace mesa-utils
expect 0 "programs of the test" inside apt-get install -q -y --no-install-recommends xvfb xauth jq python3 procps
# A process of its own: Xvfb tells none that has the number 1 that it is ready.
for page in first-hour ci; do
    expect 0 "docs/$page.md" inside sh -c "cd /srv/pages; sh tests/docs/pages.sh /usr/bin/gpuvm ./make_aerogpu ./make_psx docs/$page.md; exit \$?"
    grep '^skipped' "$work/out" && fail "docs/$page.md did not run"
done
expect 0 "the files of docs/ci.md" inside sh -c 'cd /srv/pages && exec sh tests/docs/ci.sh /usr/bin/gpuvm ./make_aerogpu docs/ci.md'
finish
