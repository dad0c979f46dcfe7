#!/bin/sh
# Help, version, manual page and variables tell the same story.
#   help.sh GPUVM PLAYER
. tests/cli/lib.sh
gpuvm=$1 player=$2

expect 2 "no command" "$gpuvm"
expect 0 "--help" "$gpuvm" --help
for command in compile run play info dump asm verify explain inspect devices store thin fat slice keyframe edit diff prof issues compare check; do
    says "$work/out" "^  $command " "--help lists $command"
done
expect 0 "player --help" "$player" --help
says "$work/out" "^  run " "the player runs"
says "$work/out" "^  play " "the player plays"
grep -q compile "$work/out" && fail "the player has no compile"
expect 2 "player compile" "$player" compile x

expect 0 "--version" "$gpuvm" --version
version=$(sed 's/^gpuvm //' "$work/out")
says docs/gpuvm.1 "gpuvm $version\"" "the manual page carries version $version"

# Every option of every command stands in the manual page and in docs/cli.md, and none
# there that no command has.
sed 's/\\-/-/g; s/\\f.//g' docs/gpuvm.1 >"$work/man"
printf -- "--%s\n" version man completion >"$work/options"
for command in compile run play info dump asm verify explain inspect devices thin fat slice keyframe edit diff prof issues compare check \
    "store add" "store get" "store ls" "store check" "store gc" "store pack"; do
    # Two words of a verb.
    expect 0 "$command --help" "$gpuvm" $command --help
    for option in $(grep -oE '^ +(-[a-z], )?--[a-z-]+' "$work/out" | grep -oE -- '-[a-z-]+'); do
        echo "$option" >>"$work/options"
        grep -qE -- "(^|[^a-z-])$option([^a-z-]|$)" "$work/man" ||
            fail "$command $option: not in docs/gpuvm.1"
        case $option in
        -h | --help) continue ;;
        esac
        grep -qE -- "(^|[^a-z-])$option([^a-z-]|$)" docs/cli.md ||
            fail "$command $option: not in docs/cli.md"
    done
