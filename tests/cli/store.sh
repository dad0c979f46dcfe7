#!/bin/sh
# Stores, folders and packs: every verb, payloads and their stores, damage, what is left over.
#   store.sh GPUVM MAKE_AEROGPU
. tests/cli/lib.sh
gpuvm=$1 make=$2
folder=$work/folder pack=$work/pack
"$make" demo "$work/demo" || fail "no demo capture"
"$make" fixtures "$work/fixtures" >/dev/null || fail "no fixtures"
other=$work/fixtures/fill_wireframe.aerogputrace
expect 0 "fat" "$gpuvm" compile "$work/demo" -o "$work/fat.gvp"
expect 0 "another" "$gpuvm" compile "$other" -o "$work/other.gvp"
expect 0 "thin" "$gpuvm" compile "$work/demo" --thin --store "$folder" -o "$work/thin.gvp"
ids() {
    "$gpuvm" store ls "$1" | cut -f 1,2
}

# The resources of a payload are those that a thin one puts into its store.
expect 0 "add a payload to a pack" "$gpuvm" store add "pack:$pack" "$work/fat.gvp"
sort -u "$work/out" >"$work/added"
ids "$folder" >"$work/ids"
same "$work/ids" "$work/added" "what was added"
ids "$pack" >"$work/packed"
same "$work/ids" "$work/packed" "what is there"
[ -s "$work/ids" ] || fail "the store is empty"
expect 0 "again" "$gpuvm" store add "$pack" "$work/fat.gvp" "$folder"
[ "$(stat -c %s "$pack")" -gt 0 ] || fail "no pack"
for store in "$folder" "$pack" "pack:$pack"; do
    expect 0 "deep, $store" "$gpuvm" verify "$work/thin.gvp" --deep --store "$store"
    expect 0 "check, $store" "$gpuvm" store check "$store"
    says "$work/out" "^$(wc -l <"$work/ids") objects? whole, 0 damaged, 0 left over$" "check, $store"
done
expect 4 "a thin payload has no resources" "$gpuvm" store add "$folder" "$work/thin.gvp"

# Thin and fat again, through either kind of store: the same bytes.
for made in fat other; do
    for store in "$work/t" "pack:$work/t-pack"; do
        expect 0 "thin $made" "$gpuvm" thin "$work/$made.gvp" --store "$store" --json -o "$work/t.gvp"
        says "$work/out" '"identical":true' "thin $made"
        [ -s "$work/err" ] && fail "thin $made: says $(cat "$work/err")"
        expect 0 "verify thin $made" "$gpuvm" verify "$work/t.gvp" --deep --store "$store"
        expect 0 "fat $made" "$gpuvm" fat "$work/t.gvp" --store "$folder" --store "$store" -o -
        same "$work/out" "$work/$made.gvp" "fat $made again"
    done
done
expect 0 "default names" "$gpuvm" thin "$work/fat.gvp" --store "$work/t"
expect 0 "default names" "$gpuvm" fat "$work/fat.gvp.thin" --store "$work/t"
same "$work/fat.gvp" "$work/fat.gvp.thin.fat" "default names"
expect 4 "no store has it" "$gpuvm" fat "$work/fat.gvp.thin" -o "$work/no"
[ -e "$work/no" ] && fail "a payload without resources"
expect 2 "thin already" "$gpuvm" thin "$work/fat.gvp.thin" --store "$work/t" -o "$work/no"
expect 2 "thin already" "$gpuvm" thin "$work/fat.gvp.thin" --store "$work/unmade" -o "$work/no"
[ -e "$work/unmade" ] && fail "a store for nothing"
expect 2 "one file for both" "$gpuvm" thin "$work/fat.gvp" --store "pack:$work/both" -o "$work/both"
[ -e "$work/both" ] && fail "one file for both is there"
expect 2 "fat already" "$gpuvm" fat "$work/fat.gvp" -o "$work/no"
expect 2 "over the input" "$gpuvm" thin "$work/fat.gvp" --store "$work/t" -o "$work/fat.gvp"
expect 2 "no store" "$gpuvm" thin "$work/fat.gvp"
expect 3 "a capture" "$gpuvm" thin "$work/demo" --store "$work/t" -o "$work/no"
# Any file is an object, also an empty one.
printf 'some bytes' >"$work/file"
: >"$work/nothing"
expect 0 "add files" "$gpuvm" store add "$pack" "$work/file" "$work/nothing" --level 19
id=$(head -n 1 "$work/out" | cut -f 1)
for id in $(cut -f 1 "$work/out"); do
    expect 0 "get $id" "$gpuvm" store get "$pack" "$id" -o "$work/got-$id"
