#include "vm/inspect/inspect.h"

#include <inttypes.h>

void gv_inspect_finish(struct gv_inspect *in)
{
    gv_track_destroy(in->track);
    *in = (struct gv_inspect){ 0 };
}

static bool no_place(const struct gv_place *place, const char *what, uint64_t count,
                     struct gv_error *err)
{
    char text[GV_PATH_TEXT];
    gv_place_print(place, text);
    if (!count)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.64s: there is no %s", text,
                       what);
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.64s: the last %s is %" PRIu64,
                   text, what, count - 1);
}

static bool is_there(const struct gv_payload *p, const struct gv_place *place,
                     struct gv_error *err)
{
    switch (place->kind) {
    case GV_PLACE_ALL:
    case GV_PLACE_END:
        return true;
    case GV_PLACE_FRAME:
    case GV_PLACE_WORK:
    case GV_PLACE_PASS:
        return place->frame < p->frame_count ||
               no_place(place, "frame", p->frame_count, err);
    case GV_PLACE_COMMAND:
        break;
    }
    return place->number < p->command_count ||
           no_place(place, "command", p->command_count, err);
}

// Chunks that hold all code in front of the place, in front of or behind it.
static size_t chunks_to(const struct gv_payload *p, const struct gv_place *place)
{
    uint64_t frame = place->frame;
    if (place->kind == GV_PLACE_COMMAND)
        frame = gv_payload_frame_of(p, place->number);
    if (place->kind == GV_PLACE_ALL || place->kind == GV_PLACE_END ||
        frame >= p->frame_count)
        return p->chunk_count;
    return p->frames[frame].chunk_end;
}

static bool follow(struct gv_inspect *in, size_t chunk_end, struct gv_error *err)
{
    if (!gv_track_follow(in->track, chunk_end, err))
        return false;
    return !in->track->opaque ||
           gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: state behind %s", in->track->opaque);
}

// ---- units of a place ----

static size_t works_of(const struct gv_unit *u)
{
    size_t count = 0;
    for (size_t i = 0; i < u->op_count; i++)
        count += u->ops[i].kind == GV_UNIT_CALL &&
                 (gv_call_infos[u->ops[i].call].sets & GV_STATE_WORK);
    return count;
}

// The unit of a frame's work `number`, decoded; `*count`: how much work was met.
static bool find_work(struct gv_inspect *in, const struct gv_place *place,
                      uint32_t *unit, uint64_t *count, struct gv_error *err)
{
    const struct gv_frame *f = &in->payload->frames[place->frame];
    struct gv_track *t = in->track;
    *count = 0;
    for (size_t chunk = f->chunk_begin; chunk < f->chunk_end; chunk++) {
        if (!gv_track_enter(t, chunk, err))
            return false;
        for (uint32_t u = t->chunk_units[chunk]; u < t->chunk_units[chunk + 1]; u++) {
            if (!(t->units[u].flags & GV_TRACK_WORKS))
                continue;
            gv_track_decode(t, u);
            *unit = u;
            *count += works_of(&t->unit);
            if (*count > place->number)
                return true;
        }
    }
    return true;
}

static bool work_at(struct gv_inspect *in, const struct gv_place *place,
                    struct gv_error *err)
{
    uint32_t unit = 0;
    uint64_t count;
    char text[GV_PATH_TEXT];
    if (!find_work(in, place, &unit, &count, err))
        return false;
    if (count <= place->number)
        return no_place(place, "work of the frame", count, err);
    gv_place_print(place, text);
    if (in->track->unit.control || works_of(&in->track->unit) > 1)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: path %.64s: work in a loop", text);
    in->done = unit + !place->before;
    return true;
}

static bool pass_at(struct gv_inspect *in, const struct gv_place *place,
                    struct gv_error *err)
{
    const struct gv_track *t = in->track;
    const struct gv_frame *f = &in->payload->frames[place->frame];
    const uint32_t first = t->chunk_units[f->chunk_begin];
    uint64_t count = 0;
    for (size_t i = 0; i < t->pass_count; i++) {
        const struct gv_track_pass *p = &t->passes[i];
        if (p->begin < first || count++ != place->number)
            continue;
        in->done = place->before             ? p->begin
                   : p->end == GV_TRACK_NONE ? (uint32_t)t->unit_count
                                             : p->end + 1;
        return true;
    }
    return no_place(place, "pass of the frame", count, err);
}

// Commands go up with units.
static uint32_t behind_command(const struct gv_track *t, uint64_t command, bool before)
{
    uint32_t low = 0, high = (uint32_t)t->unit_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const uint64_t at = t->units[middle].command;
        if (before ? at < command : at <= command)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool find_unit(struct gv_inspect *in, const struct gv_place *place,
                      struct gv_error *err)
{
    const struct gv_track *t = in->track;
    switch (place->kind) {
    case GV_PLACE_WORK:
        return work_at(in, place, err);
    case GV_PLACE_PASS:
        return pass_at(in, place, err);
    case GV_PLACE_COMMAND:
        in->done = behind_command(t, place->number, place->before);
        return true;
    case GV_PLACE_FRAME:
        in->done = place->before
                       ? t->chunk_units[in->payload->frames[place->frame].chunk_begin]
                       : (uint32_t)t->unit_count;
        return true;
    case GV_PLACE_ALL:
    case GV_PLACE_END:
        break;
    }
    in->done = (uint32_t)t->unit_count;
    if (place->kind == GV_PLACE_END && place->before && in->done)
        in->done--;
    return true;
}

bool gv_inspect_go(struct gv_inspect *in, struct gv_payload *payload,
                   const struct gv_place *place, uint64_t memory_limit,
                   struct gv_error *err)
{
    *in = (struct gv_inspect){ .payload = payload };
    if (!is_there(payload, place, err))
        return false;
    in->track = gv_track_create(payload, memory_limit, err);
    if (!in->track || !follow(in, chunks_to(payload, place), err) ||
        !find_unit(in, place, err))
        return false;
    for (uint32_t u = (uint32_t)in->track->unit_count; u-- > in->done;)
        gv_track_undo(in->track, u);
    return true;
}

// ---- objects ----

bool gv_inspect_each_object(struct gv_inspect *in, gv_inspect_object *visit,
                            void *context, struct gv_error *err)
{
    const struct gv_track *t = in->track;
    for (size_t i = GV_TRACK_VOLATILE + 1; i < t->object_count; i++) {
        const struct gv_track_object *o = &t->objects[i];
        if (o->destroy_unit < in->done) // none is above all
            continue;
        if (!visit(context, i - GV_TRACK_VOLATILE - 1, t->units[o->create_unit].command,
                   o, err))
            return false;
    }
    return true;
}
