#!/bin/sh
# Keyframes: what runs from one on has the pictures of the whole; who begins with them, what
# carries them, and where there is none.
#   keyframe.sh GPUVM MAKE_PSX MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$1 make_psx=$2 make_aerogpu=$3
export XDG_CACHE_HOME="$work/cache"
x=$work/x.gvp k=$work/k.gvp
"$make_psx" demo "$work/demo.psxgpu" || fail "no dump"
expect 0 "compile" "$gpuvm" compile "$work/demo.psxgpu" -o "$x"

# What is wrong, before there is a device.
expect 2 "neither" "$gpuvm" keyframe "$x" -o "$k"
expect 2 "both" "$gpuvm" keyframe "$x" --every 3 --at 3 -o "$k"
expect 2 "no output" "$gpuvm" keyframe "$x" --every 3
expect 2 "onto itself" "$gpuvm" keyframe "$x" --every 3 -o "$x"
expect 2 "JSON beside the payload" "$gpuvm" keyframe "$x" --every 3 -o - --json
expect 7 "no name" "$gpuvm" keyframe "$x" --every 3 -o ''
expect 7 "no place" "$gpuvm" keyframe "$x" --every 3 -o "$work/none/k.gvp"
expect 3 "no payload" "$gpuvm" keyframe "$0" --every 3 -o "$k"
[ ! -e "$k" ] || fail "something was written"

has_device "$gpuvm" || finish
for row in '0:nothing comes before' '60:frame 60 is out of range' '3x:SET word'; do
    expect 2 "--at ${row%:*}" "$gpuvm" keyframe "$x" --at "${row%:*}" -o "$k"
    says "$work/err" "${row#*:}" "--at ${row%:*}"
    ! grep -q 'frame 0:' "$work/err" || fail "--at ${row%:*}: no frame has run"
done
[ ! -e "$k" ] || fail "something was written"
expect 0 "keyframe" "$gpuvm" keyframe "$x" --at 20,40 -o "$k"
says "$work/out" '^keyframe	20	[0-9]+$' "what was made"
[ "$(wc -l <"$work/out")" -eq 2 ] || fail "two lines"
expect 0 "again" "$gpuvm" keyframe "$x" --every 20 -o "$work/k2.gvp" --json
same "$k" "$work/k2.gvp" "the same frames"
says "$work/out" '"keyframes":\[\{"frame":20,"bytes":[0-9]+\},\{"frame":40,' "JSON"
"$gpuvm" keyframe "$x" --at 20,40 -o - >"$work/k2.gvp" 2>/dev/null || fail "to a pipe"
same "$k" "$work/k2.gvp" "through a pipe"
expect 0 "of a capture, without a child" "$gpuvm" keyframe "$work/demo.psxgpu" --at 20,40 \
    -o "$work/k2.gvp" --no-child
expect 0 "verify" "$gpuvm" verify --deep "$k"
expect 0 "info" "$gpuvm" info "$k"
says "$work/out" '^keyframe +40 .*\(exact anywhere\)$' "info"
expect 0 "info" "$gpuvm" info --json "$k"
says "$work/out" '"keyframes":\[\{"frame":20,"code_bytes":[0-9]+,"device":' "info in JSON"

# ---- who carries them ----
expect 0 "dump" "$gpuvm" dump "$k" -o "$work/text"
expect 0 "asm" "$gpuvm" asm "$work/text" --resources "$k" -o "$work/k2.gvp"
same "$k" "$work/k2.gvp" "as text and back"
expect 0 "thin" "$gpuvm" thin "$k" --store "$work/store" -o "$work/thin.gvp"
expect 0 "fat" "$gpuvm" fat "$work/thin.gvp" --store "$work/store" -o "$work/k2.gvp"
same "$k" "$work/k2.gvp" "thin and fat"
expect 0 "slice" "$gpuvm" slice "$k" --frames 50 -o "$work/s.gvp"
says "$work/err" 'its keyframes are not in the slice' "said"

