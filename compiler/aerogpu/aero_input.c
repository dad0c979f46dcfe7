// Input layouts: "ILAY" blobs (Direct3D 10 and 11), Direct3D 9 vertex declarations, and
// what they mean for a vertex shader.
#include "compiler/aerogpu/aero.h"

#define ILAY_MAGIC 0x59414C49u // "ILAY"
#define ILAY_HEADER 16u
#define ILAY_ELEMENT 28u
#define ILAY_APPEND UINT32_MAX
#define D3D9_ELEMENT 8u
#define D3D9_END 0xFFu
#define D3D9_MAX_STREAM 16u
#define D3D9_UNUSED 17u // type of the end marker

static const struct {
    uint32_t dxgi, format;
} dxgi_formats[] = {
#define GV_AERO_DXGI(dxgi, format) { dxgi, GV_FORMAT_##format },
#include "compiler/aerogpu/aero_dxgi.def"
#undef GV_AERO_DXGI
};

static uint32_t dxgi_format(uint32_t number)
{
    for (size_t i = 0; i < sizeof dxgi_formats / sizeof dxgi_formats[0]; i++)
        if (dxgi_formats[i].dxgi == number)
            return dxgi_formats[i].format;
    return GV_FORMAT_NONE;
}

// D3DDECLTYPE by number.
static const uint32_t d3d9_formats[D3D9_UNUSED] = {
    GV_FORMAT_R32_SFLOAT,
    GV_FORMAT_R32G32_SFLOAT,
    GV_FORMAT_R32G32B32_SFLOAT,
    GV_FORMAT_R32G32B32A32_SFLOAT,
    GV_FORMAT_B8G8R8A8_UNORM, // D3DCOLOR
    GV_FORMAT_R8G8B8A8_USCALED,
    GV_FORMAT_R16G16_SSCALED,
    GV_FORMAT_R16G16B16A16_SSCALED,
    GV_FORMAT_R8G8B8A8_UNORM,
    GV_FORMAT_R16G16_SNORM,
    GV_FORMAT_R16G16B16A16_SNORM,
    GV_FORMAT_R16G16_UNORM,
    GV_FORMAT_R16G16B16A16_UNORM,
    GV_FORMAT_A2B10G10R10_USCALED_PACK32,
    GV_FORMAT_A2B10G10R10_SNORM_PACK32,
    GV_FORMAT_R16G16_SFLOAT,
    GV_FORMAT_R16G16B16A16_SFLOAT,
};

static uint32_t format_bytes(uint32_t format)
{
    return gv_format_info(format)->block_bytes;
}

// ---- blobs ----

// `ends` holds, by slot, where the previous element of the slot ended.
static bool read_ilay_element(struct gv_aero *a, const struct gv_cmd *c,
                              const uint8_t *p, uint32_t *ends,
                              struct gv_aero_element *e, struct gv_error *err)
{
    *e = (struct gv_aero_element){ .semantic_hash = gv_load_u32(p),
                                   .semantic_index = gv_load_u32(p + 4),
                                   .format = dxgi_format(gv_load_u32(p + 8)),
                                   .slot = gv_load_u32(p + 12),
                                   .offset = gv_load_u32(p + 16),
                                   .instance = gv_load_u32(p + 20) == 1,
                                   .step = gv_load_u32(p + 24) };
    if (!e->format)
        return gv_aero_fail(a, GV_ERR_UNSUPPORTED, c, err,
                            "unsupported: vertex format %u", gv_load_u32(p + 8));
    if (e->slot >= GV_AERO_VERTEX_BUFFERS)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "element in slot %u", e->slot);
    if (gv_load_u32(p + 20) > 1)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "element of class %u",
                            gv_load_u32(p + 20));
    if (e->offset == ILAY_APPEND)
        e->offset = (ends[e->slot] + 3) & ~3u;
    if (e->offset > GV_MAX_ATTRIBUTE_OFFSET)
        return gv_aero_fail(a, GV_ERR_LIMIT, c, err, "element at offset %u", e->offset);
    ends[e->slot] = e->offset + format_bytes(e->format);
    return true;
}

static bool read_ilay(struct gv_aero *a, const struct gv_cmd *c, const uint8_t *blob,
                      size_t size, struct gv_aero_layout *out, struct gv_error *err)
{
    if (size < ILAY_HEADER || gv_load_u32(blob + 4) != 1)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "layout blob is not ILAY 1");
    uint32_t count = gv_load_u32(blob + 8);
    if (count > GV_AERO_MAX_ELEMENTS ||
        (size_t)count * ILAY_ELEMENT > size - ILAY_HEADER)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                            "%u elements in a layout blob of %zu bytes", count, size);
    uint32_t ends[GV_AERO_VERTEX_BUFFERS] = { 0 };
    out->elements = gv_arena_array(a->arena, count, sizeof *out->elements);
    if (!out->elements)
        return gv_out_of_memory(err);
    for (out->count = 0; out->count < count; out->count++)
        if (!read_ilay_element(a, c,
                               blob + ILAY_HEADER + (size_t)ILAY_ELEMENT * out->count,
                               ends, &out->elements[out->count], err))
            return false;
    return true;
}

