// Objects of names, made when they are first bound.
#ifndef GV_GL_NAMES_H
#define GV_GL_NAMES_H

#include "compiler/gl/base/gl_machine.h"
#include "compiler/lower/id_map.h"

// Contexts that share objects are a share group. A map of a kind of objects that groups
// share (textures, buffers, programs ...) has the names of all groups: this is where a
// name of the current context's group stands. 0 stays 0.
static inline uint64_t gv_gl_key(uint32_t group, uint32_t name)
{
    return name ? (uint64_t)group << 32 | name : 0;
}

// The name that stands at entry `i` (below `capacity`) of such a map, if it is one of
// the current context's group and has an object; else 0.
static inline uint32_t gv_gl_name_at(uint32_t group, const struct gv_id_map *m,
                                     uint32_t i)
{
    const struct gv_id_entry *e = &m->entries[i];
    return e->object && e->name >> 32 == group ? (uint32_t)e->name : 0;
}

// The object of a name, made if there is none; `name` is not 0. NULL: too many `what`
// ("textures"), or no memory.
struct gv_named *gv_gl_name_make(struct gv_id_map *map, uint64_t name, const char *what,
                                 struct gv_error *err);

#endif
