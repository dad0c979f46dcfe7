#!/bin/sh
# No output is an input, under whatever name; what cannot be written is noticed before the
# run.
#   outputs.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$1 make=$2
export XDG_CACHE_HOME="$work/cache"
"$make" demo "$work/kept.capture" || fail "no demo capture"
"$gpuvm" compile "$work/kept.capture" -o "$work/kept.payload" >/dev/null || fail "no payload"
"$gpuvm" dump "$work/kept.payload" -o "$work/kept.text" || fail "no text"
printf '0\n' >"$work/kept.set"
kinds="capture payload text set golden"
in=$work/in

# Inputs anew, and links to them, one of each kind.
anew() {
    rm -rf "$in"
    mkdir "$in"
    for kind in $kinds; do
        [ -e "$work/kept.$kind" ] || continue
        cp "$work/kept.$kind" "$in/$kind"
        ln "$in/$kind" "$in/$kind.hard"
        ln -s "$kind" "$in/$kind.soft"
    done
}

# refused NAME WHAT COMMAND...: exit 2, and the inputs are as they were.
refused() {
    name=$1
    shift
    expect 2 "$name" "$@"
    says "$work/err" "not written: .* is an input" "$name"
    for kind in $kinds; do
        [ ! -e "$work/kept.$kind" ] || same "$work/kept.$kind" "$in/$kind" "$name: $kind"
    done
    [ "$(ls "$in" | wc -l)" -eq "$files" ] || fail "$name: files came or went"
}

anew
files=$(ls "$in" | wc -l)
for link in "" .soft .hard; do
    refused "compile to itself$link" "$gpuvm" compile "$in/capture" -o "$in/capture$link"
    refused "compile stdin to itself$link" sh -c \
        "'$gpuvm' compile - -o '$in/capture$link' <'$in/capture'"
    refused "compile to its SET$link" "$gpuvm" compile "$in/capture" \
        --frames "@$in/set" -o "$in/set$link"
    refused "asm to itself$link" "$gpuvm" asm "$in/text" --resources "$in/payload" \
        -o "$in/text$link"
    refused "asm to its resources$link" "$gpuvm" asm "$in/text" \
        --resources "$in/payload" -o "$in/payload$link"
    refused "dump to itself$link" "$gpuvm" dump "$in/payload" -o "$in/payload$link"
    refused "dump of a capture$link" "$gpuvm" dump "$in/capture$link" -o "$in/capture"
done
for command in info dump explain verify devices run; do
    refused "$command after itself" sh -c \
        "'$gpuvm' $command '$in/payload' >>'$in/payload'"
    refused "$command after itself, JSON" sh -c \
        "'$gpuvm' $command --json '$in/payload.soft' >>'$in/payload'"
done
refused "compile after itself" sh -c \
    "'$gpuvm' compile '$in/capture' -o - >>'$in/capture'"
refused "compile before itself" sh -c \
    "'$gpuvm' compile '$in/capture' -o - 1<>'$in/capture'"
ln -s capture "$in/capture.gvp"
files=$((files + 1))
refused "the default name" "$gpuvm" compile "$in/capture"
rm "$in/capture.gvp"
files=$((files - 1))
# A file that the text names is known once the text is read.
cat >"$work/names.text" <<END
.resource r0 file "in/payload"
frame_end()
END
refused "asm to an included file" "$gpuvm" asm "$work/names.text" -o "$in/payload.hard"

# A store's objects and a file beside them.
expect 0 "thin" "$gpuvm" compile "$in/capture" --thin --store "$work/store" -o "$work/thin"
object=$(find "$work/store" -name '*.zst' | head -n 1)
cp "$object" "$work/object"
ln "$object" "$work/object.hard"
ln -s "$object" "$work/object.soft"
for name in "$object" "$work/object.hard" "$work/object.soft"; do
    refused "compile to an object" "$gpuvm" compile "$in/capture" --thin \
        --store "$work/store" -o "$name"
    same "$object" "$work/object" "the object"
done
# Objects are written under their own names, whatever stands there, and never through it.
echo precious >"$work/precious"
ln -sf "$work/precious" "$object"
expect 0 "an object that is a link" "$gpuvm" compile "$in/capture" --thin \
    --store "$work/store" -o "$work/thin"
