#include "tools/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// The length of the UTF-8 sequence at `s` (Unicode 15, table 3-7), 0 if it is none.
static size_t sequence(const uint8_t *s)
{
    uint8_t low = 0x80, high = 0xbf;
    size_t length;
    if (s[0] < 0x80)
        return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf) {
        length = 2;
    } else if (s[0] >= 0xe0 && s[0] <= 0xef) {
        length = 3;
        low = s[0] == 0xe0 ? 0xa0 : 0x80;
        high = s[0] == 0xed ? 0x9f : 0xbf;
    } else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
        length = 4;
        low = s[0] == 0xf0 ? 0x90 : 0x80;
        high = s[0] == 0xf4 ? 0x8f : 0xbf;
    } else {
        return 0;
    }
    if (s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++) // a NUL ends it: it is no trail byte
        if (s[i] < 0x80 || s[i] > 0xbf)
            return 0;
    return length;
}

static void put_text(struct gv_bytes *out, const char *text)
{
    gv_bytes_u8(out, '"');
    for (const uint8_t *s = (const uint8_t *)text; *s;) {
        size_t length = sequence(s);
        if (length == 0)
            gv_bytes_printf(out, "\\ufffd");
        else if (*s == '"' || *s == '\\')
            gv_bytes_printf(out, "\\%c", *s);
        else if (*s == '\n')
            gv_bytes_printf(out, "\\n");
        else if (*s < 0x20 || *s == 0x7f)
            gv_bytes_printf(out, "\\u%04x", *s);
        else
            gv_bytes_put(out, s, length);
        s += length ? length : 1;
    }
    gv_bytes_u8(out, '"');
}

static void member(struct gv_json *j, const char *key)
{
    if (j->comma)
        gv_bytes_u8(&j->out, ',');
    j->comma = true;
    if (!key)
        return;
    put_text(&j->out, key);
    gv_bytes_u8(&j->out, ':');
}

static void open(struct gv_json *j, const char *key, char bracket)
{
    member(j, key);
    gv_bytes_u8(&j->out, (uint8_t)bracket);
    j->comma = false;
}

static void shut(struct gv_json *j, char bracket)
{
    gv_bytes_u8(&j->out, (uint8_t)bracket);
    j->comma = true;
}

void gv_json_begin(struct gv_json *j, const char *key)
{
    open(j, key, '{');
}

void gv_json_end(struct gv_json *j)
{
    shut(j, '}');
}

void gv_json_array(struct gv_json *j, const char *key)
{
    open(j, key, '[');
}

void gv_json_array_end(struct gv_json *j)
{
    shut(j, ']');
}

void gv_json_text(struct gv_json *j, const char *key, const char *text)
{
    member(j, key);
    put_text(&j->out, text);
}

void gv_json_number(struct gv_json *j, const char *key, uint64_t number)
{
    member(j, key);
    gv_bytes_printf(&j->out, "%" PRIu64, number);
}

void gv_json_real(struct gv_json *j, const char *key, double number)
{
    member(j, key);
    if (isfinite(number))
        gv_bytes_printf(&j->out, "%.6g", number);
    else
        gv_bytes_printf(&j->out, "null");
}

void gv_json_bool(struct gv_json *j, const char *key, bool value)
{
    member(j, key);
    gv_bytes_printf(&j->out, value ? "true" : "false");
}

void gv_json_raw(struct gv_json *j, const char *key, const char *json)
{
    member(j, key);
    gv_bytes_put(&j->out, json, strlen(json));
}

void gv_json_error(struct gv_json *j, const char *subject, const struct gv_error *err,
                   enum gv_exit code)
{
    gv_json_text(j, "status", gv_exit_word(code));
    if (subject)
        gv_json_text(j, "file", subject);
    gv_json_text(j, "error", err->message);
    if (err->offset != GV_NO_OFFSET)
        gv_json_number(j, "offset", err->offset);
    if (err->command != GV_NO_COMMAND)
        gv_json_number(j, "command", err->command);
}

void gv_json_print(struct gv_json *j)
{
    gv_bytes_u8(&j->out, '\n');
    if (j->out.failed)
        gv_say("out of memory");
    else
        fwrite(j->out.data, 1, j->out.size, stdout);
    gv_json_finish(j);
}

void gv_json_finish(struct gv_json *j)
{
    gv_bytes_finish(&j->out);
    j->comma = false;
}
