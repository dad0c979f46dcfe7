// Names that stages of a linked program declare as different things: it does not link.
#include "compiler/shader/glsl/glsl_reflect_internal.h"

#include <stdlib.h>
#include <string.h>

// Without the [0] of an array.
static size_t own_size(const char *name)
{
    const size_t n = strlen(name);
    return n > 3 && !strcmp(name + n - 3, "[0]") ? n - 3 : n;
}

static int by_name(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    const size_t n = own_size(x), m = own_size(y);
    const int differ = memcmp(x, y, n < m ? n : m);
    return differ ? differ : (n > m) - (n < m);
}

bool glsl_reflect_names(struct glsl_reflecting *r)
{
    const struct gv_glsl_reflection *out = &r->program->reflection;
    const size_t most = out->uniform_count + out->sampler_count;
    if (r->program->count < 2 || most < 2)
        return true;
    const char **names = gv_arena_array(r->arena, most, sizeof *names);
    if (!names)
        return gv_out_of_memory(r->err);
    for (size_t i = 0; i < out->uniform_count; i++)
        names[i] = out->uniforms[i].name;
    for (size_t i = 0; i < out->sampler_count; i++)
        names[out->uniform_count + i] = out->samplers[i].name;
    qsort(names, most, sizeof *names, by_name);
    for (size_t i = 1; i < most; i++)
        if (by_name(&names[i - 1], &names[i]) == 0)
            return gv_fail(r->err, GV_ERR_FORMAT, GV_NO_OFFSET,
                           "glsl linking: stages differ in what '%.60s' is", names[i]);
    return true;
}
