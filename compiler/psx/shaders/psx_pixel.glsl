// The per-pixel pipeline: what one prepared record does to the two cells of a word, side
// by side so that their memory reads overlap. Before: PSX_VRAM_CELL(index), the cell that
// a texture fetch reads. With PSX_MINIMAL nothing is used but what every device has:
// palettes are more texels than a texel buffer need hold.
layout(set = PSX_SET_TEXTURE, binding = PSX_BIND_SETUP_TEXELS) uniform usamplerBuffer setup_texels;
#ifdef PSX_MINIMAL
layout(set = PSX_SET_STORAGE, binding = PSX_BIND_CLUT, std430) readonly buffer Clut
{
    uint cluts[];
};

uint clut_entry(uint index)
{
    return cluts[index >> 1] >> (index & 1u) * 16u & 0xffffu;
}
#else
layout(set = PSX_SET_TEXTURE, binding = PSX_BIND_CLUT_TEXELS) uniform usamplerBuffer clut_texels;

uint clut_entry(uint index)
{
    return texelFetch(clut_texels, int(index)).r;
}
#endif

layout(constant_id = PSX_SPEC_TEXTURES) const bool TEXTURES = true;
layout(constant_id = PSX_SPEC_BLENDING) const bool BLENDING = true;
// Dithering and masks are not worth pipelines: drivers take milliseconds to make one.
layout(constant_id = PSX_SPEC_MODULATE_5) const bool MODULATE_5 = true;

// A texel whose modulation gives back the colour: what untextured primitives have.
const uint NEUTRAL_TEXEL = 16u | 16u << 5 | 16u << 10;

struct Record {
    uvec4 head, edge0, edge1, edge2, planes0, planes1, planes2, planes3;
};

// Texture coordinates of a record at the cells (x, y) and (x + 1, y).
void texture_coordinates(const Record r, uint x, uint y, out uvec2 u, out uvec2 v)
{
    uint p3 = (r.planes0.w + r.planes2.x * x) + r.planes3.y * y;
    uint p4 = (r.planes1.x + r.planes2.y * x) + r.planes3.z * y;
    u = uvec2(p3, p3 + r.planes2.x) >> 24;
    v = uvec2(p4, p4 + r.planes2.y) >> 24;
}

// Cells that hold the texels at (u.x, v.x) and (u.y, v.y); puts `u` through the window.
uvec2 texel_cells(uint state, uint window, inout uvec2 u, uvec2 v)
{
    u = (u & (window & 255u)) | (window >> 8 & 255u);
    v = (v & (window >> 16 & 255u)) | window >> 24;
    uint rows = (state & PSX_STATE_ROWS_1024) != 0u ? 1023u : 511u;
    uvec2 y = (PSX_STATE_PAGE_Y(state) + v) & rows;
    uint shift = 2u - PSX_STATE_DEPTH(state); // texels of a cell, as a power of two
    return y * 1024u + ((PSX_STATE_PAGE_X(state) + (u >> shift)) & 1023u);
}

uvec2 fetch_texels(uint state, uint window, uint slot, uvec2 u, uvec2 v)
{
    uvec2 at = texel_cells(state, window, u, v);
    uint depth = PSX_STATE_DEPTH(state), shift = 2u - depth;
    uvec2 cells = uvec2(PSX_VRAM_CELL(at.x), PSX_VRAM_CELL(at.y));
    uint bits = 4u << depth; // 16 for 15-bit texels, which are the cells
    uvec2 index = cells >> (u & ((1u << shift) - 1u)) * bits & (((1u << bits) - 1u) & 255u);
    index += slot * PSX_CLUT_ENTRIES;
    uvec2 entries = uvec2(clut_entry(index.x), clut_entry(index.y));
    return depth == 2u ? cells : entries;
}

// The offsets of one matrix row are four signed nibbles.
ivec2 dither_offsets(uint x, uint y)
{
    uint low = (y & 1u) != 0u ? PSX_DITHER_1 : PSX_DITHER_0;
    uint high = (y & 1u) != 0u ? PSX_DITHER_3 : PSX_DITHER_2;
    uint row = (y & 2u) != 0u ? high : low;
    return ivec2(int(row << (28u - 4u * (x & 3u))), int(row << (28u - 4u * ((x + 1u) & 3u)))) >> 28;
}

