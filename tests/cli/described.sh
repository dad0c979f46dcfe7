#!/bin/bash
# Manual pages and completions have the options that --help has, of every command, and no
# others. Shells that are not installed are left out.
#   described.sh GPUVM PLAYER
. tests/cli/lib.sh

# In bash: what is offered behind these words.
offered_bash() {
    bash -c 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _${1//-/_}; printf "%s\n" "${COMPREPLY[@]}"' bash "$work/bash" "$@"
}

offered_fish() {
    fish -N -c 'source $argv[1]; complete -C "$argv[2]"' "$work/fish" "$*" | cut -f 1
}

# _arguments and _describe say what they were given.
offered_zsh() {
    zsh -f -c '
        compdef() { }
        _arguments() { for a in "$@"; do
            case $a in
            -s | \*:*) ;;
            *) a=${a#\(*\)}; a=${a#\*}; print -- ${a%%\[*} ;;
            esac; done }
        _describe() { for w in "${(@P)2}"; do print -- ${w%%:*}; done }
        source $1; shift; words=("$@"); CURRENT=$#; _$1' zsh "$work/zsh" "$@"
}

# Long options alone, sorted: short ones and fish order differ.
long() {
    grep -oE -- '^--[a-z-]+' | sort -u
}

# leaf PROGRAM NAME: the options of a command, wherever they are told.
leaf() {
    local name command=$2
    name=$(basename "$1")
    # shellcheck disable=SC2086 # two words of a verb
    "$1" $command --help >"$work/help" || fail "$command --help"
    grep -oE -- '^ +(-[a-z], )?--[a-z-]+' "$work/help" | grep -oE -- '--[a-z-]+' | sort >"$work/options"
    [ -s "$work/options" ] || fail "$command has no options"
    for shell in bash zsh fish; do
        command -v $shell >/dev/null || continue
        # shellcheck disable=SC2086
        offered_$shell "$name" $command -- | long >"$work/offered"
        same "$work/offered" "$work/options" "$shell: $name $command"
    done
    "$1" --man "${command%% *}" | sed 's/\\-/-/g; s/\\f.//g' >"$work/page"
    awk -v name="$command" '/^\.SS /{ inside = ($0 == ".SS " name) } /^\.SH /{ inside = $2 == "OPTIONS" }
        inside' "$work/page" | grep -A 1 '^\.TP' | grep -oE -- '--[a-z-]+( |$)' | tr -d ' ' |
        sort >"$work/offered"
    same "$work/offered" "$work/options" "manual page: $name $command"
}

# program PATH: its commands as --help lists them.
program() {
    name=$(basename "$1")
    "$1" --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | sort >"$work/commands"
    for shell in bash zsh fish; do
        "$1" --completion $shell >"$work/$shell" || fail "--completion $shell"
        command -v $shell >/dev/null || continue
        $shell -n "$work/$shell" || fail "$shell cannot read its completion"
        offered_$shell "$name" '' | grep -v '^-' | sort >"$work/offered"
        same "$work/offered" "$work/commands" "$shell: commands of $name"
    done
    while read -r command; do
        "$1" --man "$command" >"$work/page" || fail "--man $command"
        LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l -Z "$work/page" 2>&1 >/dev/null |
            grep . && fail "the manual page of $command"
        [ "$command" = store ] || leaf "$1" "$command"
    done <"$work/commands"
    "$1" --man >"$work/page" || fail "--man"
    while read -r command; do
        grep -qE "^\.SS $command( |\$)" "$work/page" || fail "$name --man lacks $command"
    done <"$work/commands"
}

gpuvm=$1 player=$2
program "$gpuvm"
for verb in $("$gpuvm" store --help | sed -n 's/^  \([a-z]*\)  *[A-Z].*/\1/p'); do
    leaf "$gpuvm" "store $verb"
done
program "$player"

# What an option takes: its words, folders, files.
for shell in bash zsh fish; do
    "$gpuvm" --completion $shell >"$work/$shell"
done
offered_bash gpuvm run --screenshot-format p >"$work/out"
printf 'png\nppm\n' | cmp -s - "$work/out" || fail "words of an option: $(cat "$work/out")"
mkdir "$work/place" && : >"$work/plain"
offered_bash gpuvm run --screenshot-dir "$work/pla" >"$work/out"
echo "$work/place" | cmp -s - "$work/out" || fail "folders: $(cat "$work/out")"
offered_bash gpuvm store '' | sort >"$work/out"
says "$work/out" '^gc$' "verbs of store"
if command -v fish >/dev/null; then
    [ "$(offered_fish gpuvm run --screenshot-format x)" = '' ] || fail "fish: no such word"
    offered_fish gpuvm run --hash md5 | sort >"$work/out"
    printf 'md5-rgb\nmd5-rgba\n' | cmp -s - "$work/out" || fail "fish: words of an option"
fi

expect 2 "no such shell" "$gpuvm" --completion csh
says "$work/err" "bash, zsh or fish" "names the shells"
expect 2 "no shell" "$gpuvm" --completion
expect 2 "no such page" "$gpuvm" --man rnu
says "$work/err" "did you mean run" "the nearest page"
finish
