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
static bool read_ilay_element(struct gv_aero *a, const uint8_t *p, uint32_t *ends,
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
        return gv_aero_fail(a, GV_ERR_UNSUPPORTED, err, "unsupported: vertex format %u",
                            gv_load_u32(p + 8));
    if (e->slot >= GV_AERO_VERTEX_BUFFERS)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "element in slot %u", e->slot);
    if (gv_load_u32(p + 20) > 1)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "element of class %u",
                            gv_load_u32(p + 20));
    if (e->offset == ILAY_APPEND)
        e->offset = (ends[e->slot] + 3) & ~3u;
    if (e->offset > GV_MAX_ATTRIBUTE_OFFSET)
        return gv_aero_fail(a, GV_ERR_LIMIT, err, "element at offset %u", e->offset);
    ends[e->slot] = e->offset + format_bytes(e->format);
    return true;
}

static bool read_ilay(struct gv_aero *a, const uint8_t *blob, size_t size,
                      struct gv_aero_layout *out, struct gv_error *err)
{
    if (size < ILAY_HEADER || gv_load_u32(blob + 4) != 1)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "layout blob is not ILAY 1");
    uint32_t count = gv_load_u32(blob + 8);
    if (count > GV_AERO_MAX_ELEMENTS ||
        (size_t)count * ILAY_ELEMENT > size - ILAY_HEADER)
        return gv_aero_fail(a, GV_ERR_FORMAT, err,
                            "%u elements in a layout blob of %zu bytes", count, size);
    uint32_t ends[GV_AERO_VERTEX_BUFFERS] = { 0 };
    out->elements = gv_arena_array(a->arena, count, sizeof *out->elements);
    if (!out->elements)
        return gv_out_of_memory(err);
    for (out->count = 0; out->count < count; out->count++)
        if (!read_ilay_element(a,
                               blob + ILAY_HEADER + (size_t)ILAY_ELEMENT * out->count,
                               ends, &out->elements[out->count], err))
            return false;
    return true;
}

static bool read_d3d9(struct gv_aero *a, const uint8_t *blob, size_t size,
                      struct gv_aero_layout *out, struct gv_error *err)
{
    uint32_t limit = (uint32_t)(size / D3D9_ELEMENT);
    if (size % D3D9_ELEMENT || !limit || limit > 2 * GV_AERO_MAX_ELEMENTS + 1)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "vertex declaration of %zu bytes",
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
            return gv_aero_fail(a, GV_ERR_FORMAT, err,
                                "declaration element of stream %u, type %u", stream,
                                type);
        out->elements[out->count++] =
            (struct gv_aero_element){ .usage = p[6],
                                      .usage_index = p[7],
                                      .format = d3d9_formats[type],
                                      .slot = stream,
                                      .offset = gv_load_u16(p + 2) };
    }
    return gv_aero_fail(a, GV_ERR_FORMAT, err, "vertex declaration without an end");
}

GV_AERO_HANDLER(gv_aero_create_input_layout)
{
    const uint8_t *blob = c->p + GV_AT_CREATE_INPUT_LAYOUT_tail;
    size_t size = GV_CMD_U32(c, CREATE_INPUT_LAYOUT, blob_size);
    struct gv_aero_object *o = gv_aero_create(
        a, GV_CMD_U32(c, CREATE_INPUT_LAYOUT, handle), GV_AERO_LAYOUT, err);
    if (!o)
        return false;
    if (size < 4)
        return gv_aero_fail(a, GV_ERR_FORMAT, err, "layout blob of %zu bytes", size);
    if (gv_load_u32(blob) == ILAY_MAGIC)
        return read_ilay(a, blob, size, &o->layout, err);
    gv_aero_use_d3d9(x);
    return read_d3d9(a, blob, size, &o->layout, err);
}

// ---- vertex input of a pipeline ----

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

// What a location of the vertex shader reads; no element: zeros.
static struct gv_lower_attribute attribute(const struct gv_dxbc_element *input,
                                           const struct gv_aero_element *e)
{
    struct gv_lower_attribute out = {
        .location = input->location,
        .component = (enum gv_lower_component)input->component,
        .name = input->name,
        .there = e,
    };
    if (e) {
        out.format = e->format;
        out.slot = e->slot;
        out.offset = e->offset;
        out.instance = e->instance;
        out.step = e->step;
    }
    return out;
}
_Static_assert((int)GV_DXBC_UINT == GV_LOWER_UINT && (int)GV_DXBC_SINT == GV_LOWER_SINT,
               "components are numbered alike");

bool gv_aero_input(struct gv_aero *a, const struct gv_aero_context *x,
                   const struct gv_dxbc_shader *vs, struct gv_graphics_desc *desc,
                   struct gv_lower_slots *slots, struct gv_error *err)
{
    const struct gv_aero_layout *layout = x->layout ? &x->layout->layout : NULL;
    struct gv_lower_attribute attributes[GV_DXBC_MAX_REGISTERS + 1];
    uint32_t taken = 0, count = 0;
    struct gv_error inner = GV_ERROR_INIT;
    for (uint32_t i = 0; layout && i < layout->count; i++)
        taken |= 1u << layout->elements[i].slot;
    for (uint32_t i = 0; i < vs->input_count && count < GV_DXBC_MAX_REGISTERS + 1;
         i++) {
        const struct gv_dxbc_element *input = &vs->inputs[i];
        // Only what the module really reads: the driver sees no other locations.
        if (input->location < 64 && vs->spirv.input_locations >> input->location & 1)
            attributes[count++] = attribute(input, find_element(layout, input));
    }
    return gv_lower_input(attributes, count, taken, desc, slots, &inner) ||
           gv_aero_refuse(a, &inner, err);
}
