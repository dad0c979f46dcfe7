#!/bin/sh
# Payloads and captures made to hurt: what they declare, how deep, how large, how often; each
# one line of how it is made.
. tests/attacks/lib.sh
needs_device

make_aerogpu=$(dirname "$(dirname "$hold")")/aerogpu/make_aerogpu

# payload NAME ALLOWED [RUN-OPTION...] <TEXT: assembled and run. What `asm` refuses never
# becomes a payload: that is 3 too.
payload() {
    begin "$1" || return
    codes=$2
    shift 2
    cat >a.gvt
    if "$gpuvm" asm a.gvt --include "$shaders" -o a.gvp >out 2>err; then
        attack "$codes" - --seconds 40 -- "$gpuvm" run a.gvp "$@"
    else
        attack "$codes" - -- "$gpuvm" asm a.gvt --include "$shaders" -o a.gvp
    fi
}

# ---- what is declared ----
for limit in volatile=68719476736 volatile=1099511627776 maps=18446744073709551615 \
    stack=4294967295 objects=4294967295 instructions=18446744073709551615 \
    object_bytes=18446744073709551615; do
    printf '.limits %s\nb = buffer_create(64, VERTEX)\nframe_end()\n' $limit |
        payload "declares-$(echo $limit | tr = -)" "0 3"
done
for limit in volatile maps stack objects instructions object_bytes; do
    printf '.limits %s=1\n.volatile v 4096\nb = buffer_create(4096, VERTEX)\nm = buffer_map(b, 0, 4096)\nbuffer_unmap(m)\nc = buffer_create(64, VERTEX)\nframe_end()\n' $limit |
        payload "declares-little-$limit" "0 3 5"
done
for bytes in 0 1 18446744073709551615 9223372036854775808 1099511627776 4294967296; do
    echo ".limits object_bytes=1
b = buffer_create($bytes, STORAGE)
frame_end()" | payload "buffer-of-$bytes" "0 3 5"
    echo ".require memory $bytes
frame_end()" | payload "requires-memory-$bytes" "0 3 5"
done
for size in 0 1 16384 65536 4294967295; do
    echo ".limits object_bytes=1
i = image_create(2D, R32G32B32A32_SFLOAT, width=$size, height=$size, usage=SAMPLED)
frame_end()" | payload "image-of-$size" "0 3 5"
    echo ".limits object_bytes=1
i = image_create(3D, R8_UNORM, width=$size, height=$size, depth=$size, usage=SAMPLED)
frame_end()" | payload "volume-of-$size" "0 3 5"
    echo ".limits object_bytes=1
i = image_create(2D, R8_UNORM, width=1, height=1, layers=$size, mips=$size, samples=$size, usage=SAMPLED)
frame_end()" | payload "layers-of-$size" "0 3 5"
    echo "q = query_create(OCCLUSION, $size)
frame_end()" | payload "queries-of-$size" "0 3 5"
done
for name in "" "$(head -c 255 /dev/zero | tr '\0' a)" "robustBufferAccess2" "noSuchFeature" \
    "$(printf '\033]0;owned\007')" "$(printf 'a\302\205b')" "../../etc/passwd" "%s%s%n"; do
    title=$(printf '%s' "$name" | tr -c 'a-zA-Z0-9' '_' | cut -c1-20)
    echo ".require feature \"$name\"
frame_end()" | payload "requires-feature-$title" "0 3 5"
    echo ".require format \"$name\" 1
frame_end()" | payload "requires-format-$title" "0 3 5"
    echo ".export \"$name\" buffer
frame_end()" | payload "export-$title" "0 3"
    begin "control-$title" && {
        echo ".require feature \"$name\"
.diagnostic warning \"$name\" \"$name\"
frame_end()" | make a && {
            for command in run info dump explain devices; do
                "$gpuvm" $command a.gvp
            done >out 2>&1
            # Of control characters nothing but newlines and tabs gets to a terminal.
            if LC_ALL=C.UTF-8 tr -d '\n\t' <out | LC_ALL=C.UTF-8 grep -qaP '[\x{0}-\x{1f}\x{7f}-\x{9f}]'; then
                echo "control characters	0	0" >report
            else
                echo "exit:0	0	0" >report
            fi
            judge 0 -
        }
    }
