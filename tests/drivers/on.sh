#!/bin/sh
# One test on one driver, held against the table of known differences (known.tsv): what
# differs and is not in the table fails, and so does what the table has and no longer
# differs.
#   on.sh DRIVER TEST GPUVM COMMAND...
# DRIVER: as in tests/drivers/lib.sh.
# COMMAND tells of rows: `ok ROW`, `FAIL ROW`, `FAILED: ROW...`, or `[ROW]` in what it complains.
. tests/cli/lib.sh
. tests/drivers/lib.sh
driver=$1 test=$2 gpuvm=$3
shift 3

use_driver "$driver" "$gpuvm"

"$@" >"$work/log" 2>&1
code=$?
cat "$work/log"
[ $code -eq 77 ] && grep -q 'no corpus' "$work/log" && exit 77
[ $code -le 1 ] || fail "$driver $test: exit $code"
awk -F'\t' -v driver="$driver" -v test="$test" -v whole="${test%_slice}" -v code=$code '
    FNR == NR {
        if ($1 == driver && $2 == whole) {
            known[$3] = 1
            said[$3] = $4
            if ($3 == "*")
                any_row[$4] = 0
        }
        next
    }
    function complain(row) {
        sub(/[:]$/, "", row)
        failed[row] = failed[row] $0 "\n"
    }
    /^ok +/ { sub(/^ok +/, ""); ran[$0] = 1; next }
    /^FAIL / { text = $0; sub(/^FAIL +/, "", text); complain(text); next }
    /^FAILED: / { split($0, word, " "); complain(word[2]); next }
    /^\[[A-Za-z0-9_.]+\]/ { text = $0; sub(/^\[/, "", text); sub(/\].*/, "", text); told[text] = told[text] $0 "\n"; next }
    /^[^ ]+:[0-9]+: \[[^]]*\] CHECK/ { text = $0; sub(/^[^[]*\[/, "", text); sub(/\].*/, "", text); complain(text); next }
    /^[^ ]+:[0-9]+: CHECK/ { complain("-") }
    function bad(text) { print "FAILED: " driver " " test ": " text; wrong = 1 }
    # Rows that say what a row * of the table has.
    function excused(text, says) {
        for (says in any_row)
            if (index(text, says))
                return any_row[says] = 1
        return 0
    }
    END {
        for (row in failed) {
            any = 1
            if (!(row in known) && excused(told[row] failed[row]))
                continue
            if (!(row in known))
                bad(row " differs:\n" told[row] failed[row])
            else if (!index(told[row] failed[row], said[row]))
                bad(row " differs, but does not say \"" said[row] "\":\n" told[row] failed[row])
        }
        for (row in known)
            if (row != "*" && !(row in failed) && (row in ran || test !~ /_slice$/))
                bad(row " is in known.tsv and does not differ")
        for (says in any_row)
            if (!any_row[says] && test !~ /_slice$/)
                bad("nothing says \"" says "\", and known.tsv has it")
        if (code && !any)
            bad("exit " code " and no row says why")
        exit wrong
    }' tests/drivers/known.tsv "$work/log" >&2 || failures=$((failures + 1))
finish
