#include "vm/slice/slice_cut.h"

#include <stdlib.h>

#include "vm/formats.h"
#include "vm/slice/slice_back.h"

// Bytes that nobody reads between two pieces of a buffer that become one.
#define GAP 256
// Rows from which on runs of one size and distance are a rectangle.
#define MIN_ROWS 3
#define MAX_PIECES ((size_t)1 << 20) // of one cut
// Pieces looked at to tell whether a cut has all of another.
#define MAX_COMPARED ((size_t)1 << 24)

// A run of bytes that is wanted.
struct run {
    uint64_t begin, end;
};

// What is collected of the contents at one cut.
struct collector {
    const struct gv_track *track;
    struct gv_cut *cut;
    uint32_t slot;
    uint32_t unit;    // that the cut is in front of
    struct run *runs; // owned; of the buffer at hand
    size_t run_count, run_capacity;
    struct gv_effect box; // the texels wanted of one plane, mip and slice
    bool failed;          // memory, or too much
};

// The way back over all of the code, which looks at each cut that it comes to.
struct looker {
    struct gv_cut *cuts;
    size_t left; // cuts that are still ahead, backward
};

static bool grow(void **array, size_t count, size_t *capacity, size_t element)
{
    if (count < *capacity)
        return true;
    size_t wanted = *capacity ? *capacity * 2 : 64;
    void *grown = realloc(*array, wanted * element);
    if (!grown)
        return false;
    *array = grown;
    *capacity = wanted;
    return true;
}

static void add_piece(struct collector *c, const struct gv_cut_piece *piece)
{
    struct gv_cut *cut = c->cut;
    void *pieces = cut->pieces;
    if (cut->piece_count >= MAX_PIECES ||
        !grow(&pieces, cut->piece_count, &cut->piece_capacity, sizeof *piece)) {
        c->failed = true;
        return;
    }
    cut->pieces = pieces;
    cut->pieces[cut->piece_count++] = *piece;
}

// ---- bytes ----

static bool visit_bytes(void *context, const struct gv_effect *e)
{
    struct collector *c = context;
    void *runs = c->runs;
    if (!e->row_bytes)
        return true;
    if (!grow(&runs, c->run_count, &c->run_capacity, sizeof *c->runs)) {
        c->failed = true;
        return false;
    }
    c->runs = runs;
    c->runs[c->run_count++] = (struct run){ e->offset, e->offset + e->row_bytes };
    return true;
}

