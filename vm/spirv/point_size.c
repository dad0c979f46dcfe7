#include "vm/spirv/point_size.h"

#include "resources/base/cursor.h"

#include <stdbool.h>
#include <stdlib.h>

// SPIR-V specification, 3.32, 3.20 and 3.21.
#define OP_EXECUTION_MODE 16
#define OP_CAPABILITY 17
#define OP_TYPE_POINTER 32
#define OP_CONSTANT 43
#define OP_VARIABLE 59
#define OP_STORE 62
#define OP_ACCESS_CHAIN 65
#define OP_IN_BOUNDS_ACCESS_CHAIN 66
#define OP_DECORATE 71
#define OP_MEMBER_DECORATE 72
#define CAPABILITY_TRANSFORM_FEEDBACK 53
#define DECORATION_BUILTIN 11
#define BUILTIN_POINT_SIZE 1
#define MODE_POINT_MODE 10
#define MODE_OUTPUT_POINTS 27
#define FLOAT_ONE 0x3f800000u

#define MOST_IDS (1u << 20)

// What is known of an id.
enum { IS_ONE = 1, IS_SIZE = 2 };

struct scan {
    uint8_t *marks; // [bound]
    // [bound] 1 + the member that is the built-in, of blocks, of pointers to them and
    // of variables (inputs and outputs are blocks of their own); 1 + the value of
    // constants.
    uint8_t *members;
    uint32_t bound, traits;
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

static void set_member(struct scan *s, uint32_t id, uint32_t member)
{
    if (id < s->bound && member <= UINT8_MAX)
        s->members[id] = (uint8_t)member;
}

static uint32_t member(const struct scan *s, uint32_t id)
{
    return id < s->bound ? s->members[id] : 0;
}

static void instruction(struct scan *s, uint32_t op, uint32_t count,
                        const uint32_t w[4])
{
    switch (op) {
    case OP_CAPABILITY:
        if (count >= 2 && w[0] == CAPABILITY_TRANSFORM_FEEDBACK)
            s->traits |= GV_POINTS_CAPTURED;
        break;
    case OP_DECORATE:
        if (count >= 4 && w[1] == DECORATION_BUILTIN && w[2] == BUILTIN_POINT_SIZE)
            mark(s, w[0], IS_SIZE);
        break;
    case OP_MEMBER_DECORATE:
        if (count >= 5 && w[2] == DECORATION_BUILTIN && w[3] == BUILTIN_POINT_SIZE &&
            w[1] < UINT8_MAX)
            set_member(s, w[0], w[1] + 1);
        break;
    case OP_EXECUTION_MODE:
        if (count >= 3 && (w[1] == MODE_POINT_MODE || w[1] == MODE_OUTPUT_POINTS))
            s->traits |= GV_POINTS_MADE;
        break;
    case OP_CONSTANT:
        if (count == 4 && w[2] == FLOAT_ONE)
            mark(s, w[1], IS_ONE);
        if (count == 4 && w[2] < UINT8_MAX)
            set_member(s, w[1], w[2] + 1);
        break;
    case OP_TYPE_POINTER:
        set_member(s, w[0], member(s, w[2]));
        break;
    case OP_VARIABLE:
        set_member(s, w[1], member(s, w[0]));
        break;
    case OP_ACCESS_CHAIN:
    case OP_IN_BOUNDS_ACCESS_CHAIN:
        if (count == 5 && member(s, w[2]) && member(s, w[3]) == member(s, w[2]))
            mark(s, w[1], IS_SIZE);
        break;
    case OP_STORE:
        if (count >= 3 && has(s, w[0], IS_SIZE) && !has(s, w[1], IS_ONE))
            s->traits |= GV_POINTS_SIZED;
        break;
    default:
        break;
    }
}

uint32_t gv_point_traits(const void *words, size_t size)
{
    struct gv_cursor c = gv_cursor_make(words, size);
    gv_cursor_take(&c, 3 * sizeof(uint32_t));
    struct scan s = { .bound = gv_cursor_u32(&c) };
    gv_cursor_u32(&c);
    if (c.bad || s.bound > MOST_IDS || !(s.marks = calloc(2, (size_t)s.bound + 1)))
        return 0;
    s.members = s.marks + s.bound + 1;
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
    return s.traits;
}
