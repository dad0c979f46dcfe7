#!/bin/sh
# Tests of Debian's piglit (piglit.list, drawn by piglit_draw.sh) recorded here by apitrace,
# compiled, run, and compared with glretrace after their last draw or clear.
#   piglit.sh GPUVM PICTURE_DISTANCE GROWN_WINDOW [K/N] [ROWS]
# K/N: every Nth test from the Kth on. ROWS: a file that gets a row for each test: its name,
# its outcome, the cause. Prints a table by folder; fails where one crashes or hangs.
# PIGLIT_LIST: another list of tests than piglit.list.
# PIGLIT_TRACES: a folder where recordings stay, by their lines of the list; those that are
# there are not made again.
. tests/cli/lib.sh
gpuvm=$(realpath "$1") distance=$(realpath "$2") grown=$(realpath "$3")
part=${4:-1/1} kept=${5:-}
list=$(realpath "${PIGLIT_LIST:-tests/corpus/piglit.list}")
piglit=${PIGLIT:-/usr/lib/x86_64-linux-gnu/piglit}
[ -d "$piglit/bin" ] || skip "no piglit in $piglit"
for tool in apitrace glretrace xvfb-run; do
    command -v $tool >/dev/null || skip "no $tool"
done
has_device "$gpuvm" || skip "no Vulkan device"
[ -n "${GPUVM_X-}" ] || { # one X server for all
    rm -rf "$work"
    GPUVM_X=1 exec xvfb-run -a "$0" "$@"
}
export LIBGL_ALWAYS_SOFTWARE=1 XDG_CACHE_HOME="$work/cache"
seconds=60

# Names and commands; xargs reads Python's quotes.
for profile in quick_gl quick_shader; do
    zcat "$piglit/tests/$profile.xml.gz" | sed 's/<Test /\n&/g' | sed -n \
        's/^<Test .* name="\(spec@[^"]*\)">.*name="command" value="\[\([^"]*\)\]".*/\1\t\2/p'
done | sed "s/', '/' '/g" >"$work/commands"
sed -n "${part%/*}~${part#*/}p" "$list" >"$work/names"

# record COMMAND API PLATFORM: through GLX or EGL.
record() {
    printf '%s\n' "$1" | sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g' | (
        cd "$piglit" &&
            PIGLIT_PLATFORM=$3 PIGLIT_SOURCE_DIR=$piglit PATH=$piglit/bin:$PATH \
                LD_LIBRARY_PATH=$piglit/lib xargs sh -c \
                'out=$1 seconds=$2 api=$3; shift 3
                exec timeout -k 5 "$seconds" apitrace trace -a "$api" -o "$out" "$@" -auto' \
                sh "$work/t.trace" $seconds "$2"
    ) >"$work/said" 2>&1
}

# recorded NAME: $work/t.trace, and what the test said; false where there is no such test.
recorded() {
    kept_trace=${PIGLIT_TRACES:+$PIGLIT_TRACES/$(grep -nxF "$1" "$list" | cut -d : -f 1)}
    if [ -n "$kept_trace" ] && [ -e "$kept_trace.said" ]; then
        cp "$kept_trace.said" "$work/said"
        [ ! -e "$kept_trace.trace" ] || ln -s "$kept_trace.trace" "$work/t.trace"
        return 0
    fi
    command=$(awk -F '\t' -v name="$1" '$1 == name { print $2; exit }' "$work/commands")
    [ -n "$command" ] || return 1
    record "$command" gl glx
    # GLES has a library of its own, which a recorder of GLX does not see.
    has_calls 'glX[A-Za-z]*Current(' && ! has_calls 'glXCreateContext.*_ES_PROFILE_BIT' || {
        rm -f "$work/t.trace"
        record "$command" egl x11_egl
    }
    [ -z "$kept_trace" ] || {
        [ ! -s "$work/t.trace" ] || cp "$work/t.trace" "$kept_trace.trace"
        cp "$work/said" "$kept_trace.said"
    }
}

# Whether the trace has a call whose name matches.
has_calls() {
    apitrace dump --color=never "$work/t.trace" 2>/dev/null | grep -q " $1"
}

