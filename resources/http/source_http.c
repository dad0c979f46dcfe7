#include "resources/http/source_http.h"

#include "resources/object.h"
#include "resources/pack_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The end of a pack that is asked for first: what is in it needs no request of its own.
#define TAIL_BYTES ((uint64_t)65536)
#define GAP_BYTES ((uint64_t)16384) // less than what a request of its own costs
#define JOINED_BYTES ((uint64_t)8 << 20)
#define MOST_INDEX ((uint64_t)1 << 31)

struct http_source {
    struct gv_source base;        // first: the functions cast back
    struct gv_http *http;         // borrowed
    struct gv_codec_state *codec; // owned
    char *url, *shown;            // owned; the latter for messages
    struct gv_pack_row *rows;     // owned; of a pack
    size_t row_count;
    struct gv_bytes tail; // of a pack
    uint64_t tail_at;     // its offset in the file
};

// ---- objects that have come ----

static bool fail_at(const struct http_source *s, const struct gv_error *why,
                    struct gv_error *err)
{
    return gv_fail(err, why->status, GV_NO_OFFSET, "%.80s: %s", s->shown, why->message);
}

static bool decode(struct http_source *s, struct gv_fetch *item, struct gv_span frame,
                   struct gv_error *err)
{
    struct gv_error why = GV_ERROR_INIT;
    item->found = gv_object_decode(s->codec, item, frame, &why);
    return item->found || fail_at(s, &why, err);
}

// ---- a folder ----

static char *object_url(const struct http_source *s, const struct gv_hash *hash)
{
    char hex[GV_HASH_HEX];
    size_t size = strlen(s->url) + sizeof "/cas/ab/.zst" + GV_HASH_HEX;
    char *url = malloc(size);
    gv_hash_to_hex(hash, hex);
    if (url)
        snprintf(url, size, "%s/cas/%.2s/%s.zst", s->url, hex, hex);
    return url;
}

// What was damaged on its way may be whole the second time.
static bool take_objects(struct http_source *s, struct gv_fetch *const *items,
                         struct gv_http_get *gets, size_t count, struct gv_error *err)
{
    bool ok = gv_http_run(s->http, gets, count, err);
    for (size_t i = 0; ok && i < count; i++) {
        if (gets[i].missing)
            continue;
        if (decode(s, items[i],
                   (struct gv_span){ gets[i].body.data, gets[i].body.size }, NULL))
            continue;
        ok = gv_http_run(s->http, &gets[i], 1, err) &&
             (gets[i].missing ||
              decode(s, items[i],
                     (struct gv_span){ gets[i].body.data, gets[i].body.size }, err));
    }
    return ok;
}

static bool fetch_files(struct http_source *s, struct gv_fetch *const *items,
                        size_t count, struct gv_error *err)
{
    struct gv_http_get *gets = calloc(count + 1, sizeof *gets);
    bool ok = gets != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        gets[i] = (struct gv_http_get){
            .url = object_url(s, &items[i]->hash),
            .part = GV_HTTP_WHOLE,
            .most = gv_object_most_stored(items[i]->raw_size),
        };
        ok = gets[i].url != NULL;
    }
    ok = ok ? take_objects(s, items, gets, count, err) : gv_out_of_memory(err);
    for (size_t i = 0; gets && i < count; i++) {
        gv_bytes_finish(&gets[i].body);
        free((void *)(uintptr_t)gets[i].url);
    }
    free(gets);
    return ok;
}

// ---- a pack ----

// One wanted object of a pack, and the request that brings it.
struct wanted {
    struct gv_fetch *item;
    const struct gv_pack_row *row;
    size_t get;
};

static int compare_offsets(const void *a, const void *b)
{
    const struct wanted *x = a, *y = b;
    return (x->row->offset > y->row->offset) - (x->row->offset < y->row->offset);
}

static int compare_id(const void *hash, const void *row)
{
    return gv_hash_compare(hash, &((const struct gv_pack_row *)row)->hash);
}

static uint64_t frame_at(const struct gv_pack_row *row)
{
    return row->offset + GV_PACKFILE_RECORD_BYTES;
}

