#!/bin/sh
# run --check-effects: dispatches that do what they say pass, each that lies is told where.
#   effects.sh GPUVM FILL.SPV INCREMENT.SPV
. tests/cli/lib.sh
gpuvm=$1
has_device "$gpuvm" || skip "no Vulkan device"
cp "$2" "$work/fill.spv" && cp "$3" "$work/increment.spv" || fail "no shader"
export XDG_CACHE_HOME="$work/cache"

# held CODE NAME SHADER RANGES [TEXT]: one dispatch over four words of a buffer of eight:
# `fill` writes zeros, as there were, `increment` turns them around and adds one.
held() {
    cat >"$work/$2.gvt" <<END
.resource cs file "$3.spv"
.const zero u32 0
.compute fill {
    binding 0 0 UNIFORM_BUFFER_DYNAMIC COMPUTE
    binding 3 0 STORAGE_BUFFER COMPUTE
    spec COMPUTE 0 4
    spec COMPUTE 1 0
}
.compute increment { binding 3 0 STORAGE_BUFFER COMPUTE }
.export words buffer
.ranges r { $4 }
s = shader_create(cs)
p = pipeline_create_compute(desc=$3, compute=s)
b = buffer_create(32, STORAGE)
bind_pipeline(p)
bind_buffer(set=3, binding=0, buffer=b)
bind_uniform_bytes(0, 0, zero)
command 7
dispatch(1, 1, 1, r)
post_buffer(words, b, size=32)
frame_end()
END
    expect 0 "$2: assemble" "$gpuvm" asm "$work/$2.gvt" -o "$work/$2.gvp"
    expect 0 "$2: believed" "$gpuvm" run "$work/$2.gvp" --export "words=$work/free"
    expect "$1" "$2" "$gpuvm" run "$work/$2.gvp" --check-effects --json --export "words=$work/held"
    same "$work/free" "$work/held" "$2: what comes out"
    [ "$1" = 0 ] && says "$work/out" '"effect_violations":0' "$2: none"
    [ "$1" = 0 ] || says "$work/out" '"effect_violations":1' "$2: counted"
    [ $# -lt 5 ] || says "$work/err" "effects: dispatch 1 of the run \(command 7\) $5" "$2: where"
}

held 0 overwritten fill "overwrite 3 0 bytes=16"
held 0 written fill "write 3 0 bytes=32"
held 0 turned increment "write 3 0 bytes=16"
held 0 read_and_overwritten increment "read 3 0 bytes=16
overwrite 3 0 bytes=16"
held 5 less fill "overwrite 3 0 bytes=32" \
    "left set 3 binding 0 element 0 byte 16, .*overwritten"
held 5 outside fill "overwrite 3 0 bytes=8" "wrote set 3 binding 0 element 0 byte 8, .*none"
held 5 outside_rows fill "overwrite 3 0 bytes=4 stride=8 rows=2" \
    "wrote set 3 binding 0 element 0 byte 4,"
held 5 not_unused fill "unused 3 0" "wrote set 3 binding 0 element 0 byte 0,"
held 5 kept increment "overwrite 3 0 bytes=16" "left set 3 binding 0 element 0 byte 0,"
held 5 read_besides increment "write 3 0 bytes=8
overwrite 3 0 offset=8 bytes=8" "wrote set 3 binding 0 element 0 byte 0, .*no range names as read"
finish