static int compare_runs(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

// Ascending and apart.
static void join_runs(struct collector *c)
{
    size_t n = 0;
    if (c->run_count)
        qsort(c->runs, c->run_count, sizeof *c->runs, compare_runs);
    for (size_t i = 0; i < c->run_count; i++) {
        struct run *last = n ? &c->runs[n - 1] : NULL;
        const struct run r = c->runs[i];
        if (last && r.begin <= last->end + GAP)
            last->end = r.end > last->end ? r.end : last->end;
        else
            c->runs[n++] = r;
    }
    c->run_count = n;
}

// How many runs from `first` on are rows of one rectangle.
static size_t rows_at(const struct collector *c, size_t first)
{
    const struct run *r = c->runs + first;
    size_t n = 1;
    uint64_t stride = first + 1 < c->run_count ? r[1].begin - r[0].begin : 0;
    if (stride > UINT32_MAX)
        return 1;
    while (first + n < c->run_count && r[n].end - r[n].begin == r[0].end - r[0].begin &&
           r[n].begin - r[n - 1].begin == stride)
        n++;
    return n < MIN_ROWS ? 1 : n;
}

static void add_runs(struct collector *c, enum gv_kind kind)
{
    join_runs(c);
    for (size_t i = 0; i < c->run_count && !c->failed;) {
        const struct run *r = &c->runs[i];
        const size_t rows =
            kind == GV_KIND_BUFFER && c->slot != GV_CUT_VOLATILE ? rows_at(c, i) : 1;
        const struct gv_cut_piece piece = {
            .slot = c->slot,
            .kind = (uint8_t)kind,
            .offset = r->begin,
            .size = r->end - r->begin,
            .rows = (uint32_t)rows,
            .stride = rows > 1 ? r[1].begin - r->begin : 0,
        };
        add_piece(c, &piece);
        i += rows;
    }
    c->run_count = 0;
}

// ---- texels ----

static uint32_t aspect_of(const struct gv_effect *e, uint32_t format)
{
    const struct gv_format_info *info = gv_format_info(format);
    return info ? info->aspects & e->planes : 0;
}

static uint32_t up(uint32_t value, uint32_t block, uint32_t limit)
{
    uint64_t aligned = ((uint64_t)value + block - 1) / block * block;
    return aligned < limit ? (uint32_t)aligned : limit;
}

// Whole mips are more likely to be had once for several keyframes.
static void add_box(struct collector *c)
{
    const struct gv_effect *e = &c->box;
    const struct gv_track_object *o = &c->track->objects[e->object];
    const struct gv_format_info *info = gv_format_info(o->image.format);
    const uint32_t aspect = e->width ? aspect_of(e, o->image.format) : 0;
    const bool slices = o->image.type == GV_IMAGE_TYPE_3D;
    if (!aspect)
        return;
    struct gv_cut_piece p = {
        .slot = c->slot,
        .kind = GV_KIND_IMAGE,
        .format = o->image.format,
        .aspect = aspect,
        .mip = e->mip,
        .layer = slices ? 0 : e->slice,
        .z = slices ? e->slice : 0,
        .depth = 1,
        .mip_width = gv_mip_size(o->image.width, e->mip),
        .mip_height = gv_mip_size(o->image.height, e->mip),
        .samples = o->image.samples,
    };
    if ((uint64_t)e->width * e->height * 2 < (uint64_t)p.mip_width * p.mip_height) {
        p.x = e->x / info->block_width * info->block_width;
        p.y = e->y / info->block_height * info->block_height;
        p.width = up(e->x + e->width, info->block_width, p.mip_width) - p.x;
        p.height = up(e->y + e->height, info->block_height, p.mip_height) - p.y;
    } else {
        p.width = p.mip_width;
        p.height = p.mip_height;
    }
    for (; p.sample < p.samples; p.sample++)
        add_piece(c, &p);
}

static bool visit_texels(void *context, const struct gv_effect *e)
{
    struct collector *c = context;
    struct gv_effect *box = &c->box;
    if (!box->width || box->planes != e->planes || box->mip != e->mip ||
        box->slice != e->slice) {
        add_box(c);
        *box = *e;
        return !c->failed;
    }
    const uint32_t x = box->x + box->width, y = box->y + box->height;
    const uint32_t ex = e->x + e->width, ey = e->y + e->height;
    box->x = e->x < box->x ? e->x : box->x;
    box->y = e->y < box->y ? e->y : box->y;
    box->width = (ex > x ? ex : x) - box->x;
    box->height = (ey > y ? ey : y) - box->y;
    return true;
}

// ---- objects ----

static void collect_object(struct collector *c, struct gv_slice_back *b,
                           uint32_t object)
{
    const struct gv_track_object *o = &b->track->objects[object];
    bool image = o->kind == GV_KIND_IMAGE;
    if (!image && o->kind != GV_KIND_BUFFER && o->kind != GV_KIND_MAP &&
        o->kind != GV_KIND_QUERY)
        return;
    c->box = (struct gv_effect){ 0 };
    if (!gv_live_each(b->live, object, b->gave_up, image ? visit_texels : visit_bytes,
                      c))
        c->failed = true;
    if (image)
        add_box(c);
    else if (o->kind == GV_KIND_QUERY && c->run_count)
        c->cut->refused = "results of queries that are older";
    else if (o->kind != GV_KIND_QUERY)
        add_runs(c, (enum gv_kind)o->kind);
    c->run_count = 0;
}

static const char *open_state(const struct gv_track *t)
{
    if (t->pass)
        return "a pass is open";
    if (t->condition || t->feedback || t->query_count)
        return "a condition, a query or transform feedback is open";
    return NULL;
}

// Outputs that show what stands in no object.
static const char *older_output(const struct gv_slice_back *b)
{
    const bool *exports = b->params->exports;
    for (size_t i = 0; exports && i < b->track->payload->export_count; i++)
        if (exports[i] && !b->posted[i])
            return "an export that is older";
    if (b->params->roots && b->params->roots->older)
        return "contents that are older";
    return b->calls_left || (b->target_pass && b->target_pass <= b->track->pass_count)
               ? "a picture between commands that is older"
               : NULL;
}

static void collect(struct gv_slice_back *b, uint32_t unit, struct gv_cut *cut)
{
    const struct gv_track *t = b->track;
    struct collector c = {
        .track = t, .cut = cut, .slot = GV_CUT_VOLATILE, .unit = unit
    };
    cut->coarse = b->gave_up || gv_live_failed(b->live);
    cut->refused = open_state(t);
    if (!cut->refused)
        cut->refused = older_output(b);
    if (cut->refused)
        return;
    collect_object(&c, b, GV_TRACK_VOLATILE);
    for (uint32_t i = 0; i < t->payload->slot_count && !c.failed; i++) {
        c.slot = i;
        const uint32_t object = t->slots[i];
        // Unit numbers are of the code behind, too, of which all is known.
        if (object && t->objects[object].destroy_unit >= c.unit)
            collect_object(&c, b, object);
    }
    free(c.runs);
    if (c.failed)
        cut->refused = "more contents than can be told apart";
}

// In front of a chunk; several frames do not begin with one.
static bool look(void *context, struct gv_slice_back *b, size_t chunk)
{
    struct looker *l = context;
    const struct gv_payload *p = b->track->payload;
    if (!l->left || p->frames[l->cuts[l->left - 1].frame].chunk_begin != chunk)
        return true;
    collect(b, b->track->chunk_units[chunk], &l->cuts[--l->left]);
    return true;
}

// ---- contents: the way back from all pictures ----

static bool wanted_frames(const struct gv_payload *p, uint64_t **out,
                          struct gv_error *err)
{
    *out = malloc((p->frame_count + 1) * sizeof **out);
    if (!*out)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < p->frame_count; i++)
        (*out)[i] = i;
    return true;
}

