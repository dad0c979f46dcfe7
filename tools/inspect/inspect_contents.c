#include "tools/inspect/inspect_contents.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/file.h"
#include "resources/hash.h"
#include "tools/inspect/inspect_sheet.h"
#include "tools/inspect/shader_text.h"
#include "tools/inspect/shown_bytes.h"
#include "tools/inspect/texel_numbers.h"
#include "tools/inspect/vram_picture.h"
#include "tools/output_file.h"
#include "tools/picture/picture_file.h"
#include "tools/replay/replay_contents.h"
#include "tools/run/run_walk.h"
#include "vm/formats.h"
#include "vm/inspect/thing.h"

#define TEXELS_SHOWN 64 // of a row, one by one

// A path that has contents.
struct gv_inspect_item {
    struct gv_path path;
    struct gv_thing thing;
    struct gv_bytes bytes; // owned: what it holds
    char file[16];         // "png", "raw": what its file is; "": none
    struct gv_texel_range range;
    bool ranged; // `range` counts
};

bool gv_inspect_wants_replay(const struct gv_path *path)
{
    return path->thing != GV_THING_NONE;
}

// ---- what is wanted ----

static int by_place(const void *a, const void *b)
{
    const struct gv_slice_place *x =
        &(*(struct gv_inspect_item *const *)a)->thing.place;
    const struct gv_slice_place *y =
        &(*(struct gv_inspect_item *const *)b)->thing.place;
    if (x->chunks_left != y->chunks_left)
        return x->chunks_left < y->chunks_left ? 1 : -1;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static bool find_thing(struct gv_inspect_item *item, struct gv_payload *payload,
                       uint64_t limit, struct gv_error *err)
{
    struct gv_inspect in = { 0 };
    bool ok = gv_inspect_go(&in, payload, &item->path.place, limit, err) &&
              gv_thing_find(&item->thing, &in, &item->path, err);
    gv_inspect_finish(&in);
    return ok;
}

// Uniform bytes that stand in no buffer.
static bool find_uniform(struct gv_inspect_item *item, struct gv_payload *payload,
                         uint64_t limit, struct gv_error *err)
{
    struct gv_uniforms all = { 0 };
    struct gv_thing *t = &item->thing;
    bool ok = gv_uniforms_find(&all, payload, &item->path.place, limit, err);
    const struct gv_uniform *u =
        ok ? gv_uniforms_at(&all, item->path.number[0], item->path.number[1]) : NULL;
    if (ok && (!u || t->offset > u->bytes.size))
        ok = gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                     "uniform.%" PRIu64 ".%" PRIu64 ": there are not so many bytes",
                     item->path.number[0], item->path.number[1]);
    if (ok) {
        const uint64_t left = u->bytes.size - t->offset;
        t->size = t->size < left ? t->size : left;
        gv_bytes_put(&item->bytes, u->bytes.data + t->offset, (size_t)t->size);
        ok = !item->bytes.failed || gv_out_of_memory(err);
    }
    gv_uniforms_finish(&all);
    return ok;
}

static bool find_items(struct gv_inspect_job *job, struct gv_replay *r,
                       struct gv_error *err)
{
    struct gv_path path;
    const uint64_t limit = r->common.memory_limit;
    job->items = calloc(job->operands->count, sizeof *job->items);
    if (!job->items)
        return gv_out_of_memory(err);
    for (size_t i = 1; i < job->operands->count; i++) {
        if (!gv_path_parse(&path, job->operands->items[i], err))
            return false;
        if (!gv_inspect_wants_replay(&path))
            continue;
        struct gv_inspect_item *item = &job->items[job->count++];
        item->path = path;
        if (!find_thing(item, r->payload, limit, err) ||
            (!item->thing.kind && !find_uniform(item, r->payload, limit, err)))
            return false;
    }
    return true;
}

// The replay that reads them, in the order of the code.
struct gv_inspect_reader {
    struct gv_replay *replay;
    struct gv_inspect_item **items;    // owned; [count]
    struct gv_slice_content *contents; // owned
    struct gv_slice_contents wanted;
    size_t count;
};

static void reader_finish(struct gv_inspect_reader *r)
{
    if (!r)
        return;
    free((void *)r->items);
    free(r->contents);
    gv_slice_contents_finish(&r->wanted);
}

