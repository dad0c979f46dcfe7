#include "compiler/point_size.h"

#include "resources/base/cursor.h"

#include <stdint.h>
#include <stdlib.h>

// SPIR-V specification, 3.32, 3.20 and 3.21.
#define OP_TYPE_POINTER 32
#define OP_CONSTANT 43
#define OP_VARIABLE 59
#define OP_STORE 62
#define OP_ACCESS_CHAIN 65
#define OP_IN_BOUNDS_ACCESS_CHAIN 66
#define OP_DECORATE 71
#define OP_MEMBER_DECORATE 72
#define DECORATION_BUILTIN 11
#define BUILTIN_POINT_SIZE 1
#define FLOAT_ONE 0x3f800000u

#define MOST_IDS (1u << 20)

// What is known of an id.
enum { IS_ONE = 1, IS_SIZE = 2, IS_MEMBER = 4, IS_BLOCK = 8 };

struct scan {
    uint8_t *marks; // [bound]
    uint32_t bound;
    uint32_t block, member; // the built-in in its block; 0 = none
    bool varies;
};

static void mark(struct scan *s, uint32_t id, uint8_t what)
{
    if (id < s->bound)
        s->marks[id] |= what;
}

static bool has(const struct scan *s, uint32_t id, uint8_t what)
{
    return id < s->bound && (s->marks[id] & what);
}

static void instruction(struct scan *s, uint32_t op, uint32_t count,
                        const uint32_t w[4])
{
    switch (op) {
    case OP_DECORATE:
        if (count >= 4 && w[1] == DECORATION_BUILTIN && w[2] == BUILTIN_POINT_SIZE)
            mark(s, w[0], IS_SIZE);
        break;
    case OP_MEMBER_DECORATE:
        if (count >= 5 && w[2] == DECORATION_BUILTIN && w[3] == BUILTIN_POINT_SIZE)
            s->block = w[0], s->member = w[1];
        break;
    case OP_CONSTANT:
        if (count == 4 && w[2] == FLOAT_ONE)
            mark(s, w[1], IS_ONE);
        if (count == 4 && w[2] == s->member)
            mark(s, w[1], IS_MEMBER);
        break;
    case OP_TYPE_POINTER:
        if (s->block && w[2] == s->block)
            mark(s, w[0], IS_BLOCK);
        break;
    case OP_VARIABLE:
        if (has(s, w[0], IS_BLOCK))
            mark(s, w[1], IS_BLOCK);
        break;
    case OP_ACCESS_CHAIN:
    case OP_IN_BOUNDS_ACCESS_CHAIN:
        if (count == 5 && has(s, w[2], IS_BLOCK) && has(s, w[3], IS_MEMBER))
            mark(s, w[1], IS_SIZE);
        break;
    case OP_STORE:
        if (count >= 3 && has(s, w[0], IS_SIZE) && !has(s, w[1], IS_ONE))
            s->varies = true;
        break;
    default:
        break;
    }
}

bool gv_point_size_varies(const void *words, size_t size)
{
    struct gv_cursor c = gv_cursor_make(words, size);
    gv_cursor_take(&c, 3 * sizeof(uint32_t));
    struct scan s = { .bound = gv_cursor_u32(&c) };
    gv_cursor_u32(&c);
    if (c.bad || s.bound > MOST_IDS || !(s.marks = calloc(s.bound + 1, 1)))
        return false;
    while (!c.bad && gv_cursor_left(&c) >= sizeof(uint32_t)) {
        uint32_t head = gv_cursor_u32(&c), count = head >> 16;
        size_t end = c.pos + ((size_t)count - 1) * sizeof(uint32_t);
        uint32_t w[4] = { 0 };
        if (count == 0 || end > c.size)
            break;
        for (uint32_t i = 0; i + 1 < count && i < 4; i++)
            w[i] = gv_cursor_u32(&c);
        gv_cursor_seek(&c, end);
        instruction(&s, head & 0xffff, count, w);
    }
    free(s.marks);
    return s.varies;
}
