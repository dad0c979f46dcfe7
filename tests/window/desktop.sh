#!/bin/sh
# A window among others: under a window manager full screen, resized, minimised; with files
# dropped on it; on Wayland.
#   desktop.sh GPUVM MAKE_AEROGPU GRAB_ROOT DROP_FILE
. tests/window/lib.sh
gpuvm=$1 make=$2 grab=$(realpath "$3") drop=$(realpath "$4")
titles='\.gvp|cache'
needs_windows
display 800x600

# Under a window manager keys go to one window, hidden or not.
key() {
    xdotool key --window "$(window)" "$1"
    within "key $1, '$2'" titled "$2"
}
# sized WxH: the window has this size.
sized() {
    xdotool getwindowgeometry "$(window)" 2>/dev/null | grep -q "Geometry: $1\$"
}
# shows FILE: the 256x256 pixels of FILE are in the middle of the screen's part that the
# window has.
shows() {
    # shellcheck disable=SC2046 # numbers
    set -- "$1" $(xdotool getwindowgeometry --shell "$(window)" 2>/dev/null |
        sed -n 's/^\(X\|Y\|WIDTH\|HEIGHT\)=//p')
    [ $# -eq 5 ] || return 1
    "$grab" "$work/grabbed" $(($2 + ($4 - 256) / 2)) $(($3 + ($5 - 256) / 2)) 256 256 >/dev/null 2>&1 &&
        cmp -s "$work/grabbed" "$1"
}

"$make" demo "$work/demo.aerogputrace" || fail "no demo"
"$gpuvm" compile "$work/demo.aerogputrace" -o "$work/demo.gvp" >/dev/null || fail "no payload"
"$gpuvm" run "$work/demo.gvp" -q --screenshots 0,23 --screenshot-format raw \
    --screenshot-dir "$work/raw" || fail "no pictures"
cp "$work/demo.gvp" "$work/another one.gvp"
head -c 5000 "$work/demo.gvp" >"$work/broken.gvp"
[ $failures -eq 0 ] || finish

# grabs_large: the middle of the screen, which is not all black, is in $work/large.
grabs_large() {
    sleep 0.3
    "$grab" "$work/large" 272 172 256 256 >/dev/null 2>&1 &&
        [ "$(tr -d '\000\377' <"$work/large" | wc -c)" -gt 65536 ]
}

# ---- files are dropped ----
"$gpuvm" run "$work/demo.gvp" --window >"$work/out" 2>"$work/err" &
run=$!
within "to the end" titled 'demo.gvp - frame 23 of 24 - at the end$'
expect 0 "a drop" "$drop" "$(window)" "file://$work/another%20one.gvp"
within "another file" titled '^another one.gvp - frame 23 of 24 - at the end$'
expect 0 "a drop that is broken" "$drop" "$(window)" "file://$work/broken.gvp"
within "a broken file" titled '^broken.gvp - ended: rejected$'
expect 0 "a drop of nothing" "$drop" "$(window)" "file://$work/nothing.gvp"
within "no file" titled '^nothing.gvp - ended: '
mkfifo "$work/pipe.gvp"
for odd in pipe.gvp cache; do # nobody writes to the one, the other is a folder
    expect 0 "a drop of $odd" "$drop" "$(window)" "file://$work/$odd"
    within "$odd is not opened" titled "^$odd - ended: usage\$"
    says "$work/err" "gpuvm: .*/$odd: no regular file" "a drop of $odd"
done
expect 0 "a drop behind all that" "$drop" "$(window)" "file://$work/demo.gvp"
within "the first again" titled '^demo.gvp - frame 23 of 24 - at the end$'
quits 3 "drops" # of the first that failed

# ---- a window manager ----
if command -v openbox >/dev/null; then
    # Without decorations, which xdotool counts twice.
    mkdir -p "$work/.config/openbox"
    echo '<openbox_config xmlns="http://openbox.org/3.4/rc">' \
        '<theme><keepBorder>no</keepBorder></theme><applications>' \
        '<application name="*"><decor>no</decor></application>' \
        '</applications></openbox_config>' >"$work/.config/openbox/rc.xml"
    unset XDG_CONFIG_HOME
    openbox >/dev/null 2>&1 &
    manager=$!
    sleep 0.5
    "$gpuvm" run "$work/demo.gvp" --window >"$work/out" 2>"$work/err" &
    run=$!
    within "to the end, managed" titled 'frame 23 of 24 - at the end$'
    xdotool mousemove 799 599 windowsize "$(window)" 300 280
    within "resized" sized 300x280
    within "resized, the picture" shows "$work/raw/frame_000023.raw"
    key f 'full screen'
    within "full screen" sized 800x600
    within "full screen, the picture" grabs_large
    key f 'end$'
    within "a window again" sized 300x280
    within "a window again, the picture" shows "$work/raw/frame_000023.raw"
    xdotool windowminimize "$(window)"
    key Left 'frame 22 of 24 - paused$' # hidden, it does as it is told
    key Home 'frame 0 of 24 - paused$'
    xdotool windowmap "$(window)" windowactivate "$(window)"
    within "out again, the picture" shows "$work/raw/frame_000000.raw"
    for i in $(seq 20); do
        xdotool windowsize "$(window)" $((i * 37 % 500 + 20)) $((i * 91 % 400 + 20))
        [ $((i % 7)) = 3 ] && xdotool key f
    done
    kill $manager
    manager=
    xdotool windowclose "$(window)"
    within "closed" ended
    wait $run
    run=
else
    echo "no openbox: not tried"
fi

# ---- Wayland: a compositor in a window of the display, which shows nothing else ----
# shows_large: the middle of the screen is that of the same window on X.
shows_large() {
    "$grab" "$work/grabbed" 272 172 256 256 >/dev/null 2>&1 &&
        cmp -s "$work/grabbed" "$work/large"
}
# wayland SCALE: of so many pixels a unit.
wayland() {
    weston --backend=x11-backend.so --use-pixman --width=$((800 / $1)) --height=$((600 / $1)) \
        --scale="$1" --socket="test$1" --idle-time=0 --shell=kiosk-shell.so >"$work/weston" 2>&1 &
    manager=$!
    within "weston" [ -S "$work/test$1" ]
    (
        unset DISPLAY
        WAYLAND_DISPLAY=test$1 SDL_VIDEODRIVER=wayland exec "$gpuvm" run "$work/demo.gvp" --window \
            >"$work/out" 2>"$work/err"
    ) &
    run=$!
    within "the picture on Wayland, scale $1" shows_large
    kill -9 $manager
    manager=
    within "Wayland ends" ended # as if it were closed: SDL does not say which
    run=
}
if command -v weston >/dev/null && [ -s "$work/large" ]; then
    wayland 1
    wayland 2
else
    echo "no weston: not tried"
fi
finish
