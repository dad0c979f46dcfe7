#include "tools/edit/edit_list.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/file.h"
#include "tools/verdict/pixels.h"

#define SHADER_BYTES ((size_t)4 << 20) // most of a file
#define LINE_BYTES 4096u

static bool add_item(struct gv_edit_list *list, const struct gv_edit_item *item,
                     struct gv_error *err)
{
    if (list->items.size / sizeof *item >= GV_EDIT_MAX_ITEMS)
        return gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "more than %u edits",
                       GV_EDIT_MAX_ITEMS);
    gv_bytes_put(&list->items, item, sizeof *item);
    return !list->items.failed || gv_out_of_memory(err);
}

static const char *keep_text(struct gv_edit_list *list, const char *text, size_t size,
                             struct gv_error *err)
{
    char *copy = gv_arena_alloc(&list->arena, size + 1);
    if (!copy) {
        gv_out_of_memory(err);
        return NULL;
    }
    memcpy(copy, text, size);
    copy[size] = '\0';
    return copy;
}

// "TARGET=VALUE" in two.
static bool divide(struct gv_edit_list *list, const char *text,
                   struct gv_edit_item *item, struct gv_error *err)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "'%.64s': expected %s", text,
                       item->kind == GV_EDIT_SET ? "PATH.FIELD=VALUE" : "PATH=FILE");
    item->target = keep_text(list, text, (size_t)(equals - text), err);
    item->value = keep_text(list, equals + 1, strlen(equals + 1), err);
    return item->target && item->value;
}

// ---- files ----

static bool ends_with(const char *text, const char *end)
{
    const size_t a = strlen(text), b = strlen(end);
    return a > b && strcmp(text + a - b, end) == 0;
}

static uint32_t stage_of(const char *path)
{
    static const struct {
        const char *end;
        uint32_t stage;
    } stages[] = {
        { ".vert", GV_STAGE_VERTEX },
        { ".tesc", GV_STAGE_TESSELLATION_CONTROL },
        { ".tese", GV_STAGE_TESSELLATION_EVALUATION },
        { ".geom", GV_STAGE_GEOMETRY },
        { ".frag", GV_STAGE_FRAGMENT },
        { ".comp", GV_STAGE_COMPUTE },
    };
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (ends_with(path, stages[i].end))
            return stages[i].stage;
    return 0;
}

static bool compile(struct gv_edit_list *list, struct gv_edit_item *item,
                    const struct gv_file *file, struct gv_error *err)
{
    const char *text = keep_text(list, (const char *)file->data, file->size, err);
    struct gv_bytes spirv = { 0 };
    struct gv_error why = GV_ERROR_INIT;
    if (!text)
        return false;
    bool ok = strlen(text) == file->size || gv_fail(err, GV_ERR_FORMAT, strlen(text),
                                                    "%.64s: holds NUL", item->value);
    if (ok && !list->program->captures->compile_shader(stage_of(item->value), text,
                                                       &spirv, &why))
        ok = gv_fail(err, why.status, GV_NO_OFFSET, "%.48s: %.100s", item->value,
                     why.message);
    if (ok) {
        item->bytes.data = gv_arena_copy(&list->arena, spirv.data, spirv.size);
        item->bytes.size = spirv.size;
        ok = item->bytes.data || gv_out_of_memory(err);
    }
    gv_bytes_finish(&spirv);
    return ok;
}

static bool read_spirv(struct gv_edit_list *list, struct gv_edit_item *item,
                       const struct gv_file *file, struct gv_error *err)
{
    static const uint8_t magic[4] = { 0x03, 0x02, 0x23, 0x07 };
    if (file->size < 20 || file->size % 4 || memcmp(file->data, magic, 4) != 0)
        return gv_fail(err, GV_ERR_FORMAT, 0, "%.64s: no SPIR-V in this byte order",
                       item->value);
    item->bytes.data = gv_arena_copy(&list->arena, file->data, file->size);
    item->bytes.size = file->size;
    return item->bytes.data || gv_out_of_memory(err);
}

static bool read_shader(struct gv_edit_list *list, struct gv_edit_item *item,
                        struct gv_error *err)
{
    struct gv_file file;
    if (!gv_file_load_regular(&file, item->value, SHADER_BYTES, err))
        return false;
    item->kind = GV_EDIT_SHADER;
    const bool ok = ends_with(item->value, ".spv") ? read_spirv(list, item, &file, err)
                                                   : compile(list, item, &file, err);
    gv_file_close(&file);
    return ok;
}

static bool read_picture(struct gv_edit_list *list, struct gv_edit_item *item,
                         struct gv_error *err)
{
    struct gv_pixels pixels = { 0 };
    bool ok = gv_pixels_load(&pixels, item->value, err);
    item->kind = GV_EDIT_PICTURE;
    item->width = pixels.width;
    item->height = pixels.height;
    if (ok) {
        item->bytes.size = (size_t)pixels.width * pixels.height * 4;
        item->bytes.data = gv_arena_copy(&list->arena, pixels.rgba, item->bytes.size);
        ok = item->bytes.data || gv_out_of_memory(err);
    }
    gv_pixels_finish(&pixels);
    return ok;
}