# What its apitrace dump calls the last draw or clear: its number.
last_drawn() {
    apitrace dump --color=never "$work/t.trace" 2>/dev/null | awk '
        $2 ~ /^gl((Multi)?Draw|Clear(Buffer|NamedFramebuffer|\()|End\(|Rect|CallList|Bitmap|CopyPixels|EvalMesh)/ &&
            $2 !~ /^gl(DrawBuffer|EndList|Clear(Named)?Buffer(Sub)?Data)/ && $1 ~ /^[0-9]+$/ { last = $1 }
        END { print last }'
}

# The exit code of a tool as an outcome: signals, its own report of one, time.
ended_badly() {
    case $1 in
    124 | 137) outcome=hang cause="$2 takes over $seconds s" ;;
    *) [ "$1" -lt 128 ] && ! grep -qi -e 'crashed' -e 'killed by signal' \
        -e 'runtime error:' "$work/err" || {
        outcome=crash
        cause="$2 exits $1: $(tail -n 1 "$work/err" | cut -c 1-150)"
    } ;;
    esac
    [ -n "$outcome" ]
}

# What was not lowered, by name.
unsupported_names() {
    awk '$1 == "unsupported" { $1 = $2 = $3 = $4 = ""; sub(/^ +/, ""); printf "%s; ", $0 }' \
        "$work/compiled" | cut -c 1-150
}

try_one() {
    outcome='' cause=''
    rm -rf "$work/t.trace" "$work/x.gvp" "$work/ours" "$work/theirs"
    mkdir -p "$work/theirs"
    recorded "$1" || { outcome=unknown && return; }
    [ -s "$work/t.trace" ] || {
        outcome='not recorded' cause=$(tail -n 1 "$work/said" | cut -c 1-150)
        return
    }
    call=$(last_drawn)
    timeout -k 5 $seconds "$gpuvm" compile "$work/t.trace" --apart -o "$work/x.gvp" \
        >"$work/out" 2>"$work/err"
    code=$?
    cat "$work/out" "$work/err" >"$work/compiled"
    ended_badly $code compile && return
    [ $code -eq 0 ] || {
        outcome=unsupported cause=$(tail -n 1 "$work/err" | cut -c 1-150)
        grep -q unsupported "$work/err" || outcome=differs
        return
    }
    [ -n "$call" ] || {
        outcome='draws nothing' cause=$(sed -n 's/^PIGLIT: *//p' "$work/said" | tail -n 1)
        return
    }
    # It replays EGL's contexts too, and its windows can be made to grow.
    LD_PRELOAD=$grown timeout -k 5 $seconds glretrace --headless -S "$call" -s "$work/theirs/" \
        "$work/t.trace" >"$work/replayed" 2>&1
    theirs=$(find "$work/theirs" -name '*.png' | head -n 1)
    timeout -k 5 $seconds "$gpuvm" run "$work/x.gvp" --calls "$call" \
        --screenshot-dir "$work/ours" >"$work/out" 2>"$work/err"
    code=$?
    ended_badly $code run && return
    ours=$(find "$work/ours" -name '*.png' 2>/dev/null | head -n 1)
    [ -n "$theirs" ] || {
        outcome='no reference' cause=$(tail -n 1 "$work/replayed" | cut -c 1-150)
        return
    }
    [ -n "$ours" ] && told=$("$distance" "$theirs" "$ours") && { outcome=holds cause=$told && return; }
    cause=$(unsupported_names)
    outcome=${cause:+unsupported}
    outcome=${outcome:-differs}
    cause=${cause:-${ours:+$told}}
    cause=${cause:-no picture: $(tail -n 1 "$work/err" | sed 's/^gpuvm: [^ ]* //' | cut -c 1-150)}
    # What a payload demands of devices is known by name before it runs.
    [ "${cause#no picture: the device misses}" = "$cause" ] || outcome=unsupported
}

: >"$work/rows"
while read -r name; do
    try_one "$name" </dev/null
    printf '%s\t%s\t%s\n' "$name" "$outcome" "$cause" >>"$work/rows"
    [ -z "$kept" ] || cp "$work/rows" "$kept"
    case $outcome in
    crash | hang | unknown) fail "$name: $outcome: $cause" ;;
    esac
done <"$work/names"

awk -F '\t' '
    BEGIN { n = split("holds,differs,unsupported,crash,hang,draws nothing,no reference,not recorded", outcomes, ",") }
    { split($1, path, "@"); folders[path[2]]; seen[path[2], $2]++; all[$2]++ }
    function row(title, i, line) {
        line = title
        for (i = 1; i <= n; i++)
            line = line "\t" (title == "all" ? all[outcomes[i]] : seen[title, outcomes[i]]) + 0
        print line
    }
    END {
        printf "folder"
        for (i = 1; i <= n; i++)
            printf "\t%s", outcomes[i]
        print ""
        for (f in folders)
            row(f)
        row("all")
    }' "$work/rows" | LC_ALL=C sort
finish
