#!/bin/sh
# PlayStation dumps from outside: info, dump, compile, cut files, options, and what runs
# leave: pictures and exports.
#   psx.sh GPUVM MAKE_PSX
. tests/cli/lib.sh
gpuvm=$1 make=$2
export XDG_CACHE_HOME="$work/cache"
demo=$work/demo.psxgpu tour=$work/tour.psxgpu
"$make" demo "$demo" && "$make" tour "$tour" || fail "no dumps"

expect 0 "info" "$gpuvm" info "$tour"
says "$work/out" '^writer_form +16-byte magic' "info: form"
says "$work/out" '^game_id +TEST-00001$' "info: game"
says "$work/out" '^video_format +NTSC$' "info: video format"
says "$work/out" '^frames +6$' "info: frames"
expect 0 "info --json" "$gpuvm" info "$tour" --json
says "$work/out" '"gpu_version":"v2, 1 MB".*"frames":6.*"primitives":24,' "info --json"
expect 0 "dump" "$gpuvm" dump "$tour"
same "$work/out" tests/golden/psx_tour_dump.txt "dump"

# Two compiles are one, and so is one of each wrapping.
expect 0 "compile" "$gpuvm" compile "$demo" -o "$work/a.gvp"
expect 0 "compile again" "$gpuvm" compile "$demo" -o "$work/b.gvp" -j 1
same "$work/a.gvp" "$work/b.gvp" "two compiles"
zstd -q "$demo" -o "$work/sized.zst"
zstd -q <"$demo" >"$work/unsized.zst"
xz -1 -k -c "$demo" >"$work/x.xz"
gzip -c "$demo" >"$work/x.gz"
for wrapped in sized.zst unsized.zst x.xz x.gz; do
    expect 0 "$wrapped" "$gpuvm" info "$work/$wrapped"
    says "$work/out" '^frames +60$' "$wrapped"
    size=$(wc -c <"$work/$wrapped")
    head -c $((size / 2)) "$work/$wrapped" >"$work/cut"
    expect 3 "$wrapped cut" "$gpuvm" compile "$work/cut" -o "$work/cut.gvp"
    says "$work/err" 'layer ends early: --allow-truncated takes what there is \(byte [0-9]+\)' "$wrapped cut"
    expect 0 "$wrapped cut, allowed" "$gpuvm" compile "$work/cut" -o "$work/cut.gvp" \
        --allow-truncated
    says "$work/err" '^warning truncated .* layer ends early' "$wrapped cut, told"
    expect 0 "$wrapped cut, looked at" "$gpuvm" info "$work/cut" --allow-truncated
    says "$work/out" '^layer_cut +yes$' "$wrapped cut, looked at"
    expect 0 "$wrapped cut, info" "$gpuvm" info "$work/cut.gvp"
    says "$work/out" '^frames +[1-9]' "$wrapped cut, frames"
done

# Options are told and the wrong ones named.
expect 0 "options" "$gpuvm" compile "$demo" -o "$work/small.gvp" \
    --option psx.tile=8x8 --option psx.batch=5
expect 0 "info of options" "$gpuvm" info "$work/small.gvp"
says "$work/out" '"front_end":\["psx.tile=8x8","psx.batch=5"\]' "options in provenance"
expect 2 "odd tile" "$gpuvm" compile "$demo" --option psx.tile=3x3 -o "$work/x.gvp"
for batch in 0 -5 +5 ' 5' 5x '' 4294967296 4294967301 99999999999999999999; do
    expect 2 "batch of '$batch'" "$gpuvm" compile "$demo" --option "psx.batch=$batch" \
        -o "$work/x.gvp"
done
for tile in -8x4 8x+4 '8x 4' 4294967304x4 8x4x 8x x4 8; do
    expect 2 "tile of '$tile'" "$gpuvm" compile "$demo" --option "psx.tile=$tile" \
        -o "$work/x.gvp"
done
expect 2 "limits of nothing" "$gpuvm" compile "$demo" --option psx.limits=some -o "$work/x.gvp"
says "$work/err" "psx.limits is any or minimal" "limits of nothing"
expect 0 "minimal limits" "$gpuvm" compile "$demo" --option psx.limits=minimal \
    -o "$work/minimal.gvp"
