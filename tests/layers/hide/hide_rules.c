#define _GNU_SOURCE // dladdr
#include "tests/layers/hide/hide_rules.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 16
#define MAX_DEPTH 4 // of presets in presets

static bool wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool wrong(const char *format, ...)
{
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "GV_HIDE: %s\n", text);
    return false;
}

struct words {
    char *at[MAX_WORDS];
    size_t count;
};

static bool is(const char *word, const char *name)
{
    return strcmp(word, name) == 0;
}

// ---- features, extensions ----

static bool feature(struct gv_hide_rules *rules, const struct words *w, bool hidden)
{
    if (is(w->at[2], "*")) {
        for (size_t i = 0; i < GV_HIDE_FEATURES; i++)
            rules->features[i] = hidden;
        memset(rules->named, 0, sizeof rules->named);
        return true;
    }
    size_t row = gv_hide_find_feature(w->at[2]);
    if (row == GV_HIDE_NONE)
        return wrong("no feature %s in features.def", w->at[2]);
    rules->features[row] = hidden;
    rules->named[row] = hidden;
    return true;
}

static bool extension(struct gv_hide_rules *rules, const struct words *w, bool hidden)
{
    if (is(w->at[2], "*")) {
        rules->all_extensions = hidden;
        rules->extension_count = 0;
        return true;
    }
    if (!gv_hide_known_extension(w->at[2]))
        return wrong("no extension %s in features.def", w->at[2]);
    if (rules->extension_count == GV_HIDE_MAX_EXTENSIONS)
        return wrong("more than %d extensions", GV_HIDE_MAX_EXTENSIONS);
    struct gv_hide_extension *e = &rules->extensions[rules->extension_count++];
    snprintf(e->name, sizeof e->name, "%s", w->at[2]);
    e->hidden = hidden;
    return true;
}

bool gv_hide_extension(const struct gv_hide_rules *rules, const char *name)
{
    bool hidden = rules->all_extensions;
    for (size_t i = 0; i < rules->extension_count; i++) // the last word counts
        if (is(rules->extensions[i].name, name))
            hidden = rules->extensions[i].hidden;
    return hidden;
}

// ---- formats ----

static const struct {
    const char *name;
    uint64_t bits;
} format_bits[] = {
    { "sampled", VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT },
    { "storage", VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT },
    { "storage_atomic", VK_FORMAT_FEATURE_STORAGE_IMAGE_ATOMIC_BIT },
    { "color", VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT },
    { "blend", VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT },
    { "depth_stencil", VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT },
    { "blit_src", VK_FORMAT_FEATURE_BLIT_SRC_BIT },
    { "blit_dst", VK_FORMAT_FEATURE_BLIT_DST_BIT },
    { "linear", VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT },
    { "minmax", VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_MINMAX_BIT },
    { "transfer",
      VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT },
    { "vertex", (uint64_t)VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT << 32 },
    { "uniform_texel", (uint64_t)VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT << 32 },
    { "storage_texel", (uint64_t)VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT << 32 },
    { "storage_texel_atomic",
      (uint64_t)VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_ATOMIC_BIT << 32 },
};

// A name, or a number as requirements have it.
static bool find_bits(const char *name, uint64_t *bits)
{
    char *end;
    uint64_t number = strtoull(name, &end, 0);
    if (!*end) {
        *bits |= number;
        return true;
    }
    for (size_t i = 0; i < sizeof format_bits / sizeof *format_bits; i++)
        if (is(name, format_bits[i].name)) {
            *bits |= format_bits[i].bits;
            return true;
        }
    return wrong("no format feature %s", name);
}

static bool format(struct gv_hide_rules *rules, const struct words *w, bool hidden)
{
    uint64_t bits = w->count == 3 ? UINT64_MAX : 0;
    size_t row = gv_hide_find_format(w->at[2]);
    for (size_t i = 3; i < w->count; i++)
        if (!find_bits(w->at[i], &bits))
            return false;
    if (row == GV_HIDE_NONE && !is(w->at[2], "*"))
        return wrong("no format %s in formats.def", w->at[2]);
    for (size_t i = 0; i < GV_HIDE_FORMATS; i++)
        if (row == GV_HIDE_NONE || i == row)
            rules->formats[i] =
                hidden ? rules->formats[i] | bits : rules->formats[i] & ~bits;
    return true;
}

