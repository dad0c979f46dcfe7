#!/bin/sh
# Traces of OpenGL: what compiling and replaying them costs, against apitrace's own tools
# on llvmpipe and on zink with lavapipe, and what replaying them consists of. Three tables
# in Markdown, a row per trace; medians of the columns of ratios behind the first.
#   opengl.sh GPUVM SCRATCH [TRACE...]     names within the corpus; `fixed`: those without
#                                          GLSL, `programs`: those with, `all`: both
# Costs are processor time (user + system, of all threads and children), so that what else
# runs blurs them little; programs run by turns, medians count, caches of drivers and of
# shaders are warm, but for what is called cold: that has empty ones. A ratio above 1 says
# that gpuvm takes less; "wall" is one of time on the wall, for a machine that is quiet.
#   once      run PAYLOAD                  glretrace --headless --benchmark
#   a frame   run --loop, each further     glretrace --loop, each further frame, which is
#             frame, all of them by turns  always the last one
#   pictures  run --screenshots all        glretrace --snapshot
#   compile   compile                      apitrace dump
#   first     run --frames 0, from exec    glretrace of a trace that ends with frame 0
set -eu
gpuvm=$1 scratch=$2
corpus=${GPUVM_CORPUS:-../shared/corpus}/apitrace
runs=${GPUVM_BENCH_RUNS:-5} loop=${GPUVM_BENCH_LOOP:-100}
[ -e "$corpus/manifest.tsv" ] && "$gpuvm" devices >/dev/null 2>&1 || exit 0
for tool in apitrace glretrace xvfb-run zstd time; do
    command -v $tool >/dev/null || exit 0
done
# One X server for all.
[ -n "${GPUVM_X-}" ] || GPUVM_X=1 exec xvfb-run -a "$0" "$@"
shift 2
[ $# -gt 0 ] || set -- glxgears xs_gears xs_menger xs_glknots xs_atlantis xs_gibson xs_flurry \
    chromiumbsu crackattack gltron minetest neverball picom pb_lighting pb_texgen \
    es2gears gm2_build_vbo gm2_shading_phong gm2_ideas gm2_effect2d_blur gm2_shadow \
    gm2_texture_mipmap gme_build gtk4_gears love_nogame qmlscene mpv_gl pb_glsl120 \
    sdl_testgles2 vtk_actors
# Those of the manifest whose version of GLSL is none ("-"), is one, or either.
named() {
    awk -F "\t" -v kind="$1" 'NR > 1 && (kind == "all" || ($12 == "-" &&
        $1 != "pb_arbprog.trace") == (kind == "fixed")) {
        sub(/\.trace$/, "", $1); print $1 }' "$corpus/manifest.tsv" | sort -u
}
case $1 in
fixed | programs | all) set -- $(named "$1") ;;
esac
mkdir -p "$scratch"
export XDG_CACHE_HOME="$scratch/cache" LIBGL_ALWAYS_SOFTWARE=1
export XDG_RUNTIME_DIR="${XDG_RUNTIME_DIR:-$scratch}"

. tests/bench/costs.sh
# The same with empty caches.
cold() {
    name=$1
    shift
    rm -rf "$scratch/empty"
    mkdir "$scratch/empty"
    cpu "$name" env XDG_CACHE_HOME="$scratch/empty" "$@"
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
    cpu compile_1 "$gpuvm" compile -j 1 "$file" -o "$scratch/again.gvp"
    cpu first "$gpuvm" run "$payload" --frames 0
    cpu retrace_first glretrace --headless --benchmark "$scratch/first.trace"
    cold run_cold "$gpuvm" run "$payload"
    cold retrace_cold glretrace --headless --benchmark "$file"
    cold first_cold "$gpuvm" run "$payload" --frames 0
    cold retrace_first_cold glretrace --headless --benchmark "$scratch/first.trace"
    cold compile_cold "$gpuvm" compile "$file" -o "$scratch/again.gvp"
}

