#define _GNU_SOURCE // tdestroy
#include "vm/stream/stream_groups.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/codec.h"
#include "resources/dictionaries.h"
#include "vm/payload/payload_segments.h"

// A group and where its stored bytes are in the file.
struct placed {
    struct gv_group group;
    uint64_t at;
};

// They stand in a tree, since a hash table could be made to collide.
struct node {
    struct placed own; // first: the tree compares them
    const struct placed *dictionary;
};

struct gv_stream_groups {
    struct gv_source base; // first: the functions cast back
    int spill;
    uint64_t size;      // of the file
    uint64_t limit;     // that it may have
    const char *option; // which sets that
    void *tree;         // of nodes
    struct gv_codec_state *codec;
    struct placed dictionary_groups[GV_DICTIONARY_MOST];
    uint32_t dictionary_numbers[GV_DICTIONARY_MOST];
    size_t dictionary_count;
    struct gv_dictionaries dictionaries; // by place in `dictionary_groups`
};

static int compare(const void *a, const void *b)
{
    const struct gv_group *x = &((const struct node *)a)->own.group;
    const struct gv_group *y = &((const struct node *)b)->own.group;
    int order = memcmp(x->hash.bytes, y->hash.bytes, sizeof x->hash.bytes);
    return order ? order : (x->raw_size > y->raw_size) - (x->raw_size < y->raw_size);
}

// ---- writing ----

static bool fail_file(const char *what, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_SYSTEM, GV_NO_OFFSET,
                   "cannot %s the file of resources: %s", what,
                   errno ? strerror(errno) : "it is too short");
}

bool gv_stream_groups_put(struct gv_stream_groups *g, const uint8_t *bytes, size_t size,
                          struct gv_error *err)
{
    if (size > g->limit - g->size)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                       "resources of the stream take over %" PRIu64 " MiB: %s",
                       g->limit >> 20, g->option);
    while (size > 0) {
        ssize_t n = pwrite(g->spill, bytes, size, (off_t)g->size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail_file("write", err);
        bytes += n;
        size -= (size_t)n;
        g->size += (uint64_t)n;
    }
    return true;
}

// The reader has seen to it that there are not more of them.
static const struct placed *place_dictionary(struct gv_stream_groups *g,
                                             const struct gv_payload *payload,
                                             uint32_t number)
{
    size_t known = 0;
    while (known < g->dictionary_count && g->dictionary_numbers[known] != number)
        known++;
    if (known < g->dictionary_count)
        return &g->dictionary_groups[known];
    struct placed *placed = &g->dictionary_groups[g->dictionary_count];
    g->dictionary_numbers[g->dictionary_count++] = number;
    *placed = (struct placed){ .group = payload->groups[number] };
    for (uint32_t i = 0; i < number; i++)
        placed->at += payload->groups[i].stored_size;
    return placed;
}

bool gv_stream_groups_add(struct gv_stream_groups *g, const struct gv_payload *payload,
                          size_t number, struct gv_error *err)
{
    const struct gv_group *group = &payload->groups[number];
    struct node *node = malloc(sizeof *node);
    if (!node)
        return gv_out_of_memory(err);
    *node = (struct node){ .own = { *group, g->size - group->stored_size } };
    if (group->codec == GV_CODEC_DICTIONARY)
        node->dictionary = place_dictionary(g, payload, group->dictionary);
    struct node **place = tsearch(node, &g->tree, compare);
    if (!place || *place != node) // the same bytes once more, or no memory
        free(node);
    return place || gv_out_of_memory(err);
}

// ---- reading ----

