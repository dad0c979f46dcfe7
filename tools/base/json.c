#include "tools/base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "resources/base/foreign.h"

// A character as JSON escapes it: beyond 16 bits as two surrogates.
static void put_escaped(struct gv_bytes *out, uint32_t code)
{
    if (code > 0xffff) {
        gv_bytes_printf(out, "\\u%04x", 0xd7c0 + (code >> 10));
        code = 0xdc00 + (code & 0x3ff);
    }
    gv_bytes_printf(out, "\\u%04x", code);
}

static void put_text(struct gv_bytes *out, const char *text)
{
    gv_bytes_u8(out, '"');
    while (*text) {
        uint32_t code = 0;
        size_t length = gv_utf8_next(text, &code);
        if (length == 0)
            put_escaped(out, 0xfffd);
        else if (code == '"' || code == '\\')
            gv_bytes_printf(out, "\\%c", (int)code);
        else if (code == '\n')
            gv_bytes_printf(out, "\\n");
        else if (gv_is_control(code))
            put_escaped(out, code);
        else
            gv_bytes_put(out, text, length);
        text += length ? length : 1;
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

static const char *version_text, *command_name; // of the process, as gv_who is

void gv_json_about(const char *version, const char *command)
{
    version_text = version;
    command_name = command;
}

void gv_json_result(struct gv_json *j)
{
    gv_json_begin(j, NULL);
    gv_json_number(j, "schema", GV_JSON_SCHEMA);
    gv_json_text(j, "program", gv_who());
    if (version_text)
        gv_json_text(j, "version", version_text);
    if (command_name)
        gv_json_text(j, "subcommand", command_name);
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
