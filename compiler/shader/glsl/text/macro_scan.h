// GLSL text as the preprocessor sees it, for those who count what macros make.
#ifndef GV_MACRO_SCAN_H
#define GV_MACRO_SCAN_H

#include "resources/base/error.h"

#include <stddef.h>

#define GV_MAX_MACRO_TOKENS (1u << 20) // of a source with macros, as it stands

enum macro_token_kind {
    MACRO_WORD,
    MACRO_OPEN,
    MACRO_CLOSE,
    MACRO_OTHER,
    MACRO_HASH, // at the beginning of a line
    MACRO_NEWLINE,
    MACRO_END,
};

struct macro_token {
    uint32_t at, size; // bytes of the text
    enum macro_token_kind kind;
    bool spaced; // something stands between it and the token before
};

struct macro_source {
    const char *text;           // borrowed, NUL-terminated
    struct macro_token *tokens; // owned; the last one is MACRO_END
    size_t count, capacity;
    struct gv_error *err; // borrowed
};

// Cuts the text. Refuses what another reader of it might see otherwise: tokens that go
// on behind a backslash, and strings.
bool macro_scan(struct macro_source *s);

// Fails naming the line of a token.
bool macro_refuse(const struct macro_source *s, enum gv_status status,
                  const struct macro_token *t, const char *what);

// Room for one more item behind `count`: doubles the array.
bool macro_room(const struct macro_source *s, void **items, size_t count,
                size_t *capacity, size_t size);

bool macro_same_word(const struct macro_source *s, const struct macro_token *a,
                     const struct macro_token *b);
bool macro_is_word(const struct macro_source *s, const struct macro_token *t,
                   const char *word);
// A # wherever it stands.
bool macro_is_hash(const struct macro_source *s, const struct macro_token *t);
// The newline, or the end, that token `i`'s line ends with.
uint32_t macro_line_end(const struct macro_source *s, uint32_t i);

#endif
