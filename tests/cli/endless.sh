# Code, modules and shaders that take long or never end, as assembly text; for tests of who
# has to end them. The shaders are $work/endless.spv and $work/step.spv.

# long_modules COUNT: modules .resource m1 ..., each to be looked at, one like the other but
# for a remark; no stage of them is wrong.
long_modules() {
    for i in $(seq "$1"); do
        echo ".resource m$i u32 ( 0x07230203 0x00010600 0 9 0   # magic, version, bound
            0x00020011 1   0x0003000e 0 1                       # Shader, memory model
            0x0005000f 5 1 0x6e69616d 0   0x00060010 1 17 1 1 1 # main, of one invocation
            0x00030004 $((0x20202020 + i)) 0                    # the remark
            0x00020013 2   0x00030021 3 2   0x00040015 4 32 0   # void, function, uint
            0x00040020 5 7 4   0x0004002b 4 6 1                 # pointer, the constant 1
            0x00050036 2 1 0 3   0x000200f8 7   0x0004003b 5 8 7
            ) repeat 20000 ( u32 0x0003003e 8 6                 # stores
            ) u32 ( 0x000100fd 0x00010038 )"
    done
}

# A shader that does not end.
endless_shader() {
    cat <<'END'
.resource words file "endless.spv"
.compute d { binding 3 0 STORAGE_BUFFER COMPUTE }
s = shader_create(words)
p = pipeline_create_compute(desc=d, compute=s)
b = buffer_create(64, STORAGE)
bind_pipeline(p)
bind_buffer(set=3, binding=0, buffer=b)
dispatch(60000, 60000, 1)
frame_end()
END
}

# Nested loops that end in a million years.
endless_loops() {
    cat <<'END'
loop 1000000000
loop 4000000000
push 1
drop
loop_end
loop_end
frame_end()
END
}
