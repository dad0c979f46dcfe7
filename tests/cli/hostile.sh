#!/bin/sh
# Valid but hostile payloads: the caller survives each with the right exit code.
#   hostile.sh GPUVM ENDLESS.SPV STEP.SPV
. tests/cli/lib.sh
. tests/cli/endless.sh
gpuvm=$1
cp "$2" "$work/endless.spv" && cp "$3" "$work/step.spv" || fail "no shader"
export XDG_CACHE_HOME="$work/cache"

# make NAME: assembles standard input.
make() {
    cat >"$work/$1.gvt"
    expect 0 "assemble $1" "$gpuvm" asm --unverified "$work/$1.gvt" -o "$work/$1.gvp"
}

# Declared out of all proportion: refused before anything runs, with or without a device.
make volatile <<'END'
.limits volatile=1099511627776
frame_end()
END
expect 3 "1 TB of volatile memory" "$gpuvm" run "$work/volatile.gvp"
expect 3 "the same for verify" "$gpuvm" verify "$work/volatile.gvp" --json
says "$work/out" '"status":"rejected"' "rejected in JSON"
make objects <<'END'
b = buffer_create(1099511627776, STORAGE)
frame_end()
END
expect 3 "a buffer of 1 TB" "$gpuvm" run "$work/objects.gvp"
make budget <<'END'
b = buffer_create(268435456, STORAGE)
frame_end()
END
expect 3 "over --mem-mb" "$gpuvm" run "$work/budget.gvp" --mem-mb 64

# Modules that take a validator long.
{
    long_modules 200
    for i in $(seq 200); do
        echo "s = shader_create(m$i)"
        echo "shader_destroy(s)"
    done
    echo "frame_end()"
} | make slow
expect 6 "modules that take long" "$gpuvm" verify --deep "$work/slow.gvp" --timeout 1 --json
says "$work/err" "time-out: the verifier's process took over 1 s" "who took long"
says "$work/out" '"status":"lost"' "in JSON"
expect 0 "modules that may take as long as they like" "$gpuvm" verify --deep "$work/slow.gvp" \
    --timeout 0

sed 's/repeat 20000 /repeat 70000 /; /^.resource m2 /,$ { /^s = .*m1)$/!d }' "$work/slow.gvt" |
    { cat; echo "frame_end()"; } | make long_function
expect 3 "a function longer than this program takes" "$gpuvm" verify --deep "$work/long_function.gvp"
says "$work/err" "words when its calls are inlined" "what is too long"

has_device "$gpuvm" || {
    echo "the rest needs a Vulkan device"
    finish
}

expect 3 "the same in a run" "$gpuvm" run "$work/long_function.gvp"
says "$work/err" "words when its calls are inlined" "in the same words"

# Ranges that are not true: refused where that can be known, told under validation.
false_ranges() {
    make "$1" <<END
.resource words file "step.spv"
.compute d {
    binding 3 0 STORAGE_BUFFER COMPUTE
    binding 3 1 STORAGE_BUFFER COMPUTE
    binding 3 2 STORAGE_IMAGE COMPUTE
    spec COMPUTE 1 5
}
.ranges r { $2 }
s = shader_create(words)
p = pipeline_create_compute(desc=d, compute=s)
b = buffer_create(64, STORAGE)
i = image_create(2D, R32_UINT, width=1, height=1, usage=STORAGE)
bind_pipeline(p)
bind_buffer(set=3, binding=0, buffer=b)
bind_storage_image(3, 2, 0, i, 2D)
dispatch(2, 1, 1, r)
frame_end()
END
}
false_ranges unnamed "write 3 0 bytes=8"
expect 3 "a written image that no range names" "$gpuvm" run "$work/unnamed.gvp"
says "$work/err" "set 3 binding 2 element 0 may be written" "the binding"
false_ranges short "write 3 0 bytes=4
write 3 2"
expect 0 "a range too short is believed" "$gpuvm" run "$work/short.gvp"
expect 5 "but told" "$gpuvm" run "$work/short.gvp" --validate
says "$work/err" "dispatch 1 of the run.* set 3 binding 0 element 0 byte 4," "where"
false_ranges true_ones "write 3 0 bytes=8
write 3 2"
expect 0 "true ranges" "$gpuvm" run "$work/true_ones.gvp" --validate

endless_shader | make endless
start=$(date +%s)
expect 6 "an endless shader" "$gpuvm" run "$work/endless.gvp" --timeout 1 --json
says "$work/out" '"status":"lost"' "lost in JSON"
[ $(($(date +%s) - start)) -lt 30 ] || fail "the time-out takes too long"

# Only the watchdog sees the end of this.
endless_loops | make loops
expect 6 "an endless program" "$gpuvm" run "$work/loops.gvp" --timeout 1
says "$work/err" "time-out: nothing completed for 1 s at frame 0; nothing had completed before" \
    "what completed"
expect 6 "the same, kept" "$gpuvm" run "$work/loops.gvp" --timeout 1 --progress-file "$work/progress"
expect 0 "its position" "$gpuvm" info "$work/progress"
says "$work/out" "^completed_frame +none$" "no frame completed"
expect 0 "its position in JSON" "$gpuvm" info "$work/progress" --json
says "$work/out" '"completed_frame":null,"completed_command":null' "no frame completed, in JSON"

# Commands that take long, and passes that are all alike: submissions complete, the
# position does not change. The seconds are more than the time-out and its grace.
make long <<'END'
b = buffer_create(4096, STORAGE)
loop 4000000000
buffer_fill(b, 0, 4096, 1)
loop_end
frame_end()
END
make passes <<'END'
b = buffer_create(4096, STORAGE)
buffer_fill(b, 0, 4096, 1)
frame_end()
END
for name in long passes; do
    timeout -s TERM 9 "$gpuvm" run "$work/$name.gvp" --loop 1000000000 --timeout 1 \
        --progress-file "$work/progress" >"$work/out" 2>"$work/err"
    got=$?
    [ $got -eq 124 ] || fail "$name: exit $got, not ended by us: $(cat "$work/err")"
    "$gpuvm" info "$work/progress" >"$work/out"
    says "$work/out" "^completions +[1-9][0-9]+$" "$name: completions"
done

make far <<'END'
b = buffer_create(64, STORAGE)
buffer_fill(b, 4611686018427387904, 64, 1)
frame_end()
END
expect 3 "a store far outside a buffer" "$gpuvm" run "$work/far.gvp"
make dead <<'END'
b = buffer_create(64, STORAGE)
buffer_destroy(b)
buffer_fill(b, 0, 64, 1)
frame_end()
END
expect 3 "use of a dead object" "$gpuvm" run "$work/dead.gvp"
says "$work/err" "frame 0" "names the frame"
make indirect <<'END'
.resource words file "endless.spv"
.const counts u32 ( 0xffffffff 0xffffffff 0xffffffff )
.compute d { binding 3 0 STORAGE_BUFFER COMPUTE }
s = shader_create(words)
p = pipeline_create_compute(desc=d, compute=s)
a = buffer_create(16, INDIRECT)
buffer_upload(a, 0, counts)
b = buffer_create(64, STORAGE)
bind_pipeline(p)
bind_buffer(set=3, binding=0, buffer=b)
dispatch_indirect(a, 0)
frame_end()
END
expect 6 "absurd indirect counts of an endless shader" "$gpuvm" run "$work/indirect.gvp" --timeout 1
head -c 400 /dev/zero >"$work/zeros"
expect 3 "zeros" "$gpuvm" run "$work/zeros"
finish
