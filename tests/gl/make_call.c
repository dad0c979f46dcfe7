#include "tests/gl/make_call.h"

#include <string.h>

static struct gv_trace_value number(int64_t n)
{
    const struct gv_trace_value v = { .kind = n < 0 ? GV_TRACE_SINT : GV_TRACE_UINT,
                                      .sint = n };
    return v;
}

static struct gv_trace_value real(double d)
{
    const struct gv_trace_value v = { .kind = GV_TRACE_FLOAT, .real = d };
    return v;
}

struct room {
    struct gv_trace_value *items;
    size_t left;
};

static struct gv_trace_value array(struct room *room, size_t count)
{
    if (count > room->left)
        count = room->left;
    const struct gv_trace_value v = { .kind = GV_TRACE_ARRAY,
                                      .count = count,
                                      .items = room->items };
    room->items += count;
    room->left -= count;
    return v;
}

static struct gv_trace_value array_of(struct room *room, char kind, size_t count,
                                      const void *from)
{
    struct gv_trace_value *items = room->items;
    const struct gv_trace_value v = array(room, count);
    for (size_t i = 0; i < v.count; i++)
        items[i] = kind == 'F' ? real((double)((const float *)from)[i])
                               : number(((const int64_t *)from)[i]);
    return v;
}

static struct gv_trace_value strings(struct room *room, size_t count,
                                     const char *const *from)
{
    struct gv_trace_value *items = room->items;
    const struct gv_trace_value v = array(room, count);
    for (size_t i = 0; i < v.count; i++)
        items[i] = (struct gv_trace_value){ .kind = GV_TRACE_STRING,
                                            .count = strlen(from[i]),
                                            .bytes = (const uint8_t *)from[i] };
    return v;
}

void make_call(struct made_call *m, const char *name, const char *kinds, va_list list)
{
    memset(m, 0, sizeof(*m));
    struct room room = { m->items, MADE_ITEMS };
    uint32_t arguments = 0;
    for (const char *k = kinds; *k; k++) {
        if (*k == '=')
            continue;
        struct gv_trace_value *to =
            k > kinds && k[-1] == '=' ? &m->call.result : &m->arguments[arguments++];
        size_t count;
        switch (*k) {
        case 'i':
            *to = number(va_arg(list, int));
            break;
        case 'e':
            *to = number(va_arg(list, unsigned));
            to->kind = GV_TRACE_ENUM;
            break;
        case 'f':
            *to = real(va_arg(list, double));
            break;
        case 'p':
            *to = number((int64_t)va_arg(list, uint64_t));
            to->kind = GV_TRACE_POINTER;
            break;
        case 'n':
            to->kind = GV_TRACE_NULL;
            break;
        case 'S':
            count = va_arg(list, size_t);
            *to = strings(&room, count, va_arg(list, const char *const *));
            break;
        case 'B':
            to->kind = GV_TRACE_BLOB;
            to->count = va_arg(list, size_t);
            to->bytes = va_arg(list, const uint8_t *);
            break;
        default:
            count = va_arg(list, size_t);
            *to = array_of(&room, *k, count, va_arg(list, const void *));
        }
    }
    m->function.name = name;
    m->call.function = &m->function;
    m->call.arguments = m->arguments;
    m->call.argument_count = arguments;
}
