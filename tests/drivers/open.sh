#!/bin/sh
# How far SwiftShader's pictures may be from lavapipe's, by kind of cause: scenes of
# tests/live, each of which shows one kind alone (open.tsv).
#   open.sh GPUVM PICTURE_DISTANCE LIVE_SCENES
# A scene that differs by more fails, and so does one that differs no longer.
. tests/live/live_lib.sh
. tests/drivers/lib.sh

# shots DRIVER: $work/DRIVER has frames 1 to 3 of $work/x.gvp.
shots() {
    rm -rf "$work/${1:?}"
    "$gpuvm" run "$work/x.gvp" --screenshots 1-3 --screenshot-dir "$work/$1" >"$work/out" 2>"$work/err" ||
        fail "$scene: $1: $(tail -n 1 "$work/err")"
}

grep -v '^#' tests/drivers/open.tsv | tail -n +2 >"$work/rows"
while IFS="$(printf '\t')" read -r scene largest share _; do
    apitrace trace -o "$work/$scene.trace" "$scenes" "$scene" >"$work/out" 2>&1 </dev/null &&
        "$gpuvm" compile "$work/$scene.trace" -o "$work/x.gvp" >"$work/out" 2>"$work/err" || {
        fail "$scene: $(tail -n 1 "$work/err")"
        continue
    }
    use_driver lavapipe "$gpuvm"
    shots lavapipe
    use_driver swiftshader "$gpuvm"
    shots swiftshader
    for frame in 1 2 3; do
        "$distance" "$work/lavapipe/frame_00000$frame.png" "$work/swiftshader/frame_00000$frame.png"
    done >"$work/told" 2>"$work/err"
    # shellcheck disable=SC2016
    awk -v scene="$scene" -v largest="$largest" -v share="$share" '
        { print scene "\t" $0; most = $2 > most ? $2 : most; bad = bad || $2 > largest || $3 > share }
        END { exit NR != 3 || bad || (largest > 0 && most == 0) }' "$work/told" ||
        fail "$scene: wanted at most $largest, $share % of the pixels, and some difference"
done <"$work/rows"
finish