static bool reader_init(struct gv_inspect_reader *r, const struct gv_inspect_job *job,
                        struct gv_replay *replay, struct gv_error *err)
{
    *r = (struct gv_inspect_reader){ .replay = replay };
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    r->items = calloc(job->count + 1, sizeof *r->items);
    r->contents = calloc(job->count + 1, sizeof *r->contents);
    if (!r->items || !r->contents)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < job->count; i++)
        if (job->items[i].thing.kind && job->items[i].thing.kind != GV_KIND_SHADER)
            r->items[r->count++] = &job->items[i];
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    qsort((void *)r->items, r->count, sizeof *r->items, by_place);
    for (size_t i = 0; i < r->count; i++)
        r->contents[i] = gv_thing_content(&r->items[i]->thing);
    return gv_slice_contents_init(&r->wanted, r->contents, r->count, false, err);
}

static bool begin(struct gv_run_job *j, struct gv_replay *replay, struct gv_error *err)
{
    struct gv_inspect_job *job = (struct gv_inspect_job *)j;
    job->reader = calloc(1, sizeof *job->reader);
    return (job->reader || gv_out_of_memory(err)) && find_items(job, replay, err) &&
           reader_init(job->reader, job, replay, err) &&
           (!job->reader->count ||
            gv_replay_begin_contents(replay, &job->reader->wanted, err));
}

static bool read_item(void *context, size_t which, uint64_t handle,
                      struct gv_error *err)
{
    struct gv_inspect_reader *r = context;
    struct gv_inspect_item *item = r->items[which];
    const struct gv_thing *t = &item->thing;
    if (t->kind == GV_KIND_BUFFER)
        return gv_runtime_read_bytes(r->replay->runtime, handle, t->offset, t->size,
                                     &item->bytes, err) &&
               (item->path.thing != GV_THING_VRAM ||
                gv_vram_pick(&item->path.pick, &item->bytes, err));
    const bool deep = t->image.image.type == GV_IMAGE_TYPE_3D;
    const struct gv_runtime_box box = { .aspect = t->aspect,
                                        .mip = t->mip,
                                        .layer = deep ? 0 : t->layer,
                                        .z = deep ? t->layer : 0,
                                        .sample = t->sample,
                                        .x = t->x,
                                        .y = t->y,
                                        .width = t->width,
                                        .height = t->height,
                                        .depth = 1 };
    return gv_runtime_read_box(r->replay->runtime, handle, &box, &item->bytes, err);
}

// Shaders do not change: they are where they were made of.
static bool read_shader(struct gv_inspect_item *item, struct gv_replay *r,
                        struct gv_error *err)
{
    const struct gv_thing *t = &item->thing;
    const uint8_t *bytes = t->bytes;
    if (!bytes && t->resource == GV_TRACK_NONE)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: SPIR-V that the code computes");
    if (!bytes)
        bytes = gv_vm_resource_bytes(r->vm, t->resource, err);
    if (bytes)
        gv_bytes_put(&item->bytes, bytes + t->offset, (size_t)t->size);
    return bytes && (!item->bytes.failed || gv_out_of_memory(err));
}

static bool read_shaders(struct gv_inspect_job *job, struct gv_replay *r,
                         struct gv_error *err)
{
    for (size_t i = 0; i < job->count; i++)
        if (job->items[i].thing.kind == GV_KIND_SHADER &&
            !read_shader(&job->items[i], r, err))
            return false;
    return true;
}

// ---- files ----

static bool spool_fails(struct gv_error *err)
{
    return gv_fail(err, GV_ERR_OUTPUT, GV_NO_OFFSET, "contents cannot be kept: %s",
                   strerror(errno));
}

// A file of the spool: whose, of what kind, how many bytes.
struct spooled {
    struct gv_path path;
    char kind[16];
    uint64_t size;
};

static bool spool(const struct gv_inspect_job *job, const struct gv_inspect_item *item,
                  const void *data, size_t size, struct gv_error *err)
{
    struct spooled head = { .path = item->path, .size = size };
    memcpy(head.kind, item->file, sizeof head.kind);
    return (fwrite(&head, sizeof head, 1, job->spool) == 1 &&
            (!size || fwrite(data, 1, size, job->spool) == size) &&
            fflush(job->spool) == 0) ||
           spool_fails(err);
}

// "f1.d0_color0.png".
static void file_name(const struct gv_path *path, const char *kind, const char *folder,
                      char *out, size_t size)
{
    char text[GV_PATH_TEXT];
    gv_path_print(path, text);
    for (char *at = text; *at; at++)
        if (strchr("/[],+:", *at))
            *at = '_';
    snprintf(out, size, "%s/%s.%s", folder, text, kind);
}

// Names of files below --dir come of paths, and are written once all of them are known
// to be neither inputs nor each other.
static bool guard_file(const struct gv_inspect_job *job,
                       const struct gv_inspect_item *item, struct gv_input_guard *guard,
                       struct gv_error *err)
{
    char path[4096];
    if (!job->folder)
        return true; // the one output is guarded by its name
    file_name(&item->path, item->file, job->folder, path, sizeof path);
    return gv_guard_output(guard, path, err);
}

