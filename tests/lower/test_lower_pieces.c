// Pieces: kept from the second sight on, forgotten when they are too many, alive while
// they are held.
#include "compiler/lower/lower_pieces.h"
#include "tests/test.h"

#include <string.h>

static struct gv_hash key_of(uint64_t number)
{
    return gv_hash_bytes(&number, sizeof number);
}

// A piece of `bytes` vertices and 3 indices, in which only the first vertex is written.
static struct gv_lower_piece *add(struct gv_lower_pieces *p, uint64_t number,
                                  uint64_t bytes)
{
    const struct gv_hash key = key_of(number);
    struct gv_lower_piece *piece = gv_lower_pieces_add(
        p, &key,
        &(struct gv_lower_piece){
            .vertex_count = 1, .index_count = 3, .vertex_bytes = bytes });
    if (piece) {
        memcpy(piece->vertices, &number, sizeof number);
        memset(piece->indices, 0, 3 * sizeof *piece->indices);
    }
    return piece;
}

static struct gv_lower_entry *find(struct gv_lower_pieces *p, uint64_t number)
{
    const struct gv_hash key = key_of(number);
    return gv_lower_pieces_find(p, &key);
}

static void test_found(void)
{
    struct gv_lower_pieces p = { 0 };
    CHECK(!find(&p, 1)->seen);
    CHECK(find(&p, 1)->seen);
    for (uint64_t i = 2; i < 1000; i++)
        CHECK(!find(&p, i)->seen);
    gv_lower_piece_drop(add(&p, 7, 16));
    CHECK(find(&p, 1)->seen && !find(&p, 1)->piece);
    const struct gv_lower_piece *kept = find(&p, 7)->piece;
    CHECK(kept && kept->references == 1 && kept->index_count == 3);
    CHECK(kept && kept->vertices[0] == 7);
    gv_lower_piece_drop(add(&p, 7, 32));
    CHECK(find(&p, 7)->piece->vertex_bytes == 32);
    gv_lower_pieces_finish(&p);
}

static void test_bounds(void)
{
    struct gv_lower_pieces p = { 0 };
    const uint64_t third = GV_PIECES_BYTES / 3;
    CHECK(!add(&p, 1, GV_PIECES_BYTES));
    struct gv_lower_piece *held = add(&p, 1, third);
    gv_lower_piece_drop(add(&p, 2, third));
    CHECK(p.bytes <= GV_PIECES_BYTES && find(&p, 1)->piece == held);
    gv_lower_piece_drop(add(&p, 3, third));
    CHECK(p.bytes <= GV_PIECES_BYTES && find(&p, 3)->piece);
    CHECK(!find(&p, 2)->piece && !find(&p, 1)->piece);
    CHECK(held->references == 1 && held->vertices[0] == 1);
    gv_lower_piece_drop(held);
    for (uint64_t i = 0; i < 3 * (uint64_t)GV_PIECES_KNOWN; i++)
        find(&p, 100 + i);
    CHECK(p.count <= GV_PIECES_KNOWN && p.capacity == 2 * GV_PIECES_KNOWN);
    gv_lower_pieces_finish(&p);
}

int main(void)
{
    gv_lower_piece_drop(NULL);
    test_found();
    test_bounds();
    return TEST_RESULT();
}
