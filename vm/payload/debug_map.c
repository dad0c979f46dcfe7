#include "vm/payload/debug_map.h"

#include "resources/base/pages.h"

#include "resources/base/foreign.h"

#include <stdlib.h>
#include <string.h>

// ---- writing ----

#define SHAPE_TABLE ((size_t)1 << 17) // twice GV_MAX_DEBUG_SHAPES
#define POINTER_TABLE ((size_t)1 << 17)
// Tables begin with so many places and grow within their memory, or few entries would
// touch a page each.
#define FIRST_TABLE ((size_t)1 << 9)

struct pointer_name {
    const char *name; // the caller's pointer; NULL = free
    uint32_t index;
};

struct gv_debug_encoder {
    struct gv_debug_shape *shapes;   // [GV_MAX_DEBUG_SHAPES]
    const char **names;              // [GV_MAX_DEBUG_NAMES]
    uint32_t *shape_table;           // [SHAPE_TABLE]: index + 1, or 0
    struct pointer_name *pointers;   // [POINTER_TABLE]
    size_t shape_mask, pointer_mask; // of the places that are used
    size_t shape_count, name_count, pointer_count;
    uint64_t command, offset; // of the row before
};

struct gv_debug_encoder *gv_debug_encoder_create(void)
{
    struct gv_debug_encoder *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->shapes = gv_pages_take(GV_MAX_DEBUG_SHAPES * sizeof *e->shapes);
    e->names = gv_pages_take(GV_MAX_DEBUG_NAMES * sizeof *e->names);
    e->shape_table = gv_pages_take(SHAPE_TABLE * sizeof *e->shape_table);
    e->pointers = gv_pages_take(POINTER_TABLE * sizeof *e->pointers);
    e->shape_mask = e->pointer_mask = FIRST_TABLE - 1;
    e->command = UINT64_MAX; // so that command 0 is one further
    if (e->shapes && e->names && e->shape_table && e->pointers)
        return e;
    gv_debug_encoder_destroy(e);
    return NULL;
}

void gv_debug_encoder_destroy(struct gv_debug_encoder *e)
{
    if (!e)
        return;
    gv_pages_give(e->shapes, GV_MAX_DEBUG_SHAPES * sizeof *e->shapes);
    gv_pages_give(e->names, GV_MAX_DEBUG_NAMES * sizeof *e->names);
    gv_pages_give(e->shape_table, SHAPE_TABLE * sizeof *e->shape_table);
    gv_pages_give(e->pointers, POINTER_TABLE * sizeof *e->pointers);
    free(e);
}

static size_t mix(uint64_t v)
{
    v *= 0x9e3779b97f4a7c15u;
    return (size_t)(v >> 40);
}

// The number of a name by content; `name_count` (and one more name) if it is new.
static bool find_name(struct gv_debug_encoder *e, const char *name, uint32_t *index)
{
    size_t i = 0;
    while (i < e->name_count && strcmp(e->names[i], name) != 0)
        i++;
    if (i == GV_MAX_DEBUG_NAMES)
        return false;
    e->names[i] = name;
    *index = (uint32_t)i;
    return true;
}

// The same by pointer first: front-ends' names are static.
static bool intern_name(struct gv_debug_encoder *e, const char *name, uint32_t *index)
{
    size_t at = mix((uint64_t)(uintptr_t)name) & e->pointer_mask;
    while (e->pointers[at].name && e->pointers[at].name != name)
        at = (at + 1) & e->pointer_mask;
    if (e->pointers[at].name) {
        *index = e->pointers[at].index;
        return true;
    }
    if (!find_name(e, name, index))
        return false;
    if (e->pointer_count > e->pointer_mask / 2 && e->pointer_mask < POINTER_TABLE - 1) {
        // All are found by content once more.
        memset(e->pointers, 0, (e->pointer_mask + 1) * sizeof *e->pointers);
        e->pointer_mask = e->pointer_mask * 2 + 1;
        e->pointer_count = 0;
    } else if (e->pointer_count < POINTER_TABLE / 2) {
        e->pointers[at] = (struct pointer_name){ name, *index };
        e->pointer_count++;
    }
    return true;
}

static bool same_shape(const struct gv_debug_shape *a, const struct gv_debug_shape *b)
{
    return a->command_delta == b->command_delta && a->offset_delta == b->offset_delta &&
           a->name == b->name && a->number_delta == b->number_delta &&
           a->kinds == b->kinds;
}

// Where a shape stands in the table, or the free place where it would.
static size_t find_shape(const struct gv_debug_encoder *e,
                         const struct gv_debug_shape *shape)
{
    size_t at = mix(shape->command_delta * 31 + (uint64_t)shape->offset_delta * 7 +
                    shape->name + (uint64_t)shape->number_delta * 131 +
                    shape->kinds * UINT64_C(524287)) &
                e->shape_mask;
    while (e->shape_table[at] && !same_shape(&e->shapes[e->shape_table[at] - 1], shape))
        at = (at + 1) & e->shape_mask;
    return at;
}

static void add_shape(struct gv_debug_encoder *e, const struct gv_debug_shape *shape,
                      size_t at)
{
    e->shapes[e->shape_count++] = *shape;
    e->shape_table[at] = (uint32_t)e->shape_count;
    if (e->shape_count <= e->shape_mask / 2 || e->shape_mask == SHAPE_TABLE - 1)
        return;
    memset(e->shape_table, 0, (e->shape_mask + 1) * sizeof *e->shape_table);
    e->shape_mask = e->shape_mask * 2 + 1;
    for (size_t i = 0; i < e->shape_count; i++)
        e->shape_table[find_shape(e, &e->shapes[i])] = (uint32_t)i + 1;
}