static bool read_d3d9(struct gv_aero *a, const struct gv_cmd *c, const uint8_t *blob,
                      size_t size, struct gv_aero_layout *out, struct gv_error *err)
{
    uint32_t limit = (uint32_t)(size / D3D9_ELEMENT);
    if (size % D3D9_ELEMENT || !limit || limit > 2 * GV_AERO_MAX_ELEMENTS + 1)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "vertex declaration of %zu bytes",
                            size);
    out->d3d9 = true;
    out->elements = gv_arena_array(a->arena, limit, sizeof *out->elements);
    if (!out->elements)
        return gv_out_of_memory(err);
    for (uint32_t i = 0; i < limit; i++) {
        const uint8_t *p = blob + (size_t)i * D3D9_ELEMENT;
        uint32_t stream = gv_load_u16(p), type = p[4];
        if (stream == D3D9_END)
            return true;
        if (stream >= D3D9_MAX_STREAM || type >= D3D9_UNUSED)
            return gv_aero_fail(a, GV_ERR_FORMAT, c, err,
                                "declaration element of stream %u, type %u", stream,
                                type);
        out->elements[out->count++] =
            (struct gv_aero_element){ .usage = p[6],
                                      .usage_index = p[7],
                                      .format = d3d9_formats[type],
                                      .slot = stream,
                                      .offset = gv_load_u16(p + 2) };
    }
    return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "vertex declaration without an end");
}

GV_AERO_HANDLER(create_input_layout)
{
    const uint8_t *blob = c->p + GV_AT_CREATE_INPUT_LAYOUT_tail;
    size_t size = GV_CMD_U32(c, CREATE_INPUT_LAYOUT, blob_size);
    struct gv_aero_object *o = gv_aero_create(
        a, c, GV_CMD_U32(c, CREATE_INPUT_LAYOUT, handle), GV_AERO_LAYOUT, err);
    if (!o)
        return false;
    if (size < 4)
        return gv_aero_fail(a, GV_ERR_FORMAT, c, err, "layout blob of %zu bytes", size);
    if (gv_load_u32(blob) == ILAY_MAGIC)
        return read_ilay(a, c, blob, size, &o->layout, err);
    gv_aero_use_d3d9(x);
    return read_d3d9(a, c, blob, size, &o->layout, err);
}

// ---- vertex input of a pipeline ----

