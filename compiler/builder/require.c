#include "compiler/builder/require.h"

#include "vm/device_limits.h"
#include "vm/formats.h"
#include "vm/payload/payload_writer.h"

#include <stdlib.h>
#include <string.h>

// ---- the set ----

void gv_requirements_finish(struct gv_requirements *r)
{
    free(r->rows);
    gv_arena_finish(&r->strings);
    *r = (struct gv_requirements){ 0 };
}

static const char *text(const char *s)
{
    return s ? s : "";
}

static enum gv_limit_sense sense_of(const struct gv_requirement *row)
{
    if (row->kind == GV_REQUIRE_FORMAT)
        return GV_LIMIT_BITS;
    return row->kind == GV_REQUIRE_LIMIT ? gv_device_limit_sense(row->name)
                                         : GV_LIMIT_AT_LEAST;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// What meets both values.
static uint64_t both(enum gv_limit_sense sense, uint64_t a, uint64_t b)
{
    switch (sense) {
    case GV_LIMIT_AT_LEAST:
        return larger(a, b);
    case GV_LIMIT_AT_MOST:
        return smaller(a, b);
    case GV_LIMIT_BITS:
        break;
    }
    return a | b;
}

// What either value asks for.
static uint64_t either(enum gv_limit_sense sense, uint64_t a, uint64_t b)
{
    switch (sense) {
    case GV_LIMIT_AT_LEAST:
        return smaller(a, b);
    case GV_LIMIT_AT_MOST:
        return larger(a, b);
    case GV_LIMIT_BITS:
        break;
    }
    return a & b;
}

static void merge_value(struct gv_requirement_row *row, uint64_t value)
{
    uint64_t merged = both(sense_of(&row->requirement), row->requirement.value, value);
    row->written = row->written && merged == row->requirement.value;
    row->requirement.value = merged;
}

// The row that stands for `need`, or NULL.
static struct gv_requirement_row *find_row(const struct gv_requirements *r,
                                           const struct gv_requirement *need)
{
    for (size_t i = 0; i < r->count; i++) {
        const struct gv_requirement *known = &r->rows[i].requirement;
        bool same = known->kind == need->kind && known->strength == need->strength &&
                    strcmp(known->name, text(need->name)) == 0;
        if (same && (need->strength != GV_ALTERNATIVE ||
                     (known->value == need->value &&
                      strcmp(known->fallback, text(need->fallback)) == 0)))
            return &r->rows[i];
    }
    return NULL;
}

bool gv_requirements_add(struct gv_requirements *r, const struct gv_requirement *need)
{
    struct gv_requirement_row *known = find_row(r, need);
    if (known) {
        merge_value(known, need->value);
        return true;
    }
    if (r->count == r->capacity) {
        size_t capacity = r->capacity ? r->capacity * 2 : 32;
        struct gv_requirement_row *grown = realloc(r->rows, capacity * sizeof *grown);
        if (!grown)
            return false;
        r->rows = grown;
        r->capacity = capacity;
    }
    const char *name = text(need->name), *fallback = text(need->fallback);
    struct gv_requirement copy = *need;
    copy.name = gv_arena_copy(&r->strings, name, strlen(name));
    copy.fallback = gv_arena_copy(&r->strings, fallback, strlen(fallback));
    if (!copy.name || !copy.fallback)
        return false;
    r->rows[r->count++] = (struct gv_requirement_row){ .requirement = copy };
    return true;
}

static void write_row(struct gv_requirement_row *row, struct gv_payload_writer *writer)
{
    if (!row->written)
        row->number = gv_writer_require(writer, &row->requirement);
    row->written = true;
}

void gv_requirements_write(struct gv_requirements *r, struct gv_payload_writer *writer)
{
    for (size_t i = 0; i < r->count; i++)
        write_row(&r->rows[i], writer);
}

bool gv_requirements_number(struct gv_requirements *r, struct gv_payload_writer *writer,
                            const struct gv_requirement *need, uint32_t *number)
{
    struct gv_requirement row = *need;
    row.strength = GV_ALTERNATIVE;
    if (!gv_requirements_add(r, &row))
        return false;
    struct gv_requirement_row *known = find_row(r, &row);
    write_row(known, writer);
    *number = known->number;
    return true;
}

bool gv_requirements_common(struct gv_requirements *to, const struct gv_requirements *a,
                            const struct gv_requirements *b)
{
    for (size_t i = 0; i < a->count; i++) {
        struct gv_requirement need = a->rows[i].requirement;
        const struct gv_requirement_row *other = find_row(b, &need);
        if (!other)
            continue;
        enum gv_limit_sense sense = sense_of(&need);
        need.value = either(sense, need.value, other->requirement.value);
        bool nothing = sense == GV_LIMIT_BITS && !need.value;
        if (!nothing && !gv_requirements_add(to, &need))
            return false;
    }
    return gv_require_sizes(to, a->sizes & b->sizes);
}

// Features that the runtime has another way for, with the same pixels.
static const struct {
    const char *feature, *fallback;
} replaced[] = {
    { "shaderDrawParameters", "numbers of the draw are pushed with it" },
    { "vertexAttributeInstanceRateDivisor",
      "instance data are expanded for each draw" },
    { "vertexAttributeInstanceRateZeroDivisor",
      "instance data are expanded for each draw" },
    { "multiDrawIndirect", "one draw at a time" },
    { "drawIndirectFirstInstance", "records are read back and drawn one by one" },
    { "primitiveTopologyListRestart", "indices are read back and rewritten" },
    { "primitiveTopologyPatchListRestart", "indices are read back and rewritten" },
    { "triangleFans", "indices are read back and rewritten" },
    { "indexTypeUint8", "indices are read back and rewritten" },
};

static const char *fallback_of(const char *feature)
{
    for (size_t i = 0; i < sizeof replaced / sizeof replaced[0]; i++)
        if (strcmp(replaced[i].feature, feature) == 0)
            return replaced[i].fallback;
    return NULL;
}

bool gv_require_feature(struct gv_requirements *r, const char *feature,
                        const char *extension)
{
    const char *fallback = feature ? fallback_of(feature) : NULL;
    const struct gv_requirement other_way = { .kind = GV_REQUIRE_FEATURE,
                                              .strength = GV_ALTERNATIVE,
                                              .name = feature,
                                              .fallback = fallback };
    if (fallback)
        return gv_requirements_add(r, &other_way);
    const struct gv_requirement extension_row = { .kind = GV_REQUIRE_EXTENSION,
                                                  .name = extension };
    const struct gv_requirement row = { .kind = GV_REQUIRE_FEATURE, .name = feature };
    return (!extension || gv_requirements_add(r, &extension_row)) &&
           (!feature || gv_requirements_add(r, &row));
}

bool gv_require_limit(struct gv_requirements *r, const char *name, uint64_t value,
                      uint64_t guaranteed)
{
    const struct gv_requirement row = { .kind = GV_REQUIRE_LIMIT,
                                        .name = name,
                                        .value = value };
    return value <= guaranteed || gv_requirements_add(r, &row);
}

// The feature bit that all formats of a compression family hang on.
static const char *family_feature(const struct gv_format_info *info)
{
    if (info->format_class >= GV_FORMAT_CLASS_ASTC_4X4)
        return info->kind == GV_FORMAT_KIND_SFLOAT ? "textureCompressionASTC_HDR"
                                                   : "textureCompressionASTC_LDR";
    if (info->format_class >= GV_FORMAT_CLASS_ETC2_RGB)
        return "textureCompressionETC2";
    return "textureCompressionBC";
}

bool gv_require_vertex_format(struct gv_requirements *r, uint64_t format)
{
    const struct gv_format_info *info = gv_format_info(format);
    if (!info || !gv_format_wide(info))
        return gv_require_format(r, format, GV_NEED_VERTEX);
    const struct gv_requirement row = {
        .kind = GV_REQUIRE_FORMAT,
        .strength = GV_ALTERNATIVE,
        .name = info->name,
        .value = GV_NEED_VERTEX,
        .fallback = "attributes are converted for each draw",
    };
    // Every device has it ("Required Format Support").
    return gv_format_wide(info) == format || gv_requirements_add(r, &row);
}

bool gv_require_format(struct gv_requirements *r, uint64_t format, uint64_t bits)
{
    const struct gv_format_info *info = gv_format_info(format);
    if (!info)
        return true; // the verifier and the runtime refuse such a format by name
    size_t row_index = (size_t)(info - gv_formats);
    if (row_index < GV_TARGET_FORMATS) { // a draw may ask again and again
        if ((r->formats[row_index] & bits) == bits)
            return true;
        r->formats[row_index] |= bits;
    }
    bool d24 = format == GV_FORMAT_X8_D24_UNORM_PACK32 ||
               format == GV_FORMAT_D24_UNORM_S8_UINT;
    const struct gv_requirement row = {
        .kind = GV_REQUIRE_FORMAT,
        .strength = d24 ? GV_PREFERRED : GV_NEEDED,
        .name = info->name,
        .value = bits,
        .fallback = d24 ? "depths as floats, finer below a half" : NULL,
    };
    return gv_requirements_add(r, &row) &&
           (!info->compressed || gv_require_feature(r, family_feature(info), NULL));
}
