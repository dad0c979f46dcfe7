#!/bin/sh
# Runs a command and prints the most private memory (RssAnon) that it and the processes it
# starts had together, in KiB, sampled. What a fork still shares counts in both.
#   peak.sh COMMAND...
"$@" >/dev/null 2>&1 &
root=$!
family() {
    echo "$1"
    for child in $(cat "/proc/$1/task/"*/children 2>/dev/null); do
        family "$child"
    done
}
peak=0
while grep -q '^RssAnon' /proc/$root/status 2>/dev/null; do
    now=0
    for pid in $(family $root); do
        own=$(sed -n 's/^RssAnon:[ \t]*\([0-9]*\) kB/\1/p' "/proc/$pid/status" 2>/dev/null)
        now=$((now + ${own:-0}))
    done
    [ "$now" -gt "$peak" ] && peak=$now
    sleep 0.01
done
wait $root
code=$?
[ $code -eq 0 ] || {
    echo "peak.sh: exit $code: $*" >&2
    exit $code
}
echo "$peak"
