#!/bin/sh
# gpuvm compare: two pictures, two folders, tolerances just met and just not, masks, what
# differs as a picture, what is refused.
#   compare.sh GPUVM
. tests/cli/lib.sh
gpuvm=$(realpath "$1")

# picture FILE SIDE VALUES...: a grey PNM of text, SIDE pixels wide and high.
picture() {
    file=$1 side=$2
    shift 2
    { echo "P2 $side $side 255" && echo "$@"; } >"$file"
}
cd "$work" || exit 1
picture a.pgm 4 9 9 9 9 9 9 9 9 9 9 9 9 50 60 70 80
picture b.pgm 4 9 9 9 9 9 12 9 9 9 9 9 9 50 60 71 80
picture c.pgm 3 9 9 9 9 9 9 9 9 9
picture mask.pgm 4 1 1 1 1 1 0 1 1 1 1 1 1 1 1 0 1

expect 0 "equal" "$gpuvm" compare a.pgm a.pgm
says out "^pass	a.pgm	4x4	0.0000	0.0000	0.0000	0.0000	0	-	-	inf	-	-	\$" "equal"
expect 1 "not equal" "$gpuvm" compare a.pgm b.pgm --header
says out "^verdict	name	size	over_0_%	" "the names of columns"
says out "^fail	b.pgm	4x4	12.5000	6.2500	6.2500	0.0000	3	1,1	1,1,2,3	50.172	-	-	2 of 16" "figures"
[ -t 1 ] || [ "$(wc -l <out)" = 2 ] || fail "two lines"
expect 1 "sizes" "$gpuvm" compare a.pgm c.pgm --tolerance 255,100
says out "^fail	c.pgm	-	.*	3x3, not 4x4\$" "both sizes"

# Just inside, just outside.
while read -r code tolerance; do
    expect "$code" "tolerance $tolerance" "$gpuvm" compare a.pgm b.pgm --tolerance "$tolerance"
done <<'ROWS'
1 exact
1 0
1 2
0 3
1 0,12.4
0 0,12.5
0 2,6.25
1 2,6.24
1 0,12.5,24.9
0 0,12.5,25
1 gl
0 perceptual:1,1
1 perceptual:0,1
1 perceptual:1,0
ROWS
expect 2 "no tolerance" "$gpuvm" compare a.pgm b.pgm --tolerance much
says err "no tolerance 'much': exact, gl, LEVELS" "which there are"

expect 0 "masked" "$gpuvm" compare a.pgm b.pgm --mask mask.pgm
expect 2 "mask of another size" "$gpuvm" compare c.pgm c.pgm --mask mask.pgm
says err "the mask is 4x4, the picture 3x3" "both sizes of the mask"
printf 'P7 WIDTH 1 HEIGHT 1 DEPTH 4 MAXVAL 255 ENDHDR\nabc\1' >clear.pam
printf 'P7 WIDTH 1 HEIGHT 1 DEPTH 4 MAXVAL 255 ENDHDR\nabc\2' >faint.pam
expect 0 "alpha" "$gpuvm" compare clear.pam faint.pam
expect 1 "alpha compared" "$gpuvm" compare clear.pam faint.pam --alpha

# FLIP figures when they are asked for, and no otherwise.
expect 1 "--flip" "$gpuvm" compare a.pgm b.pgm --flip --json
says out '"flip_mean":0.0[0-9]*,"flip_p99":0' "FLIP figures"
expect 1 "--json" "$gpuvm" compare a.pgm b.pgm --json
says out '"name":"b.pgm","verdict":"fail","why":"2 of 16 .*"expected_size":\[4,4\]' "JSON"
says out '\{"over":2,"pixels":1,"percent":6.25\}.*"largest":3,"largest_at":\[1,1\],"box":\[1,1,2,3\]' "JSON figures"
says out '"compared":1,"failed":1,"status":"differ"\}$' "JSON status"
grep -q flip out && fail "FLIP figures that nobody asked for"

# What differs, as a picture: it has the size, and equal pictures are grey all over.
expect 1 "--diff" "$gpuvm" compare a.pgm b.pgm --diff diff.png
expect 1 "equal to itself" "$gpuvm" compare a.pgm diff.png
says out "4x4" "the size of what differs"
expect 0 "--diff of equal ones" "$gpuvm" compare a.pgm a.pgm --diff grey.png
expect 2 "onto an input" "$gpuvm" compare a.pgm b.pgm --diff b.pgm
says err "b.pgm is an input" "the input"
expect 7 "nowhere" "$gpuvm" compare a.pgm b.pgm --diff no/folder/diff.png

# Folders.
mkdir one two
cp a.pgm b.pgm c.pgm one
cp a.pgm two
cp a.pgm two/b.pgm
cp b.pgm two/more.pgm
echo text >one/notes.txt
expect 1 "folders" "$gpuvm" compare one two --diff differ
cut -f 1,2 out >words
printf 'pass\ta.pgm\nfail\tb.pgm\nmissing\tc.pgm\nextra\tmore.pgm\n' >wanted
same words wanted "words of folders"
[ "$(ls differ)" = b.png ] || fail "what differs: $(ls differ)"
mkdir three four
picture three/a.ppm 4 9 9 9 9 9 9 9 9 9 9 9 9 50 60 70 80
cp three/a.ppm three/a.pgm
cp b.pgm four/a.pgm
cp b.pgm four/a.ppm
expect 1 "names but for the ending" "$gpuvm" compare three four --diff both
set -- both/*
[ "$*" = "both/a.pgm.png both/a.ppm.png" ] || fail "one picture for two: $(ls both)"
expect 1 "folders as JSON" "$gpuvm" compare one two --json
says out '"name":"c.pgm","verdict":"missing".*"compared":4,"failed":3,"status":"differ"' "JSON of folders"
mkdir -p deep/a/b deeper/a/b deep/.hidden
cp a.pgm deep/a/b/x.pgm && cp b.pgm deeper/a/b/x.pgm && cp a.pgm deep/a/y.pgm && cp a.pgm deeper/y.pgm
cp a.pgm deep/.hidden/z.pgm && ln -s .. deep/round
expect 1 "folders in folders" "$gpuvm" compare deep deeper --diff deepest
cut -f 1,2 out >words
printf 'fail\ta/b/x.pgm\nmissing\ta/y.pgm\nextra\ty.pgm\n' >wanted
same words wanted "words of folders in folders"
[ -f deepest/a/b/x.png ] || fail "no diff below: $(find deepest)"
head -c 20 a.pgm >two/c.pgm
expect 3 "one is none" "$gpuvm" compare one two
says out "^error	c.pgm	.*PNM: .* \(byte [0-9]+\)\$" "which byte"
says out "^extra	more.pgm" "the others are told"
expect 2 "a folder and a file" "$gpuvm" compare one a.pgm
mkdir empty
expect 2 "no pictures" "$gpuvm" compare empty empty
says err "no picture in empty, and none in empty" "both empty"

# What is no picture, or is not there.
expect 2 "not there" "$gpuvm" compare a.pgm nowhere.png
says err "nowhere.png: cannot be opened" "the file"
expect 3 "text" "$gpuvm" compare a.pgm one/notes.txt
says err "one/notes.txt: no picture: neither PNG nor PNM" "no picture"
printf 'P6\n60000 60000\n255\n' >huge.ppm
expect 3 "huge" "$gpuvm" compare a.pgm huge.ppm --json
says out '"status":"rejected","file":"huge.ppm"' "JSON of an error"
mkfifo pipe
cat a.pgm >pipe &
expect 0 "a pipe" "$gpuvm" compare a.pgm pipe
wait
finish
