#!/bin/sh
# compile, info, dump, asm, verify, explain: no device needed.
#   compile.sh GPUVM MAKE_AEROGPU PLAYER MAKE_APITRACE
. tests/cli/lib.sh
gpuvm=$1 make=$2 player=$3 make_apitrace=$4
cp_in=$work/demo.aerogputrace
"$make" demo "$cp_in" || fail "no demo capture"

expect 0 "default output" "$gpuvm" compile "$cp_in"
payload=$cp_in.gvp
[ -s "$payload" ] || fail "no $payload"
expect 0 "again" "$gpuvm" compile "$cp_in" -o "$work/again.gvp" -j 2
same "$payload" "$work/again.gvp" "two compiles"
expect 0 "one thread" "$gpuvm" compile "$cp_in" -o "$work/one.gvp" -j 1
same "$payload" "$work/one.gvp" "one thread"
"$gpuvm" compile "$cp_in" -o - >"$work/pipe.gvp" || fail "to a pipe"
same "$payload" "$work/pipe.gvp" "file and pipe"
"$gpuvm" compile - -o "$work/stdin.gvp" <"$cp_in" >/dev/null || fail "from a pipe"
same "$payload" "$work/stdin.gvp" "input from file and pipe"
cp "$cp_in" "$work/odd.name"
expect 0 "name does not matter" "$gpuvm" compile "$work/odd.name" -o "$work/odd.gvp"
same "$payload" "$work/odd.gvp" "odd name"
gzip -c "$cp_in" >"$work/zipped"
expect 0 "gzip layer" "$gpuvm" compile "$work/zipped" -o "$work/zipped.gvp"
expect 0 "json" "$gpuvm" compile "$cp_in" --json
says "$work/out" '^\{"schema":1,[^{]*"status":"ok".*"complete":true' "compile --json"
expect 0 "level" "$gpuvm" compile "$cp_in" --level 19 --strip -o "$work/small.gvp"

expect 0 "front-end option" "$gpuvm" compile "$cp_in" -o "$work/option.gvp" \
    --option aerogpu.framebuffer=32x16 --option psx.batch=7
"$gpuvm" info "$work/option.gvp" >"$work/out" || fail "info of option.gvp"
says "$work/out" '"front_end":\["aerogpu.framebuffer=32x16"\]' "options in the provenance"
expect 2 "unknown option key" "$gpuvm" compile "$cp_in" --option aerogpu.size=1 -o "$work/x.gvp"
says "$work/err" "a key of: aerogpu.framebuffer," "names the keys"
expect 2 "bad option value" "$gpuvm" compile "$cp_in" --option aerogpu.half-pixel=2 -o "$work/x.gvp"
"$make" fixtures "$work/fixtures" >/dev/null || fail "no fixtures"
wire=$work/fixtures/fill_wireframe.aerogputrace
expect 0 "within the target" "$gpuvm" compile "$wire" -o "$work/wire.gvp"
[ -s "$work/err" ] && fail "a warning for the default target"
expect 0 "beyond the target" "$gpuvm" compile "$wire" --target baseline -o "$work/wire.gvp"
says "$work/err" "^warning beyond-target .*fillModeNonSolid" "what the target lacks"
expect 2 "no such capture" "$gpuvm" compile "$work/none"
expect 2 "no file, no output" sh -c "'$gpuvm' compile /dev/stdin <'$cp_in'"
says "$work/err" "needs -o PAYLOAD" "no file, no output"
expect 3 "a store by HTTP" "$gpuvm" compile "$cp_in" --thin --store http://example.org/store \
    -o "$work/thin.gvp"
says "$work/err" "unsupported: http store" "a store by HTTP"
[ ! -e http: ] || fail "a folder http:"
# Groups that end with frames: more of them, the same resources, and the same thin and fat.
for kb in 0 16; do
    expect 0 "groups of $kb KiB" "$gpuvm" compile "$cp_in" --group-kb $kb -o "$work/groups-$kb.gvp"
    "$gpuvm" info "$work/groups-$kb.gvp" | awk '$1 == "resource_groups" { print $2 }' >"$work/groups-$kb"
    "$gpuvm" info "$work/groups-$kb.gvp" | awk '$1 == "resources" { print $2 }' >"$work/resources-$kb"
