#!/bin/sh
# Each kind of file in each place where one can be named (files.tsv): nothing hangs, what
# cannot be read or written is said, and inputs stay what they were.
. tests/attacks/lib.sh
needs_device

kinds="fifo unread folder zero full null random socket dangling loop unreadable empty cut sparse memory"

# What is good in the places: a payload with an export, a thin one with its store, a capture.
set_up() {
    cd "$work" && mkdir good && cd good || exit 1
    head -c 3000000 /dev/urandom >noise
    cat >text.gvt <<'GVT'
.resource noise file "noise"
.export color image R8G8B8A8_UNORM 64 64
i = image_create(2D, R8G8B8A8_UNORM, width=64, height=64, usage=SAMPLED)
b = buffer_create(3000000, VERTEX)
buffer_upload(b, 0, noise)
image_clear_color(i, 0, 1, 0, 1, 1.0, 0, 0, 1.0)
post_image(color, i)
present(i, width=64, height=64)
frame_end()
GVT
    cp text.gvt names.gvt
    "$gpuvm" asm text.gvt -o payload.gvp >/dev/null || exit 1
    "$gpuvm" dump payload.gvp >exact.gvt || exit 1
    "$gpuvm" run payload.gvp --hash sha256-rgba >golden || exit 1
    "$gpuvm" run payload.gvp --progress-file position >/dev/null || exit 1
    "$make_aerogpu" demo capture || exit 1
    "$gpuvm" compile capture --frames 0 --thin --store store -o thin.gvp >/dev/null 2>&1 || exit 1
    find store -name '*.zst' | sort | head -n 1 >object
    XDG_CACHE_HOME=$PWD/caches "$gpuvm" run payload.gvp >/dev/null || exit 1
    find caches/gpuvm -name '*.bin' | head -n 1 >cache
    printf '0\n' >list
    mkdir pictures
}

# The good file of a place, and where it stands.
good_of() {
    case $1 in
    compile | run-capture) echo capture ;;
    asm) echo text.gvt ;;
    include) echo noise ;;
    target | set) echo list ;;
    expect) echo golden ;;
    store | store-out) echo store ;;
    object*) cat object ;;
    cache-home) echo caches ;;
    cache-folder) echo caches/gpuvm ;;
    cache) cat cache ;;
    progress) echo position ;;
    picture) echo pictures/frame_000000.png ;;
    pictures) echo pictures ;;
    export-png) echo made.png ;;
    *) echo payload.gvp ;;
    esac
}

# Where the kind is put. Places that are told by @ get a name of their own.
path_of() {
    case $1 in
    include | object* | cache-folder | cache | picture | export-png) good_of "$1" ;;
    *) echo odd ;;
    esac
}

# Changes the length of a file, over and over, until it is told to stop.
churn() {
    while [ ! -e stop ]; do
        truncate -s 100 "$1" 2>/dev/null
        cat "$2" >"$1" 2>/dev/null
    done &
}

# put KIND PATH GOOD GROUP: makes the file.
put() {
    rm -rf "$2.good"
    [ ! -e "$3" ] || cp -r "$3" "$2.good"
    rm -rf "$2"
    case $1 in
    fifo)
        mkfifo "$2"
        # Inputs may be pipes: one that somebody opens and closes.
        case $4 in input | list | expect | include) (: >"$2") & ;; esac
        # And so may streams be, which a reader takes.
        case $4 in stream | output) (cat "$2" >/dev/null) & ;; esac
        ;;
    unread) mkfifo "$2" ;;
    folder) mkdir "$2" && echo x >"$2/inside" ;;
    zero) ln -s /dev/zero "$2" ;;
    full) ln -s /dev/full "$2" ;;
    null) ln -s /dev/null "$2" ;;
    random) ln -s /dev/urandom "$2" ;;
    socket) python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$2" ;;
    dangling) ln -s nowhere/at/all "$2" ;;
    loop) ln -s "$(basename "$2")" "$2" ;;
    unreadable) cp -r "$2.good" "$2" 2>/dev/null || echo x >"$2" && chmod 0 "$2" ;;
    empty) : >"$2" ;;
    cut)
        if [ -f "$2.good" ]; then cp "$2.good" "$2"; else echo x >"$2" && cp "$2" "$2.good"; fi
        churn "$2" "$2.good"
        ;;
    sparse)
        if [ -f "$2.good" ]; then cp "$2.good" "$2"; fi
        truncate -s 5G "$2"
        ;;
    memory) ln -s /proc/self/mem "$2" ;;
    esac
}