static void put_literal(struct gv_debug_encoder *e, const struct gv_debug_shape *shape,
                        const char *name, struct gv_bytes *out)
{
    gv_bytes_uleb(out, 0);
    gv_bytes_uleb(out, shape->command_delta - 1);
    gv_bytes_sleb(out, shape->offset_delta);
    if (shape->number_delta || shape->kinds) {
        gv_bytes_uleb(out, e->name_count + 1);
        gv_bytes_sleb(out, shape->number_delta);
        gv_bytes_u8(out, shape->kinds);
    }
    gv_bytes_uleb(out, shape->name);
    if (shape->name < e->name_count)
        return;
    size_t length = strlen(name);
    gv_bytes_uleb(out, length);
    gv_bytes_put(out, name, length);
    e->name_count++;
}

bool gv_debug_encode(struct gv_debug_encoder *e, const struct gv_source_row *row,
                     struct gv_bytes *out)
{
    struct gv_debug_shape shape = {
        .command_delta = row->command - e->command,
        .offset_delta = (int64_t)(row->offset - e->offset),
        .number_delta = (int64_t)(row->number - row->command),
        .kinds = row->kinds,
    };
    if (!intern_name(e, row->name, &shape.name))
        return false;
    e->command = row->command;
    e->offset = row->offset;
    size_t at = find_shape(e, &shape);
    if (e->shape_table[at]) {
        gv_bytes_uleb(out, e->shape_table[at]);
        return true;
    }
    put_literal(e, &shape, row->name, out);
    if (e->shape_count < GV_MAX_DEBUG_SHAPES)
        add_shape(e, &shape, at);
    return true;
}

// ---- reading ----

static bool room(void **array, size_t count, size_t *capacity, size_t element)
{
    if (count < *capacity)
        return true;
    size_t more = *capacity ? *capacity * 2 : 64;
    void *moved = realloc(*array, more * element);
    if (!moved)
        return false;
    *array = moved;
    *capacity = more;
    return true;
}

static bool add_name(struct gv_debug_walk *walk, struct gv_arena *arena)
{
    uint64_t length = gv_cursor_uleb(&walk->c);
    if (length > GV_MAX_NAME_BYTES || walk->name_count >= GV_MAX_DEBUG_NAMES)
        walk->c.bad = true;
    const uint8_t *bytes = gv_cursor_take(&walk->c, (size_t)length);
    if (!bytes || !gv_utf8_valid(bytes, (size_t)length)) {
        walk->c.bad = true;
        return false;
    }
    void *names = (void *)walk->names;
    char *copy = gv_arena_copy(arena, bytes, (size_t)length);
    if (!copy || !room(&names, walk->name_count, &walk->name_capacity, sizeof copy))
        return false;
    walk->names = names;
    walk->names[walk->name_count++] = copy;
    return true;
}

// What a row may have beyond most: a number of its own, kinds. `*name` comes behind.
static void read_more(struct gv_debug_walk *walk, struct gv_debug_shape *shape,
                      uint64_t *name)
{
    shape->number_delta = gv_cursor_sleb(&walk->c);
    shape->kinds = gv_cursor_u8(&walk->c);
    *name = gv_cursor_uleb(&walk->c);
    if (shape->kinds >> GV_COMMAND_KINDS || (!shape->kinds && !shape->number_delta))
        walk->c.bad = true;
}

static bool read_literal(struct gv_debug_walk *walk, struct gv_arena *arena,
                         struct gv_debug_shape *shape)
{
    uint64_t delta = gv_cursor_uleb(&walk->c);
    shape->offset_delta = gv_cursor_sleb(&walk->c);
    uint64_t name = gv_cursor_uleb(&walk->c);
    if (name == (uint64_t)walk->name_count + 1)
        read_more(walk, shape, &name);
    if (delta == UINT64_MAX || name > walk->name_count)
        walk->c.bad = true;
    if (walk->c.bad || (name == walk->name_count && !add_name(walk, arena)))
        return false;
    shape->command_delta = delta + 1;
    shape->name = (uint32_t)name;
    void *shapes = walk->shapes;
    if (walk->shape_count == GV_MAX_DEBUG_SHAPES)
        return true;
    if (!room(&shapes, walk->shape_count, &walk->shape_capacity, sizeof *shape))
        return false;
    walk->shapes = shapes;
    walk->shapes[walk->shape_count++] = *shape;
    return true;
}

bool gv_debug_walk_next(struct gv_debug_walk *walk, struct gv_arena *names)
{
    struct gv_debug_shape shape = { 0 };
    if (walk->c.bad || gv_cursor_left(&walk->c) == 0)
        return false;
    uint64_t code = gv_cursor_uleb(&walk->c);
    if (code > walk->shape_count)
        walk->c.bad = true;
    if (walk->c.bad)
        return false;
    if (code)
        shape = walk->shapes[code - 1];
    else if (!read_literal(walk, names, &shape))
        return false;
    uint64_t command = walk->rows ? walk->row.command : UINT64_MAX;
    if (walk->rows && shape.command_delta > UINT64_MAX - command) {
        walk->c.bad = true; // commands ascend
        return false;
    }
    walk->row.command = command + shape.command_delta;
    walk->row.offset += (uint64_t)shape.offset_delta;
    walk->row.name = walk->names[shape.name];
    walk->row.number = walk->row.command + (uint64_t)shape.number_delta;
    walk->row.kinds = shape.kinds;
    walk->c.bad = walk->row.number >= GV_MAX_COMMAND_NUMBER;
    walk->rows += !walk->c.bad;
    return !walk->c.bad;
}

void gv_debug_walk_finish(struct gv_debug_walk *walk)
{
    free(walk->shapes);
    free((void *)walk->names);
    *walk = (struct gv_debug_walk){ 0 };
}
