#include "runtime/spirv/spirv_check.h"

#include "resources/hash.h"
#include "runtime/spirv/float_modes.h"
#include "runtime/spirv/spirv_rewrite.h"
#include "vm/spirv/spirv_gate.h"

#include <spirv-tools/libspirv.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 256

struct entry {
    struct gv_spirv_checked checked; // words and code owned
    struct gv_error error;           // status GV_OK: it passed
    struct gv_hash hash;
    struct entry *next;
};

struct gv_spirv_checker {
    struct gv_spirv_limits limits;
    bool draw_parameters;
    spv_context context;
    spv_validator_options options;
    struct entry *buckets[BUCKETS];
    size_t bytes;
};

struct gv_spirv_checker *gv_spirv_checker_create(const struct gv_spirv_limits *limits,
                                                 bool draw_parameters,
                                                 struct gv_error *err)
{
    struct gv_spirv_checker *c = calloc(1, sizeof *c);
    if (c) {
        c->limits = *limits;
        c->draw_parameters = draw_parameters;
        c->context = spvContextCreate(SPV_ENV_VULKAN_1_3);
        c->options = spvValidatorOptionsCreate();
    }
    if (!c || !c->context || !c->options) {
        gv_spirv_checker_destroy(c);
        gv_out_of_memory(err);
        return NULL;
    }
    spvValidatorOptionsSetFriendlyNames(c->options, false);
    spvValidatorOptionsSetUniversalLimit(
        c->options, spv_validator_limit_max_control_flow_nesting_depth,
        GV_MAX_SPIRV_CONTROL_DEPTH);
    spvValidatorOptionsSetScalarBlockLayout(
        c->options, limits->has(limits->context, "scalarBlockLayout"));
    spvValidatorOptionsSetUniformBufferStandardLayout(
        c->options, limits->has(limits->context, "uniformBufferStandardLayout"));
    return c;
}

static void free_entry(struct entry *e)
{
    gv_spirv_module_finish(&e->checked.module);
    if (e->checked.code != e->checked.words && e->checked.code != e->checked.safe.words)
        free((void *)e->checked.code);
    gv_spirv_safe_finish(&e->checked.safe);
    free((void *)e->checked.words);
    free(e);
}

void gv_spirv_checker_destroy(struct gv_spirv_checker *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < BUCKETS; i++)
        while (c->buckets[i]) {
            struct entry *e = c->buckets[i];
            c->buckets[i] = e->next;
            free_entry(e);
        }
    spvValidatorOptionsDestroy(c->options);
    spvContextDestroy(c->context);
    free(c);
}

uint64_t gv_spirv_checker_bytes(const struct gv_spirv_checker *checker)
{
    return checker->bytes;
}

const struct gv_spirv_limits *
gv_spirv_checker_limits(const struct gv_spirv_checker *checker)
{
    return &checker->limits;
}

// The validator's message, on one line.
static bool refuse(const struct spv_diagnostic_t *diagnostic, struct gv_error *err)
{
    char text[120] = "no reason given";
    uint64_t offset = GV_NO_OFFSET;
    if (diagnostic) {
        strncpy(text, diagnostic->error, sizeof text - 1);
        offset = diagnostic->position.index * 4;
    }
    for (char *p = text; *p; p++)
        if ((unsigned char)*p < ' ')
            *p = ' ';
    return gv_fail(err, GV_ERR_FORMAT, offset, "invalid SPIR-V: %s", text);
}

static bool validate(struct gv_spirv_checker *c, const uint32_t *words, size_t count,
                     struct gv_error *err)
{
    if (!gv_spirv_gate(words, count, err))
        return false;
    spv_const_binary_t binary = { words, count };
    spv_diagnostic diagnostic = NULL;
    spv_result_t result =
        spvValidateWithOptions(c->context, c->options, &binary, &diagnostic);
    bool ok = result == SPV_SUCCESS || refuse(diagnostic, err);
    spvDiagnosticDestroy(diagnostic);
    return ok;
}

static bool same(const struct entry *e, const struct gv_hash *hash, const void *bytes,
                 size_t size)
{
    return e->checked.count * 4 == size && gv_hash_equal(&e->hash, hash) &&
           memcmp(e->checked.words, bytes, size) == 0;
}

