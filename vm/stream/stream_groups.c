#define _GNU_SOURCE // tdestroy
#include "vm/stream/stream_groups.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/codec.h"

// A group; they stand in a tree, since a hash table could be made to collide.
struct node {
    struct gv_group group;
    uint64_t at; // in the file
};

struct gv_stream_groups {
    struct gv_source base; // first: the functions cast back
    int spill;
    uint64_t size; // of the file
    void *tree;    // of nodes
    struct gv_codec_state *codec;
};

static int compare(const void *a, const void *b)
{
    const struct gv_group *x = &((const struct node *)a)->group;
    const struct gv_group *y = &((const struct node *)b)->group;
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

bool gv_stream_groups_add(struct gv_stream_groups *g, const struct gv_group *group,
                          struct gv_error *err)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        return gv_out_of_memory(err);
    *node = (struct node){ *group, g->size - group->stored_size };
    struct node **place = tsearch(node, &g->tree, compare);
    if (!place || *place != node) // the same bytes once more, or no memory
        free(node);
    return place || gv_out_of_memory(err);
}

// ---- reading ----

static bool damaged(const struct node *node, const char *why, struct gv_error *err)
{
    char hex[GV_HASH_HEX];
    gv_hash_to_hex(&node->group.hash, hex);
    return gv_fail(err, GV_ERR_FETCH, node->group.file_offset,
                   "resource group %s is damaged: %s", hex, why);
}

static bool read_stored(const struct gv_stream_groups *g, const struct node *node,
                        uint8_t *out, struct gv_error *err)
{
    size_t size = (size_t)node->group.stored_size;
    for (size_t done = 0; done < size;) {
        errno = 0;
        ssize_t n = pread(g->spill, out + done, size - done, (off_t)(node->at + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail_file("read", err);
        done += (size_t)n;
    }
    return true;
}

static bool expand(const struct gv_stream_groups *g, const struct node *node,
                   uint8_t *out, struct gv_error *err)
{
    if (node->group.codec == GV_CODEC_RAW)
        return read_stored(g, node, out, err);
    uint8_t *stored = malloc((size_t)node->group.stored_size);
    if (!stored)
        return gv_out_of_memory(err);
    struct gv_error mine = GV_ERROR_INIT;
    const struct gv_span span = { stored, (size_t)node->group.stored_size };
    bool ok = read_stored(g, node, stored, err);
    if (ok &&
        !gv_codec_decompress(g->codec, span, out, (size_t)node->group.raw_size, &mine))
        ok = damaged(node, mine.message, err);
    free(stored);
    return ok;
}

static bool fetch_one(struct gv_stream_groups *g, struct gv_fetch *item,
                      struct gv_error *err)
{
    const struct node wanted = { .group = { .hash = item->hash,
                                            .raw_size = item->raw_size } };
    struct node *const *found = tfind(&wanted, &g->tree, compare);
    if (!found)
        return true;
    if (!expand(g, *found, item->data, err))
        return false;
    struct gv_hash hash = gv_hash_bytes(item->data, (size_t)item->raw_size);
    item->found = gv_hash_equal(&hash, &item->hash);
    return item->found || damaged(*found, "its bytes have another hash", err);
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

struct gv_stream_groups *gv_stream_groups_create(int spill, struct gv_error *err)
{
    struct gv_stream_groups *g = calloc(1, sizeof *g);
    if (g) {
        g->base =
            (struct gv_source){ .name = "stream", .fetch = fetch, .destroy = keep };
        g->spill = spill;
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
    free(g);
}

struct gv_source *gv_stream_groups_source(struct gv_stream_groups *g)
{
    return &g->base;
}