static bool write_spooled(const struct gv_inspect_job *job, const struct spooled *head,
                          struct gv_error *err)
{
    struct gv_bytes data = { 0 };
    char path[4096];
    uint8_t *bytes = gv_bytes_grow(&data, (size_t)head->size);
    bool ok = bytes || gv_out_of_memory(err);
    ok = ok && (fread(bytes, 1, (size_t)head->size, job->spool) == head->size ||
                spool_fails(err));
    if (job->folder)
        file_name(&head->path, head->kind, job->folder, path, sizeof path);
    ok = ok && gv_output_file_put(job->folder ? path : job->job.output, data.data,
                                  data.size, err);
    gv_bytes_finish(&data);
    return ok;
}

static bool keep(struct gv_run_job *j, struct gv_error *err)
{
    const struct gv_inspect_job *job = (const struct gv_inspect_job *)j;
    struct spooled head;
    if (!job->spool)
        return true;
    rewind(job->spool);
    while (fread(&head, sizeof head, 1, job->spool) == 1)
        if (!write_spooled(job, &head, err))
            return false;
    return !ferror(job->spool) || spool_fails(err);
}

static bool open_spool(struct gv_run_job *j, struct gv_error *err)
{
    struct gv_inspect_job *job = (struct gv_inspect_job *)j;
    if (!job->folder && !job->job.output)
        return true;
    if (job->folder && !gv_make_folders(job->folder, err))
        return false;
    job->spool = tmpfile();
    return job->spool || spool_fails(err);
}

// ---- images ----

static bool read_range(const struct gv_inspect_job *job, struct gv_texel_range *range,
                       struct gv_error *err)
{
    char *end;
    range->low = strtod(job->range, &end);
    if (end != job->range && *end == ',') {
        const char *high = end + 1;
        range->high = strtod(high, &end);
        if (end != high && !*end && range->low < range->high)
            return true;
    }
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "--range is LOW,HIGH, as 0.5,1, not '%.40s'", job->range);
}

static bool choose_range(const struct gv_inspect_job *job, struct gv_inspect_item *item,
                         const struct gv_texel *texel, uint64_t count,
                         struct gv_error *err)
{
    item->ranged = true;
    if (job->range)
        return read_range(job, &item->range, err);
    if (gv_texel_is_colour(texel) ||
        !gv_texel_range_of(texel, item->bytes.data, count, &item->range))
        item->range = (struct gv_texel_range){ 0, 1 };
    return true;
}

static bool spool_picture(struct gv_inspect_job *job, struct gv_inspect_item *item,
                          enum gv_picture_format format, struct gv_error *err)
{
    const struct gv_thing *t = &item->thing;
    const uint64_t count = (uint64_t)t->width * t->height;
    struct gv_picture_encoder encoder = { 0 };
    struct gv_texel texel;
    const uint8_t *data;
    size_t size;
    if (!gv_texel_plane(&texel, t->image.image.format, t->aspect, err) ||
        !choose_range(job, item, &texel, count, err))
        return false;
    uint8_t *rgba = malloc((size_t)count * 4);
    if (!rgba)
        return gv_out_of_memory(err);
    if (!job->range && gv_texel_is_colour(&texel))
        gv_texel_convert(&texel, item->bytes.data, count, rgba);
    else
        gv_texel_show(&texel, item->bytes.data, count, &item->range, rgba);
    bool ok = gv_picture_encode(&encoder, format, rgba, t->width, t->height, &data,
                                &size, err) &&
              spool(job, item, data, size, err);
    gv_picture_encoder_finish(&encoder);
    free(rgba);
    return ok;
}

// Cells of 16 bits, as a display of so many bits a pixel takes them from VRAM.
static bool spool_vram(struct gv_inspect_job *job, struct gv_inspect_item *item,
                       enum gv_picture_format format, struct gv_error *err)
{
    struct gv_picture_encoder encoder = { 0 };
    struct gv_picture picture = { 0 };
    const uint8_t *data;
    size_t size;
    bool ok = gv_vram_show(&item->path.pick, &item->bytes, &picture, err) &&
              gv_picture_encode(&encoder, format, picture.rgba, picture.width,
                                picture.height, &data, &size, err) &&
              spool(job, item, data, size, err);
    gv_picture_encoder_finish(&encoder);
    gv_picture_finish(&picture);
    return ok;
}

