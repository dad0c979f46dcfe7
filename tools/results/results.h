// What came of checking a capture: a word, why, and the frames that differ.
#ifndef GV_RESULTS_H
#define GV_RESULTS_H

#include "resources/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The words of deqp-runner.
enum gv_word {
    GV_WORD_PASS,
    GV_WORD_FAIL,
    GV_WORD_CRASH,
    GV_WORD_TIMEOUT,
    GV_WORD_SKIP,    // the device lacks a feature that the capture needs
    GV_WORD_MISSING, // there is no such capture
    GV_WORD_EXPECTED_FAIL,
    GV_WORD_UNEXPECTED_PASS,
};
#define GV_WORD_COUNT 8

const char *gv_word_name(enum gv_word word); // "ExpectedFail"
// By its name, of `length` bytes; what stands behind in brackets does not count.
bool gv_word_find(const char *name, size_t length, enum gv_word *word);
// Whether a result with it lets the check pass.
bool gv_word_is_expected(enum gv_word word);

// Pictures that were left of a frame.
enum gv_result_picture {
    GV_RESULT_ACTUAL = 1,
    GV_RESULT_EXPECTED = 2,
    GV_RESULT_DIFF = 4,
};

struct gv_result_frame {
    const char *frame;             // "12", "end"
    const char *why;               // "the hash differs"
    const char *expected, *actual; // "64x64 sha256-rgba:...", or "missing"
    unsigned pictures;             // bits
};

// How it compares with the same capture in an earlier run.
enum gv_change {
    GV_CHANGE_NONE,
    GV_CHANGE_FAILS,  // newly
    GV_CHANGE_PASSES, // newly
    GV_CHANGE_SLOWER,
    GV_CHANGE_NEW, // there was none
};
#define GV_CHANGE_COUNT 5
const char *gv_change_name(enum gv_change change); // "newly-failing", "" for none

// All text is the results' own. None is NULL.
struct gv_result {
    const char *name;    // of its golden file, without the ending
    const char *file;    // the capture
    const char *note;    // "incomplete": said behind the word in brackets; or ""
    const char *why;     // one line, or ""
    const char *command; // shows the failure again, or ""
    const char *golden;  // a hash of what it was compared with, or ""
    enum gv_word word;
    enum gv_change change;
    uint64_t ns;                             // that the replay took
    uint64_t frames;                         // that were compared
    const struct gv_result_frame *differing; // the first ones
    size_t differing_count;
    uint64_t differing_total; // of which so many are in `differing`
};

// "Pass (incomplete)", of `size` bytes at most.
void gv_result_label(const struct gv_result *r, char *text, size_t size);

// What a whole run made, in the order of its input. Zero-initialise.
struct gv_results {
    struct gv_arena arena;   // holds the texts
    struct gv_result *items; // owned
    size_t count, capacity;
    const char *title;   // of pages: what was checked
    const char *device;  // "" if none is known
    const char *version; // of the program
};

void gv_results_finish(struct gv_results *results);

// A copy of all that `r` holds, as the last one; NULL when memory runs out.
struct gv_result *gv_results_add(struct gv_results *results, const struct gv_result *r);

// How many have the word.
size_t gv_results_count(const struct gv_results *results, enum gv_word word);
size_t gv_results_unexpected(const struct gv_results *results);

// The folder of a result's pictures below that of all results, and the names of those:
// "pictures/NAME/frame_000012" and "actual.png". False: no room.
bool gv_result_picture_base(char *path, size_t size, const char *name,
                            const char *frame);
const char *gv_result_picture_ending(enum gv_result_picture picture);

#endif
