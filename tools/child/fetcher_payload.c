#define _GNU_SOURCE // mmap's flags
#include "tools/child/fetcher_payload.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "resources/dictionaries.h"
#include "resources/http/source_http.h"
#include "vm/payload/payload.h"
#include "vm/payload/payload_remote.h"

#define JOINED_BYTES ((uint64_t)8 << 20)
#define MOST_FILE ((uint64_t)1 << 40)
#define MOST_TABLES ((uint64_t)1 << 30) // in memory, to find the groups

struct remote {
    struct gv_http *http;
    const char *url;
    char shown[128];
    uint8_t *bytes; // mapped
    uint64_t size;
    uint64_t have; // from here to the end it is there
};

static bool fail_at(const struct remote *r, const struct gv_error *why,
                    struct gv_error *err)
{
    return gv_fail(err, why->status, why->offset, "%.80s: %s", r->shown, why->message);
}

// ---- ranges ----

static bool fetch(struct remote *r, struct gv_http_get *gets, size_t count,
                  struct gv_error *err)
{
    bool ok = gv_http_run(r->http, gets, count, err);
    for (size_t i = 0; i < count; i++) {
        if (ok && gets[i].missing)
            ok = gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "%s: status 404", r->shown);
        if (ok)
            memcpy(r->bytes + gets[i].from, gets[i].body.data, gets[i].body.size);
        gv_bytes_finish(&gets[i].body);
    }
    return ok;
}

// One request of neighbours that begin at `ranges`; `*used` are so many.
static struct gv_http_get join(const struct remote *r,
                               const struct gv_payload_range *ranges, size_t count,
                               size_t *used)
{
    struct gv_http_get get = { .url = r->url,
                               .part = GV_HTTP_RANGE,
                               .from = ranges[0].from,
                               .size = ranges[0].size };
    uint64_t gaps = 0;
    size_t n = 1;
    for (; n < count && ranges[n].from < r->have; n++) {
        const uint64_t end = ranges[n].from + ranges[n].size;
        const uint64_t gap = ranges[n].from - get.from - get.size;
        if (!gv_http_joins(gap, gaps, end - get.from - gap - gaps) ||
            end - get.from > JOINED_BYTES)
            break;
        gaps += gap;
        get.size = end - get.from;
    }
    *used = n;
    return get;
}

static bool fetch_ranges(struct remote *r, const struct gv_payload_range *ranges,
                         size_t count, struct gv_error *err)
{
    struct gv_http_get *gets = calloc(count + 1, sizeof *gets);
    size_t made = 0;
    if (!gets)
        return gv_out_of_memory(err);
    for (size_t i = 0, n; i < count && ranges[i].from < r->have; i += n)
        gets[made++] = join(r, ranges + i, count - i, &n);
    bool ok = fetch(r, gets, made, err);
    free(gets);
    return ok;
}

// ---- the file ----