done
for option in $(cat "$work/man" docs/cli.md docs/commands/*.md | grep -oE -- '(^|[^a-z-])--[a-z][a-z-]+' |
    grep -oE -- '--.*' | sort -u); do
    grep -qxF -- "$option" "$work/options" || fail "no command has $option"
done

expect 2 "unknown command" "$gpuvm" frobnicate
expect 2 "unknown option" "$gpuvm" info --frobnicate x
says "$work/err" "unknown option --frobnicate" "names the option"
# The argument at fault is named, wherever it stands, and what may have been meant.
unknown() {
    named=$1 meant=$2
    shift 2
    expect 2 "unknown: $*" "$gpuvm" "$@"
    says "$work/err" "unknown option $named(; did you mean $meant\\?)?\$" "names $named"
    if [ "$meant" = nothing ]; then
        grep -q "did you mean" "$work/err" && fail "$*: means nothing"
    else
        says "$work/err" "did you mean $meant\\?" "means $meant"
    fi
}
unknown -j4 nothing run G -j4
unknown -j nothing run G -j
unknown -zv nothing run -zv G
unknown -vz nothing run G -vz
unknown -json --json run G -json
unknown --screenshot-dri=x --screenshot-dir run --screenshot-dri=x G
unknown --jsno --json info G --jsno
unknown --exports --export run G --exports a=b
expect 2 "ambiguous" "$gpuvm" run G --screensho all
says "$work/err" "screensho may be --screenshots, --screenshot-dir," "the candidates"
unknown --frobnicate nothing info --frobnicate G
expect 2 "a flag with a word" "$gpuvm" run G --strict=perhaps
says "$work/err" "--strict: .perhaps. is neither 1 nor 0" "1 or 0"
expect 2 "command misspelt" "$gpuvm" rnu G
says "$work/err" "no command 'rnu'; did you mean run\$" "the nearest command"
expect 2 "command cut short" "$gpuvm" comp G
says "$work/err" "did you mean compile\$" "the command begun"
expect 2 "nothing near" "$gpuvm" frobnicate
says "$work/err" "no command 'frobnicate'; see --help" "nothing near"
expect 2 "command misspelt, JSON" env GPUVM_JSON=1 "$gpuvm" rnu G
says "$work/out" '"status":"usage"' "JSON by variable of an unknown command"
expect 2 "missing argument" "$gpuvm" run x --frames
expect 2 "number" "$gpuvm" run x --loop 0
says "$work/err" "from 1 to" "tells the range"
expect 2 "trailing number" "$gpuvm" run x --mem-mb 12x
expect 2 "two files" "$gpuvm" info a b
expect 0 "store --help" "$gpuvm" store --help
says "$work/out" "^  check  STORE " "store --help lists its verbs"
expect 2 "store alone" "$gpuvm" store
expect 2 "a verb misspelt" "$gpuvm" store lss
says "$work/err" "no verb 'lss'; did you mean ls\$" "the nearest verb"
expect 2 "--fps" "$gpuvm" run x --window --fps 0
says "$work/err" "a number from 1 to 1000" "names the range"
expect 2 "--aspect" "$gpuvm" run x --window --aspect 4x3
says "$work/err" "native or W:H" "names the forms"

expect 2 "json usage error" "$gpuvm" info --json --frobnicate x
says "$work/out" '"status":"usage"' "JSON status"

# Words of somebody who has not read anything.
expect 0 "help" "$gpuvm" help
says "$work/out" "^  run " "help lists commands"
expect 0 "help run" "$gpuvm" help run
says "$work/out" "^gpuvm run " "help COMMAND"
expect 0 "help store add" "$gpuvm" help store add
says "$work/out" "^gpuvm store add " "help COMMAND VERB"
expect 2 "help of nothing" "$gpuvm" help rnu
says "$work/err" "did you mean run\$" "the nearest command"
for word in version -V; do
    expect 0 "$word" "$gpuvm" "$word"
    says "$work/out" "^gpuvm $version\$" "$word"
done
expect 2 "--json ahead" "$gpuvm" --json info "$work/none"
says "$work/out" '"status":"usage"' "--json in front of the command"
expect 2 "--json ahead of a verb" "$gpuvm" --json store ls "$work/none"
says "$work/out" '"status":"usage"' "--json in front of a verb"
expect 2 "--json=1" "$gpuvm" info --json=1 "$work/none"
says "$work/out" '"status":"usage"' "--json=1"
GPUVM_JSON=1 expect 2 "--json=0" "$gpuvm" info --json=0 "$work/none"
[ -s "$work/out" ] && fail "--json=0 prints JSON"

# What changes nothing is told, or refused.
idle() {
    told=$1
    shift
    expect 2 "idle: $*" "$gpuvm" "$@" --pedantic "$work/none"
    says "$work/err" "$told" "idle: $*"
    "$gpuvm" "$@" "$work/none" 2>&1 | grep -qE "cannot open|usage" || fail "goes on: $*"
}
idle "run: --fps has no effect: it needs --window" run --fps 3
idle "run: --aspect has no effect" run --aspect native
idle "--screenshot-prefix has no effect: it needs --screenshots or --window" run --screenshot-prefix x
idle "--screenshot-format has no effect" run --screenshot-format ppm
idle "--fetch-tries has no effect: nothing here is on the web" run --fetch-tries 3
idle "--fetch-stall has no effect" info --fetch-stall 3
idle "--store has no effect: it needs --thin" compile --store "$work/store"
idle "--timeout has no effect: it needs --deep" verify --timeout 3
expect 2 "an URL" "$gpuvm" run --fetch-tries 3 --pedantic --store http://127.0.0.1:1/ "$work/none"
says "$work/err" "cannot open" "an URL of a store needs its options"
GPUVM_HASHH=1 expect 2 "a variable of no option" "$gpuvm" info "$work/none" --pedantic
says "$work/err" "GPUVM_HASHH sets no option; did you mean that of --hash" "the nearest variable"
GPUVM_FPS=3 expect 2 "a variable of another command" "$gpuvm" info "$work/none" --pedantic
says "$work/err" "cannot open" "variables of other commands are no slips"

GPUVM_MEM_MB=potato expect 2 "bad variable" "$gpuvm" info x
says "$work/err" "GPUVM_MEM_MB" "names the variable"
GPUVM_JSON=1 expect 2 "json by variable" "$gpuvm" info "$work/none"
says "$work/out" '"status":"usage"' "GPUVM_JSON"
GPUVM_JSON=0 expect 2 "json off by variable" "$gpuvm" info "$work/none"
[ -s "$work/out" ] && fail "GPUVM_JSON=0 prints JSON"
expect 7 "full disk" sh -c "'$gpuvm' --help >/dev/full"
finish