static bool read_stored(const struct gv_stream_groups *g, const struct placed *placed,
                        uint8_t *out, struct gv_error *err)
{
    size_t size = (size_t)placed->group.stored_size;
    for (size_t done = 0; done < size;) {
        errno = 0;
        ssize_t n =
            pread(g->spill, out + done, size - done, (off_t)(placed->at + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail_file("read", err);
        done += (size_t)n;
    }
    return true;
}

static bool unpack(const struct gv_stream_groups *g, const struct placed *placed,
                   struct gv_span dictionary, uint8_t *out, struct gv_error *err)
{
    const struct gv_group *group = &placed->group;
    if (group->codec == GV_CODEC_RAW)
        return read_stored(g, placed, out, err);
    uint8_t *stored = malloc((size_t)group->stored_size);
    if (!stored)
        return gv_out_of_memory(err);
    struct gv_error mine = GV_ERROR_INIT;
    const struct gv_codec_frame frame = { { stored, (size_t)group->stored_size },
                                          dictionary };
    bool ok = read_stored(g, placed, stored, err);
    if (ok && !gv_codec_decompress_with(g->codec, &frame, out, (size_t)group->raw_size,
                                        &mine))
        ok = gv_group_damaged(group, true, mine.message, err);
    free(stored);
    return ok;
}

static bool expand(const struct gv_stream_groups *g, const struct placed *placed,
                   struct gv_span dictionary, uint8_t *out, struct gv_error *err)
{
    const struct gv_group *group = &placed->group;
    if (!unpack(g, placed, dictionary, out, err))
        return false;
    struct gv_hash hash = gv_hash_bytes(out, (size_t)group->raw_size);
    return gv_hash_equal(&hash, &group->hash) ||
           gv_group_damaged(group, true, "its bytes have another hash", err);
}

static bool find_dictionary(struct gv_stream_groups *g, const struct placed *placed,
                            struct gv_span *dictionary, struct gv_error *err)
{
    const struct gv_span none = { 0 };
    const uint32_t number = (uint32_t)(placed - g->dictionary_groups);
    *dictionary = gv_dictionaries_find(&g->dictionaries, number);
    if (dictionary->data)
        return true;
    const size_t size = (size_t)placed->group.raw_size;
    uint8_t *raw = malloc(size);
    if (!raw)
        return gv_out_of_memory(err);
    bool ok = expand(g, placed, none, raw, err) &&
              gv_dictionaries_keep(&g->dictionaries, number,
                                   (struct gv_span){ raw, size }, err);
    free(raw);
    *dictionary = gv_dictionaries_find(&g->dictionaries, number);
    return ok;
}

static bool fetch_one(struct gv_stream_groups *g, struct gv_fetch *item,
                      struct gv_error *err)
{
    const struct node wanted = { .own = { .group = { .hash = item->hash,
                                                     .raw_size = item->raw_size } } };
    struct gv_span dictionary = { 0 };
    struct node *const *found = tfind(&wanted, &g->tree, compare);
    if (!found)
        return true;
    if ((*found)->dictionary &&
        !find_dictionary(g, (*found)->dictionary, &dictionary, err))
        return false;
    item->found = expand(g, &(*found)->own, dictionary, item->data, err);
    return item->found;
}

static bool fetch(struct gv_source *source, struct gv_fetch *items, size_t count,
                  struct gv_error *err)
{
    struct gv_stream_groups *g = (struct gv_stream_groups *)source;
    for (size_t i = 0; i < count; i++)
        if (!items[i].found && !fetch_one(g, &items[i], err))
            return false;
    return true;
}

// ---- life ----

static void keep(struct gv_source *source)
{
    (void)source; // gv_stream_groups_destroy
}

struct gv_stream_groups *gv_stream_groups_create(const struct gv_stream_params *params,
                                                 struct gv_error *err)
{
    struct gv_stream_groups *g = calloc(1, sizeof *g);
    if (g) {
        g->base = (struct gv_source){
            .name = "stream", .fetch = fetch, .destroy = keep, .storeless = true
        };
        g->spill = params->spill;
        g->limit = params->spill_limit;
        g->option = params->spill_option;
        g->codec = gv_codec_create();
    }
    if (g && g->codec)
        return g;
    free(g);
    gv_out_of_memory(err);
    return NULL;
}

void gv_stream_groups_destroy(struct gv_stream_groups *g)
{
    if (!g)
        return;
    tdestroy(g->tree, free);
    gv_codec_destroy(g->codec);
    gv_dictionaries_finish(&g->dictionaries);
    free(g);
}

struct gv_source *gv_stream_groups_source(struct gv_stream_groups *g)
{
    return &g->base;
}
