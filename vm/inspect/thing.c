#include "vm/inspect/thing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "vm/formats.h"

// What is looked for, and where.
struct search {
    struct gv_inspect *in;
    const struct gv_path *path;
    struct gv_thing *out;
    char text[GV_PATH_TEXT];
};

static bool refuse(const struct search *s, const char *why, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.64s: %s", s->text, why);
}

// ---- records ----

// The attachments of the open pass, or of the last one.
static const struct gv_track_pass *pass_of(const struct gv_track *t)
{
    const size_t last = t->pass ? t->pass : t->pass_count;
    return last ? &t->passes[last - 1] : NULL;
}

static uint32_t record_of(const struct search *s)
{
    const struct gv_track *t = s->in->track;
    const struct gv_track_pass *pass = pass_of(t);
    const uint64_t n = s->path->number[0];
    switch (s->path->thing) {
    case GV_THING_COLOR:
        return pass && n < GV_MAX_COLOR_ATTACHMENTS ? pass->color[n] : 0;
    case GV_THING_DEPTH:
    case GV_THING_STENCIL:
        return pass ? pass->depth : 0;
    case GV_THING_DISPLAY:
        return t->current[GV_TRACK_SHOW] ? t->current[GV_TRACK_SHOW]
               : pass                    ? pass->color[0]
                                         : 0;
    case GV_THING_VERTEX:
        return n < GV_MAX_VERTEX_BINDINGS ? t->current[GV_TRACK_VERTEX + n] : 0;
    case GV_THING_INDEX:
        return t->current[GV_TRACK_INDEX];
    case GV_THING_FEEDBACK:
        return n < GV_MAX_FEEDBACK_BUFFERS ? t->current[GV_TRACK_FEEDBACK + n] : 0;
    case GV_THING_BINDING:
        break;
    case GV_THING_NONE:
    case GV_THING_OBJECT:
    case GV_THING_VRAM:
    case GV_THING_SHADER:
        return 0;
    }
    const uint64_t *at = s->path->number;
    if (at[0] >= GV_MAX_SETS || at[1] >= GV_MAX_BINDING_NUMBER ||
        at[2] >= GV_MAX_BINDING_ELEMENTS)
        return 0;
    const uint32_t entry =
        gv_track_entry(t, (uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]);
    return entry == GV_TRACK_NONE ? 0 : t->current[entry];
}

struct names {
    char list[96];
    size_t length;
};

static void add_name(struct names *n, const char *name)
{
    const size_t length = strlen(name);
    if (n->length + length + 2 > sizeof n->list)
        return;
    n->length += (size_t)snprintf(n->list + n->length, sizeof n->list - n->length,
                                  "%s%s", n->length ? " " : "", name);
}

static bool add_row(void *context, const struct gv_state_row *row, struct gv_error *err)
{
    struct names *n = context;
    bool optional = false;
    (void)err;
    for (size_t i = 0; i < row->call->arg_count; i++) {
        const enum gv_kind kind =
            gv_arg_object_kind(row->call->args[i].kind, &optional);
        if ((kind == GV_KIND_BUFFER || kind == GV_KIND_IMAGE) && row->args[i].u &&
            !(n->length && strstr(n->list, row->name)))
            add_name(n, row->name);
    }
    return true;
}

// Names what is there instead.
static bool not_there(const struct search *s, struct gv_error *err)
{
    struct names names = { .length = 0 };
    const struct gv_track_pass *pass = pass_of(s->in->track);
    for (uint32_t i = 0; pass && i < GV_MAX_COLOR_ATTACHMENTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "color%" PRIu32, i);
        if (pass->color[i])
            add_name(&names, name);
    }
    if (pass && pass->depth)
        add_name(&names, "depth");
    if (!gv_inspect_each_row(s->in, add_row, &names, err))
        return false;
    if (!names.length)
        return refuse(s, "nothing that has contents is bound there", err);
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.48s: not there; there are %s",
                   s->text, names.list);
}

// ---- parts ----

// `mip` may be any number: images are as the payload says, whatever a device makes.
static uint32_t side(uint32_t size, uint32_t mip)
{
    const uint32_t left = mip < 32 ? size >> mip : 0;
    return left ? left : 1;
}

