#!/bin/sh
# gpuvm check: blessing, devices' own lines, tolerances, known failures, order, filters.
#   check.sh GPUVM MAKE_AEROGPU MAKE_PSX
. tests/cli/lib.sh
gpuvm=$(realpath "$1") make=$2 make_psx=$3
has_device "$gpuvm" || skip "no Vulkan device"
export XDG_CACHE_HOME="$work/cache"
mkdir -p "$work/place/captures/deep"
"$make" demo "$work/place/captures/demo.aerogputrace" || fail "no capture"
cp "$work/place/captures/demo.aerogputrace" "$work/place/captures/deep/same.aerogputrace"
"$make_psx" demo "$work/place/captures/game.psxgpu" || fail "no dump"
echo "no capture" >"$work/place/captures/readme.txt"
cd "$work/place" || exit 1

# What there is to usage.
expect 2 "no golden folder" "$gpuvm" check captures
expect 2 "a golden folder that is not there" "$gpuvm" check captures --golden golden
says "$work/err" "golden: no golden folder; --bless makes it" "what to do"
mkdir empty
expect 2 "nothing to run" "$gpuvm" check empty --golden golden --bless
expect 2 "nothing fits" "$gpuvm" check captures --golden empty --filter nothing
expect 2 "no expression" "$gpuvm" check captures --golden empty --filter '('
expect 2 "standard input" "$gpuvm" check - --golden empty
cp captures/demo.aerogputrace demo.other
expect 2 "one name twice" "$gpuvm" check captures demo.other --golden empty --bless
says "$work/err" "have one name" "both are named"
for own in devices times; do
    cp captures/demo.aerogputrace $own.aerogputrace
    expect 2 "a capture called $own" "$gpuvm" check $own.aerogputrace --golden empty --bless
    says "$work/err" "$own.tsv of the golden folder has another use" "why not"
done

# A payload has the name of its capture, whatever compile called it.
mkdir both && cp captures/demo.aerogputrace both/x.aerogputrace
expect 0 "the capture" "$gpuvm" check both --golden both.golden --bless
expect 0 "compiled" "$gpuvm" compile both/x.aerogputrace -q
rm both/x.aerogputrace
expect 0 "the payload for it" "$gpuvm" check both --golden both.golden
mv both/x.aerogputrace.gvp both/x.other.gvp
expect 1 "another ending" "$gpuvm" check both --golden both.golden
says "$work/out" "^Fail	x.other	no golden file" "its name"
rm -r both both.golden

mkdir swift && cp captures/demo.aerogputrace swift/x.aerogputrace
cp captures/demo.aerogputrace swift/x.swift.aerogputrace
mkdir named && printf 'swift\tanother\t*\n' >named/devices.tsv
expect 2 "a capture whose golden file is a device's" "$gpuvm" check swift --golden named --bless
says "$work/err" "x.swift.tsv of the golden folder has another use" "which file"
expect 0 "x alone" "$gpuvm" check swift/x.aerogputrace --golden named --bless
expect 2 "where x was" "$gpuvm" check swift/x.swift.aerogputrace --golden named --bless
says "$work/err" "x.swift.tsv of the golden folder has another use" "that of x"
rm named/devices.tsv
expect 0 "no device of that name" "$gpuvm" check swift --golden named --bless
expect 2 "a gate given twice" "$gpuvm" check swift --golden named --filter x --filter y --pedantic
says "$work/err" "--filter is given again: the last one counts" "which option"
rm -r swift named

# A mistake in the gate's own options is no capture's failure.
expect 2 "no such option" "$gpuvm" check captures --golden empty --option psx.nothing=1 --bless
says "$work/err" "option 'psx.nothing=1' is not KEY=VALUE" "which option"
expect 2 "no such target" "$gpuvm" check captures --golden empty --target nowhere --bless
expect 2 "too little for two" "$gpuvm" check captures --golden empty -j 2 --mem-mb 20 --bless
says "$work/err" "--mem-mb 20 is less than 16 for each of 2 captures at once" "how little"

# A capture that shows nothing has a golden file as well.
echo 'b = buffer_create(64, STORAGE)' >none.gvt
expect 0 "no frame" "$gpuvm" asm none.gvt -o none.gvp
expect 0 "bless no frame" "$gpuvm" check none.gvp --golden none.golden --bless
says "$work/out" "^Pass	none	blessed: 0 frames" "what was written"
expect 0 "no frame again" "$gpuvm" check none.gvp --golden none.golden
echo "frame 0 - 0ee0646c1c77d8131cc8f4ee65c7673b" >none.golden/none.tsv
expect 1 "a frame is expected" "$gpuvm" check none.gvp --golden none.golden

