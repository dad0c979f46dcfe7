// What a capture format is to the compiler. One folder and one row of frontends.def
// each.
#ifndef GV_FRONTEND_H
#define GV_FRONTEND_H

#include "compiler/builder/builder.h"
#include "compiler/compiler.h"
#include "compiler/input_read.h"
#include "compiler/text_sink.h"
#include "resources/base/arena.h"
#include "resources/base/cursor.h"

// How sure a probe is. The surest wins; a tie is an error naming both.
enum gv_match { GV_MATCH_NO, GV_MATCH_MAYBE, GV_MATCH_SURE };

// Whether the compile takes a capture as it comes through a pipe, asking for what it
// reads (gv_input_read_want, gv_input_read_to): not; reading each byte once, so that
// what it has passed is gone; or keeping places to read again.
enum gv_streams { GV_STREAMS_NOT, GV_STREAMS_ONCE, GV_STREAMS_AGAIN };

struct gv_frontend {
    const char *name, *what;
    // Keys of the options it reads ("psx.tile"), NULL-terminated; may be NULL.
    const char *const *options;
    // Looks at up to the first 64 KiB. Must not fail or log.
    enum gv_match (*probe)(struct gv_cursor head);
    // Reads captures forward, as long as it needs, and says how far (params->read);
    // then nothing is read before it. NULL: no. Else whether it also unpacks by itself
    // what gzip or zstd pack, of which `head` is the beginning of what comes out.
    bool (*reads_forward)(struct gv_cursor head);
    enum gv_streams streams;
    // Emits the whole capture. Allocates from `arena`, freed after the compile.
    bool (*compile)(struct gv_cursor input, const struct gv_compile_params *params,
                    struct gv_arena *arena, struct gv_builder *out,
                    struct gv_error *err);
    // Describes the capture without compiling: key-value facts for `gpuvm info`.
    bool (*info)(struct gv_cursor input, const struct gv_compile_params *params,
                 struct gv_describe *out, struct gv_error *err);
    // Records and commands as text for `gpuvm dump`, one line each, with byte offsets.
    bool (*dump)(struct gv_cursor input, const struct gv_compile_params *params,
                 struct gv_text_sink *out, struct gv_error *err);
    bool dumps_calls; // dump knows params->calls and params->verbose
    // Pictures and contents are integers that integers make, so that every device has
    // the same ones.
    bool contents_exact;
};

#define GV_FRONTEND(name, what) extern const struct gv_frontend gv_frontend_##name;
#include "compiler/frontends.def"
#undef GV_FRONTEND

// All of them, in the order of frontends.def.
extern const struct gv_frontend *const gv_frontends[];
extern const size_t gv_frontend_count;

// The value given for `key`, the last one if there are several; NULL if none.
const char *gv_frontend_option(const struct gv_compile_params *params, const char *key);

// Whether `option` ("KEY=VALUE") is one of `frontend`'s.
bool gv_frontend_has_option(const struct gv_frontend *frontend, const char *option);

#endif