// ---- limits, properties ----

static bool limit(struct gv_hide_rules *rules, const struct words *w)
{
    char *end;
    size_t row = gv_hide_find_limit(w->at[1]);
    double value = strtod(w->at[2], &end);
    if (row == GV_HIDE_NONE || *end)
        return wrong("limit %s %s: no such limit, or no number", w->at[1], w->at[2]);
    rules->limits[row] = (struct gv_hide_limit){ true, value };
    return true;
}

static bool property(struct gv_hide_rules *rules, const struct words *w)
{
    char *end;
    uint64_t value = strtoull(w->at[2], &end, 0);
    if (gv_hide_find_property(w->at[1]) == GV_HIDE_NONE || *end)
        return wrong("property %s %s: no such property, or no number", w->at[1],
                     w->at[2]);
    for (size_t i = 0; i < GV_HIDE_PROPERTIES; i++)
        if (is(gv_hide_properties[i].name, w->at[1]))
            rules->properties[i] = (struct gv_hide_property){ true, value };
    return true;
}

// ---- memory ----

static const struct {
    const char *name;
    VkMemoryPropertyFlags flag;
} memory_flags[] = {
    { "DEVICE_LOCAL", VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT },
    { "HOST_VISIBLE", VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT },
    { "HOST_COHERENT", VK_MEMORY_PROPERTY_HOST_COHERENT_BIT },
    { "HOST_CACHED", VK_MEMORY_PROPERTY_HOST_CACHED_BIT },
    { "LAZILY_ALLOCATED", VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT },
    { "PROTECTED", VK_MEMORY_PROPERTY_PROTECTED_BIT },
    { "DEVICE_COHERENT_AMD", VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD },
    { "DEVICE_UNCACHED_AMD", VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD },
    { "NONE", 0 },
};

static bool find_memory_flag(const char *name, VkMemoryPropertyFlags *flags)
{
    for (size_t i = 0; i < sizeof memory_flags / sizeof *memory_flags; i++)
        if (is(name, memory_flags[i].name)) {
            *flags |= memory_flags[i].flag;
            return true;
        }
    return wrong("no memory property %s", name);
}

// memory HEAP FLAG...
static bool memory(struct gv_hide_rules *rules, const struct words *w)
{
    char *end;
    VkMemoryType type = { .heapIndex = (uint32_t)strtoul(w->at[1], &end, 10) };
    if (*end || type.heapIndex >= rules->heap_count)
        return wrong("memory %s: no such heap yet", w->at[1]);
    for (size_t i = 2; i < w->count; i++)
        if (!find_memory_flag(w->at[i], &type.propertyFlags))
            return false;
    if (rules->type_count == VK_MAX_MEMORY_TYPES)
        return wrong("more than %d memory types", VK_MAX_MEMORY_TYPES);
    rules->types[rules->type_count++] = type;
    return true;
}

// heap MEBIBYTES [DEVICE_LOCAL]
static bool heap(struct gv_hide_rules *rules, const struct words *w)
{
    char *end;
    uint64_t size = strtoull(w->at[1], &end, 10);
    if (*end || !size || rules->heap_count == VK_MAX_MEMORY_HEAPS ||
        (w->count > 2 && !is(w->at[2], "DEVICE_LOCAL")))
        return wrong("heap %s: not a heap, or one too many", w->at[1]);
    rules->heaps[rules->heap_count++] = (VkMemoryHeap){
        .size = size << 20,
        .flags = w->count > 2 ? VK_MEMORY_HEAP_DEVICE_LOCAL_BIT : 0,
    };
    return true;
}

// ---- the text ----

static bool read_text(struct gv_hide_rules *rules, char *text, int depth);

static bool read_file(struct gv_hide_rules *rules, const char *path, int depth)
{
    char text[16384];
    FILE *file = fopen(path, "r");
    if (!file)
        return wrong("cannot read %s", path);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    if (size == sizeof text - 1)
        return wrong("%s is too long", path);
    text[size] = 0;
    return read_text(rules, text, depth + 1);
}

