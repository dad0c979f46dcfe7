#include "compiler/builder/modules.h"

#include <stdlib.h>

struct gv_shader_module {
    uint32_t object;
    bool known;
    struct gv_spirv_module module;
};

void gv_modules_finish(struct gv_modules *m)
{
    for (size_t i = 0; i < m->count; i++)
        gv_spirv_module_finish(&m->items[i].module);
    free(m->items);
    *m = (struct gv_modules){ 0 };
}

bool gv_modules_add(struct gv_modules *m, uint32_t object,
                    struct gv_spirv_module *module)
{
    if (m->count == m->capacity) {
        const size_t more = m->capacity ? m->capacity * 2 : 16;
        struct gv_shader_module *grown = realloc(m->items, more * sizeof *grown);
        if (!grown) {
            gv_spirv_module_finish(module);
            return false;
        }
        m->items = grown;
        m->capacity = more;
    }
    m->items[m->count++] = (struct gv_shader_module){ object, true, *module };
    return true;
}

static struct gv_shader_module *find(const struct gv_modules *m, uint32_t object)
{
    size_t low = 0, high = m->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (m->items[middle].object < object)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->count && m->items[low].object == object ? &m->items[low] : NULL;
}

void gv_modules_forget(struct gv_modules *m, uint32_t object)
{
    struct gv_shader_module *one = find(m, object);
    if (one)
        one->known = false;
}

const struct gv_spirv_module *gv_modules_find(const struct gv_modules *m,
                                              uint32_t object)
{
    const struct gv_shader_module *one = find(m, object);
    return one && one->known ? &one->module : NULL;
}
