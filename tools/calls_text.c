#include "tools/calls_text.h"

#include <string.h>

#include "resources/base/file.h"

static bool put_file(const char *path, struct gv_bytes *out, struct gv_error *err)
{
    struct gv_file file;
    struct gv_error mine = GV_ERROR_INIT;
    // It is not what the command is about.
    if (!gv_file_load(&file, path, GV_FILE_TEXT_MAX, &mine))
        return gv_fail(err, mine.status == GV_ERR_SYSTEM ? GV_ERR_USAGE : mine.status,
                       GV_NO_OFFSET, "@%.64s: %.80s", path, mine.message);
    gv_bytes_put(out, file.data, file.size);
    gv_file_close(&file);
    return true;
}

const char *gv_calls_text(const struct gv_option_list *calls, struct gv_bytes *out,
                          struct gv_error *err)
{
    for (size_t i = 0; i < calls->count; i++) {
        const char *item = calls->items[i];
        if (*item != '@')
            gv_bytes_put(out, item, strlen(item));
        else if (!put_file(item + 1, out, err))
            return NULL;
        gv_bytes_u8(out, ' ');
    }
    gv_bytes_u8(out, 0);
    if (!out->failed)
        return (const char *)out->data;
    gv_out_of_memory(err);
    return NULL;
}
