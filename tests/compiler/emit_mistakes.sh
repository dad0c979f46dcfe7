#!/bin/sh
# What emit.h promises of a call that is written wrongly: it does not compile.
#   emit_mistakes.sh FLAG...
# Each case is one statement behind the declarations below, for gcc and, where there is one,
# clang, with the flags given. What is right compiles; what is wrong does not, for the reason
# given (a pattern of grep -E: what one or the other says).
set -u
flags=$*
box=$(mktemp -d) || exit 1
trap 'rm -rf "$box"' EXIT
failed=0

# compile COMPILER STATEMENT: what the compiler says is left in $box/said.
compile() {
    cat >"$box/case.c" <<END
#include "compiler/builder/builder.h"
void emit(struct gv_builder *b, struct gv_buffer buffer, struct gv_image image,
          struct gv_shader shader, uint32_t number, uint64_t wide, int32_t signed_number,
          const void *bytes);
void emit(struct gv_builder *b, struct gv_buffer buffer, struct gv_image image,
          struct gv_shader shader, uint32_t number, uint64_t wide, int32_t signed_number,
          const void *bytes)
{
    (void)b, (void)buffer, (void)image, (void)shader;
    (void)number, (void)wide, (void)signed_number, (void)bytes;
    $2
}
END
    # shellcheck disable=SC2086 # flags are words
    LC_ALL=C "$1" $flags -fsyntax-only "$box/case.c" >"$box/said" 2>&1
}

fail() {
    echo "$1"
    cat "$box/said"
    failed=$((failed + 1))
}

# right STATEMENT
right() {
    for cc in $compilers; do
        compile "$cc" "$1" || fail "$cc does not compile: $1"
    done
}

# wrong_for COMPILER PATTERN STATEMENT
wrong_for() {
    if compile "$1" "$3"; then
        fail "$1 compiles: $3"
    elif ! grep 'error' "$box/said" | grep -qE "$2"; then
        fail "$1 does not compile, but not for '$2': $3"
    fi
}

# wrong PATTERN STATEMENT
wrong() {
    for cc in $compilers; do
        wrong_for "$cc" "$@"
    done
}

compilers=gcc
! command -v clang >/dev/null || compilers='gcc clang'

named='named once'                                  # the count of arguments
kind='incompatible type|missing braces|suggest braces' # a struct's place
twice='overwritten|overrides'
nameless='excess elements'
other='implicit conversion from' # one enumeration for another
width='may change value|loses integer precision|changes value|out of range'

# ---- numbers ----
right 'gv_emit(b, draw, .vertex_count = 3, .instance_count = 1, .first_vertex = number,
               .first_instance = 0);'
right 'gv_emit(b, draw, .first_instance = 0, .instance_count = 1, .vertex_count = 3,
               .first_vertex = 0);' # the order is free
wrong "$named" 'gv_emit(b, draw, .vertex_count = 3);'
wrong "$named" 'gv_emit(b, draw, .vertex_count = 3, .instance_count = 1,
                        .first_vertex = 0);'
wrong "$named" 'gv_emit0(b, draw);'
wrong "$named" 'gv_emit(b, pass_end, .end_ = 0);'
wrong 'no member|does not refer' 'gv_emit(b, draw, .vertex_count = 3, .instance_count = 1,
                        .first_vertex = 0, .base_instance = 0);'
wrong 'no member|does not refer' 'gv_emit(b, draw, .vertex_count = 3, .instance_count = 1,
                        .first_vertex = 0, .first_instance = 0, .base_vertex = 0);'
wrong "$twice" 'gv_emit(b, draw, .vertex_count = 3, .instance_count = 1,
                        .first_vertex = 0, .first_vertex = 0);'
wrong "$nameless" 'gv_emit(b, draw, 3, 1, 0, 0);'
wrong "$nameless" 'gv_emit(b, set_line_width, 0);'
wrong_for gcc 'positional' 'gv_emit(b, draw, .vertex_count = 3, 1, 0, 0);'
wrong "$width" 'gv_emit(b, draw, .vertex_count = wide, .instance_count = 1,
                        .first_vertex = 0, .first_instance = 0);'
wrong "$width" 'gv_emit(b, draw, .vertex_count = UINT64_C(1) << 32, .instance_count = 1,
                        .first_vertex = 0, .first_instance = 0);'
wrong "sign" 'gv_emit(b, draw, .vertex_count = signed_number, .instance_count = 1,
                      .first_vertex = 0, .first_instance = 0);'
right 'gv_emit(b, draw_indexed, .index_count = 3, .instance_count = 1, .first_index = 0,
               .base_vertex = -1, .first_instance = 0);'
wrong "sign" 'gv_emit(b, draw_indexed, .index_count = 3, .instance_count = 1,
                      .first_index = 0, .base_vertex = UINT32_MAX,
                      .first_instance = 0);'
right 'gv_emit(b, set_line_width, .width = 1.5f);'
wrong "$width|lose precision" 'gv_emit(b, set_line_width, .width = wide);'
right 'gv_emit0(b, pass_end);'

