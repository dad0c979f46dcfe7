#include "vm/inspect/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "resources/base/decimal.h"

// Words of docs/paths.md that need more than the code: contents, or the capture.
static const char *const later[] = {
    "app",     "color",   "cs",      "depth",   "display",  "fs",      "gs",
    "ib",      "mem",     "mesh",    "o",       "pipeline", "queries", "sampler",
    "source",  "stencil", "storage", "targets", "tcs",      "tes",     "tex",
    "uniform", "vb",      "vram",    "vs",      "xfb",
};

static bool refuse(const char *text, const char *why, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "path '%.64s': %s", text, why);
}

static bool take_number(const char **at, char letter, uint64_t *number)
{
    if (**at != letter || !((*at)[1] >= '0' && (*at)[1] <= '9'))
        return false;
    ++*at;
    return gv_take_decimal(at, number);
}

static bool read_place(struct gv_place *p, const char **at)
{
    p->before = **at == '^';
    *at += p->before;
    if (strncmp(*at, "end", 3) == 0) {
        p->kind = GV_PLACE_END;
        *at += 3;
        return true;
    }
    p->kind = GV_PLACE_COMMAND;
    if (take_number(at, 'c', &p->number))
        return true;
    p->kind = GV_PLACE_FRAME;
    if (!take_number(at, 'f', &p->frame))
        return false;
    if (**at != '.')
        return true;
    ++*at;
    p->kind = **at == 'd' ? GV_PLACE_WORK : GV_PLACE_PASS;
    return take_number(at, p->kind == GV_PLACE_WORK ? 'd' : 'p', &p->number);
}

// Whether a word is `known`, or that with a number, a dot or a pick behind it.
static bool begins_with(const char *word, const char *known)
{
    const size_t length = strlen(known);
    return strncmp(word, known, length) == 0 &&
           !(word[length] >= 'a' && word[length] <= 'z');
}

static bool read_word(struct gv_path *path, const char *word, const char *text,
                      struct gv_error *err)
{
    const size_t length = strlen(word);
    if (length >= sizeof path->word)
        return refuse(text, "too long a word", err);
    memcpy(path->word, word, length + 1);
    if (!length || strcmp(word, "objects") == 0 || strcmp(word, "state") == 0 ||
        (strncmp(word, "state.", 6) == 0 && word[6]))
        return true;
    bool known = strpbrk(word, "[#\":") != NULL;
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        known = known || begins_with(word, later[i]);
    return known
               ? gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                         "unsupported: path %.64s: contents, shaders and the source's "
                         "state",
                         text)
               : refuse(text, "expected state, state.NAME, objects or nothing behind /",
                        err);
}

bool gv_path_parse(struct gv_path *path, const char *text, struct gv_error *err)
{
    const char *at = text;
    *path = (struct gv_path){ .word = "state" };
    if (*at != '/' && !read_place(&path->place, &at))
        return refuse(
            text, "expected fN, fN.dN, fN.pN, cN or end, with ^ in front or not", err);
    if (*at == '.' && path->place.kind == GV_PLACE_COMMAND)
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: path %.64s: parts of a command", text);
    if (!*at && at != text)
        return true;
    if (*at != '/')
        return refuse(text, "expected / behind the place", err);
    if (at == text && at[1])
        return refuse(text, "nothing is behind / alone", err);
    return read_word(path, at + 1, text, err);
}

void gv_place_print(const struct gv_place *p, char text[GV_PATH_TEXT])
{
    const char *before = p->before ? "^" : "";
    switch (p->kind) {
    case GV_PLACE_ALL:
        text[0] = '\0';
        break;
    case GV_PLACE_FRAME:
        snprintf(text, GV_PATH_TEXT, "%sf%" PRIu64, before, p->frame);
        break;
    case GV_PLACE_WORK:
    case GV_PLACE_PASS:
        snprintf(text, GV_PATH_TEXT, "%sf%" PRIu64 ".%c%" PRIu64, before, p->frame,
                 p->kind == GV_PLACE_WORK ? 'd' : 'p', p->number);
        break;
    case GV_PLACE_COMMAND:
        snprintf(text, GV_PATH_TEXT, "%sc%" PRIu64, before, p->number);
        break;
    case GV_PLACE_END:
        snprintf(text, GV_PATH_TEXT, "%send", before);
        break;
    }
}

void gv_path_print(const struct gv_path *path, char text[GV_PATH_TEXT])
{
    gv_place_print(&path->place, text);
    const size_t length = strlen(text);
    snprintf(text + length, GV_PATH_TEXT - length, "/%s", path->word);
}
