#include "vm/inspect/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "resources/base/decimal.h"
#include "vm/calls.h"

// Words of docs/paths.md that need more than the code and a device.
static const char *const later[] = { "app",     "mem",    "mesh",
                                     "queries", "source", "targets" };

// Things that have contents: the word, how many numbers stand behind it (`dotted`: each
// behind a dot, the last one may be missing) and what it is.
static const struct word {
    const char *word;
    uint8_t numbers;
    bool dotted;
    enum gv_thing_kind thing;
    uint32_t stage;
} words[] = {
    { "buffer", 3, true, GV_THING_BINDING, 0 },
    { "color", 1, false, GV_THING_COLOR, 0 },
    { "cs", 0, false, GV_THING_SHADER, GV_STAGE_COMPUTE },
    { "depth", 0, false, GV_THING_DEPTH, 0 },
    { "display", 0, false, GV_THING_DISPLAY, 0 },
    { "fs", 0, false, GV_THING_SHADER, GV_STAGE_FRAGMENT },
    { "gs", 0, false, GV_THING_SHADER, GV_STAGE_GEOMETRY },
    { "ib", 0, false, GV_THING_INDEX, 0 },
    { "image", 3, true, GV_THING_BINDING, 0 },
    { "o", 1, false, GV_THING_OBJECT, 0 },
    { "stencil", 0, false, GV_THING_STENCIL, 0 },
    { "storage", 3, true, GV_THING_BINDING, 0 },
    { "tcs", 0, false, GV_THING_SHADER, GV_STAGE_TESSELLATION_CONTROL },
    { "tes", 0, false, GV_THING_SHADER, GV_STAGE_TESSELLATION_EVALUATION },
    { "tex", 3, true, GV_THING_BINDING, 0 },
    { "texels", 3, true, GV_THING_BINDING, 0 },
    { "uniform", 3, true, GV_THING_BINDING, 0 },
    { "vb", 1, false, GV_THING_VERTEX, 0 },
    { "vram", 0, false, GV_THING_VRAM, 0 },
    { "vs", 0, false, GV_THING_SHADER, GV_STAGE_VERTEX },
    { "xfb", 1, false, GV_THING_FEEDBACK, 0 },
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

// ---- things ----

static bool take_hex(const char **at, uint64_t *number)
{
    static const char digits[] = "0123456789abcdef";
    const char *p = *at + 2;
    const char *digit;
    *number = 0;
    if (strncmp(*at, "0x", 2) != 0)
        return gv_take_decimal(at, number);
    for (; *p && (digit = strchr(digits, *p)) != NULL && p - *at < 18; p++)
        *number = *number << 4 | (uint64_t)(digit - digits);
    const bool any = p > *at + 2;
    *at = p;
    return any;
}

// "NAME" and a number behind it.
static bool take_part(const char **at, const char *name, uint64_t *number)
{
    const size_t length = strlen(name);
    if (strncmp(*at, name, length) != 0)
        return false;
    const char *p = *at + length;
    if (!(*p >= '0' && *p <= '9') || !gv_take_decimal(&p, number))
        return false;
    *at = p;
    return true;
}

// [x,y,WxH] or [OFFSET+SIZE], behind the bracket.
static bool take_brackets(const char **at, struct gv_pick *pick)
{
    const char *p = *at;
    uint64_t first;
    if (!take_hex(&p, &first))
        return false;
    pick->has_bytes = *p == '+';
    pick->has_box = *p == ',';
    if (pick->has_bytes) {
        p++;
        pick->offset = first;
        if (!take_hex(&p, &pick->size))
            return false;
    } else if (!pick->has_box) {
        return false;
    } else {
        pick->x = first;
        if (!take_part(&p, ",", &pick->y) || !take_part(&p, ",", &pick->width) ||
            !take_part(&p, "x", &pick->height) || !pick->width || !pick->height)
            return false;
    }
    *at = p + 1;
    return *p == ']';
}

// u8, s16, f32 and such, with x2 to x4 behind or not; b15 and such, of VRAM.
static bool take_type(const char **at, char type[GV_PATH_TYPE])
{
    static const char *const types[] = { "u8",  "s8",  "u16", "s16", "f16",
                                         "u32", "s32", "f32", "f64", "b4",
                                         "b8",  "b15", "b24" };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t length = strlen(types[i]);
        if (strncmp(*at, types[i], length) != 0)
            continue;
        const char *p = *at + length;
        const bool many = **at != 'b' && *p == 'x' && p[1] >= '2' && p[1] <= '4';
        p += many ? 2 : 0;
        memcpy(type, *at, (size_t)(p - *at));
        type[p - *at] = '\0';
        *at = p;
        return true;
    }
    return false;
}