done

# ---- how deep and how often ----
for depth in 15 16 17 1000; do
    {
        n=0
        while [ $n -lt $depth ]; do echo "loop 2"; n=$((n + 1)); done
        printf 'push 1\ndrop\n'
        while [ $n -gt 0 ]; do echo "loop_end"; n=$((n - 1)); done
        echo "frame_end()"
    } | payload "loops-in-loops-$depth" "0 3 6" --timeout 4
done
printf 'loop 4294967295\nloop 4294967295\nloop 4294967295\npush 1\ndrop\nloop_end\nloop_end\nloop_end\nframe_end()\n' |
    payload loops-without-end "3 6" --timeout 3
printf '.volatile v 65536\nloop 4294967295\nvolatile v+32768\nvolatile v\ncopy 32768\nloop_end\nframe_end()\n' |
    payload copies-without-end 6 --timeout 3
for count in 1000 100000; do
    { yes 'frame_end()' | head -n $count; } | payload "frames-$count" "0 3" --timeout 60
    { seq $count | sed 's/.*/b& = buffer_create(16, VERTEX)/'; echo 'frame_end()'; } |
        payload "buffers-$count" "0 3 5" --timeout 60
    { yes 'push 1' | head -n $count; yes drop | head -n $count; echo 'frame_end()'; } |
        payload "stack-$count" "0 3"
done

# ---- compression ----
echo '.const z zero 1000000000
frame_end()' | payload constants-of-zeros "0 3"
echo '.resource z zero 1000000000
b = buffer_create(1000000000, VERTEX)
buffer_upload(b, 0, z)
frame_end()' | payload resource-of-zeros "0 3 5"
echo '.resource z repeat 100000 ( repeat 100000 ( u8 1 ) )
b = buffer_create(64, VERTEX)
frame_end()' | payload repeats-of-repeats "0 3 5"

# What a few bytes of a layer become is bounded.
for layer in "zstd -q -19" "gzip -9" "xz -1"; do
    title=${layer%% *}
    head -c 3000000000 /dev/zero | $layer >"$work/$title"
    for command in info dump verify run compile explain; do
        begin "bomb-$title-$command" || continue
        attack "2 3" - --seconds 60 -- "$gpuvm" $command "$work/$title"
    done
done

# ---- shaders ----
# compute NAME ALLOWED <GLSL: of one dispatch with a buffer of 64 bytes.
compute() {
    begin "$1" || return
    codes=$2
    cat >a.comp
    glslangValidator -V --quiet --target-env vulkan1.3 -o a.spv a.comp >made-err 2>&1 || {
        echo "made	0	0" >report
        judge none -
        return
    }
    shaders=. make a <<'GVT' || return
.resource cs file "a.spv"
.export data buffer
.compute d { binding 3 0 STORAGE_BUFFER COMPUTE }
s = shader_create(cs)
p = pipeline_create_compute(desc=d, compute=s)
b = buffer_create(64, STORAGE)
bind_pipeline(p)
bind_buffer(3, 0, 0, b)
dispatch(1, 1, 1)
post_buffer(data, b, size=64)
frame_end()
GVT
    attack "$codes" - --seconds 100 -- "$gpuvm" run a.gvp --timeout 60 --export data=data
}
body() {
    echo "#version 460
layout(local_size_x = 1) in;
layout(set = 3, binding = 0) buffer Data { int found[]; };
$1
void main() { $2 }"
}
body "" "found[0] = found[1] / found[2];" | compute divide-by-zero 0
body "" "found[0] = (-2147483647 - 1 + found[1]) / (found[2] - 1);" | compute divide-overflow 0
body "" "found[0] = (-2147483647 - 1 + found[1]) % (found[2] - 1);" | compute remainder-overflow 0
body "" "found[0] = found[1] % found[2];" | compute remainder-by-zero 0
body "" "found[0] = 1 << (found[1] + 100);" | compute shift-far 0
body "" "found[0] = int(1e30 + float(found[1]));" | compute convert-far 0
body "" "found[0] = bitfieldExtract(found[1], found[2] + 40, found[3] + 40);" | compute bits-far 0
# lavapipe leaves loops by itself (docs/drivers.md): an end that is any other is too early.
left_by_driver() {
    rounds=$(od -An -tu4 -N4 data | tr -d ' ')
    [ "$rounds" -ge 65000 ] && [ "$rounds" -le 65535 ] || echo "after $rounds rounds"
}
check=left_by_driver
body "" "for (;;) found[0]++;" | compute endless "0 6"
body "void f(int n) { for (int i = 0; i < 1000000000; i++) for (int k = 0; k < n; k++) found[0]++; }" \
    "f(found[1] + 1000);" | compute "long" "0 6"
