// The one grammar of SETs: of frames (--frames, --screenshots, --at) and of commands or
// calls (--calls). Words are `N`, `N-N`, `N-`, `*`, `all`, `last`, `end`, a kind of
// command (`draw`, `frame`, `fbo`), or `@FILE`; commas or white space stand between
// them. `/STEP` or, instead, `/KIND` may follow a word. A word that begins with a
// letter and goes on with a digit is none: places in a frame may be written so.
#ifndef GV_SET_H
#define GV_SET_H

#include "resources/base/bytes.h"
#include "resources/base/error.h"

#include <stddef.h>
#include <stdint.h>

// More than this many words in one SET, files included.
#define GV_SET_MAX_ITEMS ((size_t)1 << 20)

enum gv_set_word { GV_SET_RANGE, GV_SET_OPEN, GV_SET_ALL, GV_SET_LAST, GV_SET_END };

struct gv_set_item {
    enum gv_set_word kind;
    uint64_t first, last, step; // RANGE: all; OPEN: first, step; ALL: step
    uint8_t kinds;              // GV_COMMAND_*: one of them; 0: any
};

// What kinds of command one is.
struct gv_set_member {
    uint64_t number;
    uint8_t kinds; // GV_COMMAND_*
};

// A parsed SET: says nothing yet about how many there are.
struct gv_set {
    struct gv_set_item *items; // owned
    size_t count, capacity;
    // Set before it is resolved: the commands that have kinds, ascending; borrowed.
    const struct gv_set_member *members;
    size_t member_count;
};

// Appends the words of @FILE to `text`, which is empty.
struct gv_set_reader {
    bool (*read)(void *context, const char *path, struct gv_bytes *text,
                 struct gv_error *err);
    void *context;
};

// GV_ERR_USAGE naming the word; or what the reader says of an @FILE.
bool gv_set_parse(struct gv_set *set, const char *text,
                  const struct gv_set_reader *reader, struct gv_error *err);
void gv_set_finish(struct gv_set *set);

// Whether it selects a number that is of these kinds, of however many there are; `last`
// and `end` select none. `*named`: asked for by number. Not of a SET with a /STEP among
// commands of a kind, which must be counted.
bool gv_set_has(const struct gv_set *set, uint64_t number, uint8_t kinds, bool *named);
// Whether gv_set_has says all that there is to say of the SET.
bool gv_set_is_told_singly(const struct gv_set *set);
// Whether the SET names nothing but numbers, none of which hangs on how many there are;
// then `*total` is one more than the highest.
bool gv_set_bound(const struct gv_set *set, uint64_t *total);
// Whether one of its words is such.
bool gv_set_uses(const struct gv_set *set, enum gv_set_word word);

#endif