done
id=$(head -n 1 "$work/out" | cut -f 1)
expect 0 "ids" "$gpuvm" store add "$pack" "$work/file"
id=$(cut -f 1 "$work/out")
same "$work/got-$id" "$work/file" "get to a file"
expect 0 "get" "$gpuvm" store get "$pack" "$id"
same "$work/out" "$work/file" "get"
expect 4 "no such object" "$gpuvm" store get "$pack" 00000000000000000000000000000000
expect 2 "no id" "$gpuvm" store get "$pack" xyz
expect 2 "over the pack" "$gpuvm" store get "$pack" "$id" -o "$pack"
blob=$(find "$folder/cas" -name '*.zst' | sort | head -n 1)
first=$(head -n 1 "$work/ids" | cut -f 1)
expect 2 "over an object" "$gpuvm" store get "$folder" "$first" -o "$blob"
expect 2 "a run over the pack" "$gpuvm" run "$work/thin.gvp" --store "$pack" --export "x=$pack"
expect 0 "JSON" "$gpuvm" store ls "$pack" --json
says "$work/out" "^\{\"schema\":1,.*\"id\":\"$id\",\"bytes\":10,.*\"count\":" "ls --json"
expect 2 "no store" "$gpuvm" store ls "$work/none"
expect 3 "no pack" "$gpuvm" store ls "$work/file"
expect 3 "on the web" "$gpuvm" store ls http://x/

# gc keeps what payloads need and what is young.
expect 0 "more" "$gpuvm" store add "$folder" "$work/other.gvp" "$work/file"
expect 0 "young" "$gpuvm" store gc "$folder" "$work/thin.gvp"
says "$work/out" "^0 objects and 0 left over removed" "young"
: >"$folder/cas/${id%??????????????????????????????}/$id.zst.99-0"
expect 0 "left over" "$gpuvm" store check "$folder"
says "$work/out" "damaged, 1 left over" "left over"
for store in "$folder" "$pack"; do
    expect 0 "dry" "$gpuvm" store gc "$store" "$work/thin.gvp" --age 0 --dry-run
    expect 0 "still there" "$gpuvm" store get "$store" "$id"
    expect 0 "gc, $store" "$gpuvm" store gc "$store" "$work/thin.gvp" --age 0
    expect 4 "collected, $store" "$gpuvm" store get "$store" "$id"
    ids "$store" >"$work/left"
    same "$work/ids" "$work/left" "gc, $store"
done
[ -e "$folder/cas/${id%??????????????????????????????}/$id.zst.99-0" ] && fail "it is still left over"
expect 2 "gc wants payloads" "$gpuvm" store gc "$folder" "$work/file"

# A pack of what a payload needs, in its order; the whole of one.
expect 0 "both" "$gpuvm" store add "$folder" "$work/other.gvp" "$work/file"
expect 0 "pack, a payload" "$gpuvm" store pack "$folder" "$work/new" "$work/thin.gvp"
ids "$work/new" >"$work/left"
same "$work/ids" "$work/left" "a pack of what is needed"
expect 0 "pack, over it" "$gpuvm" store pack "$folder" "$work/new"
ids "$folder" >"$work/all"
ids "$work/new" >"$work/left"
same "$work/all" "$work/left" "a pack of everything"
expect 4 "an object is missing" "$gpuvm" store pack "$pack" "$work/new" "$work/other.gvp"
ids "$work/new" >"$work/left"
same "$work/all" "$work/left" "a pack that could not be made leaves the old one"
expect 2 "over itself" "$gpuvm" store pack "$pack" "$pack"
cp "$work/other.gvp" "$work/kept.gvp"
expect 2 "over a payload" "$gpuvm" store pack "$folder" "$work/kept.gvp" "$work/thin.gvp"
same "$work/other.gvp" "$work/kept.gvp" "a payload in the place of a pack"
expect 7 "no file" "$gpuvm" store pack "$folder" /dev/full

