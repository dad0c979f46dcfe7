#include "compiler/builder/targets.h"

#include "resources/base/file.h"
#include "vm/formats.h"

#include <stdlib.h>
#include <string.h>

struct row {
    const char *name;
    uint32_t format; // or GV_FORMAT_NONE: a feature
    bool desktop, baseline;
};

static const struct row rows[] = {
#define GV_TARGET_FORMAT(name, desktop, baseline) \
    { #name, GV_FORMAT_##name, desktop, baseline },
#define GV_TARGET_FEATURE(name, desktop, baseline) \
    { #name, GV_FORMAT_NONE, desktop, baseline },
#include "compiler/builder/targets.def"
#undef GV_TARGET_FORMAT
#undef GV_TARGET_FEATURE
};

#define ROW_COUNT (sizeof rows / sizeof rows[0])
#define MAX_FEATURES ((size_t)1024) // of a file
#define MAX_FILE_BYTES ((size_t)1 << 20)

static bool add_feature(struct gv_target *target, const char *name, uint64_t offset,
                        struct gv_error *err)
{
    if (target->feature_count == MAX_FEATURES)
        return gv_fail(err, GV_ERR_FORMAT, offset, "target has too many features");
    target->features[target->feature_count++] = name;
    return true;
}

static bool add_format(struct gv_target *target, uint32_t format, const char *name,
                       uint64_t offset, struct gv_error *err)
{
    const struct gv_format_info *info = gv_format_info(format);
    if (!info || info - gv_formats >= GV_TARGET_FORMATS)
        return gv_fail(err, GV_ERR_FORMAT, offset, "target names no format \"%s\"",
                       name);
    target->formats[info - gv_formats] = true;
    return true;
}

// One line, cut off and without a comment.
static bool read_line(struct gv_target *target, char *line, uint64_t offset,
                      struct gv_error *err)
{
    char *rest = NULL;
    char *word = strtok_r(line, " \t\r", &rest);
    if (!word)
        return true;
    char *name = strtok_r(NULL, " \t\r", &rest);
    bool format = strcmp(word, "format") == 0;
    if ((!format && strcmp(word, "feature") != 0) || !name ||
        strtok_r(NULL, " \t\r", &rest))
        return gv_fail(err, GV_ERR_FORMAT, offset,
                       "a target line is \"format NAME\" or \"feature NAME\"");
    return format ? add_format(target, gv_format_find(name), name, offset, err)
                  : add_feature(target, name, offset, err);
}

static bool read_text(struct gv_target *target, char *text, size_t size,
                      struct gv_error *err)
{
    for (size_t at = 0; at < size;) {
        char *line = text + at;
        size_t length = strcspn(line, "\n");
        line[length] = 0;
        char *comment = strchr(line, '#');
        if (comment)
            *comment = 0;
        if (!read_line(target, line, at, err))
            return false;
        at += length + 1;
    }
    return true;
}

static bool read_file(struct gv_target *target, const char *path, struct gv_error *err)
{
    struct gv_file file = { 0 };
    struct gv_error why = GV_ERROR_INIT;
    if (!gv_file_load(&file, path, GV_FILE_TEXT_MAX, &why)) {
        if (why.status == GV_ERR_NOT_FOUND)
            return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                           "target \"%s\" is not desktop, baseline or a file", path);
        // One that cannot be opened or read is as wrong a name as one that is not
        // there.
        return gv_fail(err, why.status == GV_ERR_SYSTEM ? GV_ERR_USAGE : why.status,
                       why.offset, "target \"%s\": %s", path, why.message);
    }
    char *text = file.size <= MAX_FILE_BYTES
                     ? gv_arena_copy(&target->arena, file.data, file.size)
                     : NULL;
    bool read = text ? read_text(target, text, file.size, err)
                     : gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET,
                               "target file \"%s\" is too large", path);
    gv_file_close(&file);
    return read;
}

bool gv_target_init(struct gv_target *target, const char *name, struct gv_error *err)
{
    *target = (struct gv_target){ 0 };
    target->features =
        gv_arena_array(&target->arena, MAX_FEATURES, sizeof *target->features);
    if (!target->features)
        return gv_out_of_memory(err);
    bool desktop = !name || strcmp(name, "desktop") == 0;
    if (!desktop && strcmp(name, "baseline") != 0)
        return read_file(target, name, err);
    for (const struct row *row = rows; row < rows + ROW_COUNT; row++) {
        if (!(desktop ? row->desktop : row->baseline))
            continue;
        if (!(row->format
                  ? add_format(target, row->format, row->name, GV_NO_OFFSET, err)
                  : add_feature(target, row->name, GV_NO_OFFSET, err)))
            return false;
    }
    return true;
}

void gv_target_finish(struct gv_target *target)
{
    gv_arena_finish(&target->arena);
    *target = (struct gv_target){ 0 };
}

bool gv_target_has_format(const struct gv_target *target, uint32_t format)
{
    const struct gv_format_info *info = gv_format_info(format);
    return info && info - gv_formats < GV_TARGET_FORMATS &&
           target->formats[info - gv_formats];
}

bool gv_target_has_feature(const struct gv_target *target, const char *feature)
{
    for (size_t i = 0; i < target->feature_count; i++)
        if (strcmp(target->features[i], feature) == 0)
            return true;
    return false;
}