# Blessing writes what is seen, and nothing the second time.
expect 0 "bless" "$gpuvm" check captures --golden golden --bless
says "$work/out" "^Pass	deep/same	blessed: 24 frames" "what was written"
"$gpuvm" run captures/demo.aerogputrace --hash sha256-rgba -q >hashes
same hashes golden/demo.tsv "lines as run prints them"
cp -r golden before
expect 0 "bless again" "$gpuvm" check captures --golden golden --bless
diff -r before golden || fail "a second --bless changes something"
expect 0 "all pass" "$gpuvm" check captures --golden golden -q
[ -s "$work/out" ] && fail "-q prints passes"

# The same in the same order, however many run at once; the longest is begun first.
printf 'demo\t0.1\r\n\r\ndeep/same\t9\ngame\t5\n' >golden/times.tsv
sed -i 's/^frame\t2\t256x256\t.*/frame\t2\t256x256\t0ee0646c1c77d8131cc8f4ee65c7673b/' golden/demo.tsv
expect 1 "-j 1" "$gpuvm" check captures --golden golden -j 1 -o one
cp "$work/out" one.txt
cut -d '"' -f 4 one/results.jsonl | sed 1d >order
printf 'deep/same\ngame\ndemo\n' | diff - order || fail "not the longest first"
expect 1 "-j 2" "$gpuvm" check captures --golden golden -j 2 -o two
diff one.txt "$work/out" || fail "-j 2 tells something else"
for folder in one two; do
    cut -d , -f 1,2 $folder/results.csv >$folder.csv
done
printf 'deep/same,Pass\ndemo,Fail\ngame,Pass\n' | diff - one.csv || fail "results.csv"
same one.csv two.csv "results.csv"
printf 'demo,Fail\n' | diff - one/failures.csv || fail "failures.csv"
says one/results.jsonl '"name":"demo".*"command":"gpuvm run --screenshots 2 ' "how to see it"
[ -f one/pictures/demo/frame_000002.actual.png ] || fail "no actual picture"
[ -e one/.scratch ] && fail "scratch is left"
expect 1 "JSON" "$gpuvm" check captures --golden golden --json
says "$work/out" '"status":"differ","counts":\{"Pass":2,"Fail":1,' "counts"

# A name that is missed: its golden file is there, its capture is not.
mv captures/game.psxgpu game.psxgpu
expect 1 "a capture that went" "$gpuvm" check captures --golden golden
says "$work/out" "^Missing	game	there is no such file" "Missing"
cp -r golden golden.kept
expect 1 "a capture that went is not blessed" "$gpuvm" check captures --golden golden.kept --bless
says "$work/out" "^Missing	game	there is no such file" "Missing while blessing"
ln -s golden link
expect 1 "by a link to the folder" "$gpuvm" check captures --golden link
says "$work/out" "^Missing	game	there is no such file" "Missing by a link"
expect 0 "filtered it is not missed" "$gpuvm" check captures --golden golden --filter same
mv game.psxgpu captures/game.psxgpu

# Failures that are expected, by a list and by the golden file.
expect 0 "the list" "$gpuvm" check captures --golden golden --fails one/failures.csv
says "$work/out" "^ExpectedFail	demo" "ExpectedFail"

# Results never destroy what the check reads.
for kind in -s ""; do
    rm -rf linked && mkdir linked
    ln $kind "$PWD/captures/demo.aerogputrace" linked/results.csv
    expect 2 "results over a capture, ln $kind" \
        "$gpuvm" check captures --golden golden -o linked
    same captures/demo.aerogputrace demo.other "the capture behind ln $kind"
done
rm -rf linked && mkdir linked
ln -s "$PWD/golden/game.tsv" linked/results.jsonl
expect 2 "results over a golden file" "$gpuvm" check captures --golden golden -o linked
[ -s golden/game.tsv ] || fail "a golden file is empty"
cp one/failures.csv kept.csv
expect 2 "results over the list" \
    "$gpuvm" check captures --golden golden --fails one/failures.csv -o one
same one/failures.csv kept.csv "the list"

# A name of several lines comes back from the table that check writes.
odd="two
lines"
mkdir odd && cp captures/demo.aerogputrace "odd/$odd.aerogputrace" && cp captures/demo.aerogputrace odd/z.aerogputrace
expect 1 "an odd name" "$gpuvm" check odd --golden empty -o odd.out
printf '"two\nlines",Fail\nz,Fail\n' | diff - odd.out/failures.csv || fail "failures.csv of an odd name"
expect 0 "an odd name in a list" "$gpuvm" check odd --golden empty --fails odd.out/failures.csv
printf '"two\nlines",Fail\nz,Late\n' >odd.csv
expect 2 "lines are counted" "$gpuvm" check odd --golden empty --fails odd.csv
says "$work/err" "odd.csv: line 3: no word" "which line of three"

