#include "tests/apitrace/trace_print.h"

#include <inttypes.h>

static void print_bytes(struct gv_bytes *out, const struct gv_trace_value *v)
{
    for (uint64_t i = 0; i < v->count && i < 64; i++)
        gv_bytes_printf(out, v->bytes[i] < 32 || v->bytes[i] > 126 ? "\\%02x" : "%c",
                        v->bytes[i]);
    uint64_t sum = 0; // reads all of them
    for (uint64_t i = 0; i < v->count; i++)
        sum = sum * 31 + v->bytes[i];
    gv_bytes_printf(out, " %" PRIu64 " bytes %" PRIx64, v->count, sum);
}

static void print_table(struct gv_bytes *out, const struct gv_trace_value *v)
{
    for (uint32_t i = 0; i < v->table->count; i++)
        if (v->table->names[i].value == v->sint)
            gv_bytes_printf(out, " %s", v->table->names[i].name);
}

void trace_print_value(struct gv_bytes *out, const struct gv_trace_value *v)
{
    static const char *const kinds[] = {
        "absent", "null", "bool", "sint",  "uint",   "float",   "double", "string",
        "blob",   "enum", "mask", "array", "struct", "pointer", "pair",   "wide",
    };
    gv_bytes_printf(out, "%s", kinds[v->kind]);
    switch (v->kind) {
    case GV_TRACE_FLOAT:
    case GV_TRACE_DOUBLE:
        gv_bytes_printf(out, " %.17g", v->real);
        break;
    case GV_TRACE_STRING:
    case GV_TRACE_BLOB:
        gv_bytes_u8(out, ' ');
        print_bytes(out, v);
        break;
    case GV_TRACE_STRUCT:
        gv_bytes_printf(out, " %s", v->record->name);
        for (uint32_t i = 0; i < v->record->member_count; i++)
            gv_bytes_printf(out, " .%s", v->record->members[i]);
        // fall through
    case GV_TRACE_ARRAY:
    case GV_TRACE_PAIR:
        gv_bytes_printf(out, " (");
        for (uint64_t i = 0; i < v->count; i++) {
            gv_bytes_printf(out, i ? ", " : "");
            trace_print_value(out, &v->items[i]);
        }
        gv_bytes_u8(out, ')');
        break;
    case GV_TRACE_WIDE:
        for (uint64_t i = 0; i < v->count; i++)
            gv_bytes_printf(out, " %x", v->wide[i]);
        break;
    case GV_TRACE_POINTER:
        gv_bytes_printf(out, " %" PRIx64, v->uint);
        break;
    case GV_TRACE_ABSENT:
    case GV_TRACE_NULL:
        break;
    default:
        gv_bytes_printf(out, " %" PRId64, v->sint);
        if (v->kind == GV_TRACE_ENUM || v->kind == GV_TRACE_BITMASK)
            print_table(out, v);
    }
}

void trace_print_call(struct gv_bytes *out, const struct gv_trace_call *call)
{
    gv_bytes_printf(out, "%" PRIu64 " thread %u%s%s %s/%u", call->number, call->thread,
                    call->fake ? " fake" : "", call->incomplete ? " incomplete" : "",
                    call->function->name, call->function->argument_count);
    for (uint32_t i = 0; i < call->argument_count; i++) {
        gv_bytes_printf(
            out, "\n  %s: ",
            i < call->function->argument_count ? call->function->arguments[i] : "");
        trace_print_value(out, &call->arguments[i]);
    }
    gv_bytes_printf(out, "\n  = ");
    trace_print_value(out, &call->result);
    for (uint32_t i = 0; i < call->frame_count; i++) {
        const struct gv_trace_frame *f = &call->frames[i];
        gv_bytes_printf(out, "\n  frame %u %s %s %s:%" PRIu64 " +%" PRIu64, f->id,
                        f->module, f->function, f->file, f->line, f->offset);
    }
    gv_bytes_u8(out, '\n');
}

size_t trace_print_file(struct gv_bytes *out, const void *file, size_t size,
                        bool allow_truncated, struct gv_error *err)
{
    const struct gv_trace_params params = { .allow_truncated = allow_truncated };
    struct gv_trace_reader *reader =
        gv_trace_open(gv_cursor_make(file, size), &params, err);
    const struct gv_trace_call *call = NULL;
    size_t count = 0;
    while (reader && gv_trace_next(reader, &call, err) && call) {
        trace_print_call(out, call);
        count++;
    }
    gv_trace_close(reader);
    return count;
}
