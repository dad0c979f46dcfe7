#!/bin/sh
# Keyframes of the corpus: every frame behind each keyframe of every capture is what the linear
# run gives. Then seeks in any order, and two processes that share a capture.
#   keyframes.sh GPUVM MAKE_PSX [all|few]
# The corpus is $GPUVM_CORPUS, default ../shared/corpus; without it the test skips. `few`
# takes a few small captures of each kind, and no times.
. tests/cli/lib.sh
gpuvm=$1 make_psx=$2 part=${3:-all}
corpus=${GPUVM_CORPUS:-../shared/corpus}
[ -d "$corpus" ] || skip "no corpus in $corpus"
has_device "$gpuvm" || skip "no Vulkan device"

all() {
    ls "$corpus"/psx/*.psxgpu* "$corpus"/aerogpu/*.aerogputrace "$corpus"/apitrace/*.trace \
        "$corpus"/gfxr/*.gfxr*
}
few() {
    for name in psx/feedback.psxgpu psx/state-restore.psxgpu.zst psx/hw-rectangles.psxgpu \
        aerogpu/derived_two_frames.aerogputrace aerogpu/derived_backed_vb_dirty.aerogputrace \
        apitrace/gm2_build_vbo.trace apitrace/at_resize.trace apitrace/pb_attrib.trace \
        gfxr/vp_reuse.gfxr gfxr/vkcube_trim.gfxr; do
        [ ! -e "$corpus/$name" ] || echo "$corpus/$name"
    done
}
number() { awk -v key="$1" '$1 == key { print $2 }' "$work/out"; }
stat() { awk -v key="$1" '$2 == key { print $3 }' "$work/out"; }
now() { date +%s%N; }

# frames NAME: every frame from each of five keyframes on, and the linear run.
frames() {
    expect 0 "$1: info" "$gpuvm" info "$work/x.gvp" || return
    count=$(number frames) before=$(number bytes)
    [ "$count" -ge 2 ] || return
    every=$(((count + 5) / 6))
    expect 0 "$1: keyframe" "$gpuvm" keyframe -q "$work/x.gvp" --every "$every" -o "$work/k.gvp" ||
        return
    made=$(cut -f 2 "$work/out") refused=$(grep -c 'no keyframe' "$work/err")
    expect 0 "$1: run" "$gpuvm" run -q "$work/x.gvp" --hash xxh3-rgba
    cp "$work/out" "$work/want"
    expect 0 "$1: linear" "$gpuvm" run -q "$work/k.gvp" --hash xxh3-rgba
    same "$work/want" "$work/out" "$1: linear"
    for from in $made; do
        # Frames without a picture cannot be asked for by number; `N-` may name them.
        expect 0 "$1: from $from" "$gpuvm" run -q "$work/k.gvp" --frames "$from-" --hash xxh3-rgba
        awk -v from="$from" '$2 >= from' "$work/want" >"$work/want-some"
        same "$work/want-some" "$work/out" "$1: from $from"
    done
    keyframes=$((keyframes + $(echo "$made" | grep -c .)))
    none=$((none + refused))
    echo "$1: $count frames, keyframes at $(echo $made), $refused refused," \
        "$before bytes, with them $(wc -c <"$work/k.gvp")"
}

list=all
[ "$part" = few ] && list=few
checked=0 keyframes=0 none=0
for capture in $($list); do
    expect 0 "$capture: compile" "$gpuvm" compile "$capture" -o "$work/x.gvp" || continue
    frames "${capture##*/}"
    checked=$((checked + 1))
done
[ "$checked" -gt 0 ] || skip "no captures in $corpus"
echo "$checked captures, $keyframes keyframes, $none frames without"
[ "$part" = all ] || finish

# ---- seeks ----
# seeks NAME COUNT: so many frames in any order, each in a run of its own: the linear hashes, in less
# work than their prefix.
seeks() {
    expect 0 "$1: run" "$gpuvm" run -q "$work/x.gvp" --hash xxh3-rgba
    cp "$work/out" "$work/want"
    total=$(wc -l <"$work/want") seek=0 prefix=0 seed=7
    for _ in $(seq "$2"); do
        seed=$(((seed * 1103515245 + 12345) % 2147483648))
        n=$((seed / 65536 % total))
        start=$(now)
        expect 0 "$1: $n" "$gpuvm" run -q "$work/k.gvp" --frames $n --hash xxh3-rgba
        seek=$((seek + $(now) - start))
        grep "^frame	$n	" "$work/want" | cmp -s - "$work/out" || fail "$1: a seek to $n"
        start=$(now)
        expect 0 "$1: $n" "$gpuvm" run -q "$work/x.gvp" --frames 0-$n --hash xxh3-rgba
        prefix=$((prefix + $(now) - start))
    done
    echo "$1: $2 seeks in $((seek / 1000000)) ms, their prefixes in $((prefix / 1000000)) ms"
}

# halves NAME: two processes, each from a keyframe or the beginning; and one for all.
halves() {
    total=$(wc -l <"$work/want") half=$((total / 2))
    start=$(now)
    expect 0 "$1" "$gpuvm" run -q "$work/k.gvp" --hash xxh3-rgba
    one=$(($(now) - start))
    start=$(now)
    "$gpuvm" run -q "$work/k.gvp" --frames "0-$((half - 1))" --hash xxh3-rgba >"$work/a" &
    first=$!
    "$gpuvm" run -q "$work/k.gvp" --frames "$half-" --hash xxh3-rgba >"$work/b" || fail "$1: second half"
    wait $first || fail "$1: first half"
    two=$(($(now) - start))
    cat "$work/a" "$work/b" | cmp -s - "$work/want" || fail "$1: halves"
    echo "$1: one process $((one / 1000000)) ms, two $((two / 1000000)) ms"
}

shared() {
    expect 0 "$1: keyframe" "$gpuvm" keyframe -q "$work/x.gvp" --every "$2" -o "$work/k.gvp"
    seeks "$1" 20
    halves "$1"
}

expect 0 "compile" "$gpuvm" compile "$corpus/psx/anim3d-90.psxgpu.zst" -o "$work/x.gvp"
shared anim3d-90 15
"$make_psx" demo "$work/long.psxgpu" 1000 || fail "no long capture"
expect 0 "compile" "$gpuvm" compile "$work/long.psxgpu" -o "$work/x.gvp"
shared long 100

# As an array of jobs, where there is a cluster.
if command -v sbatch >/dev/null && sinfo -h >/dev/null 2>&1; then
    # shellcheck disable=SC2016 # the job's own variables
    printf '#!/bin/sh\nexec "%s" run -q "%s" --frames $((SLURM_ARRAY_TASK_ID * 250))-$((SLURM_ARRAY_TASK_ID * 250 + 249)) --hash xxh3-rgba\n' \
        "$PWD/$gpuvm" "$work/k.gvp" >"$work/job"
    start=$(now)
    expect 0 "sbatch" sbatch -W --array 0-3 -o "$work/slurm-%a" "$work/job"
    array=$(($(now) - start))
    cat "$work"/slurm-[0-3] | cmp -s - "$work/want" || fail "an array of jobs"
    echo "an array of four jobs: the same, $((array / 1000000)) ms with the cluster's own"
fi
finish
