#!/bin/sh
# Mutants of good inputs (mutants.c), for a time or a number of runs:
#   mutants.sh DIR PART SECONDS|RUNSx [SEED]
# Without a SEED those that come next (count.sh). DIR is a configuration's folder (build/asan). PART is one of
#   payloads   read, verified, interpreted      texts     the same of assembled text
#   captures   compiled too                     states    objects of stores, progress files
#   gates      pictures, masks, golden files
#   replays    texts and payloads on the device replays-captures   captures on the device
#   caches     caches of pipelines              programs  payloads by `gpuvm run`
#   agree      texts and payloads, on the device and by `verify --deep`
# Findings stay in DIR/mutants/PART-LENGTH/findings; `--from N --runs 1` of mutants.c is one again.
set -u
dir=$1 part=$2 length=$3 seed=${4:-$(tests/fuzz/count.sh seed "$2")}
work=$dir/mutants/$part-$length
seeds=$work/seeds # its own: parts run beside each other
tests/fuzz/seeds.sh "$seeds" build/gpuvm build/tests/aerogpu/make_aerogpu build/tests/psx/make_psx \
    build/tests/apitrace/make_apitrace build/tests/runtime/programs || exit 1
mkdir -p "$work"
# Of what goes to a device or a program, those count that get there.
case $part-$length in
replays*x | caches*x | programs*x | agree*x) bound="--reached ${length%x}" ;;
*x) bound="--runs ${length%x}" ;;
*) bound="--seconds $length" ;;
esac
# Readers lose no memory: every 16 mutants LeakSanitizer looks. What of a driver is never
# freed, and what a process may take.
case $part in
payloads | texts | captures | states | gates) leaks=1 bound="$bound --leaks 16" ;;
*) leaks=0 ;;
esac
ASAN_OPTIONS=detect_leaks=$leaks:hard_rss_limit_mb=3000:allocator_may_return_null=1
export ASAN_OPTIONS
# Shaders that a driver has compiled are kept, and not in the user's own folder.
MESA_SHADER_CACHE_DIR=$work/shaders
MESA_SHADER_CACHE_MAX_SIZE=256M
export MESA_SHADER_CACHE_DIR MESA_SHADER_CACHE_MAX_SIZE
case $part in
payloads) set -- read "$seeds"/payload/* ;;
texts) set -- read "$seeds"/text/* ;;
captures) set -- read "$seeds"/capture/* ;;
gates) set -- read "$seeds"/gate/* ;;
states) set -- read "$seeds"/state/*.zst "$seeds"/state/*.progress ;;
replays) set -- replay "$seeds"/text/* "$seeds"/payload/* ;;
replays-captures) set -- replay "$seeds"/capture/* ;;
agree) set -- agree "$seeds"/text/* "$seeds"/payload/* ;;
caches) set -- replay "$seeds"/state/*.bin ;;
programs) set -- program "$seeds"/text/* "$seeds"/payload/* ;;
*)
    echo "mutants.sh: no part $part" >&2
    exit 2
    ;;
esac
action=$1
shift
# shellcheck disable=SC2086 # bound is two words
"$dir/tests/fuzz/mutants" "$action" $bound --seed "$seed" --work "$work" \
    --shaders build/tests/runtime/programs --program "$dir/gpuvm" "$@" >"$work/raw" 2>"$work/log"
code=$?
sed "s/^$action	/$part	/" "$work/raw" | tee "$work/told"
exit $code
