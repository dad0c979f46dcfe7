// Emission: each row of calls.def as a struct of named values and a function that takes
// it. What a row asks for is checked by the C compiler; builder.h has the rest of the
// builder.
//
//   struct gv_buffer b = gv_emit(builder, buffer_create, .size = 64,
//                                .usage = GV_BUFFER_USAGE_VERTEX);
//   gv_emit(builder, buffer_upload, .buffer = b, .offset = 0, .data = gv_data(bytes),
//           .size = sizeof bytes);
//
// Every argument of the row is named, once; their order is free. Not compiled are: an
// argument that is missing, unknown, named twice or not named at all; a number or an
// object of another kind where an object belongs; an object, or bytes, where a number
// belongs; a constant of another enumeration; a number that is wider than the argument;
// the result taken for an object of another kind, or of a call that has none. While
// compiling a capture the builder refuses what C cannot see: no object where one must
// be, objects that were destroyed or are of another branch, sizes without bytes.
#ifndef GV_EMIT_H
#define GV_EMIT_H

#include "vm/calls.h"

struct gv_builder;

// Live objects of the payload. Numbers start at 1 and are never reused, unlike the
// slots behind them; 0 = none.
struct gv_buffer {
    uint32_t id;
};
struct gv_image {
    uint32_t id;
};
struct gv_sampler {
    uint32_t id;
};
struct gv_shader {
    uint32_t id;
};
struct gv_pipeline {
    uint32_t id;
};
struct gv_query {
    uint32_t id;
};
struct gv_map {
    uint32_t id;
};
#define GV_NO_BUFFER ((struct gv_buffer){ 0 })
#define GV_NO_IMAGE ((struct gv_image){ 0 })
#define GV_NO_SAMPLER ((struct gv_sampler){ 0 })
#define GV_NO_SHADER ((struct gv_shader){ 0 })
#define GV_NO_PIPELINE ((struct gv_pipeline){ 0 })

// Where a BYTES argument comes from; the SIZE argument behind it says how many.
struct gv_contents {
    enum { GV_CONTENTS_DATA, GV_CONTENTS_OBSERVED, GV_CONTENTS_BLOCK } type;
    uint64_t number;  // OBSERVED: from gv_builder_observe; BLOCK: from gv_builder_block
    const void *data; // DATA: copied or hashed now
};

static inline struct gv_contents gv_data(const void *data)
{
    return (struct gv_contents){ GV_CONTENTS_DATA, 0, data };
}

// What C takes for an argument of each kind.
#define GV_TYPE_U32(of) uint32_t
#define GV_TYPE_I32(of) int32_t
#define GV_TYPE_U64(of) uint64_t
#define GV_TYPE_F32(of) float
#define GV_TYPE_BOOL(of) bool
#define GV_TYPE_ENUM(of) enum gv_of_##of
#define GV_TYPE_FLAGS(of) enum gv_of_##of
#define GV_TYPE_FORMAT(of) uint32_t
#define GV_TYPE_FORMAT_OPT(of) uint32_t
#define GV_TYPE_BYTES(of) struct gv_contents
#define GV_TYPE_SIZE(of) uint64_t
#define GV_TYPE_BUFFER(of) struct gv_buffer
#define GV_TYPE_IMAGE(of) struct gv_image
#define GV_TYPE_SAMPLER(of) struct gv_sampler
#define GV_TYPE_SHADER(of) struct gv_shader
#define GV_TYPE_PIPELINE(of) struct gv_pipeline
#define GV_TYPE_QUERY(of) struct gv_query
#define GV_TYPE_MAP(of) struct gv_map
#define GV_TYPE_BUFFER_OPT(of) struct gv_buffer
#define GV_TYPE_IMAGE_OPT(of) struct gv_image
#define GV_TYPE_SAMPLER_OPT(of) struct gv_sampler
#define GV_TYPE_SHADER_OPT(of) struct gv_shader

// gcc says so where a value stands without its name behind one that has its own.
#if defined(__has_attribute)
#if __has_attribute(designated_init)
#define GV_NAMES_ONLY __attribute__((designated_init))
#endif
#endif
#ifndef GV_NAMES_ONLY
#define GV_NAMES_ONLY
#endif