static void refuse_all(struct gv_cut *cuts, size_t count, const char *why)
{
    for (size_t i = 0; i < count; i++)
        cuts[i].refused = cuts[i].refused ? cuts[i].refused : why;
}

static bool look_back(struct gv_track *t, struct gv_cut *cuts,
                      const struct gv_cut_params *params,
                      const struct gv_slice_params *wanted, struct gv_error *err)
{
    struct looker looker = { .cuts = cuts, .left = params->frame_count };
    struct gv_slice_back back;
    bool ok = gv_slice_back_init(&back, t, wanted, err);
    back.at_chunk = look;
    back.context = &looker;
    ok = ok && gv_slice_back_run(&back);
    gv_slice_back_finish(&back);
    return ok;
}

static bool find_wanted(struct gv_cut *cuts, struct gv_payload *payload,
                        const struct gv_cut_params *params,
                        const struct gv_slice_params *wanted, struct gv_error *err)
{
    const size_t end = wanted->tail ? payload->chunk_count
                                    : payload->frames[wanted->last_frame].chunk_end;
    struct gv_track *t = gv_track_create(payload, params->memory_limit, err);
    bool ok = t && gv_track_follow(t, end, err);
    if (ok && t->opaque)
        refuse_all(cuts, params->frame_count, t->opaque);
    else if (ok)
        ok = look_back(t, cuts, params, wanted, err);
    gv_track_destroy(t);
    return ok;
}

static bool find_contents(struct gv_cut *cuts, struct gv_payload *payload,
                          const struct gv_cut_params *params, struct gv_error *err)
{
    uint64_t *frames = NULL;
    if (params->wanted)
        return find_wanted(cuts, payload, params, params->wanted, err);
    if (!wanted_frames(payload, &frames, err))
        return false;
    const struct gv_slice_params wanted = { .frames = frames,
                                            .frame_count = payload->frame_count,
                                            .tail = true,
                                            .all_posts = params->exports,
                                            .memory_limit = params->memory_limit };
    bool ok = find_wanted(cuts, payload, params, &wanted, err);
    free(frames);
    return ok;
}

// ---- state: the way back from each cut ----

static bool does_work(const struct gv_slice_back *b)
{
    for (uint32_t i = 0; i < b->unit_end; i++)
        if (b->keep[i] && b->track->units[i].flags & GV_TRACK_WORKS)
            return true;
    return false;
}

static bool state_back(struct gv_track *t, struct gv_cut *cut,
                       const struct gv_slice_params *nothing, struct gv_error *err)
{
    struct gv_slice_back back;
    bool ok = gv_slice_back_init(&back, t, nothing, err);
    if (ok) {
        back.state_only = true;
        gv_slice_back_want_state(&back);
        ok = gv_slice_back_run(&back);
    }
    if (ok && (back.gave_up || does_work(&back)))
        cut->refused = "a loop, or several calls at once, that all before belongs to";
    else if (ok)
        ok = gv_slice_back_runs(&back, &cut->kept, err);
    gv_slice_back_finish(&back);
    return ok;
}

// What comes before is followed once for all cuts.
struct gv_cutter {
    struct gv_track *track; // owned
    uint64_t memory_limit;
};

struct gv_cutter *gv_cutter_create(struct gv_payload *payload, uint64_t memory_limit,
                                   struct gv_error *err)
{
    struct gv_cutter *cutter = calloc(1, sizeof *cutter);
    if (!cutter) {
        gv_out_of_memory(err);
        return NULL;
    }
    cutter->memory_limit = memory_limit;
    cutter->track = gv_track_create(payload, memory_limit, err);
    if (cutter->track)
        return cutter;
    free(cutter);
    return NULL;
}