// Presets lie beside the library.
static bool preset(struct gv_hide_rules *rules, const char *name, int depth)
{
    Dl_info info;
    char path[4096];
    if (depth == MAX_DEPTH)
        return wrong("presets in presets in presets");
    if (name[0] == '@')
        return read_file(rules, name + 1, depth);
    if (!dladdr(format_bits, &info) || !strrchr(info.dli_fname, '/'))
        return wrong("where am I?");
    int folder = (int)(strrchr(info.dli_fname, '/') - info.dli_fname);
    snprintf(path, sizeof path, "%.*s/%s.rules", folder, info.dli_fname, name);
    return read_file(rules, path, depth);
}

static bool hide(struct gv_hide_rules *rules, const struct words *w, bool hidden)
{
    if (is(w->at[1], "feature") && w->count == 3)
        return feature(rules, w, hidden);
    if (is(w->at[1], "extension") && w->count == 3)
        return extension(rules, w, hidden);
    if (is(w->at[1], "format"))
        return format(rules, w, hidden);
    return wrong("%s %s: feature, extension or format", w->at[0], w->at[1]);
}

static bool queues(struct gv_hide_rules *rules, const struct words *w)
{
    char *end;
    rules->queue_families = (uint32_t)strtoul(w->at[1], &end, 10);
    return !*end && rules->queue_families <= 8 ? true : wrong("queues %s", w->at[1]);
}

static bool lost(struct gv_hide_rules *rules, const struct words *w)
{
    char *end;
    rules->submits = (uint32_t)strtoul(w->at[1], &end, 10);
    return !*end && rules->submits ? true : wrong("lost %s", w->at[1]);
}

static bool read_rule(struct gv_hide_rules *rules, const struct words *w, int depth)
{
    const char *verb = w->at[0];
    if ((is(verb, "hide") || is(verb, "show")) && w->count >= 3)
        return hide(rules, w, is(verb, "hide"));
    if (is(verb, "limit") && w->count == 3)
        return limit(rules, w);
    if (is(verb, "property") && w->count == 3)
        return property(rules, w);
    if (is(verb, "heap") && w->count <= 3 && w->count >= 2)
        return heap(rules, w);
    if (is(verb, "memory") && w->count >= 3)
        return memory(rules, w);
    if (is(verb, "queues") && w->count == 2)
        return queues(rules, w);
    if (is(verb, "lost") && w->count == 2)
        return lost(rules, w);
    if (is(verb, "exhausted") && w->count == 1)
        return rules->exhausted = true;
    if (is(verb, "portability") && w->count == 1)
        return rules->portability = true;
    if (is(verb, "preset") && w->count == 2)
        return preset(rules, w->at[1], depth);
    return wrong("not a rule: %s %s", verb, w->count > 1 ? w->at[1] : "");
}

static bool read_line(struct gv_hide_rules *rules, char *line, int depth)
{
    struct words w = { .count = 0 };
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t\r", &rest); word;
         word = strtok_r(NULL, " \t\r", &rest)) {
        if (w.count == MAX_WORDS)
            return wrong("a rule of more than %d words: %s", MAX_WORDS, w.at[0]);
        w.at[w.count++] = word;
    }
    return w.count == 0 || read_rule(rules, &w, depth);
}

static bool read_text(struct gv_hide_rules *rules, char *text, int depth)
{
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        char *more = NULL;
        line[strcspn(line, "#")] = 0;
        for (char *rule = strtok_r(line, ";", &more); rule;
             rule = strtok_r(NULL, ";", &more))
            if (!read_line(rules, rule, depth))
                return false;
    }
    return true;
}

bool gv_hide_rules_read(struct gv_hide_rules *rules, const char *text)
{
    memset(rules, 0, sizeof *rules);
    char *copy = strdup(text ? text : "");
    bool ok = copy && read_text(rules, copy, 0);
    free(copy);
    if (ok && rules->heap_count && !rules->type_count)
        return wrong("heaps without memory types");
    return ok;
}
