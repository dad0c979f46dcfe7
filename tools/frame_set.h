// The SET grammar of --frames, --screenshots and --calls: comma-separated `N`, `N-N`,
// `N-`, `*`, `all`, `last`, `end`, each with an optional `/STEP`, or `@FILE`. Commands
// are also chosen by their kind: `draw`, `frame`, `fbo`, or `/draw` instead of a step.
#ifndef GV_FRAME_SET_H
#define GV_FRAME_SET_H

#include "resources/base/error.h"

#include <stddef.h>
#include <stdint.h>

// More than this many words in one SET, files included.
#define GV_SET_MAX_ITEMS ((size_t)1 << 20)
// More than this many numbers selected.
#define GV_SET_MAX_NUMBERS ((size_t)1 << 24)

struct gv_set_item {
    enum { GV_SET_RANGE, GV_SET_OPEN, GV_SET_ALL, GV_SET_LAST, GV_SET_END } kind;
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
    // Told of each @FILE, in gv_set_files.
    void (*named)(void *context, const char *path);
    void *context;
    // Set before it is resolved: the commands that have kinds, ascending; borrowed.
    const struct gv_set_member *members;
    size_t member_count;
};

// GV_ERR_USAGE naming the word, or an @FILE that cannot be read or is over
// GV_FILE_TEXT_MAX bytes; GV_ERR_NOT_FOUND for one that is not there.
bool gv_set_parse(struct gv_set *set, const char *text, struct gv_error *err);
void gv_set_finish(struct gv_set *set);

// Names the files that a SET names, also by files that it names. Pipes are left out,
// and not read: that can be done only once. What is wrong with the SET is not told.
void gv_set_files(const char *text, void (*named)(void *context, const char *path),
                  void *context);

// A SET met with a number of frames or commands.
struct gv_selection {
    uint64_t *numbers; // owned; ascending, no duplicates
    bool *named;       // owned; [count]: asked for by number (or `last`)
    size_t count;
    bool end; // the word `end` was there
};

// `total`: numbers are below it. One that is not is GV_ERR_USAGE ("frame 9 is out of
// range: there are 3"); `what` is "frame" or "command". So is a kind, where no member
// has one.
bool gv_set_resolve(const struct gv_set *set, uint64_t total, const char *what,
                    struct gv_selection *out, struct gv_error *err);
// Whether it selects a number, of however many; `last` and kinds select none. `*named`:
// asked for by number.
bool gv_set_has(const struct gv_set *set, uint64_t number, bool *named);
// Whether the SET names nothing but numbers, none of which hangs on how many there are;
// then `*total` is one more than the highest.
bool gv_set_bound(const struct gv_set *set, uint64_t *total);
// Whether a SET can only be understood when the number of frames is known. One with a
// file is taken for such: it may be a pipe, and those can be read once.
bool gv_set_needs_all(const char *text);
void gv_selection_finish(struct gv_selection *selection);

// The index of `number`, or -1.
ptrdiff_t gv_selection_find(const struct gv_selection *selection, uint64_t number);

#endif