# ---- who begins with them ----
began() { awk '$2 == "began_at" { print $3 }' "$work/out"; }
expect 0 "all" "$gpuvm" run -q "$x" --hash xxh3-rgba
cp "$work/out" "$work/want"
expect 0 "linear" "$gpuvm" run -q "$k" --hash xxh3-rgba
same "$work/want" "$work/out" "a linear run"
expect 0 "stream" sh -c "'$gpuvm' run -q - --hash xxh3-rgba <'$k'"
same "$work/want" "$work/out" "a stream"
for row in 40-:40 41,59:40 39:20 20-39:20 19-21:0 5,45:0; do
    set=${row%:*} from=${row#*:}
    expect 0 "run" "$gpuvm" run -q "$x" --frames "$set" --hash xxh3-rgba
    mv "$work/out" "$work/want-some"
    expect 0 "--frames $set" "$gpuvm" run -q "$k" --frames "$set" --hash xxh3-rgba
    same "$work/want-some" "$work/out" "--frames $set"
    expect 0 "stats" "$gpuvm" run -q "$k" --frames "$set" --hash xxh3-rgba --stats
    [ "$(began)" = "$from" ] || fail "--frames $set began at $(began)"
done
expect 0 "twice" "$gpuvm" run -q "$k" --frames 45-47 --hash xxh3-rgba --loop 2
sed -n 46,48p "$work/want" | cmp -s - "$work/out" || fail "--loop"
expect 0 "thin" "$gpuvm" run -q "$work/thin.gvp" --store "$work/store" --frames 45-47 --hash xxh3-rgba
sed -n 46,48p "$work/want" | cmp -s - "$work/out" || fail "a thin one"
expect 0 "effects" "$gpuvm" run -q "$k" --frames 45 --check-effects --stats
[ "$(began)" = 0 ] || fail "effects were checked from $(began) on"
# An export shows what no picture needs: with a keyframe that has that, and one that has not.
expect 0 "an export" "$gpuvm" run -q "$x" --frames 45 --export "vram=$work/vram"
expect 0 "the same" "$gpuvm" run -q "$k" --frames 45 --export "vram=$work/vram2" --stats
[ "$(began)" = 0 ] || fail "an export began at $(began)"
same "$work/vram" "$work/vram2" "an export"
expect 0 "with exports" "$gpuvm" keyframe -q "$x" --at 20,40 --exports -o "$work/e.gvp"
expect 0 "info" "$gpuvm" info "$work/e.gvp"
says "$work/out" '^keyframe +40 .*with exports$' "info"
expect 0 "dump" "$gpuvm" dump "$work/e.gvp" -o "$work/text"
expect 0 "asm" "$gpuvm" asm "$work/text" --resources "$work/e.gvp" -o "$work/k2.gvp"
same "$work/e.gvp" "$work/k2.gvp" "with exports as text and back"
for row in 45:40 39:20 19:0; do
    expect 0 "an export" "$gpuvm" run -q "$x" --frames "${row%:*}" --export "vram=$work/vram"
    expect 0 "the same" "$gpuvm" run -q "$work/e.gvp" --frames "${row%:*}" \
        --export "vram=$work/vram2" --stats
    [ "$(began)" = "${row#*:}" ] || fail "the export of ${row%:*} began at $(began)"
    same "$work/vram" "$work/vram2" "an export of frame ${row%:*}"
done

# Any order, forward over a keyframe and back.
printf '%s\n' 3 50 41 40 39 21 59 0 45 20 19 >"$work/lines"
for n in $(cat "$work/lines"); do sed -n "$((n + 1))p" "$work/want"; done >"$work/want-some"
for file in "$k" "$work/thin.gvp --store $work/store"; do
    # shellcheck disable=SC2086 # several words
    expect 0 "interactive" "$gpuvm" run -q --interactive --hash xxh3-rgba $file <"$work/lines"
    same "$work/want-some" "$work/out" "interactive"
done

# ---- more of them ----
frames_of() { "$gpuvm" info "$1" | awk '$1 == "keyframe" { print $2 }' | tr '\n' ' '; }
cp "$work/want" "$work/linear"
expect 0 "more" "$gpuvm" keyframe -q "$k" --at 10,20,30,50 -o "$work/more.gvp"
[ "$(cut -f 2 "$work/out" | tr '\n' ' ')" = "10 30 50 " ] || fail "what was added"
says "$work/err" 'frame 20 has a keyframe already' "one that was there"
[ "$(frames_of "$work/more.gvp")" = "10 20 30 40 50 " ] || fail "old and new ones"
expect 0 "verify" "$gpuvm" verify --deep "$work/more.gvp"
for from in 10 20 30 40 50; do
    expect 0 "from $from" "$gpuvm" run -q "$work/more.gvp" --frames "$from-" --hash xxh3-rgba
    tail -n +$((from + 1)) "$work/linear" | cmp -s - "$work/out" || fail "from $from of more"
done
expect 0 "none more" "$gpuvm" keyframe -q "$work/more.gvp" --every 10 -o "$work/k2.gvp"
[ "$(frames_of "$work/k2.gvp")" = "10 20 30 40 50 " ] || fail "the same ones"

# Of a thin payload contents go to its store.
expect 2 "nowhere to" "$gpuvm" keyframe "$work/thin.gvp" --at 30 -o "$work/k2.gvp"
says "$work/err" 'a thin payload needs a --store' "nowhere to"
expect 0 "pack" "$gpuvm" store pack "$work/store" "$work/pack"
for store in "$work/store" "$work/pack"; do
    expect 0 "thin" "$gpuvm" keyframe -q "$work/thin.gvp" --store "$store" --at 10,30 -o "$work/k2.gvp"
    [ "$(frames_of "$work/k2.gvp")" = "10 20 30 40 " ] || fail "keyframes of a thin one"
    expect 0 "the store" "$gpuvm" store check "$store"
    for from in 10 30; do
        expect 0 "thin" "$gpuvm" run -q "$work/k2.gvp" --store "$store" --frames "$from-" \
            --hash xxh3-rgba
        tail -n +$((from + 1)) "$work/linear" | cmp -s - "$work/out" || fail "thin, from $from"
    done
    expect 0 "fat" "$gpuvm" fat "$work/k2.gvp" --store "$store" -o "$work/k3.gvp"
    expect 0 "verify" "$gpuvm" verify --deep "$work/k3.gvp"
done

# ---- another kind ----
"$make_aerogpu" demo "$work/demo.aero" >"$work/out" || fail "no trace"
expect 0 "compile" "$gpuvm" compile "$work/demo.aero" -o "$x"
expect 0 "keyframe" "$gpuvm" keyframe -q "$x" --every 7 -o "$k"
expect 0 "all" "$gpuvm" run -q "$x" --hash xxh3-rgba
cp "$work/out" "$work/want"
# Each pipeline is made once, in however many keyframes it stands.
expect 0 "--prewarm" "$gpuvm" run -q --prewarm "$x" --hash xxh3-rgba </dev/null
cp "$work/out" "$work/ready"
expect 0 "--prewarm" "$gpuvm" run -q --prewarm "$k" --hash xxh3-rgba </dev/null
same "$work/ready" "$work/out" "pipelines made beforehand"
for from in 7 14 21; do
    expect 0 "run" "$gpuvm" run -q "$k" --frames "$from-" --hash xxh3-rgba
    tail -n +$((from + 1)) "$work/want" | cmp -s - "$work/out" || fail "from frame $from"
done
# Pictures between commands: of the frame behind the keyframe, and of what is drawn to there.
began_at() {
    rm -rf "$work/shots" "$work/shots2"
    expect 0 "$1" "$gpuvm" run -q "$x" --frames "$2" --calls "$3" --screenshot-dir "$work/shots"
    expect 0 "$1" "$gpuvm" run -q "$k" --frames "$2" --calls "$3" --screenshot-dir "$work/shots2" --stats
    [ "$(began)" = "$4" ] || fail "$1 began at $(began)"
    [ -n "$(ls "$work/shots")" ] && diff -r "$work/shots" "$work/shots2" >/dev/null || fail "$1 differs"
}
first=$("$gpuvm" dump "$x" | awk '/^\.frame/ && n++ == 14 { sub(/.*commands=/, ""); sub(/-.*/, ""); print }')
began_at "a command of frame 14" 15 "$((first + 40))" 14
began_at "two" 20 "$((first + 40)),$((first + 60))" 14
began_at "the first of frame 14" 15 "$first" 7
expect 0 "JSON" "$gpuvm" run -q "$k" --frames 8 --hash xxh3-rgba --json
says "$work/out" '"exact":true' "made by this device"
expect 0 "dump" "$gpuvm" dump "$k" -o "$work/text"
sed '/^\.keyframe/s/device "[^"]*"/device "another"/' "$work/text" >"$work/text2"
expect 0 "asm" "$gpuvm" asm "$work/text2" --resources "$k" -o "$work/k2.gvp"
expect 0 "JSON" "$gpuvm" run -q "$work/k2.gvp" --frames 8 --hash xxh3-rgba --json
says "$work/out" '"exact":false' "made by another"
expect 0 "JSON" "$gpuvm" run -q "$work/k2.gvp" --hash xxh3-rgba --json
says "$work/out" '"exact":true' "not used"

# ---- several samples ----
# Those of a colour that a later frame resolves; stencil is told by name.
cat >"$work/text" <<'END'
.const dark u32 ( 0 0 0 0 )
.const bright u32 ( 0xffffffff 0xff00ff00 0xff0000ff 0xffff0000 )
many = image_create(2D, R8G8B8A8_UNORM, width=2, height=2, samples=4, usage=COLOR_ATTACHMENT)
one = image_create(2D, R8G8B8A8_UNORM, width=2, height=2, usage=COLOR_ATTACHMENT)
image_upload_sample(many, COLOR, 0, 0, 0, 0, 2, 2, dark, 16)
image_upload_sample(many, COLOR, 0, 1, 0, 0, 2, 2, bright, 16)
image_upload_sample(many, COLOR, 0, 2, 0, 0, 2, 2, bright, 16)
image_upload_sample(many, COLOR, 0, 3, 1, 1, 1, 1, bright, 4)
frame_end()
image_resolve(one, src=many, width=2, height=2)
present(one, width=2, height=2)
frame_end()
END
expect 0 "asm" "$gpuvm" asm "$work/text" -o "$work/m.gvp"
expect 0 "samples" "$gpuvm" keyframe -q "$work/m.gvp" --at 1 -o "$work/k2.gvp"
expect 0 "samples" "$gpuvm" run -q "$work/m.gvp" --frames 1 --hash xxh3-rgba
mv "$work/out" "$work/want"
expect 0 "samples" "$gpuvm" run -q "$work/k2.gvp" --frames 1 --hash xxh3-rgba --stats
[ "$(began)" = 1 ] || fail "samples: began at $(began)"
grep '^frame' "$work/out" >"$work/got"
same "$work/want" "$work/got" "samples"
sed '/^image_upload_sample/d' "$work/text" >"$work/text2"
expect 0 "asm" "$gpuvm" asm "$work/text2" -o "$work/m.gvp"
expect 0 "samples" "$gpuvm" run -q "$work/m.gvp" --frames 1 --hash xxh3-rgba
cmp -s "$work/out" "$work/want" && fail "samples do not count"

# ---- hostile ones ----
bad() {
    expect 0 "dump" "$gpuvm" dump "$k" -o "$work/text"
    sed "$2" "$work/text" >"$work/text2"
    cmp -s "$work/text" "$work/text2" && fail "$1: nothing changed"
    expect 3 "$1" "$gpuvm" asm "$work/text2" --resources "$k" -o "$work/k2.gvp"
    says "$work/err" "$3" "$1"
    expect 0 "$1" "$gpuvm" asm "$work/text2" --resources "$k" -o "$work/k2.gvp" --unverified
    expect 3 "$1: run" "$gpuvm" run -q "$work/k2.gvp" --hash xxh3-rgba
}
bad "a stack" '/^\.keyframe/s/stack=[0-9]*/stack=99/' 'keyframe: 99 cells declared'
bad "frame_end" '/^\.keyframe frame=14/,/bind_pipeline/s/^    bind_pipeline.*/    frame_end()/' \
    'keyframe: it calls frame_end'
# Objects that are missing: an error where they are used, from there on alone.
sed '/^\.keyframe frame=14/,$ { /image_create/d }' "$work/text" >"$work/text2"
expect 0 "asm" "$gpuvm" asm "$work/text2" --resources "$k" -o "$work/k2.gvp"
expect 3 "without an image" "$gpuvm" run -q "$work/k2.gvp" --frames 15 --hash xxh3-rgba
expect 0 "before it" "$gpuvm" run -q "$work/k2.gvp" --frames 13 --hash xxh3-rgba
# A fallback that fails behind a keyframe: --deep says so, a device that needs none runs.
cat >"$work/text" <<'END'
.require alternative feature "robustBufferAccess" fallback "another"
b = buffer_create(16, STORAGE)
frame_end()
buffer_fill(b, 0, 4, 1)
frame_end()
END
expect 0 "asm" "$gpuvm" asm "$work/text" -o "$work/m.gvp"
expect 0 "keyframe" "$gpuvm" keyframe "$work/m.gvp" --at 1 -o "$work/k2.gvp"
expect 0 "deep" "$gpuvm" verify --deep "$work/k2.gvp"
expect 0 "dump" "$gpuvm" dump "$work/k2.gvp" -o "$work/text"
sed '/^\.limits/s/instructions=[0-9]*/instructions=99/
     /^\.keyframe/s/stack=[0-9]*/stack=4/
     /^\.keyframe/,$ s/^    end$/    meets 0\n    push 1\n    less\n    skip_zero met\n    buffer_fill(s0, 16, 4, 1)\nmet:\n    end/' \
    "$work/text" >"$work/text2"
expect 0 "asm" "$gpuvm" asm "$work/text2" -o "$work/m.gvp"
expect 0 "run" "$gpuvm" run -q "$work/m.gvp" --frames 1
expect 3 "deep" "$gpuvm" verify --deep "$work/m.gvp"
says "$work/err" 'buffer_fill: offset' "deep"
finish