# What is resumed may have options that are no text.
bytes=$(printf 'x\377y')
mkdir "$bytes"
expect 1 "bytes" "$gpuvm" check captures/demo.aerogputrace --golden empty --store "$bytes" -o bytes.out
expect 1 "resumed" "$gpuvm" check captures/demo.aerogputrace --golden empty --store "$bytes" -o bytes.out --resume
says "$work/err" "1 kept of the check before" "it was that check"
expect 2 "other bytes" "$gpuvm" check captures/demo.aerogputrace --golden empty --store "$(printf 'x\376y')" -o bytes.out --resume

# What is resumed is of the golden files of today.
expect 0 "all once" "$gpuvm" check captures --golden before -o again.out
sed -i '/^frame\t9\t/d' before/demo.tsv
expect 1 "one changed since" "$gpuvm" check captures --golden before -o again.out --resume
says "$work/out" "^Fail	demo	frame 9: no line expects it" "the one that changed"
says "$work/err" "3 checked, 2 Pass, 1 Fail; 2 kept of the check before, not run again; 1 run again: what is expected has changed" "how many"
[ "$(wc -l <again.out/results.jsonl)" = 4 ] || fail "a line for each capture"
cp hashes before/demo.tsv
expect 0 "a known failure" "$gpuvm" check captures --golden before -o again.out --resume
printf 'demo\n' >again.txt
expect 1 "another list" "$gpuvm" check captures --golden before -o again.out --resume --fails again.txt
says "$work/out" "^UnexpectedPass	demo" "by the list of today"
rm -r again.out

echo 'demo,Crash' >crash.txt
expect 1 "another word" "$gpuvm" check captures --golden golden --fails crash.txt
echo 'game' >>crash.txt
expect 1 "a pass in the list" "$gpuvm" check captures --golden golden --fails crash.txt
says "$work/out" "^UnexpectedPass	game" "UnexpectedPass"
echo 'demo,Late' >crash.txt
expect 2 "no word" "$gpuvm" check captures --golden golden --fails crash.txt
says "$work/err" "crash.txt: line 1: no word" "which line"
echo 'known-fail the driver rounds' >>golden/demo.tsv
expect 0 "known-fail" "$gpuvm" check captures --golden golden
says "$work/out" "^ExpectedFail	demo	the driver rounds: frame 2" "its reason"
expect 0 "known failures are not blessed" "$gpuvm" check captures --golden golden --bless
says golden/demo.tsv "^frame	2	.*0ee0646c" "the line stays"
cp before/demo.tsv golden/demo.tsv
expect 1 "strict words" "$gpuvm" check captures --golden golden --fails one/failures.csv
says "$work/out" "^UnexpectedPass	demo" "passes again"

# Other people's sums, several for a frame, and a set of frames.
sum() {
    "$gpuvm" run captures/demo.aerogputrace --frames 3 --hash "$1" -q | sed 's/.*://'
}
{
    echo "frames 3"
    echo "frame 3 - $(sum md5-rgba)"
} >golden/demo.tsv
expect 0 "an MD5 with alpha" "$gpuvm" check captures --golden golden --filter demo
{
    echo "frames 3"
    echo "frame 3 - 0000000000000000000000000000000000000000"
    echo "frame 3 - $(sum sha1-rgb)"
} >golden/demo.tsv
expect 0 "the second SHA-1" "$gpuvm" check captures --golden golden --filter demo
sed -i '$d' golden/demo.tsv
expect 1 "the wrong SHA-1" "$gpuvm" check captures --golden golden --filter demo
expect 0 "blessed in its form" "$gpuvm" check captures --golden golden --filter demo --bless
says golden/demo.tsv "^frame	3	-	$(sum sha1-rgb)\$" "bare digits stay bare"
says golden/demo.tsv "^frames 3" "other lines stay"

# A device's own lines: in its file alone, for its frames alone.
cp before/demo.tsv golden/demo.tsv
sed -i 's/^frame\t2\t256x256\t.*/frame\t2\t1x1\t0ee0646c1c77d8131cc8f4ee65c7673b/' golden/demo.tsv
cp golden/demo.tsv base.tsv
printf '# those at hand\nmine\t*\t*\n' >golden/devices.tsv
expect 0 "bless for a device" "$gpuvm" check captures --golden golden --filter demo --bless
same base.tsv golden/demo.tsv "the lines of all"
[ "$(wc -l <golden/demo.mine.tsv)" = 1 ] || fail "more than what differs"
expect 0 "its own line" "$gpuvm" check captures --golden golden
printf 'mine\tanother driver\t*\n' >golden/devices.tsv
expect 1 "another device" "$gpuvm" check captures --golden golden
printf 'mine\n' >golden/devices.tsv
expect 2 "no line of a device" "$gpuvm" check captures --golden golden
says "$work/err" "golden/devices.tsv: line 1: not NAME, DRIVER" "which line"
rm golden/devices.tsv golden/demo.mine.tsv

