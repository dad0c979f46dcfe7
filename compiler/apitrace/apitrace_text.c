#include "compiler/apitrace/apitrace_text.h"

#include "compiler/apitrace/call_kinds.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// What a float or a double is known to hold, and one more.
#define FLOAT_DIGITS 7
#define DOUBLE_DIGITS 16

// ---- pieces ----

static void put(struct gv_bytes *out, const char *text)
{
    gv_bytes_put(out, text, strlen(text));
}

static void put_number(struct gv_bytes *out, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    gv_bytes_put(out, digits + at, sizeof digits - at);
}

static void put_signed(struct gv_bytes *out, int64_t number)
{
    if (number < 0)
        gv_bytes_u8(out, '-');
    put_number(out, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

static void put_hex(struct gv_bytes *out, uint64_t number)
{
    char text[24];
    gv_bytes_put(out, text, (size_t)snprintf(text, sizeof text, "0x%" PRIx64, number));
}

// A float from 1e-4 to below 1e6, as "%.7g" prints it. The product is exact (24 bits of
// a float, 26 of a power of five), so it is rounded once, as printf rounds.
static void put_plain_float(struct gv_bytes *out, double magnitude)
{
    static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4,  1e5,
                                     1e6, 1e7, 1e8, 1e9, 1e10, 1e11 };
    char text[24];
    size_t decimals = 0, at = sizeof text;
    while (magnitude * powers[decimals] < 1e6)
        decimals++;
    uint64_t digits = (uint64_t)nearbyint(magnitude * powers[decimals]);
    for (; decimals && digits % 10 == 0; decimals--)
        digits /= 10;
    if (decimals) {
        for (; decimals; decimals--, digits /= 10)
            text[--at] = (char)('0' + digits % 10);
        text[--at] = '.';
    }
    do
        text[--at] = (char)('0' + digits % 10);
    while (digits /= 10);
    gv_bytes_put(out, text + at, sizeof text - at);
}

static void put_real(struct gv_bytes *out, double real, int digits)
{
    char text[40];
    if (real > -1e6 && real < 1e6 && real == (double)(int32_t)real && real != 0) {
        put_signed(out, (int32_t)real);
        return;
    }
    double magnitude = fabs(real);
    if (digits == FLOAT_DIGITS && magnitude >= 1e-4 && magnitude < 999999) {
        if (real < 0)
            gv_bytes_u8(out, '-');
        put_plain_float(out, magnitude);
        return;
    }
    gv_bytes_put(out, text, (size_t)snprintf(text, sizeof text, "%.*g", digits, real));
}

// ---- texts ----

// apitrace's own escapes: not C's octal, the digit in the middle stands there twice.
static void put_escape(struct gv_bytes *out, uint32_t c)
{
    char digit = (char)('0' + (c >> 3 & 7));
    gv_bytes_u8(out, '\\');
    if (digit != '0') {
        gv_bytes_u8(out, (uint8_t)digit);
        gv_bytes_u8(out, (uint8_t)digit);
    }
    gv_bytes_u8(out, (uint8_t)('0' + (c & 7)));
}

static void put_character(struct gv_bytes *out, uint32_t c)
{
    if (c == '"' || c == '\\')
        gv_bytes_u8(out, '\\');
    if ((c >= 0x20 && c <= 0x7e) || c == '\t' || c == '\n')
        gv_bytes_u8(out, (uint8_t)c);
    else if (c != '\r')
        put_escape(out, c);
}

// Up to a NUL.
static void put_string(struct gv_bytes *out, const uint8_t *bytes, uint64_t count)
{
    gv_bytes_u8(out, '"');
    for (uint64_t i = 0; i < count && bytes[i]; i++)
        put_character(out, bytes[i]);
    gv_bytes_u8(out, '"');
}

static void put_wide(struct gv_bytes *out, const struct gv_trace_value *v)
{
    put(out, "L\"");
    for (uint64_t i = 0; i < v->count && v->wide[i]; i++)
        put_character(out, v->wide[i]);
    gv_bytes_u8(out, '"');
}

void gv_apitrace_put_text(struct gv_bytes *out, const char *text)
{
    put_string(out, (const uint8_t *)text, strlen(text));
}

// ---- values ----

static void put_value(struct gv_bytes *out, const struct gv_trace_value *v);

// The first name that fits.
static void put_enum(struct gv_bytes *out, const struct gv_trace_value *v)
{
    for (uint32_t i = 0; i < v->table->count; i++)
        if (v->table->names[i].value == v->sint) {
            put(out, v->table->names[i].name);
            return;
        }
    put_signed(out, v->sint);
}

static void put_bitmask(struct gv_bytes *out, const struct gv_trace_value *v)
{
    const struct gv_trace_table *table = v->table;
    uint64_t left = v->uint;
    const char *between = "";
    if (left == 0 && table->count && table->names[0].value == 0) {
        put(out, table->names[0].name);
        return;
    }
    for (uint32_t i = 0; i < table->count && left; i++) {
        uint64_t bits = (uint64_t)table->names[i].value;
        if (bits == 0 || (left & bits) != bits)
            continue;
        put(out, between);
        put(out, table->names[i].name);
        between = " | ";
        left &= ~bits;
    }
    if (left || !*between) {
        put(out, between);
        put_hex(out, left);
    }
}

// Members; those of a structure without a name stand among the others.
static void put_members(struct gv_bytes *out, const struct gv_trace_value *v,
                        const char **between)
{
    for (uint64_t i = 0; i < v->count; i++) {
        const char *name = v->record->members[i];
        const struct gv_trace_value *member = &v->items[i];
        if (*name) {
            put(out, *between);
            put(out, name);
            put(out, " = ");
            put_value(out, member);
            *between = ", ";
        } else if (member->kind == GV_TRACE_STRUCT) {
            put_members(out, member, between);
        }
    }
}

static void put_struct(struct gv_bytes *out, const struct gv_trace_value *v)
{
    const char *between = "";
    gv_bytes_u8(out, '{');
    put_members(out, v, &between);
    gv_bytes_u8(out, '}');
}

// One element is what a pointer points to.
static void put_array(struct gv_bytes *out, const struct gv_trace_value *v)
{
    if (v->count == 1) {
        gv_bytes_u8(out, '&');
        put_value(out, &v->items[0]);
        return;
    }
    gv_bytes_u8(out, '{');
    for (uint64_t i = 0; i < v->count; i++) {
        put(out, i ? ", " : "");
        put_value(out, &v->items[i]);
    }
    gv_bytes_u8(out, '}');
}

static void put_value(struct gv_bytes *out, const struct gv_trace_value *v)
{
    switch (v->kind) {
    case GV_TRACE_ABSENT:
        gv_bytes_u8(out, '?');
        break;
    case GV_TRACE_NULL:
        put(out, "NULL");
        break;
    case GV_TRACE_BOOL:
        put(out, v->uint ? "true" : "false");
        break;
    case GV_TRACE_SINT:
        put_signed(out, v->sint);
        break;
    case GV_TRACE_UINT:
        put_number(out, v->uint);
        break;
    case GV_TRACE_FLOAT:
        put_real(out, v->real, FLOAT_DIGITS);
        break;
    case GV_TRACE_DOUBLE:
        put_real(out, v->real, DOUBLE_DIGITS);
        break;
    case GV_TRACE_STRING:
        put_string(out, v->bytes, v->count);
        break;
    case GV_TRACE_BLOB:
        put(out, "blob(");
        put_number(out, v->count);
        gv_bytes_u8(out, ')');
        break;
    case GV_TRACE_ENUM:
        put_enum(out, v);
        break;
    case GV_TRACE_BITMASK:
        put_bitmask(out, v);
        break;
    case GV_TRACE_ARRAY:
        put_array(out, v);
        break;
    case GV_TRACE_STRUCT:
        put_struct(out, v);
        break;
    case GV_TRACE_POINTER:
        put_hex(out, v->uint);
        break;
    case GV_TRACE_PAIR:
        put_value(out, &v->items[0]);
        break;
    case GV_TRACE_WIDE:
        put_wide(out, v);
        break;
    }
}

// ---- calls ----

// "module: function+0x10: file:12", of which each may be missing.
static void put_frame(struct gv_bytes *out, const struct gv_trace_frame *f)
{
    put(out, f->module ? f->module : "?");
    if (f->function) {
        put(out, ": ");
        put(out, f->function);
    }
    if (f->has_offset) {
        gv_bytes_u8(out, '+');
        put_hex(out, f->offset);
    }
    if (f->file) {
        put(out, ": ");
        put(out, f->file);
        if (f->has_line) {
            gv_bytes_u8(out, ':');
            put_number(out, f->line);
        }
    }
    gv_bytes_u8(out, '\n');
}

static void put_arguments(struct gv_bytes *out, const struct gv_trace_call *call)
{
    const struct gv_trace_function *f = call->function;
    uint32_t count = f->argument_count > call->argument_count ? f->argument_count
                                                              : call->argument_count;
    for (uint32_t i = 0; i < count; i++) {
        put(out, i ? ", " : "");
        put(out, i < f->argument_count ? f->arguments[i] : "");
        put(out, " = ");
        put_value(out, gv_trace_argument(call, i));
    }
}

void gv_apitrace_put_call(struct gv_bytes *out, const struct gv_trace_call *call)
{
    put_number(out, call->number);
    gv_bytes_u8(out, ' ');
    put(out, call->function->name);
    gv_bytes_u8(out, '(');
    put_arguments(out, call);
    gv_bytes_u8(out, ')');
    if (call->result.kind != GV_TRACE_ABSENT) {
        put(out, " = ");
        put_value(out, &call->result);
    }
    if (call->fake || call->incomplete)
        put(out, " //");
    if (call->fake)
        put(out, " fake");
    if (call->incomplete)
        put(out, " incomplete");
    gv_bytes_u8(out, '\n');
    if (call->frame_count)
        put(out, "Backtrace:\n");
    for (uint32_t i = 0; i < call->frame_count; i++)
        put_frame(out, &call->frames[i]);
    if (gv_call_kind(call->function) & GV_CALL_FRAME)
        gv_bytes_u8(out, '\n');
}