check=
body "shared int rows[8192];" "rows[found[0]] = 1; found[1] = rows[found[2]];" | compute shared-most "0 3 5"
body "" "int a[16384]; for (int i = 0; i < 16384; i++) a[i] = i; found[0] = a[found[1]];" |
    compute private-most "0 3 5"
{
    echo "int f0(int x) { return x * 7 + found[x & 15]; }"
    n=0
    while [ $n -lt 24 ]; do
        echo "int f$((n + 1))(int x) { return f$n(x) + f$n(x + 1); }"
        n=$((n + 1))
    done
} >"$work/inlined"
body "$(cat "$work/inlined")" "found[0] = f24(found[1]);" | compute inlining 3
for groups in "4294967295, 1, 1" "65535, 65535, 65535" "1, 4294967295, 4294967295" "0, 0, 0"; do
    title=$(echo "$groups" | tr -d ' ' | tr , x)
    begin "dispatch-$title" || continue
    body "" "atomicAdd(found[0], 1);" >a.comp
    glslangValidator -V --quiet --target-env vulkan1.3 -o a.spv a.comp >/dev/null
    shaders=. make a <<GVT || continue
.resource cs file "a.spv"
.compute d { binding 3 0 STORAGE_BUFFER COMPUTE }
s = shader_create(cs)
p = pipeline_create_compute(desc=d, compute=s)
b = buffer_create(64, STORAGE)
bind_pipeline(p)
bind_buffer(3, 0, 0, b)
dispatch($groups)
frame_end()
GVT
    case $groups in 0*) codes=0 ;; *) codes="3 5 6" ;; esac
    attack "$codes" - --seconds 60 -- "$gpuvm" run a.gvp --timeout 4
done

# ---- captures ----
# capture NAME ALLOWED COMMAND: of the shell, which makes `capture` of `good`.
"$make_aerogpu" demo "$work/good" || exit 1
capture() {
    begin "capture-$1" || return
    cp "$work/good" good
    sh -c "$3"
    attack "$2" - --seconds 60 -- "$gpuvm" compile capture -o made.gvp --allow-truncated
}
size=$(stat -c %s "$work/good")
for part_of in 1 8 31 32 33 100 1000 $((size / 2)) $((size - 33)) $((size - 1)); do
    capture "cut-at-$part_of" "0 3" "head -c $part_of good >capture"
done
capture nothing 3 ": >capture"
capture twice "0 3" "cat good good >capture"
capture backwards 3 "tac good >capture"
capture zeros-behind "0 3" "(cat good; head -c 100000000 /dev/zero) >capture"
for at in 8 12 16 24 36 40; do
    capture "all-ones-at-$at" "0 3" "cp good capture; printf '\\377\\377\\377\\377' | dd of=capture bs=1 seek=$at conv=notrunc 2>/dev/null"
done
printf 'PSXGPUDUMPv1r1\0\0' >"$work/psx"
for word in '\000\000\000\000' '\377\377\377\000' '\377\377\377\002' '\000\000\000\002' '\001\000\000\003\377\377\377\377' '\001\000\000\004\377\377\377\377'; do
    title=$(printf '%s' "$word" | tr -dc '0-9')
    capture "psx-$title" "0 3" "(cat '$work/psx'; i=0; while [ \$i -lt 5000 ]; do printf '$word'; i=\$((i + 1)); done) >capture"
done
finish