static bool replace(struct gv_edit_list *list, const char *text, struct gv_error *err)
{
    struct gv_edit_item item = { .kind = GV_EDIT_SHADER };
    if (!divide(list, text, &item, err))
        return false;
    if (list->guard)
        gv_guard_input(list->guard, item.value);
    if (gv_pixels_named(item.value))
        return read_picture(list, &item, err) && add_item(list, &item, err);
    if (stage_of(item.value) || ends_with(item.value, ".spv"))
        return read_shader(list, &item, err) && add_item(list, &item, err);
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "'%.64s': expected a picture, .spv, .vert, .tesc, .tese, .geom, "
                   ".frag or .comp",
                   item.value);
}

// ---- words ----

// Places of work are no SETs.
static bool is_place(const char *text)
{
    return text[0] == 'f' && text[1] >= '0' && text[1] <= '9' && strchr(text, '.');
}

static bool put_set(struct gv_edit_list *list, struct gv_bytes *out, const char *text,
                    struct gv_error *err)
{
    if (list->guard)
        gv_guard_set(list->guard, text);
    gv_bytes_printf(out, "%s%s", out->size ? "," : "", text);
    return !out->failed || gv_out_of_memory(err);
}

static bool divides_words(char c)
{
    return c == ',' || isspace((unsigned char)c);
}

// "f3-f9" as "3-9": frames of paths. Names of files stay as they are.
static bool keep(struct gv_edit_list *list, const char *text, struct gv_error *err)
{
    char *words = (char *)(uintptr_t)keep_text(list, text, strlen(text), err);
    char *to = words, before = ',';
    bool is_file = false;
    if (!words)
        return false;
    for (const char *at = text; *at; before = *at++) {
        const bool begins = divides_words(before);
        is_file = begins ? *at == '@' : is_file;
        if (is_file || !(begins || before == '-') ||
            !(*at == 'f' && at[1] >= '0' && at[1] <= '9'))
            *to++ = *at;
    }
    *to = '\0';
    return put_set(list, &list->keeps, words, err);
}

static bool add_word(struct gv_edit_list *list, const char *word, const char *text,
                     struct gv_error *err)
{
    struct gv_edit_item item = { .kind = GV_EDIT_SKIP };
    if (strcmp(word, "keep") == 0)
        return keep(list, text, err);
    if (strcmp(word, "replace") == 0)
        return replace(list, text, err);
    if (strcmp(word, "set") == 0) {
        item.kind = GV_EDIT_SET;
        return divide(list, text, &item, err) && add_item(list, &item, err);
    }
    if (strcmp(word, "undefined") == 0) {
        item.kind = GV_EDIT_UNDEFINED;
        item.value = keep_text(list, text, strlen(text), err);
        return item.value && add_item(list, &item, err);
    }
    if (strcmp(word, "skip") != 0)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                       "'%.32s': expected skip, keep, set, replace or undefined", word);
    if (!is_place(text))
        return put_set(list, &list->skips, text, err);
    item.target = keep_text(list, text, strlen(text), err);
    return item.target && add_item(list, &item, err);
}

bool gv_edit_list_add(struct gv_edit_list *list, const char *word, const char *text,
                      struct gv_error *err)
{
    if (!*text)
        return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%.32s: nothing is named",
                       word);
    gv_bytes_printf(&list->lines, "%s %s\n", word, text);
    return add_word(list, word, text, err);
}

// ---- lines ----

static bool read_line(struct gv_edit_list *list, char *line, struct gv_error *err)
{
    line += strspn(line, " \t");
    size_t length = strlen(line);
    while (length && strchr(" \t\r", line[length - 1]))
        line[--length] = '\0';
    if (!*line || *line == '#')
        return true;
    char *text = line + strcspn(line, " \t");
    if (*text)
        *text++ = '\0';
    return gv_edit_list_add(list, line, text + strspn(text, " \t"), err);
}

bool gv_edit_list_parse(struct gv_edit_list *list, const char *text, size_t size,
                        struct gv_error *err)
{
    char line[LINE_BYTES];
    struct gv_error why = GV_ERROR_INIT;
    unsigned number = 1;
    for (size_t at = 0, end; at < size; at = end + 1, number++) {
        const char *newline = memchr(text + at, '\n', size - at);
        end = newline ? (size_t)(newline - text) : size;
        if (end - at >= sizeof line || memchr(text + at, '\0', end - at))
            return gv_fail(err, GV_ERR_USAGE, at, "line %u: too long, or holds NUL",
                           number);
        memcpy(line, text + at, end - at);
        line[end - at] = '\0';
        if (!read_line(list, line, &why))
            return gv_fail(err, why.status, at, "line %u: %.140s", number, why.message);
    }
    return true;
}

bool gv_edit_list_read(struct gv_edit_list *list, const char *path,
                       struct gv_error *err)
{
    struct gv_file file;
    if (list->guard)
        gv_guard_input(list->guard, path);
    if (!gv_file_load_regular(&file, path, (size_t)1 << 24, err))
        return false;
    const bool ok = gv_edit_list_parse(list, (const char *)file.data, file.size, err);
    gv_file_close(&file);
    return ok;
}

void gv_edit_list_finish(struct gv_edit_list *list)
{
    gv_bytes_finish(&list->items);
    gv_bytes_finish(&list->skips);
    gv_bytes_finish(&list->keeps);
    gv_bytes_finish(&list->lines);
    gv_arena_finish(&list->arena);
}