// struct gv_values_draw { uint32_t vertex_count; ... }. Values without names would
// follow `end_`, the last member, which gv_emit names first: there is no room for them.
#define GV_CALL(name, code, result, sets, reads, doc) struct gv_values_##name {
#define GV_ARG(name, kind, of, role) GV_TYPE_##kind(of) name;
#define GV_CALL_END \
    char end_;      \
    }               \
    GV_NAMES_ONLY;
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END

// Emits a call; `values` is its gv_values_*. Returns the number of the object created,
// or 0 if the row has no result. A state call (`sets` is binding or dynamic state) that
// repeats the current value of its state is dropped. Descriptions and BYTES up to
// GV_INLINE_BYTES become constants, others resources. For the functions below:
// everybody else writes gv_emit.
uint32_t gv_builder_call(struct gv_builder *b, enum gv_call call, const void *values);
#define GV_INLINE_BYTES 64

// struct gv_buffer gv_emit_buffer_create(b, values); void gv_emit_draw(b, values); ...
#define GV_RESULT_NONE void
#define GV_RESULT_BUFFER struct gv_buffer
#define GV_RESULT_IMAGE struct gv_image
#define GV_RESULT_SAMPLER struct gv_sampler
#define GV_RESULT_SHADER struct gv_shader
#define GV_RESULT_PIPELINE struct gv_pipeline
#define GV_RESULT_QUERY struct gv_query
#define GV_RESULT_MAP struct gv_map
#define GV_GIVE_NONE(number) number
#define GV_GIVE_BUFFER(number) return ((struct gv_buffer){ number })
#define GV_GIVE_IMAGE(number) return ((struct gv_image){ number })
#define GV_GIVE_SAMPLER(number) return ((struct gv_sampler){ number })
#define GV_GIVE_SHADER(number) return ((struct gv_shader){ number })
#define GV_GIVE_PIPELINE(number) return ((struct gv_pipeline){ number })
#define GV_GIVE_QUERY(number) return ((struct gv_query){ number })
#define GV_GIVE_MAP(number) return ((struct gv_map){ number })
#define GV_CALL(name, code, result, sets, reads, doc)                 \
    static inline GV_RESULT_##result gv_emit_##name(                  \
        struct gv_builder *b, const struct gv_values_##name *values)  \
    {                                                                 \
        GV_GIVE_##result(gv_builder_call(b, GV_CALL_##name, values)); \
    }
#define GV_ARG(name, kind, of, role)
#define GV_CALL_END
#include "vm/calls.def"
#undef GV_CALL
#undef GV_ARG
#undef GV_CALL_END

// How many of up to GV_MAX_ARGS arguments a macro was given. A comma between braces
// counts, one between parentheses does not.
#define GV_COUNT(...)                                                                \
    GV_COUNT_TH(__VA_ARGS__, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, \
                10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define GV_COUNT_TH(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, \
                    a16, a17, a18, a19, a20, a21, a22, a23, a24, count, ...)          \
    count

// 0, if a row has so many arguments.
#define GV_ARGUMENTS_OF(call) \
    (sizeof(struct gv_args_##call) / sizeof(union gv_arg) - 1) /* but end_ */
#define GV_ALL_NAMED(call, count)                                     \
    (0 * sizeof(struct {                                              \
         _Static_assert(GV_ARGUMENTS_OF(call) == (count),             \
                        "every argument of " #call " is named once"); \
         char end_;                                                   \
     }))

// The values of a row: every argument named, once.
#define GV_VALUES(call, ...)           \
    (&(const struct gv_values_##call){ \
        .end_ = GV_ALL_NAMED(call, GV_COUNT(__VA_ARGS__)), __VA_ARGS__ })
#define GV_NO_VALUES(call) \
    (&(const struct gv_values_##call){ .end_ = GV_ALL_NAMED(call, 0) })

// See above. gv_emit0 is for calls without arguments.
#define gv_emit(b, call, ...) gv_emit_##call((b), GV_VALUES(call, __VA_ARGS__))
#define gv_emit0(b, call) gv_emit_##call((b), GV_NO_VALUES(call))

#endif