# ---- enumerations ----
right 'gv_emit(b, buffer_create, .size = 4,
               .usage = GV_BUFFER_USAGE_VERTEX | GV_BUFFER_USAGE_INDEX);'
right 'gv_emit(b, query_create, .type = number, .count = 1);'
wrong "$other" 'gv_emit(b, bind_index_buffer, .buffer = buffer, .offset = 0,
                        .type = GV_FILTER_LINEAR);'
wrong "$other" 'gv_emit(b, buffer_create, .size = 4, .usage = GV_IMAGE_USAGE_SAMPLED);'
wrong "$other" 'gv_emit(b, pass_color, .index = 0, .image = image, .format = 0, .mip = 0,
                        .layer = 0, .layers = 1, .load = GV_STORE_OP_STORE,
                        .store = GV_LOAD_OP_CLEAR, .c0 = 0, .c1 = 0, .c2 = 0,
                        .c3 = 0);' # in each other's place

# ---- objects ----
right 'gv_emit(b, buffer_copy, .dst = buffer, .dst_offset = wide, .src = buffer,
               .src_offset = 0, .size = number);'
wrong "$kind" 'gv_emit(b, buffer_destroy, .buffer = number);'
wrong "$kind" 'gv_emit(b, buffer_destroy, .buffer = 0);'
wrong "$kind" 'gv_emit(b, buffer_destroy, .buffer = image);'
wrong "$kind" 'gv_emit(b, buffer_upload, .buffer = wide, .offset = 0,
                       .data = gv_data(bytes), .size = 4);' # a size for a buffer
wrong "$kind" 'gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0,
                       .data = gv_data(bytes), .size = buffer);' # and the reverse
wrong "$kind" 'gv_emit(b, buffer_fill, .buffer = wide, .offset = buffer, .size = 4,
                       .value = 0);' # in each other's place
wrong "$kind" 'gv_emit(b, image_to_buffer, .buffer = image, .offset = 0, .row_bytes = 0,
                       .rows = 0, .image = buffer, .aspect = GV_ASPECT_COLOR, .mip = 0,
                       .layer = 0, .layers = 1, .x = 0, .y = 0, .z = 0, .width = 1,
                       .height = 1, .depth = 1);'
right 'gv_emit(b, bind_vertex_buffer, .slot = 0, .buffer = GV_NO_BUFFER, .offset = 0,
               .size = 0, .stride = 0);'
wrong "$kind" 'gv_emit(b, bind_vertex_buffer, .slot = 0, .buffer = GV_NO_IMAGE,
                       .offset = 0, .size = 0, .stride = 0);'

# ---- bytes ----
right 'gv_emit(b, bind_uniform_bytes, .set = 0, .binding = 1,
               .data = gv_builder_block(b, 1, bytes, 100), .size = 100);'
right 'gv_emit(b, buffer_upload, .buffer = buffer, .offset = 0,
               .data = gv_observed_at(gv_builder_observe(b, 0, wide, bytes, 8), 4),
               .size = 4);'
wrong "$kind|without a cast|pointer to integer" 'gv_emit(b, bind_uniform_bytes, .set = 0,
                       .binding = 1, .data = bytes, .size = 4);'
wrong "$named" 'gv_emit(b, bind_uniform_bytes, .set = 0, .binding = 1,
                        .data = gv_data(bytes));'
wrong "$kind" 'gv_emit(b, bind_uniform_bytes, .set = gv_data(bytes), .binding = 1,
                       .data = gv_data(bytes), .size = 4);'

# ---- results ----
right 'struct gv_buffer made = gv_emit(b, buffer_create, .size = 4,
                                       .usage = GV_BUFFER_USAGE_VERTEX); (void)made;'
wrong "$kind|invalid initializer" 'struct gv_image made = gv_emit(b, buffer_create,
                       .size = 4, .usage = GV_BUFFER_USAGE_VERTEX); (void)made;'
wrong "$kind" 'number = gv_emit(b, buffer_create, .size = 4,
                                .usage = GV_BUFFER_USAGE_VERTEX);'
wrong 'void' 'buffer = gv_emit(b, buffer_destroy, .buffer = buffer);'

# ---- objects by description, of one branch or the other, maps ----
right 'static const struct gv_compute_desc desc;
       struct gv_pipeline made = gv_builder_compute(b, &desc, shader);
       if (gv_builder_either_same(b, made))
           gv_builder_compute(b, &desc, shader);'
wrong "$kind" 'static const struct gv_compute_desc desc;
               gv_builder_compute(b, &desc, number);'
wrong "$kind" 'static const struct gv_compute_desc desc;
               gv_builder_compute(b, &desc, buffer);'
wrong 'not a structure' 'gv_builder_either_same(b, number);'
wrong "$kind" 'gv_builder_map_write(b, buffer, 0, bytes, 4);'
wrong "$kind" 'struct gv_stage_shaders stages = { .vertex = buffer }; (void)stages;'

[ $failed -eq 0 ]