done
[ "$(cat "$work/groups-16")" -gt "$(cat "$work/groups-0")" ] || fail "groups do not end with frames"
same "$work/resources-16" "$work/resources-0" "resources in smaller groups"
expect 0 "verified" "$gpuvm" verify --deep "$work/groups-16.gvp"
expect 0 "thin of it" "$gpuvm" thin "$work/groups-16.gvp" --store "$work/groups-store" -o "$work/groups-thin.gvp"
expect 0 "fat of that" "$gpuvm" fat "$work/groups-thin.gvp" --store "$work/groups-store" -o "$work/groups-fat.gvp"
same "$work/groups-16.gvp" "$work/groups-fat.gvp" "there and back"
# Of an older version, which keeps it.
old=tests/fuzz/corpus/fuzz_payload/draw.gvp
expect 0 "an old one" "$gpuvm" info "$old" && says "$work/out" "^format_major +1$" "an old one"
expect 0 "an old one, thin" "$gpuvm" thin "$old" --store "$work/old-store" -o "$work/old-thin.gvp"
expect 0 "an old one, fat" "$gpuvm" fat "$work/old-thin.gvp" --store "$work/old-store" -o "$work/old-fat.gvp"
same "$old" "$work/old-fat.gvp" "an old one, there and back"
expect 0 "by default" "$gpuvm" compile "$cp_in" -o "$work/groups.gvp"
same "$work/groups-16.gvp" "$work/groups.gvp" "16 KiB is the default"
expect 0 "one thread" "$gpuvm" compile "$cp_in" -j 1 -o "$work/groups-1.gvp"
same "$work/groups.gvp" "$work/groups-1.gvp" "groups with one thread"
# Some have another one as their dictionary, which is told, and text keeps.
expect 0 "dictionaries" "$gpuvm" info "$work/groups.gvp"
says "$work/out" "^dictionaries +1$" "dictionaries"
expect 0 "the plan" "$gpuvm" explain "$work/groups.gvp"
says "$work/out" "^  [0-9a-f]{12} frame [0-9]+ with [0-9a-f]{12} " "which group has which"
"$gpuvm" dump "$work/groups.gvp" >"$work/groups.gvt"
says "$work/groups.gvt" "^\.group [0-9a-f]{32} dictionary=[0-9]+ " "text names it"
expect 0 "text" "$gpuvm" asm "$work/groups.gvt" --resources "$work/groups.gvp" -o "$work/groups-text.gvp"
same "$work/groups.gvp" "$work/groups-text.gvp" "text and back"
expect 0 "compiled thin" "$gpuvm" compile "$cp_in" --thin --store "$work/groups-2" -o "$work/groups-thin.gvp"
expect 0 "text, thin" "$gpuvm" dump "$work/groups-thin.gvp"
says "$work/out" "^\.group [0-9a-f]{32} dictionary=[0-9]+ " "a thin one names it, too"
sed -i 's/dictionary=[0-9]*/dictionary=99/' "$work/groups.gvt"
expect 3 "of none" "$gpuvm" asm "$work/groups.gvt" --resources "$work/groups.gvp" -o "$work/no.gvp"
says "$work/err" "line [0-9]+: the group's dictionary is not a group before it" "of none"

expect 2 "thin without store" "$gpuvm" compile "$cp_in" --thin
expect 0 "a store without thin" env GPUVM_STORE="$work/none" "$gpuvm" compile "$cp_in" -o "$work/stored.gvp"
same "$payload" "$work/stored.gvp" "a store without --thin"
expect 2 "usage as JSON" env GPUVM_JSON=1 "$gpuvm" compile "$cp_in" --nonsense
says "$work/out" '^\{"schema":1,[^{]*"status":"usage"' "usage error as JSON by variable"
# A child that waits, since nobody empties the pipe that it writes to, is killed.
mkfifo "$work/full"
sleep 60 <"$work/full" &
reader=$!
"$gpuvm" compile "$cp_in" -o "$work/full" --json >"$work/out" 2>"$work/err" &
parent=$!
for _ in $(seq 100); do
    sleep 0.1
    child=$(pgrep -P $parent) && break
done
kill -SEGV "$child"
wait $parent
code=$?
kill $reader
[ $code -eq 6 ] || fail "exit $code where the compiler dies"
says "$work/out" '^\{"schema":1,[^{]*"status":"lost".*compiler' "JSON of a death"
case $gpuvm in
*asan*) ;; # shadow memory has no bound
*)
    expect 5 "no memory for the shader compiler" \
        sh -c "ulimit -d 20000; XDG_CACHE_HOME=/dev/null '$gpuvm' compile '$cp_in' -o '$work/dead.gvp' --json"
    says "$work/out" "^\\{\"schema\":1,[^{]*\"status\":\"device\",\"file\":\"$cp_in\",\"error\":\"out of memory" \
        "JSON of exhausted memory"
    [ -z "$(ls "$work"/dead.gvp* 2>/dev/null)" ] || fail "a dead compile leaves files"
    ;;