static bool map_tail(struct remote *r, struct gv_http_get *tail, int memory,
                     struct gv_error *err)
{
    r->size = tail->total;
    r->have = r->size - tail->body.size;
    if (r->size < GV_PAYLOAD_REMOTE_TRAILER || r->size > MOST_FILE)
        return gv_fail(err, GV_ERR_FORMAT, GV_NO_OFFSET, "%s: not a payload", r->shown);
    void *bytes =
        ftruncate(memory, (off_t)r->size) == 0
            ? mmap(NULL, (size_t)r->size, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
            : MAP_FAILED;
    if (bytes == MAP_FAILED)
        return gv_out_of_memory(err);
    r->bytes = bytes;
    memcpy(r->bytes + r->have, tail->body.data, tail->body.size);
    return true;
}

static bool fetch_tail(struct remote *r, int memory, struct gv_error *err)
{
    struct gv_http_get tail;
    bool ok = gv_http_run_end(r->http, r->url, &tail, err);
    if (ok && tail.missing)
        ok = gv_fail(err, GV_ERR_FETCH, GV_NO_OFFSET, "%s: status 404", r->shown);
    ok = ok && map_tail(r, &tail, memory, err);
    gv_bytes_finish(&tail.body);
    return ok;
}

// What does not end like a payload is one that was cut off only if it begins like one.
static bool fail_end(struct remote *r, const struct gv_error *why, struct gv_error *err)
{
    struct gv_http_get get = { .url = r->url,
                               .part = GV_HTTP_RANGE,
                               .size = GV_PAYLOAD_MAGIC_BYTES };
    if (r->have > 0 && !fetch(r, &get, 1, err))
        return false;
    if (memcmp(r->bytes, GV_PAYLOAD_MAGIC, GV_PAYLOAD_MAGIC_BYTES) != 0)
        return gv_fail(err, GV_ERR_FORMAT, 0,
                       "%.80s: no payload; a capture is to be compiled first",
                       r->shown);
    return fail_at(r, why, err);
}

static bool fetch_tables(struct remote *r, struct gv_error *err)
{
    struct gv_error why = GV_ERROR_INIT;
    struct gv_payload_range *ranges = NULL;
    uint64_t from;
    size_t count = 0;
    if (!gv_payload_remote_directory(r->bytes + r->size - GV_PAYLOAD_REMOTE_TRAILER,
                                     r->size, &from, &why))
        return fail_end(r, &why, err);
    struct gv_http_get get = {
        .url = r->url, .part = GV_HTTP_RANGE, .from = from, .size = r->have - from
    };
    if (from < r->have && !fetch(r, &get, 1, err))
        return false;
    r->have = from < r->have ? from : r->have;
    if (!gv_payload_remote_ranges(r->bytes + from, from, r->size, &ranges, &count,
                                  &why))
        return fail_at(r, &why, err);
    bool ok = fetch_ranges(r, ranges, count, err);
    free(ranges);
    return ok;
}

// ---- the groups ----

static int by_id(const void *a, const void *b)
{
    const struct gv_pack_row *x = a, *y = b;
    return gv_hash_compare(&x->hash, &y->hash);
}

static struct gv_pack_row row_of(const struct gv_group *g)
{
    return (struct gv_pack_row){ .hash = g->hash,
                                 .offset = g->file_offset,
                                 .stored = g->stored_size,
                                 .raw_size = g->raw_size };
}

// The place of a group's dictionary among those there are. The reader has seen to it
// that these are not more than GV_DICTIONARY_MOST.
static uint32_t place_of(uint32_t group, uint32_t *groups, size_t *count)
{
    size_t place = 0;
    while (place < *count && groups[place] != group)
        place++;
    if (place == *count)
        groups[(*count)++] = group;
    return (uint32_t)place;
}

static struct gv_async *source_of(const struct remote *r, const struct gv_payload *p,
                                  struct gv_error *err)
{
    struct gv_pack_row *rows = calloc(p->group_count + 1, sizeof *rows);
    struct gv_pack_row dictionaries[GV_DICTIONARY_MOST];
    uint32_t groups[GV_DICTIONARY_MOST];
    struct gv_http_parts parts = { .url = r->url,
                                   .rows = rows,
                                   .dictionaries = dictionaries,
                                   .tail = { r->bytes + r->have,
                                             (size_t)(r->size - r->have) },
                                   .tail_at = r->have };
    if (!rows) {
        gv_out_of_memory(err);
        return NULL;
    }
    for (size_t i = 0; i < p->group_count; i++) {
        const struct gv_group *g = &p->groups[i];
        if (!g->file_offset)
            continue;
        struct gv_pack_row *row = &rows[parts.count++];
        *row = row_of(g);
        if (g->codec == GV_CODEC_DICTIONARY)
            row->dictionary =
                place_of(g->dictionary, groups, &parts.dictionary_count) + 1;
    }
    for (size_t i = 0; i < parts.dictionary_count; i++)
        dictionaries[i] = row_of(&p->groups[groups[i]]);
    if (parts.count)
        qsort(rows, parts.count, sizeof *rows, by_id);
    struct gv_async *source = gv_source_http_parts(r->http, &parts, err);
    free(rows);
    return source;
}

static struct gv_async *open_groups(const struct remote *r, struct gv_error *err)
{
    struct gv_payload payload = { 0 };
    struct gv_error why = GV_ERROR_INIT;
    struct gv_async *source = NULL;
    if (gv_payload_open_memory(&payload, r->bytes, (size_t)r->size, MOST_TABLES, &why))
        source = source_of(r, &payload, err);
    else
        fail_at(r, &why, err);
    gv_payload_finish(&payload);
    return source;
}

struct gv_async *gv_fetcher_payload(struct gv_http *http, const char *url, int memory,
                                    struct gv_error *err)
{
    struct remote r = { .http = http, .url = url };
    struct gv_async *source = NULL;
    gv_http_show_url(url, r.shown, sizeof r.shown);
    if (fetch_tail(&r, memory, err) && fetch_tables(&r, err))
        source = open_groups(&r, err);
    if (r.bytes)
        munmap(r.bytes, (size_t)r.size);
    return source;
}
