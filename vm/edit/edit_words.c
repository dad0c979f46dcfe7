#include "vm/edit/edit_words.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "vm/formats.h"

// ---- targets ----

static bool refuse(const char *text, struct gv_error *err)
{
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET,
                   "'%.64s': expected fN.dN, cN or oN, and a field behind it", text);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool take(const char **at, char letter, uint64_t *number)
{
    char *end;
    if (**at != letter || !is_digit((*at)[1]))
        return false;
    errno = 0;
    *number = strtoull(*at + 1, &end, 10);
    *at = end;
    return errno == 0;
}

bool gv_edit_target_parse(struct gv_edit_target *t, const char *text,
                          struct gv_error *err)
{
    const char *at = text;
    *t = (struct gv_edit_target){ 0 };
    t->is_object = take(&at, 'o', &t->object);
    if (!t->is_object && take(&at, 'f', &t->place.frame)) {
        t->place.kind = GV_PLACE_WORK;
        if (*at++ != '.' || !take(&at, 'd', &t->place.number))
            return refuse(text, err);
    } else if (!t->is_object) {
        t->place.kind = GV_PLACE_COMMAND;
        if (!take(&at, 'c', &t->place.number))
            return refuse(text, err);
    }
    if (!*at)
        return true;
    if (*at != '.' && *at != '/')
        return refuse(text, err);
    at++;
    if (!*at || strlen(at) >= sizeof t->field)
        return refuse(text, err);
    memcpy(t->field, at, strlen(at) + 1);
    return true;
}

// ---- values ----

static bool no_value(const struct gv_arg_info *info, const char *text,
                     struct gv_error *err)
{
    return gv_fail(err, GV_ERR_USAGE, GV_NO_OFFSET, "%s: '%.64s' is no value of it",
                   info->name, text);
}

static bool parse_integer(const char *text, uint64_t *value)
{
    char *end;
    const char *digits = text + (*text == '-');
    if (!is_digit(*digits))
        return false;
    errno = 0;
    *value = strtoull(digits, &end, digits[0] == '0' && digits[1] == 'x' ? 16 : 10);
    if (*text == '-')
        *value = 0 - *value;
    return errno == 0 && !*end;
}

static bool parse_float(const char *text, uint64_t *value)
{
    char *end;
    uint32_t bits;
    if (strncmp(text, "0x", 2) == 0)
        return parse_integer(text, value) && *value <= UINT32_MAX;
    const float number = strtof(text, &end);
    if (end == text || *end || isnan(number))
        return false;
    memcpy(&bits, &number, sizeof bits);
    *value = bits;
    return true;
}

static bool parse_names(enum gv_enum_id id, const char *text, uint64_t *value)
{
    char name[64];
    *value = 0;
    for (const char *at = text;; at++) {
        const size_t length = strcspn(at, "|");
        uint64_t one;
        if (length >= sizeof name)
            return false;
        memcpy(name, at, length);
        name[length] = '\0';
        if (!gv_enum_value_find(id, name, &one))
            return false;
        *value |= one;
        at += length;
        if (!*at)
            return true;
        if (!gv_enum_is_flags(id))
            return false;
    }
}

static bool parse_enum(enum gv_enum_id id, const char *text, uint64_t *value)
{
    return parse_names(id, text, value) ||
           (parse_integer(text, value) && gv_enum_valid(id, *value));
}

static bool parse_format(const char *text, uint64_t *value)
{
    if (strcmp(text, "none") == 0) {
        *value = GV_FORMAT_NONE;
        return true;
    }
    *value = gv_format_find(text);
    return *value != GV_FORMAT_NONE;
}

static bool parse_bool(const char *text, uint64_t *value)
{
    *value = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    return *value || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

static bool parse(const struct gv_arg_info *info, const char *text, uint64_t *value)
{
    switch ((enum gv_arg_kind)info->kind) {
    case GV_ARG_U32:
        return parse_integer(text, value) && *value <= UINT32_MAX;
    case GV_ARG_I32:
        return parse_integer(text, value) && (int64_t)*value >= INT32_MIN &&
               (int64_t)*value <= INT32_MAX;
    case GV_ARG_U64:
        return *text != '-' && parse_integer(text, value);
    case GV_ARG_F32:
        return parse_float(text, value);
    case GV_ARG_BOOL:
        return parse_bool(text, value);
    case GV_ARG_ENUM:
    case GV_ARG_FLAGS:
        return parse_enum((enum gv_enum_id)info->of, text, value);
    case GV_ARG_FORMAT:
    case GV_ARG_FORMAT_OPT:
        return parse_format(text, value);
    default:
        return false;
    }
}

bool gv_edit_value_parse(const struct gv_arg_info *info, const char *text,
                         uint64_t *value, struct gv_error *err)
{
    bool optional;
    if (info->kind == GV_ARG_BYTES || info->kind == GV_ARG_SIZE ||
        gv_arg_object_kind((enum gv_arg_kind)info->kind, &optional))
        return gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                       "unsupported: edit of %s: objects and bytes", info->name);
    return parse(info, text, value) || no_value(info, text, err);
}
