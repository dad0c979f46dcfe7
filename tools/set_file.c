#include "tools/set_file.h"

#include <string.h>

#include "resources/base/file.h"
#include "resources/base/path_kind.h"

// It is not what the command is about, which would be another exit code.
static bool is_fault_of_file(enum gv_status status)
{
    return status == GV_ERR_SYSTEM || status == GV_ERR_LIMIT;
}

static bool read_file(void *unused, const char *path, struct gv_bytes *text,
                      struct gv_error *err)
{
    struct gv_file file;
    struct gv_error mine = GV_ERROR_INIT;
    (void)unused;
    if (!gv_file_load(&file, path, GV_FILE_TEXT_MAX, &mine))
        return gv_fail(err, is_fault_of_file(mine.status) ? GV_ERR_USAGE : mine.status,
                       GV_NO_OFFSET, "@%.64s: %.80s", path, mine.message);
    gv_bytes_put(text, file.data, file.size);
    gv_file_close(&file);
    return !text->failed || gv_out_of_memory(err);
}

static const struct gv_set_reader files = { read_file, NULL };

bool gv_set_read(struct gv_set *set, const char *text, struct gv_error *err)
{
    return gv_set_parse(set, text, &files, err);
}

bool gv_set_read_list(struct gv_set *set, const struct gv_option_list *texts,
                      struct gv_error *err)
{
    struct gv_bytes text = { 0 };
    for (size_t i = 0; i < texts->count; i++)
        gv_bytes_printf(&text, "%s,", texts->items[i]);
    gv_bytes_u8(&text, 0);
    bool ok = (!text.failed || gv_out_of_memory(err)) &&
              gv_set_read(set, (const char *)text.data, err);
    gv_bytes_finish(&text);
    return ok;
}

struct naming {
    void (*named)(void *context, const char *path);
    void *context;
};

static bool name_file(void *context, const char *path, struct gv_bytes *text,
                      struct gv_error *err)
{
    const struct naming *naming = context;
    if (gv_path_kind(path) != GV_PATH_FILE)
        return true;
    naming->named(naming->context, path);
    return read_file(NULL, path, text, err);
}

void gv_set_files(const char *text, void (*named)(void *context, const char *path),
                  void *context)
{
    struct naming naming = { named, context };
    const struct gv_set_reader reader = { name_file, &naming };
    struct gv_set set;
    if (gv_set_parse(&set, text, &reader, NULL))
        gv_set_finish(&set);
}

bool gv_set_needs_all(const char *text)
{
    struct gv_set set;
    if (strchr(text, '@'))
        return true;
    if (!gv_set_read(&set, text, NULL)) // which is told of later
        return false;
    const bool found = gv_set_uses(&set, GV_SET_LAST);
    gv_set_finish(&set);
    return found;
}