static bool outside(const struct search *s, const char *what, uint64_t count,
                    struct gv_error *err)
{
    if (!count)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "%.64s: the image has no %s",
                       s->text, what);
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.64s: the last %s is %" PRIu64,
                   s->text, what, count - 1);
}

// Of a part that nobody named: it is the view's.
static bool outside_view(const struct search *s, const char *what, uint32_t part,
                         struct gv_error *err)
{
    return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET,
                   "%.64s: %s %" PRIu32 " of the view is not in the image", s->text,
                   what, part);
}

static bool pick_texels(const struct search *s, struct gv_error *err)
{
    struct gv_thing *o = s->out;
    const struct gv_pick *p = &s->path->pick;
    const struct gv_track_object *image = &o->image;
    if (p->has_bytes)
        return refuse(s, "an image has texels: [x,y,WxH]", err);
    if (p->has_mip && p->mip >= image->image.mips)
        return outside(s, "mip", image->image.mips, err);
    o->mip = p->has_mip ? (uint32_t)p->mip : o->mip;
    if (o->mip >= image->image.mips)
        return outside_view(s, "mip", o->mip, err);
    const bool deep = image->image.type == GV_IMAGE_TYPE_3D;
    const uint32_t layers =
        deep ? side(image->image.depth, o->mip) : image->image.layers;
    if (p->has_layer && p->layer >= layers)
        return outside(s, "layer", layers, err);
    o->layer = p->has_layer ? (uint32_t)p->layer : o->layer;
    if (o->layer >= layers)
        return outside_view(s, "layer", o->layer, err);
    if (p->has_sample && p->sample >= image->image.samples)
        return outside(s, "sample", image->image.samples, err);
    o->sample = (uint32_t)p->sample;
    const uint32_t width = side(image->image.width, o->mip);
    const uint32_t height = side(image->image.height, o->mip);
    if (p->has_box && (p->x >= width || p->y >= height || p->width > width - p->x ||
                       p->height > height - p->y))
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "%.64s: there are %" PRIu32 "x%" PRIu32 " texels", s->text,
                       width, height);
    o->x = (uint32_t)p->x;
    o->y = (uint32_t)p->y;
    o->width = p->has_box ? (uint32_t)p->width : width;
    o->height = p->has_box ? (uint32_t)p->height : height;
    return true;
}

static bool pick_plane(const struct search *s, struct gv_error *err)
{
    struct gv_thing *o = s->out;
    const struct gv_format_info *info = gv_format_info(o->image.image.format);
    const bool depth = info && info->aspects & GV_ASPECT_DEPTH;
    o->aspect = !info                                ? 0
                : info->aspects & GV_ASPECT_COLOR    ? GV_ASPECT_COLOR
                : s->path->thing == GV_THING_STENCIL ? GV_ASPECT_STENCIL
                : depth                              ? GV_ASPECT_DEPTH
                                                     : GV_ASPECT_STENCIL;
    return (info && info->aspects & o->aspect &&
            (s->path->thing != GV_THING_DEPTH || depth)) ||
           refuse(s, "the image has no such plane", err);
}

static bool pick_bytes(const struct search *s, struct gv_error *err)
{
    struct gv_thing *o = s->out;
    const struct gv_pick *p = &s->path->pick;
    if (p->has_mip || p->has_layer || p->has_sample ||
        (p->has_box && s->path->thing != GV_THING_VRAM))
        return refuse(s, "a buffer has bytes: [OFFSET+SIZE]", err);
    if (!p->has_bytes)
        return true;
    if (p->offset > o->size || p->size > o->size - p->offset)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "%.64s: there are %" PRIu64 " bytes", s->text, o->size);
    o->offset += p->offset;
    o->size = p->size ? p->size : o->size - p->offset;
    return true;
}

static bool pick(const struct search *s, uint32_t object, struct gv_error *err)
{
    const struct gv_track *t = s->in->track;
    struct gv_thing *o = s->out;
    const struct gv_track_object *found = &t->objects[object];
    o->kind = found->kind;
    o->number = object - GV_TRACK_VOLATILE - 1;
    o->slot = found->slot;
    o->image = *found;
    if (found->slot == GV_TRACK_NONE || t->slots[found->slot] != object)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: %.64s: an object that no slot holds", s->text);
    if (found->either)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: %.64s: which object it is depends on the device",
                       s->text);
    if (gv_track_resolves(t, object))
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: %.64s: what a pass resolves into, before its end",
                       s->text);
    if (found->kind == GV_KIND_IMAGE)
        return pick_plane(s, err) && pick_texels(s, err);
    return found->kind == GV_KIND_BUFFER
               ? pick_bytes(s, err)
               : refuse(s, "it has no contents: buffers and images have", err);
}

