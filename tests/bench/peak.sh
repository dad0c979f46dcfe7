#!/bin/sh
# Runs a command and prints the most private memory (RssAnon) it had, in KiB, sampled.
#   peak.sh COMMAND...
"$@" >/dev/null 2>&1 &
pid=$!
peak=0
while [ -r /proc/$pid/status ]; do
    now=$(sed -n 's/^RssAnon:[ \t]*\([0-9]*\) kB/\1/p' /proc/$pid/status 2>/dev/null)
    [ -n "$now" ] || break
    [ "$now" -gt "$peak" ] && peak=$now
    sleep 0.02
done
wait $pid
echo "$peak"