# A line of all devices that a device cannot take away stays a failure.
cp before/demo.tsv golden/demo.tsv
sed -n '$s/^frame\t[0-9]*/frame\t99/p' before/demo.tsv >>golden/demo.tsv
printf 'mine\t*\t*\n' >golden/devices.tsv
expect 1 "not shown on a device" "$gpuvm" check captures --golden golden --filter demo --bless
says "$work/out" "^Fail	demo	frame 99: it was not shown, and the lines of all" "which frame"
rm golden/devices.tsv
expect 0 "not shown on any" "$gpuvm" check captures --golden golden --filter demo --bless
same before/demo.tsv golden/demo.tsv "the line goes"

# A tolerance needs pictures; with one, lines may be of another device.
cp before/demo.tsv golden/demo.tsv
expect 0 "bless pictures" "$gpuvm" check captures --golden golden --filter demo --bless --pictures
[ "$(find golden/demo -name 'frame_*.png' | wc -l)" = 24 ] || fail "a picture for each frame"
cp -r golden again
expect 0 "bless pictures again" "$gpuvm" check captures --golden golden --filter demo --bless --pictures
diff -r again golden || fail "a second --bless --pictures changes something"
sed -i 's/sha256-rgba:./sha256-rgba:/; s/$/0/' golden/demo.tsv
expect 1 "without a tolerance" "$gpuvm" check captures --golden golden --filter demo
echo "tolerance 1" >>golden/demo.tsv
expect 0 "within it" "$gpuvm" check captures --golden golden --filter demo
says "$work/out" "^Pass	demo	[0-9]* frames within the tolerance" "how many"
cp golden/demo/frame_000003.png frame.png
printf 'more' >>golden/demo/frame_000003.png
cp golden/demo/frame_000003.png longer.png
expect 0 "bless within it" "$gpuvm" check captures --golden golden --filter demo --bless --pictures
same longer.png golden/demo/frame_000003.png "the picture of a line that stays"
cp frame.png golden/demo/frame_000003.png
cp golden/demo/frame_000003.png golden/demo/frame_000004.png
expect 1 "another picture" "$gpuvm" check captures --golden golden --filter demo -o three
[ -f three/pictures/demo/frame_000004.diff.png ] || fail "no picture of the difference"
says "$work/out" "^Fail	demo	frame 4: " "which frame"
cp again/demo/frame_000004.png golden/demo/frame_000004.png
: >three/pictures/demo/mine.png
expect 0 "its own picture again" "$gpuvm" check captures --golden golden --filter demo -o three
[ "$(ls three/pictures/demo)" = mine.png ] || fail "pictures of before: $(ls three/pictures/demo)"
echo "mask demo/none.png" >>golden/demo.tsv
expect 1 "no mask" "$gpuvm" check captures --golden golden --filter demo
printf 'frame 0\n' >golden/demo.tsv
expect 2 "a golden file that is none" "$gpuvm" check captures --golden golden -o none
says "$work/err" "golden/demo.tsv: line 1: no size" "file and line"
printf 'demo\n' >golden/times.tsv
cp before/demo.tsv golden/demo.tsv
expect 2 "no times" "$gpuvm" check captures --golden golden
says "$work/err" "golden/times.tsv: line 1: not NAME, a tab and SECONDS" "which line"
rm golden/times.tsv

# Each capture's pictures are its own, though one process after the other makes them.
expect 0 "pictures of two" "$gpuvm" check captures --golden pair --filter '^(demo|game)$' --bless --pictures -j 1
printf 'demo\t2\ngame\t1\n' >pair/times.tsv
cp -r pair pair.before
rm -r pair/demo
expect 0 "pictures of one again" "$gpuvm" check captures --golden pair --filter '^(demo|game)$' --bless --pictures -j 1
diff -r pair.before pair || fail "one capture's pictures became another's"

# What changed.
expect 0 "against an earlier run" "$gpuvm" check captures --golden golden -o four --against one
says "$work/out" "^newly-passing	demo\$" "what passes again"
sed -i 2d golden/game.tsv
expect 1 "against that" "$gpuvm" check captures --golden golden -o five --against four
says "$work/out" "^newly-failing	game\$" "what fails"
expect 2 "against nothing" "$gpuvm" check captures --golden golden -o six --against nowhere
[ -s "$work/out" ] || [ -e six ] && fail "it ran before it looked there"
cp before/game.tsv golden/game.tsv
expect 0 "against its own folder" "$gpuvm" check captures --golden golden -o five --against five
says "$work/out" "^newly-passing	game\$" "what passes again"
finish
