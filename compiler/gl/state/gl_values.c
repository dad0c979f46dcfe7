#include "compiler/gl/state/gl_values.h"

#include <string.h>

// The length of a name without the suffix of an extension.
static size_t base_length(const char *name)
{
    size_t n = strlen(name);
    while (n > 0 && name[n - 1] >= 'A' && name[n - 1] <= 'Z')
        n--;
    return n;
}

struct gv_gl_values gv_gl_values(const struct gv_trace_call *call, uint32_t i)
{
    const char *name = call->function->name;
    size_t n = base_length(name);
    struct gv_gl_values v = { .from = gv_trace_argument(call, i) };
    v.vector = n > 0 && name[n - 1] == 'v';
    n -= v.vector;
    const int form = n > 0 ? name[n - 1] : 0;
    v.fixed = form == 'x';
    v.integer = form == 'i' || form == 's' || form == 'b';
    const bool array = v.from->kind == GV_TRACE_ARRAY;
    const uint64_t count = array ? v.from->count : v.from->kind > GV_TRACE_NULL;
    v.count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    return v;
}

float gv_gl_value(const struct gv_gl_values *v, uint32_t i)
{
    const double number = gv_trace_real(gv_trace_item(v->from, i));
    return (float)(v->fixed ? number / 65536.0 : number);
}

int32_t gv_gl_value_int(const struct gv_gl_values *v, uint32_t i)
{
    return (int32_t)gv_trace_sint(gv_trace_item(v->from, i));
}

bool gv_gl_value_numbers(const struct gv_gl_values *v, float *out, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        out[i] = gv_gl_value(v, i);
    return v->count >= n;
}

bool gv_gl_value_color(const struct gv_gl_values *v, float *out, uint32_t n)
{
    gv_gl_value_numbers(v, out, n);
    for (uint32_t i = 0; v->integer && i < n; i++)
        out[i] = (2.0f * (float)gv_gl_value_int(v, i) + 1.0f) * (1.0f / 4294967294.0f);
    return v->count >= n;
}

bool gv_gl_set_color(struct gv_gl_sink *sink, const struct gv_gl_values *v,
                     float out[4])
{
    float f[4];
    if (!v->vector)
        return gv_gl_reject(sink, GL_INVALID_ENUM);
    if (!gv_gl_value_color(v, f, 4))
        return gv_gl_reject(sink, GL_INVALID_VALUE);
    for (uint32_t i = 0; i < 4; i++)
        out[i] = f[i] > 0 ? (f[i] < 1 ? f[i] : 1) : 0; // NaN: 0
    return true;
}

float gv_gl_number(const struct gv_trace_call *call, uint32_t i)
{
    const struct gv_gl_values v = gv_gl_values(call, i);
    return gv_gl_value(&v, 0);
}
