#!/bin/sh
# The process that runs drivers and shader compilers, from outside: what it inherits, what it
# may do, who may look into it, and what is left of it.
. tests/attacks/lib.sh
needs_device

cat >"$work/a.gvt" <<'GVT'
b = buffer_create(65536, STORAGE)
buffer_fill(b, 0, 65536, 1)
frame_end()
GVT
"$gpuvm" asm "$work/a.gvt" -o "$work/a.gvp" || exit 1


# While a run goes on: its pid is in $run, its child's in $child.
as=
# A shell makes what it starts aside ignore INT and QUIT.
running() {
    $as env --default-signal=INT,QUIT "$gpuvm" run "$work/a.gvp" --loop 1000000000 "$@" >out 2>err &
    run=$! child=
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        sleep 0.3
        child=$(cat /proc/$run/task/*/children 2>/dev/null | tr -d ' ')
        [ -z "$child" ] || grep -q '^Seccomp:	2' "/proc/$child/status" 2>/dev/null && break
    done
    [ -n "$child" ] || echo "no child"
}

# ended WHAT: how the run went, as hold tells it.
ended() {
    wait $run 2>/dev/null
    code=$?
    left=
    sleep 0.3
    grep -q '^State:[[:space:]]*[^Z[:space:]]' "/proc/$child/status" 2>/dev/null && left=+left
    if [ $code -gt 128 ]; then
        printf 'signal:%s%s\t0\t0\n' $((code - 128)) "$left" >report
    else
        printf 'exit:%s%s\t0\t0\n' $code "$left" >report
    fi
}

# state NAME CONDITION...: something that holds in a child at work.
state() {
    begin "state-$1" || return
    shift
    running
    if "$@"; then echo "exit:0	0	0" >found; else echo "not so	0	0" >found; fi
    kill -TERM $run 2>/dev/null
    ended
    mv found report
    judge 0 -
}
is_filtered() { grep -q '^Seccomp:	2' "/proc/$child/status"; }
is_unprivileged() { grep -q '^NoNewPrivs:	1' "/proc/$child/status"; }
has_own_group() {
    own=$(awk '{ print $5 }' "/proc/$child/stat") of_run=$(awk '{ print $5 }' "/proc/$run/stat")
    [ "$own" = "$child" ] && [ "$own" != "$of_run" ]
}
# What is not dumpable belongs to root in /proc, whoever runs it.
is_hidden() { [ "$(stat -c %u "/proc/$child/mem")" != "$(stat -c %u "/proc/$run")" ]; }
has_no_core() { grep -q '^Max core file size *0' "/proc/$child/limits"; }
# But for the line to its parent.
has_one_socket() { [ "$(ls -l "/proc/$child/fd" 2>/dev/null | grep -c 'socket:')" = 1 ]; }
dies_with_us() {
    kill -KILL $run
    sleep 1
    ! grep -q '^State:[[:space:]]*[^Z[:space:]]' "/proc/$child/status" 2>/dev/null
}
state filtered is_filtered
state unprivileged is_unprivileged
state own-group has_own_group
state no-core has_no_core
state one-socket has_one_socket
state dies-with-us dies_with_us

# Root sees everything: it has to be somebody else.
chmod 755 "$work"
[ "$(id -u)" != 0 ] || as="setpriv --reuid 65534 --clear-groups"
state hidden is_hidden
as=

# inherited NAME OPENED: a descriptor of the caller, which the child has no use for.
inherited() {
    begin "inherited-$1" || return
    echo secret >secret
    eval "exec 9$2"
    running
    if ls -l "/proc/$child/fd" 2>/dev/null | grep -qE ' 9 -> '; then
        echo "has it	0	0" >found
    else
        echo "exit:0	0	0" >found
    fi
    exec 9<&-
    kill -TERM $run 2>/dev/null
    ended
    mv found report
    judge 0 -
}
inherited for-reading '<secret'
inherited for-writing '>>secret'
inherited folder '<.'

# killed SIGNAL ALLOWED: the child gets it; the caller says what became of it.
killed() {
    begin "child-gets-$1" || return
    running --timeout 2
    kill "-$1" "$child"
    ended
    judge "$2" -
}
for signal in KILL SEGV BUS ILL FPE ABRT SYS TERM INT HUP QUIT XCPU TRAP USR1 ALRM; do
    killed $signal 6
done
killed STOP 6

# What a full disk and a reader that has gone send is an error of a write instead.
outlives() {
    kill "-$1" "$child" && sleep 0.5 && is_filtered
}
state outlives-PIPE outlives PIPE
state outlives-XFSZ outlives XFSZ

# asked SIGNAL: the run gets it, and both are gone.
asked() {
    begin "run-gets-$1" || return
    running
    kill "-$1" $run
    ended
    sed -i "s/^signal:$2	/exit:0	/; s/^exit:$((128 + $2))	/exit:0	/" report
    judge "0 6" -
}
asked TERM 15
asked INT 2
asked HUP 1
asked QUIT 3
asked KILL 9
asked ABRT 6
finish
