// Captures of random, well-formed OpenGL, by their seeds: states, textures,
// framebuffers, blits, copies, clears, transfers, queries and draws that GL allows, and
// a few calls that it answers with errors. What pictures show is defined by GL, but for
// seeds that are wild.
#ifndef GL_RANDOM_H
#define GL_RANDOM_H

#include "tests/apitrace/trace_gl.h"

#define RANDOM_SIDE TRACE_GL_SIDE // pixels of the window
#define RANDOM_TEXTURES 6
#define RANDOM_TARGETS 4 // the first is the window
#define RANDOM_COLORS 2  // attachments
#define RANDOM_PROGRAMS 4
#define RANDOM_UNITS 2

enum random_api { RANDOM_COMPAT, RANDOM_CORE, RANDOM_ES3, RANDOM_ES2, RANDOM_APIS };
#define RANDOM_FOR(api) (1u << (api))
#define RANDOM_GL (RANDOM_FOR(RANDOM_COMPAT) | RANDOM_FOR(RANDOM_CORE))
#define RANDOM_OLD RANDOM_FOR(RANDOM_COMPAT)
#define RANDOM_ALL 15u
#define RANDOM_3 (RANDOM_GL | RANDOM_FOR(RANDOM_ES3))

// What a texel is to a shader.
enum random_kind {
    RANDOM_NONE,
    RANDOM_FLOAT,
    RANDOM_INT,
    RANDOM_UINT,
    RANDOM_DEPTH,
    RANDOM_STENCIL,
    RANDOM_DEPTH_STENCIL,
};

struct random_format {
    int internal, format, type; // a way to give its texels
    uint8_t bytes;              // of one of these
    uint8_t kind;               // enum random_kind
    uint8_t apis;               // that have it, by bits
    bool rendered, filtered, sized;
};

struct random_texture {
    int name, target;
    const struct random_format *format;
    int width, height, depth, levels;
    bool fixed, compared;
    bool based;        // its first level is not 0
    unsigned attached; // to targets, by bits
};

struct random_target {
    int name;
    int width, height, samples, colors;
    const struct random_format *formats[RANDOM_COLORS]; // of attachments
    struct random_texture *textures[RANDOM_COLORS];     // that they are of
    bool depth, stencil;
};

// A program and what it must meet.
struct random_program {
    int name;
    uint8_t outputs[RANDOM_COLORS]; // kinds
    int output_count;
    int samplers[RANDOM_UNITS]; // kinds and targets, as random_sampler has them; 0 =
                                // none
    bool old;                   // takes gl_Vertex and its like
    int matrix, values;         // locations
};

struct gl_random {
    struct trace_gl t;
    uint32_t state;
    enum random_api api;
    bool wild; // pictures may be undefined
    struct random_texture textures[RANDOM_TEXTURES];
    unsigned texture_count;
    struct random_target targets[RANDOM_TARGETS];
    unsigned target_count, draw, read; // targets bound
    struct random_program programs[RANDOM_PROGRAMS];
    unsigned program_count;
    int names;             // given so far
    int using;             // program that is current
    int vertices, indices; // buffers

    bool counting; // a query runs
};

#define CALL(...) trace_gl_call(&r->t, __VA_ARGS__)
#define COUNT(array) ((unsigned)(sizeof(array) / sizeof *(array)))

// ---- numbers ----
unsigned random_below(struct gl_random *r, unsigned count); // count > 0
bool random_chance(struct gl_random *r, unsigned percent);
int random_between(struct gl_random *r, int least, int most);
double random_real(struct gl_random *r, double least, double most);
int random_of(struct gl_random *r, const int *list, unsigned count);
#define PICK(...)                              \
    random_of(r, (const int[]){ __VA_ARGS__ }, \
              (unsigned)(sizeof((const int[]){ __VA_ARGS__ }) / sizeof(int)))
bool random_has(const struct gl_random *r, unsigned apis);
int random_name(struct gl_random *r);

// Something to do, `weight` times as likely as one of 1.
struct random_deed {
    void (*act)(struct gl_random *r);
    unsigned weight, apis;
};
void random_do(struct gl_random *r, const struct random_deed *deeds, unsigned count);

// ---- formats, texels (random_texels.c) ----
const struct random_format *random_format(struct gl_random *r, bool rendered);
const struct random_format *random_format_of(struct gl_random *r, int kind,
                                             bool rendered);
// Bytes of `count` texels that are numbers.
void random_texels(struct gl_random *r, int type, unsigned bytes, uint8_t *to);
#define RANDOM_MOST_BYTES 65536u
// Random layout in memory of an image: sets it, and fills `to` with at most
// RANDOM_MOST_BYTES. Returns how many.
unsigned random_image(struct gl_random *r, const struct random_format *format,
                      int width, int height, int depth, uint8_t *to);

// ---- textures (random_textures.c) ----
void random_make_texture(struct gl_random *r);
void random_texture_deed(struct gl_random *r);
// One that may be sampled while `r->draw` is drawn to; NULL = none is.
struct random_texture *random_sampled(struct gl_random *r, bool fixed_function);
void random_allocate(struct gl_random *r, struct random_texture *t, bool filled);
bool random_layered(const struct random_texture *t);

// ---- targets (random_targets.c) ----
void random_make_target(struct gl_random *r);
void random_target_deed(struct gl_random *r);
void random_bind_target(struct gl_random *r, unsigned draw, unsigned read);
void random_clear_all(struct gl_random *r); // of what is drawn to
// At most so many texels, of which no scaled blit has pixels that are as near to one as
// to the next: which of these is taken is left to rounding.
int random_untied(int texels);

// ---- states (random_states.c) ----
void random_state_deed(struct gl_random *r);
void random_reset_states(struct gl_random *r);

// ---- programs (random_programs.c) ----
int random_sampler(const struct random_texture *t);
// Makes current one that takes these textures and suits what is drawn to. NULL = none
// can be.
const struct random_program *random_use_program(struct gl_random *r,
                                                struct random_texture *const *textures,
                                                bool old);

// ---- draws (random_draws.c) ----
void random_draw_deed(struct gl_random *r);
void random_show(struct gl_random *r); // what textures hold, in the window

// ---- pixels, queries, errors ----
void random_pixel_deed(struct gl_random *r);
void random_query_deed(struct gl_random *r);
void random_end_query(struct gl_random *r);
void random_error_deed(struct gl_random *r);

// Writes the capture of a seed; `r->t.w.out` is its stream. trace_gl_finish when done.
void random_capture(struct gl_random *r, uint32_t seed);

#endif