static bool find_row(const struct http_source *s, struct gv_fetch *item,
                     const struct gv_pack_row **row, struct gv_error *err)
{
    *row = s->row_count ? bsearch(&item->hash, s->rows, s->row_count, sizeof *s->rows,
                                  compare_id)
                        : NULL;
    struct gv_error why = GV_ERROR_INIT;
    if (!*row || ((*row)->raw_size == item->raw_size && (*row)->stored &&
                  (*row)->stored <= gv_object_most_stored(item->raw_size)))
        return true;
    gv_object_damaged(&item->hash, "the pack's index has another size", &why);
    return fail_at(s, &why, err);
}

static bool is_in_tail(const struct http_source *s, const struct gv_pack_row *row)
{
    return frame_at(row) >= s->tail_at;
}

// Makes one request of neighbours: appends to `gets`, and says in `wanted` who is in
// which.
static size_t join(struct wanted *wanted, size_t count, const char *url,
                   struct gv_http_get *gets)
{
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t at = frame_at(wanted[i].row), size = wanted[i].row->stored;
        struct gv_http_get *last = made ? &gets[made - 1] : NULL;
        uint64_t end = last ? last->from + last->size : 0;
        if (last && at >= end && at - end <= GAP_BYTES &&
            at + size - last->from <= JOINED_BYTES)
            last->size = at + size - last->from;
        else
            gets[made++] = (struct gv_http_get){
                .url = url, .part = GV_HTTP_RANGE, .from = at, .size = size
            };
        wanted[i].get = made - 1;
    }
    return made;
}

static struct gv_span part_of(const struct gv_http_get *get,
                              const struct gv_pack_row *row)
{
    return (struct gv_span){ get->body.data + (frame_at(row) - get->from),
                             (size_t)row->stored };
}

static bool take_wanted(struct http_source *s, const struct wanted *w,
                        struct gv_http_get *gets, struct gv_error *err)
{
    struct gv_http_get *get = &gets[w->get];
    return decode(s, w->item, part_of(get, w->row), NULL) ||
           (gv_http_run(s->http, get, 1, err) &&
            decode(s, w->item, part_of(get, w->row), err));
}

static bool fail_gone(const struct http_source *s, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "%.150s: status 404", s->shown);
}

static bool fetch_ranges(struct http_source *s, struct wanted *wanted, size_t count,
                         struct gv_error *err)
{
    struct gv_http_get *gets = calloc(count + 1, sizeof *gets);
    if (!gets)
        return gv_out_of_memory(err);
    qsort(wanted, count, sizeof *wanted, compare_offsets);
    size_t made = join(wanted, count, s->url, gets);
    bool ok = gv_http_run(s->http, gets, made, err);
    for (size_t i = 0; ok && i < made; i++)
        ok = !gets[i].missing || fail_gone(s, err);
    for (size_t i = 0; ok && i < count; i++)
        ok = take_wanted(s, &wanted[i], gets, err);
    for (size_t i = 0; i < made; i++)
        gv_bytes_finish(&gets[i].body);
    free(gets);
    return ok;
}

static bool fetch_from_pack(struct http_source *s, struct gv_fetch *const *items,
                            size_t count, struct gv_error *err)
{
    struct wanted *wanted = calloc(count + 1, sizeof *wanted);
    size_t apart = 0;
    bool ok = true;
    if (!wanted)
        return gv_out_of_memory(err);
    for (size_t i = 0; ok && i < count; i++) {
        const struct gv_pack_row *row;
        ok = find_row(s, items[i], &row, err);
        if (!ok || !row)
            continue;
        if (is_in_tail(s, row))
            ok = decode(s, items[i],
                        (struct gv_span){ s->tail.data + (frame_at(row) - s->tail_at),
                                          (size_t)row->stored },
                        err);
        else
            wanted[apart++] = (struct wanted){ items[i], row, 0 };
    }
    ok = ok && (!apart || fetch_ranges(s, wanted, apart, err));
    free(wanted);
    return ok;
}

// ---- a pack's index ----

