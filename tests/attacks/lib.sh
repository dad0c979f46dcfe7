# Shared by the attacks. A part is a script that is given GPUVM PLAYER HOLD SHADERS [NAME...]
# (a folder of SPIR-V; names of the attacks to run, else all), reads this file, calls `attack`
# for each and ends with `finish`. Each attack is one line of the report:
#   held|FAILED <TAB> NAME <TAB> END <TAB> MIB <TAB> MILLISECONDS <TAB> what was allowed
set -u
gpuvm=$(realpath "$1") player=$(realpath "$2") hold=$(realpath "$3") shaders=$(realpath "$4")
shift 4
wanted=$*
part=$(basename "$0" .sh)
here=$(realpath "$(dirname "$0")")
top=$(pwd)
work=$(mktemp -d)
table=$work/.table # attacks may be made in a shell of their own: what is counted is here
: >"$table"
trap 'rm -rf "$work"' EXIT

# What every attack runs under, and what it may take beside --mem-mb.
mem=256
beside=300
export GPUVM_MEM_MB=$mem GPUVM_TIMEOUT=5 XDG_CACHE_HOME="$work/cache" HOME="$work" LC_ALL=C
unset GPUVM_JSON NO_COLOR XDG_RUNTIME_DIR
# Of sanitizers no reports but deaths.
export ASAN_OPTIONS=abort_on_error=1

# Whether the attack is one of those to run; makes its folder and goes there.
begin() {
    name=$part/$1
    case " $wanted " in
    "  " | *" $1 "*) ;;
    *) return 1 ;;
    esac
    dir=$work/$1
    mkdir -p "$dir" && cd "$dir" && : >out && : >err || exit 1
}

# Whether an END (hold.c) is one of those allowed: exit codes, or `stopped`, which is ending
# when asked to, having worked until then.
allowed() {
    for one in $2; do
        case $1 in
        "exit:$one") return 0 ;;
        stopped:signal:15 | stopped:exit:[0-7] | stopped:exit:143)
            [ "$one" = stopped ] && return 0
            ;;
        esac
    done
    return 1
}

# What is wrong with how it ended; nothing if all is well. Every failure has a sentence in
# the program's name on standard error (unless that was taken away: `quiet`), and no text of
# a library's last breath.
fault() {
    allowed "$1" "$3" || echo "ended with $1, not $3"
    [ "$2" -le $((mem + beside)) ] || echo "$2 MiB, with --mem-mb $mem"
    case $1 in
    exit:[1-9]*)
        [ -n "${quiet:-}" ] || grep -qE '^(gpuvm|gpuvm-player): .' err ||
            grep -q '"status":"[a-z]*"' out || echo "no sentence"
        ;;
    esac
    if [ "$4" != - ] && [ "${1#exit:}" != 0 ] && [ "${1#stopped}" = "$1" ]; then
        grep -qE -- "$4" err || echo "does not say '$4'"
    fi
    grep -qE 'terminate called|AddressSanitizer|runtime error:|Assertion' err &&
        echo "a library's last words"
}

# attack ALLOWED WORDS [HOLD-OPTION...] -- COMMAND...: after `begin`. ALLOWED are exit codes
# (or `stopped`), WORDS what standard error has to match where one of them is not 0, or -.
# Where all went well $check, if it is set, tells what is wrong with what came of it.
check=
attack() {
    codes=$1 words=$2
    shift 2
    # Through pipes: limits of files are not for what is told.
    { "$hold" report "$@" 2>&1 >&3 3>&- </dev/null | cat >err; } 3>&1 | cat >out
    wrong=
    if [ -n "$check" ] && grep -q '^exit:0	' report; then wrong=$($check); fi
    [ -z "$wrong" ] || sed -i "s/^exit:0/exit:0 but $wrong/" report
    judge "$codes" "$words"
}

judge() {
    [ -s report ] || echo "none	0	0" >report
    IFS='	' read -r end peak ms <report
    why=$(fault "$end" "$peak" "$1" "$2" | paste -sd';')
    if [ -z "$why" ]; then
        printf 'held\t%s\t%s\t%s\t%s\t%s\n' "$name" "$end" "$peak" "$ms" "$1" | tee -a "$table"
    else
        failed "$end	$peak	$ms	$1	$why"
        tail -n 3 err | cut -c1-300 | sed 's/^/    /'
    fi
    cd "$top" && rm -rf "$dir"
    quiet=
}

# failed TEXT: a row for what did not hold.
failed() {
    printf 'FAILED\t%s\t%s\n' "$name" "$1" | tee -a "$table"
}

# make FILE: assembles standard input to FILE.gvp. An attack that cannot be made is a fault
# of this test.
make() {
    cat >"$1.gvt"
    "$gpuvm" asm "$1.gvt" --include "$shaders" -o "$1.gvp" 2>made-err >/dev/null && return 0
    failed "cannot be made	0	0	-	$(head -n 1 made-err)"
    cd "$top" && rm -rf "$dir"
    return 1
}

needs_device() {
    "$gpuvm" devices >/dev/null 2>&1 || {
        echo "skipped: no Vulkan device"
        exit 77
    }
}

finish() {
    count=$(grep -c . "$table") failures=$(grep -c '^FAILED' "$table")
    echo "$part: $count attacks, $((count - failures)) held, $failures failed"
    [ "$failures" -eq 0 ] && [ "$count" -gt 0 ]
    exit
}
