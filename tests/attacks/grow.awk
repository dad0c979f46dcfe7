# Statements of calls.tsv, one a line: `grow [SLOT =] CALL(ARGUMENT, ...)` becomes the
# instructions that push the arguments and call, @ being a number that grows by 16 each time;
# all others stay.
function push(a) {
    if (a == "@") {
        print "volatile counter"
        print "load64"
        grows = 1
    } else if (a ~ /^\$/)
        print "load_slot " substr(a, 2)
    else if (a ~ /^&/)
        print "const " substr(a, 2)
    else if (a ~ /^%/)
        print "push_f32 " substr(a, 2)
    else
        print "push " a
}
{
    gsub(/^ +| +$/, "")
}
!/^grow / {
    print
    next
}
{
    slot = ""
    text = substr($0, 6)
    if (match(text, /^[a-z]+ = /)) {
        slot = substr(text, 1, RLENGTH - 3)
        text = substr(text, RLENGTH + 1)
    }
    open = index(text, "(")
    count = split(substr(text, open + 1, length(text) - open - 1), arguments, / *, */)
    for (n = 1; n <= count; n++)
        push(arguments[n])
    print "call " substr(text, 1, open - 1)
    if (slot != "")
        print "store_slot " slot
}
END {
    if (grows) {
        print "volatile counter"
        print "load64"
        print "add_imm 16"
        print "volatile counter"
        print "store64"
    }
}
