#!/bin/sh
# Counts mutants that have been tried (counts.tsv), of runs that follow each other:
#   count.sh seed PART     the seed of mutants that were not tried yet
#   count.sh add DIR       adds what the runs of mutants.sh below DIR (build/asan) told
#   count.sh table         the counts as docs/reliability.md has them
# `ninja test-full` tries those of the next seed; whoever has run it adds them and commits the counts.
set -eu
cd "$(dirname "$0")/../.."
counts=tests/fuzz/counts.tsv
tab=$(printf '\t')

# sanitizers DIR PART: those that a run was under.
sanitizers() {
    case ${1##*/}-$2 in
    asan-payloads | asan-texts | asan-captures | asan-states | asan-gates) echo asan+ubsan+lsan ;;
    asan-*) echo asan+ubsan ;;
    *) echo none ;;
    esac
}

# add_row PART SANITIZERS RUNS REACHED LOST CRASHES HANGS WRONG
add_row() {
    awk -F'\t' -v OFS='\t' -v part="$1" -v under="$2" -v more="$3 $4 $5 $6 $7 $8" '
        BEGIN { split(more, add, " ") }
        $1 == part && $2 == under { for (i = 1; i <= 6; i++) $(i + 2) += add[i]; found = 1 }
        { print }
        END { if (!found) print part, under, add[1], add[2], add[3], add[4], add[5], add[6] }' \
        "$counts" >"$counts.new"
    mv "$counts.new" "$counts"
}

case ${1:-} in
seed) awk -F'\t' -v part="$2" '$1 == part { runs += $3 } END { print runs + 1 }' "$counts" ;;
add)
    for told in "$2"/mutants/*/told; do
        [ -s "$told" ] || continue
        # Behind findings: PART runs reached done refused skipped lost crashes hangs wrong.
        while IFS=$tab read -r part runs reached _ _ _ lost crashes hangs wrong; do
            [ "$part" = finding ] ||
                add_row "$part" "$(sanitizers "$2" "$part")" "$runs" "$reached" "$lost" "$crashes" \
                    "$hangs" "$wrong"
        done <"$told"
        mv "$told" "$told.counted"
    done
    ;;
table)
    awk -F'\t' 'NR == 1 { print "| part | under | runs | reached | lost | crashes | hangs | wrong |"
            print "|---|---|---|---|---|---|---|---|"; next }
        { printf "| `%s` | %s | %d | %d | %d | %d | %d | %d |\n", $1, $2, $3, $4, $5, $6, $7, $8
          runs += $3 }
        END { printf "| together | | %d | | | | | |\n", runs }' "$counts"
    ;;
*)
    sed -n '2,5s/^# *//p' "$0" >&2
    exit 2
    ;;
esac