[ "$(cat "$work/precious")" = precious ] || fail "an object is written through a link"
same "$object" "$work/object" "an object in place of a link"
cp "$in/capture" "$object"
expect 2 "a capture in the store" "$gpuvm" compile "$object" --thin --store "$work/store" -o "$work/x"
same "$object" "$in/capture" "a capture in the store"
cp "$work/object" "$object"
ln -f "$object" "$work/object.hard"
expect 0 "an output beside the store" "$gpuvm" compile "$in/capture" --thin \
    --store "$work/store" -o "$work/store/thin.gvp"
expect 0 "and again" "$gpuvm" compile "$in/capture" --thin \
    --store "$work/store" -o "$work/store/thin.gvp"
expect 0 "over another file" "$gpuvm" dump "$in/payload" -o "$work/thin.text"
expect 0 "a device" "$gpuvm" dump "$in/payload" -o /dev/null

# An output that is a link stays one: what it names is written, there already or not, and
# keeps its permissions.
id=$("$gpuvm" store ls "$work/store" | head -n 1 | cut -f 1)
linked() {
    what=$1
    shift
    ln -sf ./hop "$work/link"
    ln -sf far/made "$work/hop"
    mkdir -p "$work/far"
    for target in missing there; do
        expect 0 "$what through links, $target" "$gpuvm" "$@" "$work/link"
        [ -L "$work/link" ] && [ -s "$work/far/made" ] || fail "$what: a link was replaced"
        [ "$target" = missing ] || [ "$(stat -c %a "$work/far/made")" = 606 ] ||
            fail "$what: other permissions"
        chmod 606 "$work/far/made"
    done
    rm -r "$work/far"
    expect 7 "$what through a link to no folder" "$gpuvm" "$@" "$work/link"
    ln -sf link "$work/hop"
    expect 7 "$what through links in a circle" "$gpuvm" "$@" "$work/link"
}
linked compile compile "$in/capture" -o
linked asm asm "$in/text" --resources "$in/payload" -o
linked dump dump "$in/payload" -o
linked slice slice "$in/payload" --frames 1 -o
linked fat fat "$work/thin" --store "$work/store" -o
linked thin thin "$in/payload" --store "$work/store" -o
linked get store get "$work/store" "$id" -o
ln -sf "$work/nothing-yet" "$work/first"
ln -sf nothing-yet "$work/second"
expect 2 "a link to nothing and what it names" sh -c \
    "'$gpuvm' run '$in/payload' --export 'a=$work/first' --export 'b=$work/nothing-yet'"
says "$work/err" "two outputs are one file" "a link to nothing and what it names"
expect 2 "two links to nothing" sh -c \
    "'$gpuvm' run '$in/payload' --export 'a=$work/first' --export 'b=$work/second'"

# Who has read enough hears nothing; that not all was written is the exit code's to tell.
unread() {
    name=$1
    shift
    rm -f "$work/gone" "$work/code"
    {
        while ! [ -e "$work/gone" ]; do sleep 0.02; done
        "$gpuvm" "$@" 2>"$work/err"
        echo $? >"$work/code"
    } | {
        exec <&-
        : >"$work/gone"
    }
    while ! [ -s "$work/code" ]; do sleep 0.02; done
    [ "$(cat "$work/code")" = 7 ] || fail "$name without a reader: exit $(cat "$work/code")"
    [ ! -s "$work/err" ] || fail "$name without a reader says: $(cat "$work/err")"
}
unread compile compile "$in/capture" -o -
unread "compile in one process" compile "$in/capture" -o - --no-child
unread "compile --live" compile "$in/capture" --live -o -
unread asm asm "$in/text" --resources "$in/payload" -o -
unread dump dump "$in/payload"
unread slice slice "$in/payload" --frames 1 -o -
unread thin thin "$in/payload" --store "$work/store" -o -
unread fat fat "$work/thin" --store "$work/store" -o -
unread get store get "$work/store" "$id"
unread ls store ls "$work/store"
unread info info "$in/payload"

[ $failures -eq 0 ] || exit 1
# What cannot be written is noticed before the run: there is not even a driver here.
early() {
    name=$1 why=$2
    shift 2
    VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent \
        expect 7 "$name" "$gpuvm" run "$in/payload" "$@"
    says "$work/err" "$why" "$name"
}
VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent \
    expect 5 "no driver" "$gpuvm" run "$in/payload" --screenshots 0 --screenshot-dir "$work/new"
