#!/bin/sh
# The apitrace corpus as far as its bytes go: containers/ gives the same calls and the same
# last frame in all of them, bad/ behaves as its table says, and dump prints what apitrace
# prints where that is installed.
#   apitrace_reader.sh GPUVM [all|slice]
# The corpus is $GPUVM_CORPUS/apitrace, default ../shared/corpus; without it the test skips.
# `slice` leaves out the traces over 100 KB.
. tests/cli/lib.sh
gpuvm=$1
part=${2:-all}
corpus=${GPUVM_CORPUS:-../shared/corpus}/apitrace
[ -e "$corpus/manifest.tsv" ] || skip "no corpus in $corpus"
export XDG_CACHE_HOME="$work/cache"
tab=$(printf '\t')

# ---- containers ----

containers=0
while IFS="$tab" read -r file frame _; do
    case $file in file | '') continue ;; esac
    trace=$corpus/containers/$file
    expect 0 "$file: dump" "$gpuvm" dump -v "$trace" || continue
    # Versions before 6 have no properties and no flag for fake calls.
    sed -e '/^\/\/ /d' -e 's: // fake$::' "$work/out" >"$work/calls"
    [ -e "$work/first" ] || cp "$work/calls" "$work/first"
    same "$work/calls" "$work/first" "$file: calls"
    containers=$((containers + 1))
    has_device "$gpuvm" || continue
    expect 0 "$file: run" "$gpuvm" run "$trace" --frames "$frame" --hash sha256-rgb || continue
    cp "$work/out" "$work/picture"
    [ -s "$work/picture" ] || fail "$file: no picture"
    [ -e "$work/last" ] || cp "$work/picture" "$work/last"
    same "$work/picture" "$work/last" "$file: last frame"
done <"$corpus/containers/manifest.tsv"

# ---- bad ----

# behaves EXPECTED NAME COMMAND...: exits as the table says, in time.
behaves() {
    wanted=$1 name=$2
    shift 2
    timeout 60 "$@" >"$work/out" 2>"$work/err"
    got=$?
    case $wanted/$got in
    ok/0 | reject/3 | "either ok or reject/0" | "either ok or reject/3") ;;
    *)
        fail "$name: exit $got, where the table has $wanted"
        sed 's/^/    /' "$work/err" >&2
        return
        ;;
    esac
    [ $got -eq 0 ] || says "$work/err" "byte [0-9]+" "$name"
}

bad=0
while IFS="$tab" read -r file wanted _; do
    case $file in file | '') continue ;; esac
    bad=$((bad + 1))
    behaves "$wanted" "bad/$file: dump" "$gpuvm" dump "$corpus/bad/$file"
    behaves "$wanted" "bad/$file: info" "$gpuvm" info "$corpus/bad/$file"
    behaves "$wanted" "bad/$file: compile" "$gpuvm" compile "$corpus/bad/$file" -o "$work/x.gvp"
done <"$corpus/bad/manifest.tsv"
for file in bad-chunk-cut bad-gzip-cut bad-brotli-cut; do
    expect 0 "$file, taken" "$gpuvm" dump --allow-truncated "$corpus/bad/$file.trace"
    [ "$(grep -c '^[0-9]' "$work/out")" -ge 10 ] || fail "$file: few calls"
done

# ---- beside apitrace ----

compared=0
if command -v apitrace >/dev/null; then
    for trace in "$corpus"/*.trace; do
        [ "$part" = slice ] && [ "$(wc -c <"$trace")" -gt 100000 ] && continue
        for verbose in '' -v; do
            # shellcheck disable=SC2086 # an option, or none
            apitrace dump --color=never $verbose "$trace" >"$work/theirs" 2>"$work/err"
            # shellcheck disable=SC2086
            expect 0 "${trace##*/}: dump" "$gpuvm" dump $verbose "$trace"
            same "$work/out" "$work/theirs" "${trace##*/}: dump $verbose"
            compared=$((compared + 1))
        done
    done
fi

echo "apitrace's bytes ($part): $containers containers, $bad bad files, $compared dumps compared"
finish