esac
expect 0 "no child" "$gpuvm" compile "$cp_in" -o "$work/same.gvp" --no-child
same "$payload" "$work/same.gvp" "with and without a child"
expect 2 "frame out of range" "$gpuvm" compile "$cp_in" --frames 99999 -o "$work/x.gvp"
expect 7 "output folder missing" "$gpuvm" compile "$cp_in" -o "$work/no/such.gvp"
expect 7 "full disk" sh -c "'$gpuvm' compile '$cp_in' -o - >/dev/full"
echo "no capture at all" >"$work/text"
expect 3 "not a capture" "$gpuvm" compile "$work/text"
says "$work/err" "$work/text: " "names the file"
[ -e "$work/text.gvp" ] && fail "a failed compile leaves a file"
# Captures of other programs are refused by name, in any layer and by every command.
foreign() {
    for command in "compile" "info" "dump" "explain" "run" "devices"; do
        expect 3 "$command of foreign $1" "$gpuvm" $command "$work/$1"
        says "$work/err" "unsupported: $2; gpuvm does not read those yet\$" "$command names $1"
    done
}
printf 'RDOC\0\0\0\0\2\1\0\0' >"$work/rdc"
zstd -q "$work/rdc" -o "$work/rdc.zst"
foreign rdc "RenderDoc capture"
foreign rdc.zst "RenderDoc capture"
head -c 300 "$cp_in" >"$work/cut"
expect 3 "compile of a payload" "$gpuvm" compile "$payload" -o "$work/x.gvp"
says "$work/err" "a payload, not a capture" "says what it is"
expect 3 "cut short" "$gpuvm" compile "$work/cut" --json
says "$work/out" '"status":"rejected".*"offset":' "JSON of a rejection"
ls "$work"/*.tmp >/dev/null 2>&1 && fail "temporaries left"

for program in "$gpuvm" "$player"; do
    expect 0 "verify" "$program" verify "$payload"
    expect 0 "verify --deep" "$program" verify --deep "$payload" --json
    says "$work/out" '"deep":true' "verify --json"
    expect 0 "info payload" "$program" info "$payload"
    says "$work/out" '^frames +[1-9]' "info has frames"
    expect 3 "verify of text" "$program" verify "$work/text"
done
# JSON has true and false, and objects where the payload holds them.
expect 0 "info --json" "$gpuvm" info "$payload" --json
jq -e '.thin == false and .complete == true and (.provenance | type) == "object" and
    (.provenance.capture.bytes | type) == "number"' "$work/out" >/dev/null ||
    fail "JSON of a payload: $(cat "$work/out")"
printf '.provenance "{\\"a\\": 1},\\"status\\":\\"ok\\""\nframe_end()\n' >"$work/forged.gva"
expect 0 "forged provenance" "$gpuvm" asm "$work/forged.gva" -o "$work/forged.gvp"
expect 0 "info of it" "$gpuvm" info "$work/forged.gvp" --json
jq -e '(.provenance | type) == "string"' "$work/out" >/dev/null || fail "forged provenance: $(cat "$work/out")"
expect 0 "info of a layer" "$gpuvm" info "$work/zipped" --json
jq -e '.layer_cut == false' "$work/out" >/dev/null || fail "JSON of a layer: $(cat "$work/out")"
expect 0 "info capture" "$gpuvm" info "$cp_in" --json
says "$work/out" '"kind":"capture"' "info of a capture"
expect 3 "player refuses captures" "$player" info "$cp_in"
says "$work/err" "not a payload" "says why"
cp "$payload" "$work/bent.gvp"
printf X | dd of="$work/bent.gvp" bs=1 seek=200 conv=notrunc 2>/dev/null
expect 3 "damaged payload" "$gpuvm" verify "$work/bent.gvp"
says "$work/err" "byte [0-9]" "tells the offset"
head -c 500 "$payload" >"$work/short.gvp"
expect 3 "payload cut short" "$gpuvm" verify "$work/short.gvp"

expect 0 "dump payload" "$gpuvm" dump "$payload" -o "$work/text.gva"
expect 0 "asm" "$gpuvm" asm "$work/text.gva" --resources "$payload" -o "$work/back.gvp"
same "$payload" "$work/back.gvp" "dump and asm"
echo "frobnicate" >"$work/bad.gva"
expect 3 "asm of nonsense" "$gpuvm" asm "$work/bad.gva" -o "$work/x.gvp"
says "$work/err" "line 1" "names the line"
# What asm writes, verify takes.
: >"$work/empty.gva"
printf 'loop 2\nframe_end()\nloop_end\n' >"$work/loop.gva"
printf 'bind_pipeline(s0)\ns0 = buffer_create(16, VERTEX)\n' >"$work/unmade.gva"
for text in empty loop unmade; do
    expect 3 "asm of $text text" "$gpuvm" asm "$work/$text.gva" -o "$work/$text.gvp"
    [ -e "$work/$text.gvp" ] && fail "asm leaves a payload of $text text"
done
expect 0 "asm --unverified" "$gpuvm" asm --unverified "$work/loop.gva" -o "$work/loop.gvp"
expect 3 "verify of it" "$gpuvm" verify "$work/loop.gvp"
printf 's1 = buffer_create(16, VERTEX)\ns0 = buffer_create(8, VERTEX)\n' >"$work/slots.gva"
printf 'buffer_copy(s0, 0, s1, 8, 8)\nbuffer_destroy(s1)\n' >>"$work/slots.gva"
expect 0 "asm of numbered names" "$gpuvm" asm "$work/slots.gva" -o "$work/slots.gvp"
expect 0 "verify of numbered names" "$gpuvm" verify "$work/slots.gvp"
printf '.const words u8 ( 1 2 3 4 )\ns0 = shader_create(words)\n' >"$work/unfit.gva"
printf 'frame_end()\n' >>"$work/unfit.gva"
expect 0 "asm of a shader that is none" "$gpuvm" asm "$work/unfit.gva" -o "$work/unfit.gvp"
for program in "$gpuvm" "$player"; do
    expect 0 "verify reads no shaders" "$program" verify "$work/unfit.gvp"
    expect 3 "verify --deep does" "$program" verify --deep "$work/unfit.gvp" --json
    says "$work/err" "shader_create: .*not a SPIR-V module \(code byte" "names the call"
    says "$work/out" '"status":"rejected"' "JSON of a shader that is none"
done
expect 2 "asm without output" "$gpuvm" asm "$work/text.gva"
# A reader that has seen enough is no error to be told.
for line in "dump '$payload'" "dump '$cp_in'" "info '$payload'" "explain '$payload'" "--help"; do
    expect 7 "$line | true" sh -c "mkfifo '$work/pipe.$$'; : <'$work/pipe.$$' & exec 3>'$work/pipe.$$'; wait
        rm '$work/pipe.$$'; exec '$gpuvm' $line >&3"
    [ -s "$work/err" ] && fail "$line | true: $(cat "$work/err")"
done
expect 7 "a full disk is told" sh -c "'$gpuvm' dump '$payload' >/dev/full"
says "$work/err" "cannot write standard output: No space" "a full disk is told"
expect 0 "dump capture" "$gpuvm" dump "$cp_in"
[ -s "$work/out" ] || fail "an empty dump"

expect 0 "explain" "$gpuvm" explain "$payload"
for table in segments opcodes calls largest_resources fetch_plan; do
    says "$work/out" "^$table" "explain has $table"
done
expect 0 "explain --json" "$gpuvm" explain "$payload" --json --top 2
says "$work/out" '"calls":\[\{"name":"' "explain --json"
# A payload goes where its name leads, and stays alone there.
ln -s real.gvp "$work/link.gvp"
: >"$work/real.gvp"
expect 0 "compile to a link" "$gpuvm" compile "$cp_in" -o "$work/link.gvp"
[ -L "$work/link.gvp" ] || fail "the link is replaced"
expect 0 "what the link names" "$gpuvm" verify "$work/real.gvp"
ln -s /proc/self/fd/1 "$work/standard"
sh -c "'$gpuvm' compile '$cp_in' -o '$work/standard' | cat" >"$work/piped.gvp"
same "$work/piped.gvp" "$work/real.gvp" "compile to a link to standard output"
"$gpuvm" compile "$cp_in" -o "$work/standard" >"$work/filed.gvp"
same "$work/filed.gvp" "$work/real.gvp" "the same where it is a file"
[ -L "$work/standard" ] || fail "the link to standard output is replaced"
# A capture that is small and takes long: 300 million vertices of a list.
"$make_apitrace" lists "$work/lists.trace" 100000 raw || fail "no trace of lists"
expect 6 "a compile beyond its time" "$gpuvm" compile "$work/lists.trace" --timeout 1
says "$work/err" "time-out: the compiler's process took over 1 s" "who took too long"
[ ! -e "$work/lists.trace.gvp" ] || fail "a payload of a compile beyond its time"
finish