# Objects of a pack have the dictionaries that the payload's groups have, however they
# came there; in a folder they have none.
stored() {
    "$gpuvm" store ls "$1" | awk "{ bytes += \$3 } END { print bytes }"
}
expect 0 "with dictionaries" "$gpuvm" thin "$work/fat.gvp" --store "pack:$work/small" -o "$work/d-thin.gvp"
expect 0 "without" "$gpuvm" store add "$work/large" "$work/fat.gvp"
[ "$(stored "pack:$work/small")" -lt "$(stored "$work/large")" ] || fail "dictionaries save nothing"
expect 0 "check, dictionaries" "$gpuvm" store check "$work/small"
expect 0 "packed with dictionaries" "$gpuvm" store pack "$work/large" "$work/d-packed" "$work/thin.gvp"
same "$work/small" "$work/d-packed" "a pack of what is needed, with dictionaries"
expect 0 "added with dictionaries" "$gpuvm" store add "pack:$work/d-added" "$work/fat.gvp"
same "$work/small" "$work/d-added" "a pack of a payload, with dictionaries"
expect 0 "packed anew" "$gpuvm" store pack "$work/small" "$work/anew"
expect 0 "collected" "$gpuvm" store gc "$work/small" "$work/thin.gvp"
same "$work/small" "$work/anew" "a pack of a pack"
[ "$(stored "$work/small")" -eq "$(stored "$work/d-packed")" ] || fail "dictionaries got lost"
expect 0 "from a pack to a folder" "$gpuvm" store add "$work/back" "$work/small" --level 3
diff -r "$work/large/cas" "$work/back/cas" >&2 || fail "objects of a folder differ"
expect 0 "fat of dictionaries" "$gpuvm" fat "$work/d-thin.gvp" --store "$work/small" -o "$work/again"
same "$work/fat.gvp" "$work/again" "fat of dictionaries"
# Of a payload that needs an object, and not its dictionary's: it is compressed without.
"$gpuvm" dump "$work/d-thin.gvp" | sed -n '/^\.group .*dictionary=/{s/ dictionary=[0-9]*//p;q}' >"$work/group"
id=$(cut -d ' ' -f 2 "$work/group")
[ -n "$id" ] || fail "no group has a dictionary"
{
    echo '.payload exact level=3 commands=0 thin'
    echo '.limits volatile=0 maps=0 stack=0 objects=0 instructions=1 object_bytes=0'
    cat "$work/group"
    printf '%s\n' '.chunk command=0 resource=0' '    end'
} >"$work/alone.txt"
expect 0 "a payload of one group" "$gpuvm" asm "$work/alone.txt" -o "$work/alone.gvp"
expect 0 "gc of a dictionary" "$gpuvm" store gc "$work/small" "$work/alone.gvp"
ids "$work/small" | cut -f 1 >"$work/left"
echo "$id" | cmp -s - "$work/left" || fail "gc of a dictionary left $(cat "$work/left")"
expect 0 "one without its dictionary" "$gpuvm" store check "$work/small"
says "$work/out" "^1 object whole, 0 damaged" "one without its dictionary"

# A disk that is full half way: the pack is as it was.
head -c 600000 /dev/urandom >"$work/noise"
cp "$work/new" "$work/full"
expect 7 "no room" sh -c 'ulimit -f "$1" && shift && exec "$@"' sh \
    $(($(stat -c %s "$work/new") / 512 + 100)) "$gpuvm" store add "$work/full" "$work/noise"
same "$work/new" "$work/full" "a pack that had no room"

# Cut: what is whole is there, and adding mends it. Damaged: told, and mended.
size=$(stat -c %s "$work/new")
head -c $((size - 1)) "$work/new" >"$work/cut"
expect 0 "cut" "$gpuvm" store check "$work/cut"
says "$work/out" ", no index$" "cut"
head -c 100 "$work/new" >"$work/stump"
expect 3 "cut to nothing" "$gpuvm" store check "$work/stump"
says "$work/err" "cut short, and no object is left" "cut to nothing"
expect 0 "a run of a cut pack" "$gpuvm" verify "$work/thin.gvp" --deep --store "$work/cut"
expect 0 "mended" "$gpuvm" store add "$work/cut" "$work/file"
expect 0 "mended" "$gpuvm" store check "$work/cut"
says "$work/out" "0 damaged, 0 left over$" "mended"
for store in "$work/cut" "$blob"; do
    printf 'damage' | dd of="$store" bs=1 seek=130 conv=notrunc 2>/dev/null
done
for store in "$work/cut" "$folder"; do
    expect 3 "damaged, $store" "$gpuvm" store check "$store"
    says "$work/out" "^damaged	[0-9a-f]{32}	object " "damaged, $store"
    expect 0 "replaced, $store" "$gpuvm" store add "$store" "$work/fat.gvp" "$work/other.gvp" "$work/file"
    expect 0 "replaced, $store" "$gpuvm" store check "$store"
done
# A file that no frame is as long as: told as damage, and not read.
first=$(head -n 1 "$work/ids" | cut -f 1)
long=$(find "$folder/cas" -name "$first.zst")
for size in 3G 100G; do
    truncate -s $size "$long"
    expect 3 "a long file, check" "$gpuvm" store check "$folder" --mem-mb 256
    says "$work/out" "^damaged	$first	object $first is damaged: input is over" "a long file, check"
    expect 4 "a long file, get" "$gpuvm" store get "$folder" "$first" --mem-mb 256
done
finish