expect 0 "info of any limits" "$gpuvm" info "$work/a.gvp"
says "$work/out" "requires +alternative limit maxTexelBufferElements 540672 else VRAM," "another way"
says "$work/out" "requires +alternative limit subgroupSupportedOperations 17 else records" "shuffles"
grep -q "requires +needed limit" "$work/out" && fail "any limits: a need"
expect 0 "info of minimal limits" "$gpuvm" info "$work/minimal.gvp"
grep -Eq "requires +(alternative|needed limit)" "$work/out" && fail "minimal limits: a need"
expect 0 "largest batch" "$gpuvm" compile "$demo" --option psx.batch=4294967295 \
    -o "$work/x.gvp"

expect 2 "unknown export" "$gpuvm" run "$work/a.gvp" --export vran="$work/x"
says "$work/err" "no 'vran' among the exports: vram, readback" "names what there is"
expect 2 "export that is no picture" "$gpuvm" run "$work/a.gvp" --export readback=x.png
for name in x.jpg x.png.bak x.PNGX .gif; do
    expect 2 "export as $name" "$gpuvm" run "$work/a.gvp" --export "vram=$work/$name"
    says "$work/err" "is none of .png, .ppm" "names what there is"
done

[ $failures -eq 0 ] || exit 1
has_device "$gpuvm" || skip "no Vulkan device"
hashes() {
    expect 0 "$1" "$gpuvm" run --hash sha256-rgb --export "vram=$work/$1.vram" "$2"
    cp "$work/out" "$work/$1.hashes"
}
hashes whole "$work/a.gvp"
hashes small "$work/small.gvp"
same "$work/whole.hashes" "$work/small.hashes" "pictures with other tiles and batches"
same "$work/whole.vram" "$work/small.vram" "VRAM with other tiles and batches"
hashes minimal "$work/minimal.gvp"
same "$work/whole.hashes" "$work/minimal.hashes" "pictures with minimal limits"
same "$work/whole.vram" "$work/minimal.vram" "VRAM with minimal limits"
[ "$(wc -c <"$work/whole.vram")" = 1048576 ] || fail "raw VRAM is 1024 x 512 cells"
hashes cut "$work/cut.gvp"
head -n "$(wc -l <"$work/cut.hashes")" "$work/whole.hashes" | cmp -s - "$work/cut.hashes" ||
    fail "frames of a cut dump are the first of the whole"

# No packets at all: a text of no lines.
head -c 16 "$demo" >"$work/nothing.psxgpu"
expect 0 "dump of no packets" "$gpuvm" dump "$work/nothing.psxgpu"
[ ! -s "$work/out" ] && [ ! -s "$work/err" ] || fail "dump of no packets: prints something"
expect 0 "the same into a file" "$gpuvm" dump "$work/nothing.psxgpu" -o "$work/nothing"
[ -e "$work/nothing" ] && [ ! -s "$work/nothing" ] || fail "dump of no packets: no empty file"

# Where packets are cut means nothing.
for words in 1 2 3 7; do
    "$make" split "$work/split.psxgpu" "$demo" $words || fail "split into $words"
    cmp -s "$work/split.psxgpu" "$demo" && fail "split into $words does nothing"
    hashes split "$work/split.psxgpu"
    same "$work/whole.hashes" "$work/split.hashes" "pictures of packets of $words words"
    same "$work/whole.vram" "$work/split.vram" "VRAM of packets of $words words"
done

# Without the frames after it, the export is that of the last selected frame.
expect 0 "two frames" "$gpuvm" run "$work/a.gvp" --frames 0-1 --export "vram=$work/two" \
    --export "vram=$work/two.png"
cmp -s "$work/two" "$work/whole.vram" && fail "VRAM after frame 1 and at the end"
head -c 8 "$work/two.png" | grep -q PNG || fail "VRAM as a picture"
mkdir "$work/v1.odd"
expect 0 "any case" "$gpuvm" run "$work/a.gvp" --frames 0-1 --export "vram=$work/two.PNG" \
    --export "vram=$work/two.Ppm" --export "vram=$work/two.BIN" --export "vram=$work/v1.odd/two"
same "$work/two.PNG" "$work/two.png" "a picture by its name in any case"
same "$work/two.BIN" "$work/two" "bytes by their name in any case"
[ "$(head -c 15 "$work/two.Ppm" | tr '\n' ' ')" = "P6 1024 512 255" ] || fail "VRAM as PPM"
expect 0 "of each frame" "$gpuvm" run "$work/a.gvp" --frames 0-2 --export "vram@0-1=$work/each/of" \
    --export "vram@1=$work/each" --json
