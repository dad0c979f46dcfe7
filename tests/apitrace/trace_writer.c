#include "tests/apitrace/trace_writer.h"

#include <stdarg.h>
#include <string.h>

void trace_writer_finish(struct trace_writer *w)
{
    gv_bytes_finish(&w->out);
}

static void put_text(struct trace_writer *w, const char *text, size_t size)
{
    gv_bytes_uleb(&w->out, size);
    gv_bytes_put(&w->out, text, size);
}

void trace_begin(struct trace_writer *w, unsigned version,
                 const char *const *properties)
{
    w->version = version;
    gv_bytes_uleb(&w->out, version);
    if (version < 6)
        return;
    gv_bytes_uleb(&w->out, version);
    for (; properties && *properties; properties++)
        put_text(w, *properties, strlen(*properties));
    gv_bytes_uleb(&w->out, 0);
}

// ---- signatures ----

// A count, then as many words.
static void put_words(struct trace_writer *w, const char *words)
{
    unsigned count = *words ? 1 : 0;
    for (const char *c = words; *c; c++)
        count += *c == ' ';
    gv_bytes_uleb(&w->out, count);
    for (; count; count--) {
        size_t length = strcspn(words, " ");
        put_text(w, words, length);
        words += length + 1;
    }
}

static void put_signature(struct trace_writer *w, bool *defined, unsigned id,
                          const char *name, const char *words)
{
    gv_bytes_uleb(&w->out, id);
    if (defined[id])
        return;
    defined[id] = true;
    put_text(w, name, strlen(name));
    put_words(w, words);
}