void gv_cutter_destroy(struct gv_cutter *cutter)
{
    if (cutter)
        gv_track_destroy(cutter->track);
    free(cutter);
}

bool gv_cutter_keep(struct gv_cutter *cutter, struct gv_cut *cut, struct gv_error *err)
{
    struct gv_track *t = cutter->track;
    const struct gv_slice_params nothing = { .last_frame = cut->frame - 1,
                                             .memory_limit = cutter->memory_limit };
    struct gv_track_mark mark;
    if (!gv_track_follow(t, t->payload->frames[cut->frame].chunk_begin, err))
        return false;
    // Going back, the tracker does not know which queries were open.
    cut->refused = t->opaque ? t->opaque : open_state(t);
    if (cut->refused)
        return true;
    if (!gv_track_mark(t, &mark, err))
        return false;
    bool ok = state_back(t, cut, &nothing, err);
    gv_track_return(t, &mark);
    gv_track_mark_finish(&mark);
    return ok;
}

bool gv_cuts_make(struct gv_cut *cuts, struct gv_payload *payload,
                  const struct gv_cut_params *params, struct gv_error *err)
{
    for (size_t i = 0; i < params->frame_count; i++)
        cuts[i] = (struct gv_cut){ .frame = params->frames[i] };
    return find_contents(cuts, payload, params, err);
}

// ---- one cut against another ----

static bool same_place(const struct gv_cut_piece *a, const struct gv_cut_piece *b)
{
    return a->slot == b->slot && a->kind == b->kind && a->aspect == b->aspect &&
           a->mip == b->mip && a->layer == b->layer && a->z == b->z &&
           a->sample == b->sample;
}

static bool box_inside(const struct gv_cut_piece *outer, const struct gv_cut_piece *p)
{
    return p->x >= outer->x && p->x + p->width <= outer->x + outer->width &&
           p->y >= outer->y && p->y + p->height <= outer->y + outer->height;
}

// A row of bytes in one of the rows of a piece.
static bool row_inside(const struct gv_cut_piece *outer, uint64_t begin, uint64_t size)
{
    if (begin < outer->offset)
        return false;
    const uint64_t from = begin - outer->offset;
    const uint64_t row = outer->stride ? from / outer->stride : 0;
    const uint64_t last = outer->rows ? outer->rows - 1 : 0;
    const uint64_t at = from - (row < last ? row : last) * outer->stride;
    return at <= outer->size && size <= outer->size - at;
}

// How far a comparison has come.
struct comparison {
    const struct gv_cut *have;
    size_t first; // piece, of those of the slot
    size_t hint;  // piece that had what was looked for last
    size_t work;  // pieces that may still be looked at
};

// Row `row` of a piece of bytes, or a box, in a piece of `have`.
static bool is_inside(const struct gv_cut_piece *h, const struct gv_cut_piece *p,
                      uint32_t row)
{
    return same_place(h, p) &&
           (p->kind == GV_KIND_IMAGE
                ? box_inside(h, p)
                : row_inside(h, p->offset + row * p->stride, p->size));
}

static bool is_had(struct comparison *c, const struct gv_cut_piece *p, uint32_t row)
{
    const struct gv_cut *have = c->have;
    if (c->hint < have->piece_count && is_inside(&have->pieces[c->hint], p, row))
        return true;
    while (c->first < have->piece_count && have->pieces[c->first].slot != p->slot)
        c->first++;
    for (size_t i = c->first; i < have->piece_count && c->work; i++, c->work--) {
        if (have->pieces[i].slot != p->slot)
            return false;
        c->hint = i;
        if (is_inside(&have->pieces[i], p, row))
            return true;
    }
    return false;
}

bool gv_cut_covers(const struct gv_cut *have, const struct gv_cut *want)
{
    struct comparison c = { .have = have, .work = MAX_COMPARED };
    for (size_t i = 0; i < want->piece_count; i++) {
        const struct gv_cut_piece *p = &want->pieces[i];
        const uint32_t rows = p->kind == GV_KIND_IMAGE ? 1 : p->rows;
        for (uint32_t row = 0; row < rows; row++)
            if (!is_had(&c, p, row))
                return false;
    }
    return true;
}

void gv_cut_finish(struct gv_cut *cut)
{
    gv_kept_finish(&cut->kept);
    free(cut->pieces);
    *cut = (struct gv_cut){ 0 };
}

void gv_cuts_finish(struct gv_cut *cuts, size_t count)
{
    for (size_t i = 0; cuts && i < count; i++)
        gv_cut_finish(&cuts[i]);
    free(cuts);
}