static bool read_index(struct http_source *s, const struct gv_pack_trailer *trailer,
                       const uint8_t *bytes, struct gv_error *err)
{
    struct gv_error why = GV_ERROR_INIT;
    s->rows = calloc((size_t)trailer->rows + 1, sizeof *s->rows);
    if (!s->rows)
        return gv_out_of_memory(err);
    if (!gv_pack_read_rows(bytes, trailer, s->rows, &why)) {
        why.status = GV_ERR_FETCH;
        return fail_at(s, &why, err);
    }
    s->row_count = (size_t)trailer->rows;
    return true;
}

static bool fetch_index(struct http_source *s, const struct gv_pack_trailer *trailer,
                        struct gv_error *err)
{
    struct gv_http_get get = {
        .url = s->url,
        .part = GV_HTTP_RANGE,
        .from = trailer->index + GV_PACKFILE_RECORD_BYTES,
        .size = trailer->rows * GV_PACKFILE_ROW_BYTES,
    };
    if (get.from >= s->tail_at)
        return read_index(s, trailer, s->tail.data + (get.from - s->tail_at), err);
    if (get.size > MOST_INDEX)
        return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET,
                       "%.100s: the pack's index is too large", s->shown);
    bool ok = gv_http_run(s->http, &get, 1, err) &&
              (!get.missing || fail_gone(s, err)) &&
              read_index(s, trailer, get.body.data, err);
    gv_bytes_finish(&get.body);
    return ok;
}

static bool open_pack(struct http_source *s, struct gv_error *err)
{
    struct gv_http_get get = { .url = s->url,
                               .part = GV_HTTP_TAIL,
                               .size = TAIL_BYTES };
    struct gv_pack_trailer trailer;
    bool ok = gv_http_run(s->http, &get, 1, err);
    s->tail = get.body;
    if (ok && get.missing)
        return fail_gone(s, err);
    if (!ok)
        return false;
    s->tail_at = get.total - s->tail.size;
    if (s->tail.size < GV_PACKFILE_TRAILER_BYTES ||
        !gv_pack_read_trailer(s->tail.data + s->tail.size - GV_PACKFILE_TRAILER_BYTES,
                              &trailer) ||
        trailer.file_size != get.total)
        return gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET,
                       "%.100s: no pack, or without its index", s->shown);
    return fetch_index(s, &trailer, err);
}

// ---- the source ----

static bool fetch(struct gv_source *source, struct gv_fetch *items, size_t count,
                  struct gv_error *err)
{
    struct http_source *s = (struct http_source *)source;
    // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what it holds
    struct gv_fetch **open = calloc(count + 1, sizeof *open);
    size_t left = 0;
    if (!open)
        return gv_out_of_memory(err);
    for (size_t i = 0; i < count; i++)
        if (!items[i].found)
            open[left++] = &items[i];
    bool ok = !left || (s->rows ? fetch_from_pack(s, open, left, err)
                                : fetch_files(s, open, left, err));
    free(open);
    return ok;
}

static void destroy(struct gv_source *source)
{
    struct http_source *s = (struct http_source *)source;
    gv_codec_destroy(s->codec);
    gv_bytes_finish(&s->tail);
    free(s->rows);
    free(s->url);
    free(s->shown);
    free(s);
}

struct gv_source *gv_source_http(struct gv_http *http, const char *url, bool pack,
                                 struct gv_error *err)
{
    struct http_source *s = calloc(1, sizeof *s);
    size_t size = strlen(url) + 1;
    if (s) {
        s->url = strdup(url);
        s->shown = malloc(size);
        s->codec = gv_codec_create();
    }
    if (!s || !s->url || !s->shown || !s->codec) {
        if (s)
            destroy(&s->base);
        gv_out_of_memory(err);
        return NULL;
    }
    gv_http_show_url(url, s->shown, size);
    for (size_t end = size - 1; !pack && end && s->url[end - 1] == '/'; end--)
        s->url[end - 1] = '\0';
    s->http = http;
    s->base = (struct gv_source){ s->shown, fetch, NULL, destroy };
    if (!pack || open_pack(s, err))
        return &s->base;
    destroy(&s->base);
    return NULL;
}
