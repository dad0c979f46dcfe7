# Shared by the tests that open windows, over tests/cli/lib.sh.
#   titles='\.gvp'      the windows that are meant, as xdotool searches for them
#   needs_windows       no test without a device and a display; GPUVM is $gpuvm
#   display [WxH]       one of its own: $server, $DISPLAY
# The program is $run, what it says in $work/out and $work/err. It, $server and $manager end
# with the test.
. tests/cli/lib.sh
server= run= manager=

needs_windows() {
    has_device "$gpuvm" || skip "no Vulkan device"
    for tool in Xvfb xdotool; do
        command -v $tool >/dev/null || skip "no $tool"
    done
    unset WAYLAND_DISPLAY SDL_VIDEODRIVER
    export XDG_CACHE_HOME="$work/cache" XDG_RUNTIME_DIR="$work" HOME="$work"
    chmod 700 "$work"
    trap 'kill -9 $server $run $manager 2>/dev/null; rm -rf "$work"' EXIT
}
display() {
    rm -f "$work/display"
    Xvfb -noreset -displayfd 3 -screen 0 "${1:-640x480}x24" 3>"$work/display" >/dev/null 2>&1 &
    server=$!
    within "a display" [ -s "$work/display" ]
    DISPLAY=:$(cat "$work/display")
    export DISPLAY
}

# within NAME COMMAND...: it succeeds soon.
within() {
    what=$1
    shift
    for _ in $(seq 200); do
        "$@" && return
        sleep 0.05
    done
    fail "$what: $(title): $(cat "$work/err")"
    finish # the rest would wait for what does not come
}
title() {
    xdotool search --name "$titles" getwindowname 2>/dev/null | tail -1
}
titled() {
    title | grep -qE -- "$1"
}
window() {
    xdotool search --name "$titles" 2>/dev/null | tail -1
}
# key KEY PATTERN: a key, and what the title then says.
key() {
    xdotool key "$1"
    within "key $1, '$2'" titled "$2"
}
ended() {
    ! kill -0 $run 2>/dev/null
}
# ends CODE NAME
ends() {
    within "$2 ends" ended
    wait $run
    code=$?
    [ $code -eq "$1" ] || fail "$2: exit $code, not $1: $(cat "$work/err")"
    run=
}
# quits CODE NAME: by the key for it.
quits() {
    xdotool key q
    ends "$@"
}