static bool take_picks(const char **at, struct gv_pick *pick)
{
    *pick = (struct gv_pick){ 0 };
    pick->has_mip = take_part(at, ".mip", &pick->mip);
    pick->has_layer = take_part(at, ".layer", &pick->layer);
    pick->has_sample = take_part(at, ".sample", &pick->sample);
    if (**at == '[') {
        ++*at;
        if (!take_brackets(at, pick))
            return false;
    }
    if (**at == ':') {
        ++*at;
        if (!take_type(at, pick->type))
            return false;
    }
    return !**at;
}

static bool take_numbers(const char **at, const struct word *word, uint64_t *number)
{
    for (size_t i = 0; i < word->numbers; i++) {
        number[i] = 0;
        if (!take_part(at, word->dotted ? "." : "", &number[i]))
            return word->dotted && i == 2;
    }
    return true;
}

// NULL: it is none.
static const struct word *find_word(struct gv_path *path, const char *text,
                                    const char **picks)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const char *at = text + strlen(words[i].word);
        if (strncmp(text, words[i].word, (size_t)(at - text)) != 0 ||
            !take_numbers(&at, &words[i], path->number) || (*at && !strchr(".[:", *at)))
            continue;
        *picks = at;
        return &words[i];
    }
    return NULL;
}

static bool is_later(const char *word)
{
    bool known = strpbrk(word, "#\"") != NULL;
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        known = known || begins_with(word, later[i]);
    return known;
}

static bool read_thing(struct gv_path *path, const char *word, const char *text,
                       struct gv_error *err)
{
    const char *at;
    const struct word *found = find_word(path, word, &at);
    if (!found && is_later(word))
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET, "unsupported: path %.64s",
                       text);
    if (!found)
        return refuse(text,
                      "expected state, state.NAME, objects, a thing such as color0 or "
                      "tex.2.0, or nothing behind /",
                      err);
    path->thing = found->thing;
    path->stage = found->stage;
    return (take_picks(&at, &path->pick) &&
            (path->pick.type[0] != 'b' || path->thing == GV_THING_VRAM)) ||
           refuse(text,
                  "expected .mipN, .layerN, .sampleN, [x,y,WxH] or [OFFSET+SIZE] "
                  "and :TYPE (f32x4) behind it, in that order",
                  err);
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
    return read_thing(path, word, text, err);
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
    if (strcmp(text, "/dead") == 0) {
        strcpy(path->word, "dead");
        return true;
    }
    if (at == text && at[1])
        return refuse(text, "behind / alone there is dead, or nothing", err);
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

// The word of a thing with its numbers, and its picks, as they are written first.
static void print_thing(const struct gv_path *path, char *text, size_t size)
{
    const struct gv_pick *p = &path->pick;
    const size_t word = strcspn(path->word, "0123456789.[:");
    size_t n = (size_t)snprintf(text, size, "%.*s", (int)word, path->word);
    if (path->thing == GV_THING_BINDING)
        n += (size_t)snprintf(text + n, size - n, ".%" PRIu64 ".%" PRIu64 ".%" PRIu64,
                              path->number[0], path->number[1], path->number[2]);
    else if (path->word[word] >= '0' && path->word[word] <= '9')
        n += (size_t)snprintf(text + n, size - n, "%" PRIu64, path->number[0]);
    if (p->has_mip)
        n += (size_t)snprintf(text + n, size - n, ".mip%" PRIu64, p->mip);
    if (p->has_layer)
        n += (size_t)snprintf(text + n, size - n, ".layer%" PRIu64, p->layer);
    if (p->has_sample)
        n += (size_t)snprintf(text + n, size - n, ".sample%" PRIu64, p->sample);
    if (p->has_box)
        n += (size_t)snprintf(text + n, size - n,
                              "[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "x%" PRIu64 "]", p->x,
                              p->y, p->width, p->height);
    if (p->has_bytes)
        n += (size_t)snprintf(text + n, size - n, "[0x%" PRIx64 "+%" PRIu64 "]",
                              p->offset, p->size);
    if (p->type[0])
        snprintf(text + n, size - n, ":%s", p->type);
}

void gv_path_print(const struct gv_path *path, char text[GV_PATH_TEXT])
{
    gv_place_print(&path->place, text);
    const size_t length = strlen(text);
    text[length] = '/';
    if (path->thing == GV_THING_NONE)
        snprintf(text + length + 1, GV_PATH_TEXT - length - 1, "%s", path->word);
    else
        print_thing(path, text + length + 1, GV_PATH_TEXT - length - 1);
}