// One channel of both cells: `texel` and `back` at their lowest bits, `shade` 0..255.
uvec2 channel(uint state, uvec2 texel, uvec2 shade, ivec2 dither, uvec2 back, bvec2 blended)
{
    ivec2 c = ivec2(shade);
    if (TEXTURES) {
        uvec2 t5 = texel & 31u;
        const uint old_gpu = PSX_STATE_TEXTURED | PSX_STATE_MODULATE_5;
        bool five = MODULATE_5 && (state & old_gpu) == old_gpu;
        uvec2 modulated = t5 * (five ? shade & 248u : shade) >> 4;
        c = ivec2((state & PSX_STATE_RAW) != 0u ? t5 << 3 : modulated);
    }
    c = clamp((c + dither) >> 3, 0, 31);
    if (!BLENDING)
        return uvec2(c);
    // Modes 0 to 3: (b + f) / 2, b + f, b - f, b + f / 4.
    uint mode = PSX_STATE_BLEND(state);
    ivec2 f = mode == 3u ? c >> 2 : c;
    ivec2 sum = ivec2(back & 31u) + (mode == 2u ? -f : f);
    ivec2 mixed = clamp(mode == 0u ? sum >> 1 : sum, 0, 31);
    return uvec2(blended.x ? mixed.x : c.x, blended.y ? mixed.y : c.y);
}

// What a record makes of the cells (x, y) and (x + 1, y) of one word.
uint draw(const Record r, uint word, uint x, uint y)
{
    uint state = r.head.z;
    uvec2 cells = uvec2(word & 0xffffu, word >> 16), columns = uvec2(x, x + 1u);
    ivec2 at = ivec2(columns);
    // The sign bit is set where a cell is outside.
    ivec2 outside = (at - int(r.head.x & 0xffffu)) | (int(r.head.y & 0xffffu) - at);
    outside |= (int(y) - int(r.head.x >> 16)) | (int(r.head.y >> 16) - int(y));
    int e0 = int((r.edge0.x * x + r.edge0.z) + r.edge0.y * y);
    int e1 = int((r.edge1.x * x + r.edge1.z) + r.edge1.y * y);
    int e2 = int((r.edge2.x * x + r.edge2.z) + r.edge2.y * y);
    outside |= ivec2(e0 | e1 | e2, (e0 + int(r.edge0.x)) | (e1 + int(r.edge1.x)) | (e2 + int(r.edge2.x)));
    bvec2 kept = lessThan(outside, ivec2(0));
    bool skipped = PSX_STATE_SKIP(state) == 1u + (y & 1u);

    uint p0 = (r.planes0.x + r.planes1.y * x) + r.planes2.z * y;
    uint p1 = (r.planes0.y + r.planes1.z * x) + r.planes2.w * y;
    uint p2 = (r.planes0.z + r.planes1.w * x) + r.planes3.x * y;
    uvec2 red = uvec2(p0, p0 + r.planes1.y) >> 24, green = uvec2(p1, p1 + r.planes1.z) >> 24,
          blue = uvec2(p2, p2 + r.planes1.w) >> 24;
    uvec2 texels = uvec2(0u);
    bool semi = (state & PSX_STATE_SEMI) != 0u;
    bvec2 blended = bvec2(semi);
    if (TEXTURES) {
        uvec2 u, v;
        texture_coordinates(r, x, y, u, v);
        texels = fetch_texels(state, r.head.w, r.edge0.w, u, v);
        bool plain = (state & PSX_STATE_TEXTURED) == 0u;
        texels = plain ? uvec2(NEUTRAL_TEXEL) : texels;
        kept = bvec2(kept.x || texels.x == 0u, kept.y || texels.y == 0u);
        blended = bvec2(semi && (plain || texels.x >= 0x8000u), semi && (plain || texels.y >= 0x8000u));
    }
    ivec2 dither = (state & PSX_STATE_DITHER) != 0u ? dither_offsets(x, y) : ivec2(0);
    uvec2 result = channel(state, texels, red, dither, cells, blended);
    result |= channel(state, texels >> 5, green, dither, cells >> 5, blended) << 5;
    result |= channel(state, texels >> 10, blue, dither, cells >> 10, blended) << 10;
    result |= texels & 0x8000u;
    result |= (state & PSX_STATE_MASK_SET) != 0u ? 0x8000u : 0u;
    bool check = (state & PSX_STATE_MASK_CHECK) != 0u;
    kept = bvec2(kept.x || (check && cells.x >= 0x8000u), kept.y || (check && cells.y >= 0x8000u));
    cells = uvec2(kept.x || skipped ? cells.x : result.x, kept.y || skipped ? cells.y : result.y);
    return cells.x | cells.y << 16;
}
