// Objects of names, made when they are first bound.
#ifndef GV_GL_NAMES_H
#define GV_GL_NAMES_H

#include "compiler/lower/id_map.h"
#include "resources/base/error.h"

// The object of a name, made if there is none; `name` is not 0. NULL: too many `what`
// ("textures"), or no memory.
struct gv_named *gv_gl_name_make(struct gv_id_map *map, uint64_t name, const char *what,
                                 struct gv_error *err);

#endif
