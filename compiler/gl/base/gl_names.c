#include "compiler/gl/base/gl_names.h"

struct gv_named *gv_gl_name_make(struct gv_id_map *map, uint64_t name, const char *what,
                                 struct gv_error *err)
{
    struct gv_named *object = NULL;
    switch (gv_id_create(map, name, &object)) {
    case GV_ID_OK:
        return object;
    case GV_ID_NO_MEMORY:
        gv_out_of_memory(err);
        return NULL;
    case GV_ID_LIMIT:
        gv_fail(err, GV_ERR_LIMIT, GV_NO_OFFSET, "more than %u %s", map->limit, what);
        return NULL;
    case GV_ID_ZERO:
    case GV_ID_IN_USE:
        break;
    }
    return gv_id_find(map, name);
}
