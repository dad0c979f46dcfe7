# Read by benches that compare programs by turns: what a command took, gathered by name.
# Who reads it has set `scratch`, a folder.

# cpu NAME COMMAND...: adds the milliseconds of a command to what NAME has had, on
# processors and on the wall, and its largest process's memory.
cpu() {
    name=$1
    shift
    # The times of bash are in milliseconds, those of others in hundredths.
    bash -c 'start=${EPOCHREALTIME/./}
        command time -o "$0.memory" -f %M -- "$@" >/dev/null 2>"$0" ||
            echo "$1: $(tail -n 1 "$0")" >&2
        echo "wall $((${EPOCHREALTIME/./} - start))"
        times' "$scratch/log" "$@" | awk -v out="$scratch" -v name="$name" '
        function s(t, p) { split(t, p, /[ms]/); return p[1] * 60 + p[2] }
        $1 == "wall" { print $2 / 1000 >>(out "/cost." name ".wall") }
        NR == 3 { print (s($1) + s($2)) * 1000 >>(out "/cost." name) }'
    tail -n 1 "$scratch/log.memory" >>"$scratch/cost.$name.memory"
}
median() {
    sort -n "$scratch/cost.$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
# medians NAME...: in one line.
medians() {
    for name; do
        median "$name"
    done | tr '\n' ' '
}