// The same bits as the component class a shader input wants: 32-bit registers are
// untyped, smaller integers are not convertible.
static uint32_t fit_format(uint32_t format, uint32_t component)
{
    static const struct {
        uint32_t classes[3]; // by enum gv_dxbc_component
    } same[] = {
        { { GV_FORMAT_R32_SFLOAT, GV_FORMAT_R32_UINT, GV_FORMAT_R32_SINT } },
        { { GV_FORMAT_R32G32_SFLOAT, GV_FORMAT_R32G32_UINT, GV_FORMAT_R32G32_SINT } },
        { { GV_FORMAT_R32G32B32_SFLOAT, GV_FORMAT_R32G32B32_UINT,
            GV_FORMAT_R32G32B32_SINT } },
        { { GV_FORMAT_R32G32B32A32_SFLOAT, GV_FORMAT_R32G32B32A32_UINT,
            GV_FORMAT_R32G32B32A32_SINT } },
        { { 0, GV_FORMAT_R16G16B16A16_UINT, GV_FORMAT_R16G16B16A16_SINT } },
        { { 0, GV_FORMAT_R16G16_UINT, GV_FORMAT_R16G16_SINT } },
        { { 0, GV_FORMAT_R16_UINT, GV_FORMAT_R16_SINT } },
        { { 0, GV_FORMAT_R8G8B8A8_UINT, GV_FORMAT_R8G8B8A8_SINT } },
        { { 0, GV_FORMAT_R8G8_UINT, GV_FORMAT_R8G8_SINT } },
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        for (size_t k = 0; k < 3; k++)
            if (same[i].classes[k] == format) {
                uint32_t fitted = same[i].classes[component];
                return fitted ? fitted : GV_FORMAT_NONE;
            }
    return component == GV_DXBC_FLOAT ? format : GV_FORMAT_NONE;
}

static const struct gv_aero_element *find_element(const struct gv_aero_layout *layout,
                                                  const struct gv_dxbc_element *input)
{
    for (uint32_t i = 0; layout && i < layout->count; i++) {
        const struct gv_aero_element *e = &layout->elements[i];
        if (layout->d3d9
                ? e->usage == input->usage && e->usage_index == input->semantic_index
                : e->semantic_hash == input->semantic_hash &&
                      e->semantic_index == input->semantic_index)
            return e;
    }
    return NULL;
}

// The binding row of a slot, kept in ascending order, or NULL if its rate differs.
static bool use_slot(struct gv_graphics_desc *desc, uint32_t slot, uint32_t rate,
                     uint32_t divisor)
{
    uint32_t n = desc->vertex_binding_count, at = 0;
    while (at < n && desc->vertex_bindings[at].slot < slot)
        at++;
    if (at < n && desc->vertex_bindings[at].slot == slot)
        return desc->vertex_bindings[at].rate == rate &&
               desc->vertex_bindings[at].divisor == divisor;
    for (uint32_t i = n; i > at; i--)
        desc->vertex_bindings[i] = desc->vertex_bindings[i - 1];
    desc->vertex_bindings[at].slot = slot;
    desc->vertex_bindings[at].rate = rate;
    desc->vertex_bindings[at].divisor = divisor;
    desc->vertex_binding_count++;
    return true;
}

static void add_attribute(struct gv_graphics_desc *desc, uint32_t location,
                          uint32_t slot, uint32_t format, uint32_t offset)
{
    uint32_t at = desc->vertex_attribute_count++;
    while (at && desc->vertex_attributes[at - 1].location > location) {
        desc->vertex_attributes[at] = desc->vertex_attributes[at - 1];
        at--;
    }
    desc->vertex_attributes[at].location = location;
    desc->vertex_attributes[at].slot = slot;
    desc->vertex_attributes[at].format = format;
    desc->vertex_attributes[at].offset = offset;
}

static bool add_element(struct gv_aero *a, const struct gv_cmd *c,
                        const struct gv_aero_element *e,
                        const struct gv_dxbc_element *input,
                        struct gv_graphics_desc *desc, struct gv_aero_pipeline *p,
                        struct gv_error *err)
{
    uint32_t format = fit_format(e->format, input->component);
    if (!format)
        return gv_aero_fail(a, GV_ERR_UNSUPPORTED, c, err,
                            "unsupported: vertex format %s for input %s",
                            gv_format_info(e->format)->name, input->name);
    if (!use_slot(desc, e->slot,
                  e->instance ? GV_INPUT_RATE_INSTANCE : GV_INPUT_RATE_VERTEX,
                  e->instance ? e->step : 1))
        return gv_aero_fail(a, GV_ERR_UNSUPPORTED, c, err,
                            "unsupported: vertex and instance data in slot %u",
                            e->slot);
    add_attribute(desc, input->location, e->slot, format, e->offset);
    uint32_t end = e->offset + format_bytes(format);
    p->streams |= 1u << e->slot;
    if (end > p->extents[e->slot])
        p->extents[e->slot] = end;
    return true;
}

// An input without an element reads zeros, from a slot where nothing is ever bound.
static bool add_zero(struct gv_aero *a, const struct gv_cmd *c,
                     const struct gv_dxbc_element *input, uint32_t layout_slots,
                     struct gv_graphics_desc *desc, struct gv_aero_pipeline *p,
                     struct gv_error *err)
{
    static const uint32_t formats[] = { GV_FORMAT_R32G32B32A32_SFLOAT,
                                        GV_FORMAT_R32G32B32A32_UINT,
                                        GV_FORMAT_R32G32B32A32_SINT };
    uint32_t slot = GV_AERO_VERTEX_BUFFERS;
    while (slot && layout_slots >> (slot - 1) & 1)
        slot--;
    if (!slot)
        return gv_aero_fail(a, GV_ERR_LIMIT, c, err, "no vertex slot is free");
    use_slot(desc, slot - 1, GV_INPUT_RATE_VERTEX, 1);
    add_attribute(desc, input->location, slot - 1, formats[input->component], 0);
    p->zero_streams |= 1u << (slot - 1);
    return true;
}

bool gv_aero_input(struct gv_aero *a, const struct gv_cmd *c,
                   const struct gv_aero_context *x, const struct gv_dxbc_shader *vs,
                   struct gv_graphics_desc *desc, struct gv_aero_pipeline *p,
                   struct gv_error *err)
{
    const struct gv_aero_layout *layout = x->layout ? &x->layout->layout : NULL;
    uint32_t slots = 0;
    for (uint32_t i = 0; layout && i < layout->count; i++)
        slots |= 1u << layout->elements[i].slot;
    for (uint32_t i = 0; i < vs->input_count; i++) {
        const struct gv_dxbc_element *input = &vs->inputs[i];
        // Only what the module really reads: the driver sees no other locations.
        if (input->location >= 64 ||
            !(vs->spirv.input_locations >> input->location & 1))
            continue;
        if (desc->vertex_attribute_count == GV_MAX_VERTEX_ATTRIBUTES)
            return gv_aero_fail(a, GV_ERR_LIMIT, c, err, "more than %u vertex inputs",
                                GV_MAX_VERTEX_ATTRIBUTES);
        const struct gv_aero_element *e = find_element(layout, input);
        if (e ? !add_element(a, c, e, input, desc, p, err)
              : !add_zero(a, c, input, slots, desc, p, err))
            return false;
    }
    return true;
}
