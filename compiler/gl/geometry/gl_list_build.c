// A display list while it is made: vertices and current values gather in a run until
// another call comes.
#include "compiler/gl/geometry/gl_list_build.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/gl/geometry/gl_feed.h"
#include "compiler/gl/geometry/gl_list_node.h"

#define VERTEX_BYTES (4 * sizeof(float))

static void restart(struct gv_gl_recording *r)
{
    gv_gl_run_clear(&r->run);
    r->part = GV_GL_PART_EMPTY;
}

void gv_gl_recording_finish(struct gv_gl_recording *r)
{
    gv_gl_list_nodes_free(r->first);
    gv_gl_run_finish(&r->run);
    *r = (struct gv_gl_recording){ 0 };
}

void gv_gl_recording_begin(struct gv_gl_recording *r, uint32_t name, uint32_t mode)
{
    r->mode = mode;
    r->name = name;
    r->first = NULL;
    r->last = &r->first;
    r->inside = r->arrays = r->run_arrays = false;
    restart(r);
}

// ---- a run as a node ----

static uint64_t run_slots(const struct gv_gl_run *run)
{
    return run->known | run->touched;
}

static void fill_slot(struct gv_gl_list_slot *to, const struct gv_gl_run *run,
                      uint32_t slot, float **floats)
{
    const bool varies = run->varying & GV_GL_BIT(slot);
    to->slot = (uint8_t)slot;
    to->shape = (struct gv_gl_shape){ run->sizes[slot], run->kinds[slot] };
    to->given = run->known & GV_GL_BIT(slot) && !varies;
    to->open = run->open[slot];
    memcpy(to->base, run->base[slot], VERTEX_BYTES);
    memcpy(to->last, run->values[slot], VERTEX_BYTES);
    if (varies) {
        to->data = *floats;
        memcpy(to->data, run->slots[slot], run->count * VERTEX_BYTES);
        *floats += 4 * (size_t)run->count;
    }
}

// The node of the run as it is, in one allocation: node, run, slots, floats, edges.
static struct gv_gl_list_node *run_node(const struct gv_gl_recording *r)
{
    const struct gv_gl_run *run = &r->run;
    const uint32_t slots = gv_gl_bits(run_slots(run));
    const size_t floats = (size_t)gv_gl_bits(run->varying) * run->count * 4;
    struct {
        struct gv_gl_list_node node;
        struct gv_gl_list_run run;
        struct gv_gl_list_slot slots[];
    } *all = calloc(1, sizeof *all + slots * sizeof *all->slots +
                           floats * sizeof(float) + run->count);
    if (!all)
        return NULL;
    all->node.run = &all->run;
    all->run.mode = run->mode;
    all->run.count = run->count;
    all->run.slots = all->slots;
    all->run.begins = r->part == GV_GL_PART_INSIDE || r->part == GV_GL_PART_ENDED;
    all->run.ends = r->part == GV_GL_PART_ENDED;
    all->run.keeps_current = r->run_arrays;
    float *at = (float *)(all->slots + slots);
    uint8_t *edges = (uint8_t *)(at + floats);
    for (uint32_t s = 0; run_slots(run) >> s; s++)
        if (run_slots(run) & GV_GL_BIT(s))
            fill_slot(&all->slots[all->run.slot_count++], run, s, &at);
    if (run->varying & GV_GL_BIT(GV_GL_EDGE)) {
        for (uint32_t i = 0; i < run->count; i++)
            edges[i] = run->slots[GV_GL_EDGE][4 * (size_t)i] != 0;
        all->run.edges = edges;
    }
    return &all->node;
}

static bool append(struct gv_gl_recording *r, struct gv_gl_list_node *node,
                   struct gv_error *err)
{
    if (!node)
        return gv_out_of_memory(err);
    *r->last = node;
    r->last = &node->next;
    return true;
}

// What has gathered becomes a node.
static bool close_run(struct gv_gl_recording *r, struct gv_error *err)
{
    if (r->part == GV_GL_PART_EMPTY && !run_slots(&r->run))
        return true;
    const bool ok = append(r, run_node(r), err);
    restart(r);
    return ok;
}

// The next primitive that no call stands in front of. NULL: none.
static struct gv_gl_list_run *next_run(const struct gv_gl_list_node *node)
{
    for (node = node->next; node && node->run; node = node->next)
        if (node->run->begins && node->run->ends && node->run->count)
            return node->run;
    return NULL;
}

