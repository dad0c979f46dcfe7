#include "tools/base/last_words.h"

#include <unistd.h>

#include "resources/base/write_all.h"

// A signal handler sees nothing else.
static struct {
    bool told;
    int line;
    uint8_t word;
} state;

void gv_last_words_init(struct gv_last_words *words, const char *path,
                        const struct gv_error *err, bool json)
{
    char text[1024];
    *words = (struct gv_last_words){ .code = gv_exit_of(err->status, GV_PHASE_LOAD) };
    gv_error_describe(text, sizeof text, path, err, GV_PHASE_LOAD);
    gv_bytes_printf(&words->text, "%s: %s\n", gv_who(), text);
    if (!json)
        return;
    gv_json_result(&words->object);
    gv_json_error(&words->object, path, err, words->code);
    gv_json_end(&words->object);
    gv_bytes_u8(&words->object.out, '\n');
}

void gv_last_words_finish(struct gv_last_words *words)
{
    gv_bytes_finish(&words->text);
    gv_json_finish(&words->object);
}

void gv_last_words_say(const struct gv_last_words *words)
{
    const uint8_t done[] = { state.word, (uint8_t)words->code };
    gv_write_all(STDERR_FILENO, words->text.data, words->text.size);
    gv_write_all(STDOUT_FILENO, words->object.out.data, words->object.out.size);
    if (state.told)
        gv_write_all(state.line, done, sizeof done);
    _exit((int)words->code);
}

void gv_last_words_tell(int fd, uint8_t word)
{
    state.line = fd;
    state.word = word;
    state.told = true;
}