static void put_typed(struct trace_writer *w, int64_t value)
{
    gv_bytes_u8(&w->out, value < 0 ? 3 : 4);
    gv_bytes_uleb(&w->out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

// ---- events ----

uint64_t trace_enter(struct trace_writer *w, unsigned thread,
                     const struct trace_function *function)
{
    gv_bytes_u8(&w->out, 0);
    if (w->version >= 4)
        gv_bytes_uleb(&w->out, thread);
    put_signature(w, w->functions, function->id, function->name, function->arguments);
    if (w->version < 4 && thread) {
        gv_bytes_u8(&w->out, 3);
        gv_bytes_uleb(&w->out, thread);
    }
    return w->calls++;
}

void trace_leave(struct trace_writer *w, uint64_t call)
{
    gv_bytes_u8(&w->out, 1);
    gv_bytes_uleb(&w->out, call);
}

void trace_end(struct trace_writer *w)
{
    gv_bytes_u8(&w->out, 0);
}

void trace_argument(struct trace_writer *w, unsigned index)
{
    gv_bytes_u8(&w->out, 1);
    gv_bytes_uleb(&w->out, index);
}

void trace_result(struct trace_writer *w)
{
    gv_bytes_u8(&w->out, 2);
}

void trace_fake(struct trace_writer *w)
{
    if (w->version < 6)
        return;
    gv_bytes_u8(&w->out, 5);
    gv_bytes_uleb(&w->out, 1);
}

static void put_frame(struct trace_writer *w, unsigned id)
{
    gv_bytes_uleb(&w->out, id);
    if (id < w->frames)
        return;
    w->frames = id + 1;
    static const char *const texts[] = { "libdraw.so", "draw_all", "draw.c" };
    for (uint8_t i = 0; i < 3; i++) {
        gv_bytes_u8(&w->out, i + 1);
        put_text(w, texts[i], strlen(texts[i]));
    }
    gv_bytes_u8(&w->out, 4);
    gv_bytes_uleb(&w->out, 100 + id);
    gv_bytes_u8(&w->out, 5);
    gv_bytes_uleb(&w->out, 4096 + id);
    gv_bytes_u8(&w->out, 0);
}

void trace_backtrace(struct trace_writer *w)
{
    if (w->version < 5)
        return;
    gv_bytes_u8(&w->out, 4);
    gv_bytes_uleb(&w->out, 2);
    put_frame(w, w->frames);
    put_frame(w, 0);
}

// ---- values ----

void trace_null(struct trace_writer *w)
{
    gv_bytes_u8(&w->out, 0);
}

void trace_bool(struct trace_writer *w, bool value)
{
    gv_bytes_u8(&w->out, value ? 2 : 1);
}

void trace_int(struct trace_writer *w, int64_t value)
{
    put_typed(w, value);
}

void trace_uint(struct trace_writer *w, uint64_t value)
{
    gv_bytes_u8(&w->out, 4);
    gv_bytes_uleb(&w->out, value);
}

void trace_float(struct trace_writer *w, float value)
{
    gv_bytes_u8(&w->out, 5);
    gv_bytes_f32(&w->out, value);
}

void trace_double(struct trace_writer *w, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    gv_bytes_u8(&w->out, 6);
    gv_bytes_u64(&w->out, bits);
}

void trace_string(struct trace_writer *w, const char *text)
{
    gv_bytes_u8(&w->out, 7);
    put_text(w, text, strlen(text));
}

void trace_blob(struct trace_writer *w, const void *bytes, size_t size)
{
    gv_bytes_u8(&w->out, 8);
    gv_bytes_uleb(&w->out, size);
    gv_bytes_put(&w->out, bytes, size);
}

static void put_entries(struct trace_writer *w, const struct trace_table *table,
                        bool typed)
{
    gv_bytes_uleb(&w->out, table->count);
    for (unsigned i = 0; i < table->count; i++) {
        const struct trace_entry *e = &table->entries[i];
        put_text(w, e->name, strlen(e->name));
        if (typed)
            put_typed(w, e->value);
        else
            gv_bytes_uleb(&w->out, (uint64_t)e->value);
    }
}

// Before version 3 each name and value has an id of its own.
static void put_single(struct trace_writer *w, const struct trace_table *table,
                       unsigned entry)
{
    unsigned id = 16 * table->id + entry;
    gv_bytes_uleb(&w->out, id);
    if (w->enums[id])
        return;
    w->enums[id] = true;
    put_text(w, table->entries[entry].name, strlen(table->entries[entry].name));
    put_typed(w, table->entries[entry].value);
}

void trace_enum(struct trace_writer *w, const struct trace_table *table, unsigned entry)
{
    gv_bytes_u8(&w->out, 9);
    if (w->version < 3) {
        put_single(w, table, entry);
        return;
    }
    gv_bytes_uleb(&w->out, table->id);
    if (!w->enums[table->id])
        put_entries(w, table, true);
    w->enums[table->id] = true;
    put_typed(w, table->entries[entry].value);
}

void trace_mask(struct trace_writer *w, const struct trace_table *table, uint64_t bits)
{
    gv_bytes_u8(&w->out, 10);
    gv_bytes_uleb(&w->out, table->id);
    if (!w->masks[table->id])
        put_entries(w, table, false);
    w->masks[table->id] = true;
    gv_bytes_uleb(&w->out, bits);
}

void trace_array(struct trace_writer *w, uint64_t count)
{
    gv_bytes_u8(&w->out, 11);
    gv_bytes_uleb(&w->out, count);
}

void trace_struct(struct trace_writer *w, const struct trace_record *record)
{
    gv_bytes_u8(&w->out, 12);
    put_signature(w, w->records, record->id, record->name, record->members);
}

void trace_pointer(struct trace_writer *w, uint64_t address)
{
    gv_bytes_u8(&w->out, 13);
    gv_bytes_uleb(&w->out, address);
}

void trace_pair(struct trace_writer *w)
{
    gv_bytes_u8(&w->out, 14);
}

void trace_wide(struct trace_writer *w, const uint32_t *text, size_t count)
{
    gv_bytes_u8(&w->out, 15);
    gv_bytes_uleb(&w->out, count);
    for (size_t i = 0; i < count; i++)
        gv_bytes_uleb(&w->out, text[i]);
}

static void put_integers(struct trace_writer *w, unsigned count, const int *values)
{
    trace_array(w, count);
    for (unsigned i = 0; i < count; i++)
        trace_int(w, values[i]);
}

static void put_floats(struct trace_writer *w, unsigned count, const float *values)
{
    trace_array(w, count);
    for (unsigned i = 0; i < count; i++)
        trace_float(w, values[i]);
}

static void put_argument(struct trace_writer *w, char type, va_list *list)
{
    const struct trace_table *table = NULL;
    if (type == 'e' || type == 'm')
        table = va_arg(*list, const struct trace_table *);
    unsigned number =
        type == 'n' || !strchr("embav", type) ? 0 : va_arg(*list, unsigned);
    switch (type) {
    case 'e':
        trace_enum(w, table, number);
        break;
    case 'm':
        trace_mask(w, table, number);
        break;
    case 'f':
        trace_float(w, (float)va_arg(*list, double));
        break;
    case 'p':
        trace_pointer(w, va_arg(*list, uint64_t));
        break;
    case 'b':
        trace_blob(w, va_arg(*list, const void *), number);
        break;
    case 'a':
        put_integers(w, number, va_arg(*list, const int *));
        break;
    case 'v':
        put_floats(w, number, va_arg(*list, const float *));
        break;
    case 't':
        trace_array(w, 1);
        trace_string(w, va_arg(*list, const char *));
        break;
    case 's':
        trace_string(w, va_arg(*list, const char *));
        break;
    case 'n':
        trace_null(w);
        break;
    default:
        trace_int(w, va_arg(*list, int));
    }
}

void trace_call_list(struct trace_writer *w, const struct trace_function *function,
                     const char *types, va_list *list)
{
    uint64_t call = trace_enter(w, 0, function);
    unsigned i = 0;
    for (; *types && *types != '='; types++) {
        trace_argument(w, i++);
        put_argument(w, *types, list);
    }
    trace_end(w);
    trace_leave(w, call);
    if (*types) {
        trace_result(w);
        put_argument(w, types[1], list);
    }
    trace_end(w);
}

void trace_call(struct trace_writer *w, const struct trace_function *function,
                const char *types, ...)
{
    va_list list;
    va_start(list, types);
    trace_call_list(w, function, types, &list);
    va_end(list);
}
