// What a process says that cannot go on: made ahead, since a signal handler may not
// make any, nor a process without memory.
#ifndef GV_LAST_WORDS_H
#define GV_LAST_WORDS_H

#include "resources/base/bytes.h"
#include "tools/base/json.h"
#include "tools/base/report.h"

struct gv_last_words {
    struct gv_bytes text;
    struct gv_json object; // empty: not wanted
    enum gv_exit code;
};

// `path` is copied. `json`: the sentence is a JSON object on standard output too.
void gv_last_words_init(struct gv_last_words *words, const char *path,
                        const struct gv_error *err, bool json);
void gv_last_words_finish(struct gv_last_words *words);

// Ends the process with their exit code. Fine in a signal handler.
_Noreturn void gv_last_words_say(const struct gv_last_words *words);

// In a child: `word` and the exit code are written to `fd` first, so that the parent
// knows of the end.
void gv_last_words_tell(int fd, uint8_t word);

#endif