// ---- what it is ----

static bool find_object(const struct search *s, struct gv_error *err)
{
    const struct gv_track *t = s->in->track;
    const size_t count = t->object_count - GV_TRACK_VOLATILE - 1;
    const uint64_t number = s->path->number[0];
    if (number >= count)
        return count ? outside(s, "object", count, err)
                     : refuse(s, "there are no objects", err);
    const uint32_t object = (uint32_t)number + GV_TRACK_VOLATILE + 1;
    const struct gv_track_object *o = &t->objects[object];
    if (o->destroy_unit < s->in->done)
        return refuse(s, "the object has been given up by then", err);
    s->out->command = t->units[o->create_unit].command;
    s->out->size = o->kind == GV_KIND_BUFFER ? o->size : 0;
    return pick(s, object, err);
}

// Uniform bytes that stand in no buffer.
static bool find_uniform_bytes(const struct search *s, struct gv_error *err)
{
    s->out->kind = 0;
    s->out->size = UINT64_MAX; // known when they are found
    return pick_bytes(s, err);
}

// Whether what that call binds is what the path calls it: the numbers of a binding are
// those of all kinds.
static bool is_called(uint8_t call, const char *word)
{
    static const struct {
        uint8_t call;
        const char *word;
    } words[] = {
        { GV_CALL_bind_uniform_bytes, "uniform." }, { GV_CALL_bind_buffer, "buffer." },
        { GV_CALL_bind_buffer, "storage." },        { GV_CALL_bind_buffer, "uniform." },
        { GV_CALL_bind_texel_buffer, "texels." },   { GV_CALL_bind_texture, "tex." },
        { GV_CALL_bind_storage_image, "image." },
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].call == call &&
            strncmp(words[i].word, word, strlen(words[i].word)) == 0)
            return true;
    return false;
}

static bool find_bound(const struct search *s, struct gv_error *err)
{
    const struct gv_track *t = s->in->track;
    const uint32_t record = record_of(s);
    const struct gv_track_record *r = &t->records[record];
    if (!record ||
        (s->path->thing == GV_THING_BINDING && !is_called(r->call, s->path->word)))
        return not_there(s, err);
    if (r->uncertain)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: %.64s: what stands there depends on the device",
                       s->text);
    s->out->command = t->units[r->unit].command;
    if (r->call == GV_CALL_bind_uniform_bytes)
        return find_uniform_bytes(s, err);
    if (!r->object)
        return not_there(s, err);
    const struct gv_track_object *o = &t->objects[r->object];
    if (o->kind == GV_KIND_BUFFER) {
        s->out->offset = r->bytes.offset;
        s->out->size = r->bytes.offset > o->size ? 0 : o->size - r->bytes.offset;
        if (r->bytes.size && r->bytes.size < s->out->size)
            s->out->size = r->bytes.size;
    } else if (o->kind == GV_KIND_IMAGE) {
        s->out->mip = r->view.mip;
        s->out->layer = o->image.type == GV_IMAGE_TYPE_3D ? 0 : r->view.layer;
    }
    return pick(s, r->object, err);
}

// VRAM is what a PlayStation's dump makes first (compiler/psx/): 1 or 2 MiB of cells.
static bool find_vram(const struct search *s, struct gv_error *err)
{
    const struct gv_payload *p = s->in->payload;
    struct gv_track *t = s->in->track;
    bool psx = false;
    for (size_t i = 0; i < p->export_count; i++)
        psx = psx || strcmp(p->exports[i].name, "vram") == 0;
    if (!psx || t->object_count <= GV_TRACK_VOLATILE + 1)
        return refuse(s, "only dumps of PlayStations have VRAM", err);
    s->out->size = t->objects[GV_TRACK_VOLATILE + 1].size;
    s->out->command = t->units[t->objects[GV_TRACK_VOLATILE + 1].create_unit].command;
    return pick(s, GV_TRACK_VOLATILE + 1, err);
}

// ---- shaders ----