same "$work/two.png" "$work/each/of/vram_000001.png" "the export behind frame 1"
same "$work/two.png" "$work/each/vram_000001.png" "the same once more"
cmp -s "$work/two.png" "$work/each/of/vram_000000.png" && fail "VRAM after frames 0 and 1"
[ -e "$work/each/of/vram_000002.png" ] && fail "a frame that was not in SET"
says "$work/out" '"exports":\[\{"name":"vram","frame":0,"path":"[^"]*/each/of/vram_000000.png","bytes":1048576\}' "JSON"
expect 0 "bytes of each frame" "$gpuvm" run "$work/a.gvp" --export "vram@1=$work/each" --screenshot-format raw --loop 2
same "$work/two" "$work/each/vram_000001.bin" "bytes"
expect 2 "a frame that does not run" "$gpuvm" run "$work/a.gvp" --frames 0-2 --export "vram@1-3=$work/each"
says "$work/err" "frame 3 is after the last of --frames" "which"
expect 2 "no frame" "$gpuvm" run "$work/a.gvp" --export "vram@end=$work/each"
ln -s "$work/a.gvp" "$work/each/vram_000005.png"
expect 2 "the input" "$gpuvm" run "$work/a.gvp" --export "vram@5=$work/each"
says "$work/err" "is an input" "why not"
expect 0 "two frames compiled" "$gpuvm" compile "$demo" --frames 0-1 -o "$work/two.gvp"
expect 0 "two frames run" "$gpuvm" run "$work/two.gvp" --export "vram=$work/two.2"
same "$work/two" "$work/two.2" "two frames of a run and of a compile"

# The tour: consecutive VSyncs are frames, the tail is drawn, words are read back.
expect 0 "tour" "$gpuvm" run "$tour" --hash sha256-rgb --export "readback=$work/words" \
    --export "vram=$work/tail"
[ "$(wc -l <"$work/out")" = 6 ] || fail "frames of the tour"
[ "$(sed -n '2s/.*sha/sha/p' "$work/out")" = "$(sed -n '3s/.*sha/sha/p' "$work/out")" ] ||
    fail "a VSync without work repeats the picture"
[ "$(wc -c <"$work/words")" = 12 ] || fail "words read back"
expect 0 "tour, one frame less" "$gpuvm" run "$tour" --frames 0-4 --export "vram=$work/no-tail"
cell=$(((255 * 1024 + 255) * 2))
[ "$(tail -c +$((cell + 1)) "$work/tail" | head -c 2 | od -An -tx1)" = " ff 7f" ] ||
    fail "the tail is drawn"
[ "$(tail -c +$((cell + 1)) "$work/no-tail" | head -c 2 | od -An -tx1)" = " 00 00" ] ||
    fail "the tail belongs to the end"

# A picture that stays is made once, and VRAM that stays is posted once; frames keep their
# pictures, exports and places.
"$make" still "$work/still.psxgpu" 50 || fail "no still dump"
expect 0 "still" "$gpuvm" compile "$work/still.psxgpu" -o "$work/still.gvp"
expect 0 "still, run" "$gpuvm" run "$work/still.gvp" --hash sha256-rgb --stats \
    --export "vram=$work/still.vram" --progress-file "$work/still.progress"
[ "$(grep -c '^frame' "$work/out")" = 50 ] || fail "still: frames"
[ "$(sed -n 's/^frame.*sha256/sha256/p' "$work/out" | sort -u | wc -l)" = 1 ] ||
    fail "still: one picture"
"$gpuvm" dump "$work/still.gvp" >"$work/still.text"
[ "$(grep -c 'buffer_to_image(' "$work/still.text")" = 1 ] || fail "still: made once"
[ "$(grep -c ' present(' "$work/still.text")" = 50 ] || fail "still: presented each time"
expect 0 "still, progress" "$gpuvm" info "$work/still.progress"
says "$work/out" "^completed_frame +49\$" "still: frames complete"
expect 0 "still, one frame" "$gpuvm" run "$work/still.gvp" --frames 30 --hash sha256-rgb \
    --export "vram=$work/still.30"
same "$work/still.30" "$work/still.vram" "still: VRAM of a frame that posts nothing"
expect 0 "still, no pictures" "$gpuvm" run "$work/still.gvp" --stats
says "$work/out" "submissions	1\$" "still: one submission"
finish