early "pictures in a file" "cannot make folder" --screenshots 0 --screenshot-dir "$in/text"
same "$in/text" "$work/kept.text" "the file"
early "pictures below a file" "cannot make folder" --calls 0 --screenshot-dir "$in/text/x"
early "pictures where nobody writes" "cannot write" --screenshots 0 --screenshot-dir /proc
early "a prefix in no folder" "cannot write" --screenshots 0 --screenshot-dir "$work/new" \
    --screenshot-prefix sub/p
early "a name too long" "cannot write|too long" --screenshots 0 --screenshot-dir "$work/new" \
    --screenshot-prefix "$(printf %0300d 0)"
: >"$in/payload.frames"
early "the default folder is a file" "cannot make folder" --screenshots all
rm "$in/payload.frames"
expect 2 "no such export" "$gpuvm" run "$in/payload" --export "colour0=$work/none"
says "$work/err" "no 'colour0' among the exports: color0" "no such export"
echo 'frame_end()' | "$gpuvm" asm - -o "$work/bare.gvp" >/dev/null || fail "no payload without exports"
expect 2 "no exports" "$gpuvm" run "$work/bare.gvp" --export "x=$work/none"
says "$work/err" "no 'x' among the exports: none" "no exports"
expect 2 "an export that is a folder" "$gpuvm" run "$in/payload" --export "color0=$in"
says "$work/err" "$in is a folder; a file, as color0=" "a folder"
early "an export below a file" "cannot make folder $in/payload: " --export "color0=$in/payload/x"
early "an export where nobody writes" "cannot write" --export color0=/proc/x
ln -s "$work/none/x" "$work/nowhere"
ln -s nowhere "$work/new/frame_000001.png"
ln -s ../nowhere "$work/new/frame_000000.png"
early "a picture that is a link to no folder" "cannot write $work/none/x" --screenshots 0 \
    --screenshot-dir "$work/new"
ln -sf frame_000001.png "$work/new/frame_000001.png"
early "a picture that is a link to itself" "cannot write .*frame_000001.png" --screenshots 1 \
    --screenshot-dir "$work/new"
early "an export that is a link to no folder" "cannot write $work/none/x" \
    --export color0="$work/nowhere"
rm "$work/new"/frame_*
mkdir "$work/new/frame_000001.png"
early "a folder in a picture's place" "cannot write .*frame_000001.png: Is a directory" \
    --screenshots 0-1 --screenshot-dir "$work/new"
ln -s frame_000001.png "$work/new/frame_000000.png"
early "a link to a folder" "cannot write .*frame_000000.png: Is a directory" \
    --screenshots 0 --screenshot-dir "$work/new"
ln -sf /dev/full "$work/new/frame_000002.png"
early "a picture on a full device" "cannot write .*frame_000002.png: No space left" \
    --screenshots 2 --screenshot-dir "$work/new"
early "an export on a full device" "cannot write /dev/full: No space left" \
    --export color0=/dev/full
rm -r "$work/new"/frame_*

# Two pictures in one file, by links to what is there or not, to each other or to a third.
together() {
    name=$1
    shift
    VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent \
        expect 2 "$name" "$gpuvm" run "$in/payload" "$@" --screenshot-dir "$work/new"
    says "$work/err" "two pictures are one file: .* and " "$name"
}
ln -s frame_000001.png "$work/new/frame_000000.png"
together "a link to the next picture" --screenshots 0-1
: >"$work/new/frame_000001.png"
together "a link to the next picture, which is there" --screenshots 0-1
together "the same from another folder" --screenshots 0-1 --screenshot-prefix ../new/frame_
rm "$work/new/frame_000001.png"
ln -s ./hop "$work/new/frame_000001.png"
ln -s third "$work/new/hop"
ln -sf ../new/third "$work/new/frame_000000.png"
together "two links to a file that is not there" --screenshots 0-1
: >"$work/new/third"
together "two links to a file" --screenshots 0-1
ln -s third "$work/new/call_0000000009.png"
together "a command's and a frame's" --screenshots 0 --calls 9
VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent \
    expect 5 "one of two links" "$gpuvm" run "$in/payload" --screenshots 0,2 \
    --screenshot-dir "$work/new"
ln -sf /dev/null "$work/new/frame_000000.png"
ln -sf /dev/null "$work/new/frame_000001.png"
VK_DRIVER_FILES=/nonexistent VK_ICD_FILENAMES=/nonexistent \
    expect 5 "two links to a device" "$gpuvm" run "$in/payload" --screenshots 0-1 \
    --screenshot-dir "$work/new"