// Where strips of lines, and a loop that is the last primitive ahead of a call, stand
// next to each other or to lines, Mesa makes one primitive of lines of them.
static void part_lines(struct gv_gl_list_node *first)
{
    struct gv_gl_list_run *before = NULL;
    for (struct gv_gl_list_node *n = first; n; n = n->next) {
        struct gv_gl_list_run *run = n->run;
        if (!run)
            before = NULL;
        if (!run || !run->begins || !run->ends || !run->count)
            continue;
        struct gv_gl_list_run *next = next_run(n);
        const bool last = !next && run->mode == GL_LINE_LOOP;
        if (run->mode != GL_LINES && run->mode != GL_LINE_STRIP && !last) {
            before = NULL;
            continue;
        }
        if (before)
            before->lines_apart = run->lines_apart = true;
        before = run;
    }
}

bool gv_gl_recording_end(struct gv_gl_recording *r, struct gv_gl_list_node **out,
                         struct gv_error *err)
{
    const bool ok = close_run(r, err);
    part_lines(r->first);
    *out = r->first;
    r->first = NULL;
    r->mode = 0;
    return ok;
}

// ---- what comes ----

static struct gv_gl_recording *recording(struct gv_gl_context *c)
{
    return &c->feeding->recording;
}

void gv_gl_recording_arrays(struct gv_gl_context *c, bool begin)
{
    recording(c)->arrays = begin;
}

// A run is of arrays alone or has none.
static bool of_one_kind(struct gv_gl_recording *r, struct gv_error *err)
{
    if (r->inside || r->arrays == r->run_arrays)
        return true;
    const bool ok = close_run(r, err);
    r->run_arrays = r->arrays;
    return ok;
}

static bool list_begin(struct gv_gl *gl, uint32_t mode, struct gv_error *err)
{
    struct gv_gl_recording *r = recording(gl->context);
    if (r->inside)
        return gv_gl_reject(&gl->sink, GL_INVALID_OPERATION);
    if (mode > GL_PATCHES)
        return gv_gl_reject(&gl->sink, GL_INVALID_ENUM);
    if (!of_one_kind(r, err))
        return false;
    const bool goes_on = r->part == GV_GL_PART_ENDED && mode == r->run.mode &&
                         gv_gl_independent(mode) && r->run.count < GV_GL_LONG_RUN;
    if (r->part != GV_GL_PART_EMPTY && !goes_on && !close_run(r, err))
        return false;
    r->run.mode = mode;
    r->part = GV_GL_PART_INSIDE;
    r->inside = true;
    return true;
}

static bool list_set(struct gv_gl *gl, uint32_t slot, struct gv_gl_shape shape,
                     const float value[4], struct gv_error *err)
{
    struct gv_gl_recording *r = recording(gl->context);
    if (!of_one_kind(r, err))
        return false;
    gv_gl_run_set(&r->run, slot, shape, value);
    return true;
}

static bool list_vertex(struct gv_gl *gl, uint32_t size, const float position[4],
                        struct gv_error *err)
{
    struct gv_gl_recording *r = recording(gl->context);
    if (!of_one_kind(r, err))
        return false;
    if (r->part == GV_GL_PART_ENDED && !close_run(r, err))
        return false;
    if (r->part == GV_GL_PART_EMPTY)
        r->part = GV_GL_PART_LOOSE;
    gv_gl_run_set(&r->run, GV_GL_POSITION, gv_gl_real(size), position);
    return gv_gl_run_vertex(&r->run, err);
}

static bool list_end(struct gv_gl *gl, struct gv_error *err)
{
    struct gv_gl_recording *r = recording(gl->context);
    if (r->part == GV_GL_PART_INSIDE) {
        r->part = GV_GL_PART_ENDED;
        r->inside = false;
        gv_gl_run_cut(&r->run);
        return true;
    }
    // Of a primitive that other calls or lists began.
    if (!close_run(r, err))
        return false;
    struct gv_gl_list_node *node = run_node(r);
    if (node)
        node->run->ends = true;
    r->inside = false;
    return append(r, node, err);
}

const struct gv_gl_vertex_sink gv_gl_listed = { list_begin, list_set, list_vertex,
                                                list_end };

bool gv_gl_list_take(struct gv_gl *gl, const struct gv_gl_row *row,
                     const struct gv_trace_call *call, bool *runs, struct gv_error *err)
{
    const bool from_list = gl->lists->depth > 0; // taken as the call of that list
    *runs = from_list || gv_gl_is_drawing(gl->context);
    if (from_list || !gv_gl_is_listing(gl->context))
        return true;
    struct gv_gl_recording *r = recording(gl->context);
    if (!close_run(r, err))
        return false;
    struct gv_gl_list_node *node = gv_gl_list_call_node(gl->context, row, call, err);
    return node && append(r, node, err);
}