static bool spool_shader(struct gv_inspect_job *job, struct gv_inspect_item *item,
                         struct gv_error *err)
{
    const enum gv_shader_form form =
        job->folder ? GV_SHADER_WORDS : gv_shader_form_of(job->job.output);
    struct gv_bytes text = { 0 };
    snprintf(item->file, sizeof item->file, "%s", gv_shader_form_ending(form));
    bool ok = gv_shader_text(form, &item->bytes, &text, err) &&
              spool(job, item, text.data, text.size, err);
    gv_bytes_finish(&text);
    return ok;
}

static bool make_file(struct gv_inspect_job *job, struct gv_inspect_item *item,
                      struct gv_error *err)
{
    enum gv_picture_format format = GV_PICTURE_PNG;
    const struct gv_format_info *info = gv_format_info(item->thing.image.image.format);
    if (!job->spool)
        return true;
    if (item->thing.kind == GV_KIND_SHADER)
        return spool_shader(job, item, err);
    const bool vram = item->path.thing == GV_THING_VRAM;
    bool picture =
        vram || (item->thing.kind == GV_KIND_IMAGE && !(info && info->compressed));
    if (!job->folder)
        picture = gv_picture_format_of_path(job->job.output, &format) &&
                  format != GV_PICTURE_RAW;
    if (picture && !vram && item->thing.kind != GV_KIND_IMAGE)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "bytes are no picture: -o a file that ends in .raw");
    snprintf(item->file, sizeof item->file, "%s",
             picture ? gv_picture_format_name(format) : "raw");
    if (picture && vram)
        return spool_vram(job, item, format, err);
    return picture ? spool_picture(job, item, format, err)
                   : spool(job, item, item->bytes.data, item->bytes.size, err);
}

// ---- rows ----

static void put_real(struct gv_sheet *s, const char *name, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.9g", value);
    gv_sheet_value(s, name, text);
}

static void put_texels(struct gv_sheet *s, const struct gv_inspect_item *item)
{
    const struct gv_thing *t = &item->thing;
    const uint64_t count = (uint64_t)t->width * t->height;
    struct gv_texel_range range;
    struct gv_texel texel;
    if (!gv_texel_plane(&texel, t->image.image.format, t->aspect, NULL))
        return;
    if (gv_texel_range_of(&texel, item->bytes.data, count, &range)) {
        put_real(s, "least", range.low);
        put_real(s, "most", range.high);
    }
    for (uint64_t i = 0; count <= TEXELS_SHOWN && i < count; i++) {
        char name[32], value[128] = "";
        double numbers[4] = { 0 };
        size_t n = 0;
        gv_texel_numbers(&texel, item->bytes.data + i * texel.bytes, numbers);
        for (uint32_t k = 0; k < texel.components; k++)
            n += (size_t)snprintf(value + n, sizeof value - n, "%s%.9g", k ? "," : "",
                                  numbers[k]);
        snprintf(name, sizeof name, "%" PRIu64 ",%" PRIu64, t->x + i % t->width,
                 t->y + i / t->width);
        gv_sheet_value(s, name, value);
    }
}

static void put_image(struct gv_sheet *s, const struct gv_inspect_item *item)
{
    static const struct {
        uint32_t aspect;
        const char *name;
    } planes[] = { { GV_ASPECT_COLOR, "color" },
                   { GV_ASPECT_DEPTH, "depth" },
                   { GV_ASPECT_STENCIL, "stencil" } };
    const struct gv_thing *t = &item->thing;
    gv_sheet_value(s, "format", gv_format_info(t->image.image.format)->name);
    for (size_t i = 0; i < sizeof planes / sizeof *planes; i++)
        if (planes[i].aspect == t->aspect)
            gv_sheet_value(s, "plane", planes[i].name);
    gv_sheet_number(s, "mip", t->mip);
    gv_sheet_number(s, "layer", t->layer);
    if (t->image.image.samples > 1)
        gv_sheet_number(s, "sample", t->sample);
    gv_sheet_number(s, "width", t->width);
    gv_sheet_number(s, "height", t->height);
    put_texels(s, item);
    if (!item->ranged)
        return;
    put_real(s, "black", item->range.low);
    put_real(s, "white", item->range.high);
}

static void put_facts(struct gv_sheet *s, const struct gv_inspect_item *item)
{
    const struct gv_hash hash = gv_hash_bytes(item->bytes.data, item->bytes.size);
    char text[GV_HASH_HEX], object[24];
    snprintf(object, sizeof object, "o%" PRIu64, item->thing.number);
    gv_hash_to_hex(&hash, text);
    if (item->thing.kind)
        gv_sheet_value(s, "object", object);
    if (item->thing.kind == GV_KIND_IMAGE)
        put_image(s, item);
    else
        gv_sheet_number(s, "offset", item->thing.offset);
    gv_sheet_number(s, "bytes", item->bytes.size);
    gv_sheet_value(s, "hash", text);
    if (item->file[0])
        gv_sheet_value(s, "file", item->file);
}

