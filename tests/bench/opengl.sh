#!/bin/sh
# Traces of OpenGL: what compiling and replaying them costs, against apitrace's own tools
# on llvmpipe and on zink with lavapipe, and what replaying them consists of. Two tables
# in Markdown, a row per trace.
#   opengl.sh GPUVM SCRATCH [TRACE...]     names within the corpus; `all`: those without GLSL
# Costs are processor time (user + system, of all threads and children), so that what else
# runs blurs them little; programs run by turns, medians count, caches of drivers are
# warm. A ratio above 1 says that gpuvm takes less.
#   once      run PAYLOAD                  glretrace --headless --benchmark
#   a frame   run --loop, each further     glretrace --loop, each further frame, which is
#             frame, all of them by turns  always the last one
#   pictures  run --screenshots all        glretrace --snapshot
#   compile   compile                      apitrace dump
# GPUVM_CORPUS (../shared/corpus), GPUVM_BENCH_RUNS (5), GPUVM_BENCH_LOOP (100) frames.
set -eu
gpuvm=$1 scratch=$2
corpus=${GPUVM_CORPUS:-../shared/corpus}/apitrace
runs=${GPUVM_BENCH_RUNS:-5} loop=${GPUVM_BENCH_LOOP:-100}
[ -e "$corpus/manifest.tsv" ] && "$gpuvm" devices >/dev/null 2>&1 || exit 0
for tool in apitrace glretrace xvfb-run zstd; do
    command -v $tool >/dev/null || exit 0
done
# One X server for all.
[ -n "${GPUVM_X-}" ] || GPUVM_X=1 exec xvfb-run -a "$0" "$@"
shift 2
[ $# -gt 0 ] || set -- glxgears xs_gears xs_menger xs_glknots xs_atlantis xs_gibson xs_flurry \
    chromiumbsu crackattack gltron minetest neverball picom pb_lighting pb_texgen
[ "$1" != all ] || set -- $(awk -F "\t" 'NR > 1 && $12 == "-" && $1 != "pb_arbprog.trace" {
    sub(/\.trace$/, "", $1); print $1 }' "$corpus/manifest.tsv" | sort -u)
mkdir -p "$scratch"
export XDG_CACHE_HOME="$scratch/cache" LIBGL_ALWAYS_SOFTWARE=1
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$scratch}"

# cpu NAME COMMAND...: adds the milliseconds of a command to what NAME has had.
cpu() {
    name=$1
    shift
    # The times of bash are in milliseconds, those of others in hundredths.
    bash -c '"$@" >/dev/null 2>"$0" || echo "$1: $(tail -n 1 "$0")" >&2; times' \
        "$scratch/log" "$@" | awk '
        function s(t, p) { split(t, p, /[ms]/); return p[1] * 60 + p[2] }
        NR == 2 { print (s($1) + s($2)) * 1000 }' >>"$scratch/cost.$name"
}
median() {
    sort -n "$scratch/cost.$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
stat() {
    awk -F "\t" -v key="$1" '$2 == key { print $3 }' "$scratch/stats"
}
bytes() {
    wc -c <"$1"
}
zink() {
    name=$1
    shift
    cpu "$name" env GALLIUM_DRIVER=zink "$@"
}

# All of one turn; `frames` are the payload's.
turn() {
    file=$corpus/$trace.trace payload=$scratch/$trace.gvp pictures=$scratch/pictures
    rm -rf "$pictures"
    mkdir "$pictures"
    cpu run "$gpuvm" run "$payload"
    cpu retrace glretrace --headless --benchmark "$file"
    zink zink glretrace --headless --benchmark "$file"
    cpu run_loop "$gpuvm" run "$payload" --loop $((1 + passes))
    cpu retrace_loop glretrace --headless --benchmark --loop=$((passes * frames)) "$file"
    zink zink_loop glretrace --headless --benchmark --loop=$zink_frames "$file"
    cpu run_pictures "$gpuvm" run "$payload" --screenshots all --screenshot-dir "$pictures"
    cpu retrace_pictures glretrace --headless -s "$pictures/" "$file"
    cpu compile "$gpuvm" compile "$file" -o "$scratch/again.gvp"
    cpu dump apitrace dump --color=never "$file"
}

costs() {
    apitrace repack --zlib "$corpus/$trace.trace" "$scratch/plain.trace" >/dev/null 2>&1
    zstd19=$(gunzip -c "$scratch/plain.trace" | zstd -q -19 | wc -c)
    {
        echo "$frames $passes $zink_frames $(bytes "$scratch/$trace.gvp") $(bytes "$corpus/$trace.trace") $zstd19"
        for name in run retrace zink run_loop retrace_loop zink_loop run_pictures \
            retrace_pictures compile dump; do
            median $name
        done
    } | tr '\n' ' ' | awk -v trace="$trace" '{
        further = $1 * $2 # frames
        ours = ($10 - $7) / further; theirs = ($11 - $8) / further; zink = ($12 - $9) / $3
        printf "| %s | %.0f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.0f | %.2f | %.2f | %.2f |\n",
            trace, $7, $8 / $7, $9 / $7, ours, theirs / ours, zink / ours, $14 / $13, $15,
            $16 / $15, $4 / $5, $4 / $6 }'
}

parts() {
    "$gpuvm" run "$scratch/$trace.gvp" --stats >"$scratch/stats" 2>/dev/null
    echo "$frames $(stat draws) $(stat render_passes) $(stat uploads) $(stat upload_bytes) \
        $(stat uniform_bytes) $(stat pipelines)" | awk -v trace="$trace" '{
        printf "| %s | %d | %.1f | %.2f | %.2f | %.0f | %.0f | %d |\n", trace, $1, $2 / $1,
            $3 / $1, $4 / $1, $5 / $1, $6 / $1, $7 }' >>"$scratch/parts"
}

cat <<'END'
| trace | run, ms | llvmpipe | zink | a frame, ms | llvmpipe | zink | pictures | compile, ms | dump | payload / trace | / zstd -19 |
|---|---|---|---|---|---|---|---|---|---|---|---|
END
: >"$scratch/parts"
for trace; do
    "$gpuvm" compile "$corpus/$trace.trace" -o "$scratch/$trace.gvp" >/dev/null 2>&1
    frames=$("$gpuvm" info "$scratch/$trace.gvp" | awk '$1 == "frames" { print $2 }')
    passes=$(((loop + frames - 1) / frames))
    zink_frames=$(((loop + 3) / 4)) # it may take tens of times as long
    turn # warms caches
    rm -f "$scratch"/cost.*
    i=0
    while [ $i -lt "$runs" ]; do
        turn
        i=$((i + 1))
    done
    costs
    parts
done
cat <<'END'

| trace | frames | draws a frame | passes | uploads | bytes of them | uniform bytes | pipelines |
|---|---|---|---|---|---|---|---|
END
cat "$scratch/parts"