// The argument of a call that names an object of that kind, for a stage.
static uint64_t shader_of(const struct gv_state_row *row, uint32_t stage)
{
    static const struct {
        uint32_t stage;
        const char *name;
    } stages[] = {
        { GV_STAGE_VERTEX, "vertex" },
        { GV_STAGE_TESSELLATION_CONTROL, "tessellation_control" },
        { GV_STAGE_TESSELLATION_EVALUATION, "tessellation_evaluation" },
        { GV_STAGE_GEOMETRY, "geometry" },
        { GV_STAGE_FRAGMENT, "fragment" },
        { GV_STAGE_COMPUTE, "compute" },
    };
    const char *name = "";
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (stages[i].stage == stage)
            name = stages[i].name;
    for (size_t i = 0; i < row->call->arg_count; i++)
        if (strcmp(row->call->args[i].name, name) == 0)
            return row->args[i].u;
    return 0;
}

static bool find_shader(const struct search *s, struct gv_error *err)
{
    const struct gv_track *t = s->in->track;
    const bool compute = s->path->stage == GV_STAGE_COMPUTE;
    const struct gv_track_record *r =
        gv_track_at(t, compute ? GV_TRACK_COMPUTE : GV_TRACK_GRAPHICS);
    struct gv_state_row row = { .maybe = false };
    if (!r || !r->object)
        return refuse(s, "no pipeline is bound there", err);
    if (!gv_inspect_maker(s->in, r->object, &row, err))
        return false;
    const uint64_t shader = shader_of(&row, s->path->stage);
    if (!shader)
        return refuse(s, "the pipeline has no such stage", err);
    if (!gv_inspect_maker(s->in, (uint32_t)shader + GV_TRACK_VOLATILE, &row, err))
        return false;
    s->out->kind = GV_KIND_SHADER;
    s->out->number = shader - 1;
    s->out->command = row.command;
    s->out->resource = row.resource;
    s->out->bytes = row.bytes;
    for (size_t i = 0; i < row.call->arg_count; i++)
        if (row.call->args[i].kind == GV_ARG_SIZE)
            s->out->size = row.args[i].u;
    return pick_bytes(s, err);
}

// ---- all of them ----

static struct gv_slice_place place_of(const struct gv_inspect *in)
{
    const struct gv_track *t = in->track;
    size_t chunk = 0;
    const uint32_t unit = in->done - 1;
    while (chunk + 1 < t->chunk_count && t->chunk_units[chunk + 1] <= unit)
        chunk++;
    return (struct gv_slice_place){ (uint32_t)(t->payload->chunk_count - chunk),
                                    t->units[unit].begin };
}

bool gv_thing_find(struct gv_thing *thing, struct gv_inspect *inspect,
                   const struct gv_path *path, struct gv_error *err)
{
    struct search s = { .in = inspect, .path = path, .out = thing };
    *thing = (struct gv_thing){ .resource = GV_TRACK_NONE };
    gv_path_print(path, s.text);
    if (!inspect->done)
        return refuse(&s, "nothing has been made yet", err);
    thing->place = place_of(inspect);
    switch (path->thing) {
    case GV_THING_OBJECT:
        return find_object(&s, err);
    case GV_THING_VRAM:
        return find_vram(&s, err);
    case GV_THING_SHADER:
        return find_shader(&s, err);
    case GV_THING_NONE:
    case GV_THING_COLOR:
    case GV_THING_DEPTH:
    case GV_THING_STENCIL:
    case GV_THING_DISPLAY:
    case GV_THING_VERTEX:
    case GV_THING_INDEX:
    case GV_THING_FEEDBACK:
    case GV_THING_BINDING:
        break;
    }
    return find_bound(&s, err);
}

struct gv_slice_content gv_thing_content(const struct gv_thing *o)
{
    struct gv_slice_content c = { .place = o->place, .slot = o->slot };
    if (o->kind == GV_KIND_BUFFER)
        c.range =
            (struct gv_effect){ .offset = o->offset, .row_bytes = o->size, .rows = 1 };
    else
        c.range = (struct gv_effect){ .planes = (uint8_t)o->aspect,
                                      .mip = o->mip,
                                      .mips = 1,
                                      .slice = o->layer,
                                      .slices = 1,
                                      .x = o->x,
                                      .y = o->y,
                                      .width = o->width,
                                      .height = o->height };
    return c;
}
