#include "compiler/psx/psx_pipelines.h"

#include "compiler/psx/psx_shaders.h"

// What a shader uses besides its parameters.
enum {
    VRAM = 1 << PSX_BIND_VRAM,
    RECORDS = 1 << PSX_BIND_RECORDS,
    SETUP = 1 << PSX_BIND_SETUP,
    BINS = 1 << PSX_BIND_BINS,
    CLUT = 1 << PSX_BIND_CLUT,
    STAGING = 1 << PSX_BIND_STAGING,
    PICTURE = 1 << PSX_BIND_PICTURE,
    TEXTURE_SHIFT = 8,
    VRAM_TEXELS = 1 << (TEXTURE_SHIFT + PSX_BIND_VRAM_TEXELS),
    SETUP_TEXELS = 1 << (TEXTURE_SHIFT + PSX_BIND_SETUP_TEXELS),
    CLUT_TEXELS = 1 << (TEXTURE_SHIFT + PSX_BIND_CLUT_TEXELS),
    BIN_TEXELS = 1 << (TEXTURE_SHIFT + PSX_BIND_BIN_TEXELS),
    VRAM_WORDS = 1 << (TEXTURE_SHIFT + PSX_BIND_VRAM_WORDS),
};

struct form {
    const uint32_t *words;
    size_t bytes;
    uint32_t uses;
};

#define FORM(name, uses)                                      \
    {                                                         \
        gv_psx_##name##_spv, sizeof gv_psx_##name##_spv, uses \
    }

// `minimal` is empty where the shader needs nothing that a device may lack; else
// `texels` and `subgroups` tell what it is that `full` needs.
static const struct kernel {
    struct form full, minimal;
    bool texels, subgroups;
} kernels[GV_PSX_KERNELS] = {
    [GV_PSX_KERNEL_SETUP] = { FORM(setup, RECORDS | SETUP | BINS),
                              FORM(setup_minimal, RECORDS | SETUP | BINS), false,
                              true },
    [GV_PSX_KERNEL_CLUT] = { .full = FORM(clut, VRAM | RECORDS | CLUT) },
    [GV_PSX_KERNEL_MOVE] = { .full = FORM(move, VRAM | STAGING) },
    [GV_PSX_KERNEL_READ] = { .full = FORM(read, VRAM | STAGING) },
    [GV_PSX_KERNEL_LATCH] = { .full = FORM(latch, STAGING) },
    [GV_PSX_KERNEL_FILL] = { .full = FORM(fill, VRAM) },
    [GV_PSX_KERNEL_DISPLAY] = { FORM(display, VRAM_WORDS | PICTURE),
                                FORM(display_minimal, VRAM | PICTURE), true, false },
    [GV_PSX_KERNEL_ORDERED] = { FORM(ordered, VRAM | SETUP_TEXELS | CLUT_TEXELS),
                                FORM(ordered_minimal, VRAM | SETUP_TEXELS | CLUT), true,
                                true },
    [GV_PSX_KERNEL_RASTER] = { FORM(raster, VRAM | RECORDS | BIN_TEXELS | SETUP_TEXELS |
                                                CLUT_TEXELS | VRAM_TEXELS),
                               FORM(raster_minimal,
                                    VRAM | RECORDS | BINS | SETUP_TEXELS | CLUT),
                               true, true },
};

// Appends a binding to an interface; the caller keeps (set, binding) ascending.
static void add_binding(struct gv_interface_desc *i, uint32_t set, uint32_t binding,
                        uint32_t type)
{
    i->bindings[i->binding_count++] =
        (struct gv_binding_desc){ set, binding, type, 1, GV_STAGE_COMPUTE };
}

static void add_bindings(struct gv_interface_desc *i, uint32_t uses)
{
    add_binding(i, PSX_SET_UNIFORM, PSX_BIND_PARAMS, GV_BINDING_UNIFORM_BUFFER_DYNAMIC);
    for (uint32_t b = PSX_BIND_VRAM_TEXELS; b <= PSX_BIND_VRAM_WORDS; b++)
        if (uses >> (TEXTURE_SHIFT + b) & 1)
            add_binding(i, PSX_SET_TEXTURE, b, GV_BINDING_UNIFORM_TEXEL_BUFFER);
    for (uint32_t b = 0; b <= PSX_BIND_PICTURE; b++)
        if (uses >> b & 1)
            add_binding(i, PSX_SET_STORAGE, b, GV_BINDING_STORAGE_BUFFER);
}

