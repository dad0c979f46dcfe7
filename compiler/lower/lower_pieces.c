#include "compiler/lower/lower_pieces.h"

#include <stdlib.h>
#include <string.h>

#include "resources/base/cursor.h"

#define LEAST_CAPACITY 64u

void gv_lower_piece_hold(struct gv_lower_piece *piece)
{
    piece->references++;
}

void gv_lower_piece_drop(struct gv_lower_piece *piece)
{
    if (piece && --piece->references == 0)
        free(piece);
}

static struct gv_lower_entry *place_of(const struct gv_lower_pieces *p,
                                       const struct gv_hash *key)
{
    uint64_t at = gv_load_u64(key->bytes);
    for (;; at++) {
        struct gv_lower_entry *e = &p->entries[at & (p->capacity - 1)];
        if (!e->used || gv_hash_equal(&e->key, key))
            return e;
    }
}

static void forget(struct gv_lower_pieces *p)
{
    for (uint32_t i = 0; i < p->capacity; i++)
        gv_lower_piece_drop(p->entries[i].piece);
    if (p->capacity)
        memset(p->entries, 0, p->capacity * sizeof *p->entries);
    p->count = 0;
    p->bytes = 0;
}

// At least every second place stays free.
static bool make_room(struct gv_lower_pieces *p)
{
    if (p->count == GV_PIECES_KNOWN)
        forget(p);
    if (p->count * 2 < p->capacity)
        return true;
    const struct gv_lower_pieces old = *p;
    p->capacity = old.capacity ? old.capacity * 2 : LEAST_CAPACITY;
    p->entries = calloc(p->capacity, sizeof *p->entries);
    if (!p->entries) {
        *p = old;
        return false;
    }
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.entries[i].used)
            *place_of(p, &old.entries[i].key) = old.entries[i];
    free(old.entries);
    return true;
}

struct gv_lower_entry *gv_lower_pieces_find(struct gv_lower_pieces *p,
                                            const struct gv_hash *key)
{
    if (!make_room(p))
        return NULL;
    struct gv_lower_entry *e = place_of(p, key);
    e->seen = e->used;
    if (!e->used) {
        e->used = true;
        e->key = *key;
        p->count++;
    }
    return e;
}

struct gv_lower_piece *gv_lower_pieces_add(struct gv_lower_pieces *p,
                                           const struct gv_hash *key,
                                           const struct gv_lower_piece *like)
{
    const uint64_t index_bytes = (uint64_t)like->index_count * sizeof *like->indices;
    const uint64_t size = like->vertex_bytes + index_bytes;
    if (size > GV_PIECES_BYTES)
        return NULL;
    if (p->bytes + size > GV_PIECES_BYTES)
        forget(p);
    struct gv_lower_piece *piece = malloc(sizeof *piece + (size_t)size);
    struct gv_lower_entry *e = piece ? gv_lower_pieces_find(p, key) : NULL;
    if (!e) {
        free(piece);
        return NULL;
    }
    *piece = *like;
    piece->references = 2;
    // Indices first: their alignment is that of the struct.
    piece->indices = like->index_count ? (uint32_t *)(void *)(piece + 1) : NULL;
    piece->vertices = (uint8_t *)(piece + 1) + index_bytes;
    gv_lower_piece_drop(e->piece);
    e->piece = piece;
    p->bytes += size;
    return piece;
}

void gv_lower_pieces_finish(struct gv_lower_pieces *p)
{
    forget(p);
    free(p->entries);
    *p = (struct gv_lower_pieces){ 0 };
}