static bool adapt_draw_parameters(struct gv_spirv_checker *c,
                                  struct gv_spirv_checked *checked,
                                  struct gv_error *err)
{
    uint32_t *code;
    struct gv_error invalid = GV_ERROR_INIT;
    if (!gv_spirv_uses_draw_parameters(checked->words, checked->count) ||
        (c->draw_parameters &&
         !gv_spirv_uses_draw_index(checked->words, checked->count)))
        return true;
    if (!gv_spirv_rewrite_draw_parameters(checked->words, checked->count,
                                          c->draw_parameters, &code,
                                          &checked->code_count, err))
        return false;
    checked->code = code;
    checked->pushes_draw_parameters = true;
    return validate(c, code, checked->code_count, &invalid) ||
           gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET,
                   "unsupported: uses of draw parameters other than loads");
}

static bool adapt_float_modes(struct gv_spirv_checker *c,
                              struct gv_spirv_checked *checked, struct gv_error *err)
{
    const uint32_t *old = checked->code;
    if (!gv_spirv_lacks_float_modes(old, checked->code_count, c->limits.float_modes))
        return true;
    uint32_t *code = malloc(checked->code_count * sizeof *code);
    if (!code)
        return gv_out_of_memory(err);
    checked->code_count = gv_spirv_strip_float_modes(old, checked->code_count,
                                                     c->limits.float_modes, code);
    checked->code = code;
    if (old != checked->words)
        free((void *)old);
    return true;
}

// Last, so that nothing comes behind it.
static bool adapt_indices(struct gv_spirv_checker *c, struct gv_spirv_checked *checked,
                          struct gv_error *err)
{
    const uint32_t *old = checked->code;
    if (!gv_spirv_make_safe(old, checked->code_count, &checked->module, &c->limits,
                            &checked->safe, err))
        return false;
    checked->code = checked->safe.words;
    checked->code_count = checked->safe.count;
    if (old != checked->words)
        free((void *)old);
    return true;
}

// What the driver is to see of a module that has passed.
static bool adapt(struct gv_spirv_checker *c, struct gv_spirv_checked *checked,
                  struct gv_error *err)
{
    checked->code = checked->words;
    checked->code_count = checked->count;
    return adapt_draw_parameters(c, checked, err) &&
           adapt_float_modes(c, checked, err) && adapt_indices(c, checked, err);
}

static struct entry *judge(struct gv_spirv_checker *c, const struct gv_hash *hash,
                           const void *bytes, size_t size, struct gv_error *err)
{
    struct entry *e = calloc(1, sizeof *e);
    uint32_t *words = malloc(size ? size : 1);
    if (!e || !words) {
        free(e);
        free(words);
        gv_out_of_memory(err);
        return NULL;
    }
    memcpy(words, bytes, size);
    e->hash = *hash;
    e->checked.words = words;
    e->checked.count = size / 4;
    e->error = (struct gv_error)GV_ERROR_INIT;
    e->checked.code = words;
    if (validate(c, words, size / 4, &e->error) &&
        gv_spirv_module_read(words, size / 4, NULL, 0, &c->limits, &e->checked.module,
                             &e->error))
        adapt(c, &e->checked, &e->error);
    return e;
}

const struct gv_spirv_checked *gv_spirv_check(struct gv_spirv_checker *c,
                                              const void *bytes, size_t size,
                                              struct gv_error *err)
{
    if (size % 4 != 0) {
        gv_fail(err, GV_ERR_FORMAT, size, "SPIR-V of %zu bytes is not whole words",
                size);
        return NULL;
    }
    struct gv_hash hash = gv_hash_bytes(bytes, size);
    struct entry **bucket = &c->buckets[hash.bytes[0] % BUCKETS];
    struct entry *e = *bucket;
    while (e && !same(e, &hash, bytes, size))
        e = e->next;
    if (!e) {
        if (c->bytes + size > GV_MAX_SPIRV_CACHE_BYTES) {
            gv_fail(err, GV_ERR_UNSUPPORTED, GV_NO_OFFSET, "too many distinct shaders");
            return NULL;
        }
        e = judge(c, &hash, bytes, size, err);
        if (!e)
            return NULL;
        c->bytes +=
            size + e->checked.safe.count * 4 +
            e->checked.module.binding_count * sizeof *e->checked.module.bindings;
        e->next = *bucket;
        *bucket = e;
    }
    if (e->error.status == GV_OK)
        return &e->checked;
    gv_fail(err, e->error.status, e->error.offset, "%s", e->error.message);
    return NULL;
}