# Exit codes of a GROUP for a KIND. 0 is right only where the kind does no harm there.
codes_of() {
    case $1/$2 in
    input/cut | input/unreadable) echo "0 2 3" ;;
    input/sparse) [ "$3" = run-capture ] && echo "0 2 3" || echo "2 3" ;; # whole records
    input/*) echo "2 3" ;;
    include/cut | include/unreadable | include/sparse) echo "0 2 3 5" ;;
    include/null | include/empty | include/full) echo "0 2 3" ;;
    include/*) echo "2 3" ;;
    list/unreadable | list/cut) echo "0 2 3" ;;
    list/*) echo "2 3" ;;
    expect/unreadable | expect/cut) echo "0 1 2 3" ;;
    expect/*) echo "1 2 3" ;;
    store/unreadable) echo "0 2 4" ;;
    store/*) echo "2 3 4" ;; # packs are not supported
    object/cut | object/unreadable) echo "0 4" ;;
    object/*) echo 4 ;;
    deep/*) echo 4 ;;
    cache/*) echo 0 ;;
    progress/full | progress/folder | progress/loop | progress/socket) echo "2 7" ;;
    progress/*) echo "0 2 7" ;;
    folder/folder) echo 0 ;;
    folder/unreadable) echo "0 2 7" ;;
    folder/*) echo "2 7" ;;
    output/folder) echo "2 7" ;;
    output/unread) echo 7 ;;
    output/full) [ "$3" = picture ] || [ "$3" = export-png ] && echo "0 2 7" || echo "2 7" ;;
    output/*) echo "0 2 7" ;;
    thin/folder) echo 0 ;;
    thin/unreadable) echo "0 2 7" ;;
    thin/*) echo "2 3 7" ;; # packs are not supported
    stream/full | stream/memory) echo 7 ;;
    stream/folder | stream/loop | stream/socket) echo "1 2" ;; # the shell's own
    stream/dangling) echo "1 2" ;;
    stream/*) echo 0 ;;
    esac
}

# A pipe that nobody opens is waited for by open(2) itself where that is the shell's.
in_place() {
    begin "$1-$4" || return
    cp -r "$work"/good/. .
    path=$(path_of "$1")
    put "$4" "$path" "$(good_of "$1")" "$2"
    set -- "$1" "$2" "$3" "$4" "$(codes_of "$2" "$4" "$1")"
    [ "$2" != stream ] || quiet=1
    case $4 in unreadable) [ "$(id -u)" != 0 ] || set -- "$1" "$2" "$3" "$4" "0 $5" ;; esac
    command=$(printf '%s' "$3" | sed "s|\\\$@|$path|g; s|@\$path|@$path|g")
    export gpuvm player
    "$hold" report --seconds 60 -- sh -c "$command" >out 2>err </dev/null
    touch stop
    wait_for_writers "$path"
    cmp -s payload.gvp "$work/good/payload.gvp" && cmp -s capture "$work/good/capture" ||
        sed -i 's/^/destroyed an input: /' report
    judge "$5" -
}

# Lets those go that still wait at a FIFO.
wait_for_writers() {
    [ -p "$1" ] && timeout 2 sh -c "exec 3<>'$1'"
    wait
}

make_aerogpu=$(dirname "$(dirname "$hold")")/aerogpu/make_aerogpu
set_up
cd "$top" || exit 1
tab=$(printf '\t')
while IFS=$tab read -r place group command <&3; do
    case $place in \#*) continue ;; esac
    for kind in $kinds; do
        # Elsewhere waiting is what a pipe is for, or done by the shell.
        [ "$kind" != unread ] || [ "$group" = output ] || continue
        in_place "$place" "$group" "$command" "$kind"
    done
done 3<"$here/files.tsv"

# A file that is an input and an output: refused before a byte is written.
both() {
    begin "$1" || return
    cp -r "$work"/good/. . && shift
    ln capture linked && ln -s payload.gvp link
    "$hold" report -- "$@" >out 2>err </dev/null
    for kept in payload.gvp capture text.gvt golden; do
        cmp -s $kept "$work/good/$kept" || sed -i "s/^/destroyed $kept: /" report
    done
    judge 2 -
}
both compile-onto-itself "$gpuvm" compile capture -o capture
both compile-onto-link "$gpuvm" compile capture -o linked
both asm-onto-itself "$gpuvm" asm text.gvt -o text.gvt
both asm-onto-resources "$gpuvm" asm exact.gvt --resources payload.gvp -o payload.gvp
both dump-onto-itself "$gpuvm" dump payload.gvp -o payload.gvp
both dump-onto-link "$gpuvm" dump payload.gvp -o link
both progress-onto-payload "$gpuvm" run payload.gvp --progress-file payload.gvp
both progress-onto-link "$gpuvm" run payload.gvp --progress-file link
both progress-onto-expected "$gpuvm" run payload.gvp --expect golden --progress-file golden
both export-onto-payload "$gpuvm" run payload.gvp --export color=payload.gvp
both export-onto-link "$gpuvm" run payload.gvp --export color=link
both export-onto-expected "$gpuvm" run payload.gvp --expect golden --export color=golden
finish