rm "$work/new"/*
[ -z "$(ls "$work/new")" ] || fail "probes are left"

has_device "$gpuvm" || skip "the rest: no Vulkan device"
expect 0 "golden" "$gpuvm" run "$in/payload" --hash sha256-rgba
cp "$work/out" "$work/kept.golden"
anew
files=$(ls "$in" | wc -l)
for link in "" .soft .hard; do
    refused "progress over the payload$link" "$gpuvm" run "$in/payload" \
        --progress-file "$in/payload$link"
    refused "progress over --expect$link" "$gpuvm" run "$in/payload" \
        --expect "$in/golden" --progress-file "$in/golden$link"
    refused "progress over a SET$link" "$gpuvm" run "$in/payload" \
        --frames "@$in/set" --progress-file "$in/set$link"
    refused "export over the payload$link" "$gpuvm" run "$in/payload" \
        --export "x=$in/payload$link"
    refused "export over --expect$link" "$gpuvm" run "$in/payload" \
        --expect "$in/golden" --export "x=$in/golden$link"
done
for name in "$object" "$work/object.hard" "$work/object.soft"; do
    refused "export over an object" "$gpuvm" run "$work/thin" --store "$work/store" \
        --export "x=$name"
    same "$object" "$work/object" "the object"
done
cache=$(find "$work/cache/gpuvm" -type f | head -n 1)
cp "$cache" "$work/cache.bin"
refused "export over the pipeline cache" "$gpuvm" run "$in/payload" --export "x=$cache"
same "$cache" "$work/cache.bin" "the pipeline cache"
refused "hashes after --expect" sh -c \
    "'$gpuvm' run '$in/payload' --hash sha256-rgba --expect '$in/golden' >>'$in/golden'"

# The cache is written under its own name too; a payload there is left alone.
ln -sf "$work/precious" "$cache"
expect 0 "a cache that is a link" "$gpuvm" run "$in/payload"
[ "$(cat "$work/precious")" = precious ] || fail "the cache is written through a link"
rm "$cache"
cp "$in/payload" "$cache"
expect 0 "a payload in the place of the cache" "$gpuvm" run "$cache"
same "$cache" "$in/payload" "a payload in the place of the cache"

# Pictures that would be an input.
ln "$in/payload" "$in/frame_000000.png"
ln -s payload "$in/call_0000000009.png"
ln -s golden "$in/frame_end.png"
files=$(ls "$in" | wc -l)
refused "a frame's picture" "$gpuvm" run "$in/payload" --screenshots all \
    --screenshot-dir "$in"
refused "the last picture" "$gpuvm" run "$in/payload" --expect "$in/golden" \
    --screenshots end --screenshot-dir "$in"
refused "a command's picture" "$gpuvm" run "$in/payload" --calls 8-9 \
    --screenshot-dir "$in"

# Pictures that prefixes and links put elsewhere. Links stay below what was named: others are
# refused to the child before there is a driver, or not at all where there is no sandbox.
mkdir -p "$work/d/e" "$work/far"
ln -s "$work/far" "$work/d/e/deep"
for prefix in ../f_ deep/f_; do
    expect 0 "a prefix $prefix" "$gpuvm" run "$in/payload" --screenshots 0 \
        --screenshot-dir "$work/d/e" --screenshot-prefix $prefix
    [ -s "$work/d/e/${prefix}000000.png" ] || fail "no picture $prefix"
done
ln -s deep/near.png "$work/d/e/frame_000000.png"
ln -s inside.png "$work/d/e/frame_end.png"
expect 0 "a link that stays" "$gpuvm" run "$in/payload" --screenshots end \
    --screenshot-dir "$work/d/e"
[ -L "$work/d/e/frame_end.png" ] || fail "the link was replaced"
same "$work/d/e/inside.png" "$work/d/e/frame_end.png" "a picture through a link"
for target in missing there; do
    expect 0 "a link that leaves, $target, without a child" "$gpuvm" run "$in/payload" \
        --screenshots 0 --screenshot-dir "$work/d/e" --no-child
    same "$work/far/near.png" "$work/far/f_000000.png" "a picture through a link, $target"
done
if "$gpuvm" run -v "$in/payload" 2>&1 | grep -q "has no Landlock"; then
    echo "no Landlock: links lead anywhere"
else
    for target in there missing; do
        early "a link that leaves, $target" "cannot write" --screenshots 0 \
            --screenshot-dir "$work/d/e"
        rm -f "$work/far/near.png"
    done
fi

# A progress file replaces nothing but its like.
for kind in capture text; do
    expect 2 "progress over a file" "$gpuvm" run "$in/payload" --progress-file "$in/$kind"
    says "$work/err" "is no progress file" "says so"
    same "$in/$kind" "$work/kept.$kind" "no progress file"
done
: >"$work/progress"
for time in "over an empty file" "again" "and again"; do
    expect 0 "progress $time" "$gpuvm" run "$in/payload" --progress-file "$work/progress"
    expect 0 "info $time" "$gpuvm" info "$work/progress"
    says "$work/out" "^finished" "progress $time"
done

# Standard output is an output of exports; folders and mapped files it is not.
expect 0 "an export to a file" "$gpuvm" run "$in/payload" --export "color0=$work/color0.bin"
for child in "" --no-child; do
    expect 0 "an export to standard output $child" "$gpuvm" run $child "$in/payload" --export color0=-
    same "$work/out" "$work/color0.bin" "an export to standard output $child"
done
expect 7 "an export to a full disk" sh -c "'$gpuvm' run '$in/payload' --export color0=- >/dev/full"
for other in --json --stats "--hash md5-rgb" "--export depth=-"; do
    expect 2 "an export beside $other" "$gpuvm" run "$in/payload" --export color0=- $other
    says "$work/err" "standard output leaves no room" "an export beside $other"
done
for folder in "run --screenshots 0 --screenshot-dir" "run --store" "verify --store"; do
    expect 2 "$folder -" "$gpuvm" $folder - "$in/payload"
    says "$work/err" "a folder, not -" "$folder -"
done
expect 2 "a thin payload's store" "$gpuvm" compile "$in/capture" --thin --store - -o "$work/x"
expect 2 "a progress file" "$gpuvm" run "$in/payload" --progress-file -
[ -e - ] && fail "a file or folder named -"

# Two outputs are two files, also where one is standard output.
expect 2 "hashes and export in one file" sh -c \
    "'$gpuvm' run '$in/payload' --hash md5-rgb --export 'x=$work/both' >'$work/both'"
expect 2 "JSON and progress in one file" sh -c \
    "'$gpuvm' run '$in/payload' --json --progress-file '$work/both' >'$work/both'"
expect 2 "JSON and payload in one file" sh -c \
    "'$gpuvm' compile '$in/capture' --json -o '$work/both' >'$work/both'"
expect 2 "one file for two exports" "$gpuvm" run "$in/payload" --export "a=$work/x" \
    --export "b=$work/./x"
says "$work/err" "two outputs are one file" "says so"
expect 2 "one file for export and progress" "$gpuvm" run "$in/payload" \
    --export "a=$work/progress" --progress-file "$work/progress"
same "$in/payload" "$work/kept.payload" "the payload in the end"

# Names as long as names can be.
long=$(printf %0251d 0)
mkdir "$work/long"
expect 0 "compile" "$gpuvm" compile "$in/capture" -o "$work/long/${long}.gvp"
expect 0 "dump" "$gpuvm" dump "$in/payload" -o "$work/long/${long}.txt"
expect 0 "asm" "$gpuvm" asm "$in/text" --resources "$in/payload" -o "$work/long/${long}.asm"
expect 0 "thin" "$gpuvm" thin "$in/payload" --store "pack:$work/long/${long}.pak" -o "$work/long/${long}.thn"
expect 0 "fat" "$gpuvm" fat "$work/long/${long}.thn" --store "$work/long/${long}.pak" -o "$work/long/${long}.fat"
expect 0 "slice" "$gpuvm" slice "$in/payload" --frames 1 -o "$work/long/${long}.cut"
expect 0 "pack" "$gpuvm" store pack "$work/long/${long}.pak" "$work/long/${long}.all"
expect 0 "pictures" "$gpuvm" run "$in/payload" -q --screenshots 0 --screenshot-dir "$work/long" \
    --screenshot-prefix "$(printf %0245d 0)"
same "$work/long/$long.fat" "$in/payload" "a payload with a long name"
[ "$(find "$work/long" -type f | wc -l)" = 9 ] || fail "long names: $(ls "$work/long")"
expect 7 "longer than names can be" "$gpuvm" dump "$in/payload" -o "$work/long/${long}.text"
finish