// ---- requirements ----

struct gv_requirement gv_psx_texels_requirement(const struct gv_psx_pipelines *p)
{
    return (struct gv_requirement){
        .kind = GV_REQUIRE_LIMIT,
        .strength = GV_ALTERNATIVE,
        .name = "maxTexelBufferElements",
        .value = p->texels,
        .fallback = "VRAM, palettes and bins are read as storage buffers",
    };
}

// VkSubgroupFeatureFlagBits: basic and shuffle. Subgroups must divide a workgroup, so
// that they are full.
#define SUBGROUP_FEATURES 0x11u
static const struct gv_requirement subgroup_rows[] = {
    { GV_REQUIRE_LIMIT, GV_ALTERNATIVE, "subgroupSupportedOperations",
      SUBGROUP_FEATURES, "records are handed around through shared memory" },
    { GV_REQUIRE_LIMIT, GV_ALTERNATIVE, "maxSubgroupSize", PSX_SETUP_LANES,
      "records are handed around through shared memory" },
};

static size_t rows_of(const struct gv_psx_pipelines *p, const struct kernel *k,
                      struct gv_requirement rows[3])
{
    size_t count = 0;
    if (k->texels)
        rows[count++] = gv_psx_texels_requirement(p);
    for (size_t i = 0; k->subgroups && i < 2; i++)
        rows[count++] = subgroup_rows[i];
    return count;
}

// ---- pipelines ----

static struct gv_compute_desc describe(const struct form *form, const uint32_t *spec,
                                       uint32_t spec_count)
{
    struct gv_compute_desc desc = { 0 };
    add_bindings(&desc.interface, form->uses);
    for (uint32_t i = 0; i < spec_count; i++)
        desc.interface.spec_constants[i] =
            (struct gv_spec_constant){ GV_STAGE_COMPUTE, i, spec[i] };
    desc.interface.spec_constant_count = spec_count;
    return desc;
}

// A pipeline with specialisation constants 0, 1, ...
static struct gv_pipeline make(struct gv_psx_pipelines *p, const struct kernel *k,
                               const uint32_t *spec, uint32_t spec_count)
{
    const struct form *one =
        k->minimal.words && p->limits == GV_PSX_LIMITS_MINIMAL ? &k->minimal : &k->full;
    const struct gv_compute_desc desc = describe(one, spec, spec_count);
    if (!k->minimal.words || p->limits == GV_PSX_LIMITS_MINIMAL)
        return gv_builder_compute(
            p->builder, &desc,
            gv_builder_shader(p->builder, one->words, one->bytes / 4));
    struct gv_requirement rows[3];
    size_t count = rows_of(p, k, rows);
    const struct gv_compute_desc other = describe(&k->minimal, spec, spec_count);
    const struct gv_compute_form met = { &desc, one->words, one->bytes / 4 };
    const struct gv_compute_form missed = { &other, k->minimal.words,
                                            k->minimal.bytes / 4 };
    return gv_builder_compute_either(p->builder, rows, count, &met, &missed);
}

struct gv_pipeline gv_psx_pipeline(struct gv_psx_pipelines *p,
                                   enum gv_psx_kernel kernel)
{
    if (!p->made[kernel].id)
        p->made[kernel] = make(p, &kernels[kernel], NULL, 0);
    return p->made[kernel];
}

struct gv_pipeline gv_psx_raster_pipeline(struct gv_psx_pipelines *p, uint32_t state)
{
    uint32_t lanes_w = p->tile_w / 2, lanes_h = PSX_TILE_LANES / lanes_w;
    const uint32_t spec[] = { lanes_w, p->tile_h / lanes_h,
                              (state & PSX_STATE_TEXTURED) != 0,
                              (state & PSX_STATE_SEMI) != 0,
                              (state & PSX_STATE_MODULATE_5) != 0 };
    struct gv_pipeline *kept = &p->raster[spec[2] | spec[3] << 1];
    if (!kept->id)
        *kept =
            make(p, &kernels[GV_PSX_KERNEL_RASTER], spec, sizeof spec / sizeof spec[0]);
    return *kept;
}