static bool put_item(struct gv_sheet *s, const struct gv_inspect_item *item,
                     struct gv_error *err)
{
    char name[GV_PATH_TEXT];
    const struct gv_shown_bytes shown = { &item->path, item->thing.command,
                                          &item->bytes };
    gv_path_print(&item->path, name);
    const struct gv_sheet_row row = { name, NULL, item->thing.command, false };
    s->path = item->path;
    gv_sheet_open(s);
    gv_sheet_begin(s, &row);
    put_facts(s, item);
    bool ok = gv_sheet_end(s, &row, err);
    if (ok && item->thing.kind != GV_KIND_IMAGE && item->thing.kind != GV_KIND_SHADER &&
        !item->file[0])
        ok = gv_shown_bytes_put(&shown, s, err);
    gv_sheet_close(s);
    return ok;
}

static bool put_paths(struct gv_inspect_job *job, struct gv_sheet *s,
                      struct gv_payload *payload, uint64_t limit, struct gv_error *err)
{
    size_t next = 0;
    for (size_t i = 1; i < job->operands->count; i++) {
        if (!gv_path_parse(&s->path, job->operands->items[i], err))
            return false;
        if (gv_inspect_wants_replay(&s->path) ? !put_item(s, &job->items[next++], err)
                                              : !gv_sheet_state(s, payload, limit, err))
            return false;
    }
    return true;
}

static bool print(struct gv_inspect_job *job, struct gv_payload *payload,
                  uint64_t limit, struct gv_error *err)
{
    struct gv_json json = { 0 };
    struct gv_sheet sheet = { .json = job->json ? &json : NULL };
    if (job->json)
        gv_json_array(&json, NULL);
    bool ok = put_paths(job, &sheet, payload, limit, err);
    if (job->json)
        gv_json_array_end(&json);
    const struct gv_bytes *out = job->json ? &json.out : &sheet.text;
    gv_bytes_put(&job->printed, out->data, out->size);
    gv_bytes_u8(&job->printed, 0);
    ok = ok && ((!out->failed && !job->printed.failed) || gv_out_of_memory(err));
    gv_sheet_finish(&sheet);
    gv_json_finish(&json);
    return ok;
}

// ---- the job ----

static bool run(struct gv_run_job *j, struct gv_run_walk *walk, struct gv_error *err)
{
    struct gv_inspect_job *job = (struct gv_inspect_job *)j;
    struct gv_replay *replay = &walk->session->replay;
    struct gv_inspect_reader *r = job->reader;
    gv_runtime_want_pictures(replay->runtime, false);
    bool ok =
        !r->count || gv_replay_each_contents(replay, &r->wanted, read_item, r, err);
    ok = ok && read_shaders(job, replay, err);
    for (size_t i = 0; ok && i < job->count; i++)
        ok = make_file(job, &job->items[i], err) &&
             guard_file(job, &job->items[i], walk->session->guard, err);
    return ok && print(job, replay->payload, replay->common.memory_limit, err);
}

static void report(const struct gv_run_job *j, struct gv_json *json)
{
    const struct gv_inspect_job *job = (const struct gv_inspect_job *)j;
    const char *text = (const char *)job->printed.data;
    if (json)
        gv_json_raw(json, "paths", text);
    else if (!job->job.output || strcmp(job->job.output, "-") != 0)
        fputs(text, stdout);
}

static void finish(struct gv_run_job *j)
{
    struct gv_inspect_job *job = (struct gv_inspect_job *)j;
    for (size_t i = 0; i < job->count; i++)
        gv_bytes_finish(&job->items[i].bytes);
    free(job->items);
    reader_finish(job->reader);
    free(job->reader);
    gv_bytes_finish(&job->printed);
    if (job->spool)
        fclose(job->spool);
}

static bool plan(struct gv_run_job *j, const struct gv_payload *payload,
                 struct gv_error *err)
{
    const struct gv_inspect_job *job = (const struct gv_inspect_job *)j;
    struct gv_texel_range range;
    (void)payload;
    return !job->range || read_range(job, &range, err);
}

void gv_inspect_job_init(struct gv_inspect_job *job)
{
    job->job.open = open_spool;
    job->job.keep = keep;
    job->job.finish = finish;
    job->job.plan = plan;
    job->job.begin = begin;
    job->job.run = run;
    job->job.report = report;
}