costs() {
    apitrace repack --zlib "$corpus/$trace.trace" "$scratch/plain.trace" >/dev/null 2>&1
    zstd19=$(gunzip -c "$scratch/plain.trace" | zstd -q -19 | wc -c)
    echo "$frames $passes $zink_frames $(bytes "$scratch/$trace.gvp") \
        $(bytes "$corpus/$trace.trace") $zstd19 $(medians run retrace zink run_loop \
        retrace_loop zink_loop run_pictures retrace_pictures compile dump run.wall \
        retrace.wall compile.wall dump.wall)" | awk -v trace="$trace" '{
        further = $1 * $2 # frames
        ours = ($10 - $7) / further; theirs = ($11 - $8) / further; zink = ($12 - $9) / $3
        printf "| %s | %.0f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.0f | %.2f | %.2f | %.2f | %.2f |\n",
            trace, $7, $8 / $7, $18 / $17, $9 / $7, ours, theirs / ours, zink / ours, $14 / $13,
            $15, $16 / $15, $20 / $19, $4 / $5, $4 / $6 }'
}

starts() {
    medians run run_cold retrace retrace_cold first.wall retrace_first.wall \
        first_cold.wall retrace_first_cold.wall compile compile_cold compile_1.wall \
        compile.wall compile.memory run.memory retrace.memory | awk -v trace="$trace" '{
        printf "| %s | %.0f | %.2f | %.0f | %.2f | %.0f | %.2f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |\n",
            trace, $2, $4 / $2, $5, $6 / $5, $7, $8 / $7, $10 - $9, $2 - $1, $4 - $3, $11, $12,
            $13 / 1024, $14 / 1024, $15 / 1024 }' >>"$scratch/starts"
}

# Of each column of the table at hand, less its first and those that are no ratios.
middle() {
    awk -F '|' '
        { for (i = 3; i < NF; i++) { v[i, NR] = $i + 0; ratio[i] = ratio[i] || $i ~ /\./ } columns = NF }
        END {
            printf "| median |"
            for (i = 3; i < columns; i++) {
                for (a = 1; a <= NR; a++)
                    for (b = a + 1; b <= NR; b++)
                        if (v[i, b] < v[i, a]) { t = v[i, a]; v[i, a] = v[i, b]; v[i, b] = t }
                printf ratio[i] ? " %.2f |" : " |", v[i, int((NR + 1) / 2)]
            }
            print ""
        }' "$1"
}

parts() {
    "$gpuvm" run "$scratch/$trace.gvp" --stats >"$scratch/stats" 2>/dev/null
    echo "$frames $(stat draws) $(stat render_passes) $(stat uploads) $(stat upload_bytes) \
        $(stat uniform_bytes) $(stat pipelines)" | awk -v trace="$trace" '{
        printf "| %s | %d | %.1f | %.2f | %.2f | %.0f | %.0f | %d |\n", trace, $1, $2 / $1,
            $3 / $1, $4 / $1, $5 / $1, $6 / $1, $7 }' >>"$scratch/parts"
}

cat <<'END'
| trace | run, ms | llvmpipe | wall | zink | a frame, ms | llvmpipe | zink | pictures | compile, ms | dump | wall | payload / trace | / zstd -19 |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
: >"$scratch/parts"
: >"$scratch/starts"
: >"$scratch/costs"
for trace; do
    "$gpuvm" compile "$corpus/$trace.trace" -o "$scratch/$trace.gvp" >/dev/null 2>&1
    apitrace trim --frames=0 -o "$scratch/first.trace" "$corpus/$trace.trace" >/dev/null 2>&1
    frames=$("$gpuvm" info "$scratch/$trace.gvp" | awk '$1 == "frames" { print $2 }')
    [ "${frames:-0}" -gt 0 ] || continue # it never swaps
    passes=$(((loop + frames - 1) / frames))
    zink_frames=$(((loop + 3) / 4)) # it may take tens of times as long
    turn # warms caches
    rm -f "$scratch"/cost.*
    i=0
    while [ $i -lt "$runs" ]; do
        turn
        i=$((i + 1))
    done
    costs | tee -a "$scratch/costs"
    parts
    starts
done
middle "$scratch/costs"
cat <<'END'

Cold caches; from exec to the end of the first frame on the wall; what shaders cost, which is cold less warm; threads, on the wall; memory of the largest process.

| trace | run cold, ms | llvmpipe | first, ms | llvmpipe | first cold | llvmpipe | shaders: compile | run | llvmpipe | compile -j 1, ms | one a core | MB: compile | run | llvmpipe |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
END
cat "$scratch/starts"
middle "$scratch/starts"
cat <<'END'

| trace | frames | draws a frame | passes | uploads | bytes of them | uniform bytes | pipelines |
|---|---|---|---|---|---|---|---|
END
cat "$scratch/parts"
