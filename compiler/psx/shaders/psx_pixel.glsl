// The per-pixel pipeline: what one prepared record does to one cell.
layout(set = 3, binding = PSX_BIND_SETUP, std430) readonly buffer Setup
{
    uint prepared[];
};
layout(set = 3, binding = PSX_BIND_CLUT, std430) readonly buffer Clut
{
    uint cluts[];
};

layout(constant_id = PSX_SPEC_TEXTURES) const bool TEXTURES = true;
layout(constant_id = PSX_SPEC_LINES) const bool LINES = true;

uint clut_entry(uint slot, uint index)
{
    return cluts[slot * PSX_CLUT_SLOT_WORDS + (index >> 1)] >> ((index & 1u) * 16u) &
           0xffffu;
}

uint fetch_texel(uint state, uint window, uint slot, uint u, uint v)
{
    u = (u & window & 255u) | (window >> 8 & 255u);
    v = (v & (window >> 16) & 255u) | window >> 24;
    uint rows = (state & PSX_STATE_ROWS_1024) != 0u ? 1023u : 511u;
    uint y = (PSX_STATE_PAGE_Y(state) + v) & rows;
    uint x = PSX_STATE_PAGE_X(state), depth = PSX_STATE_DEPTH(state);
    if (depth == 2u)
        return load_cell((x + u) & 1023u, y);
    uint shift = 2u - depth; // texels of a cell: 4, 2
    uint cell = load_cell((x + (u >> shift)) & 1023u, y);
    uint bits = depth == 1u ? 8u : 4u;
    uint index = cell >> (u & ((1u << shift) - 1u)) * bits & ((1u << bits) - 1u);
    return clut_entry(slot, index);
}

ivec3 unpack_5(uint cell)
{
    return ivec3(cell & 31u, cell >> 5 & 31u, cell >> 10 & 31u);
}

ivec3 blend(uint mode, ivec3 back, ivec3 front)
{
    if (mode == 0u)
        return (back + front) >> 1;
    if (mode == 1u)
        return min(ivec3(31), back + front);
    if (mode == 2u)
        return max(ivec3(0), back - front);
    return min(ivec3(31), back + (front >> 2));
}

// The offsets of one matrix row are four signed nibbles.
int dither_offset(uint x, uint y)
{
    const uint rows[4] = uint[4](PSX_DITHER_0, PSX_DITHER_1, PSX_DITHER_2, PSX_DITHER_3);
    return int(rows[y & 3u] << (28u - 4u * (x & 3u))) >> 28;
}

// Shades cell (x, y), which holds `cell`, with colour `rgb` (0..255) and texel position
// (u, v). Returns the new cell; `cell` itself where nothing is written.
uint shade(uint state, uint window, uint slot, uint cell, uint x, uint y, ivec3 rgb, uint u,
           uint v)
{
    uint texel = 0u;
    bool textured = TEXTURES && (state & PSX_STATE_TEXTURED) != 0u;
    if (textured) {
        texel = fetch_texel(state, window, slot, u, v);
        if (texel == 0u)
            return cell;
    }
    if ((state & PSX_STATE_MASK_CHECK) != 0u && cell >= 0x8000u)
        return cell;
    ivec3 color = rgb;
    if (textured) {
        ivec3 t5 = unpack_5(texel);
        if ((state & PSX_STATE_RAW) != 0u)
            color = t5 << 3;
        else if ((state & PSX_STATE_MODULATE_5) != 0u)
            color = t5 * (rgb >> 3) >> 1;
        else
            color = t5 * rgb >> 4;
    }
    if ((state & PSX_STATE_DITHER) != 0u)
        color += dither_offset(x, y);
    color = clamp(color >> 3, ivec3(0), ivec3(31));
    if ((state & PSX_STATE_SEMI) != 0u && (!textured || texel >= 0x8000u))
        color = blend(PSX_STATE_BLEND(state), unpack_5(cell), color);
    uint high = (texel & 0x8000u) | ((state & PSX_STATE_MASK_SET) != 0u ? 0x8000u : 0u);
    return uint(color.r | color.g << 5 | color.b << 10) | high;
}

bool skipped(uint state, uint y)
{
    return PSX_STATE_SKIP(state) == 1u + (y & 1u);
}

uint plane(uint at, uint index, uint x, uint y)
{
    at += PSX_SETUP_PLANES + 3u * index;
    return (prepared[at] + prepared[at + 1u] * x + prepared[at + 2u] * y) >> 24;
}

bool on_edges(uint at, int x, int y)
{
    at += PSX_SETUP_EDGES;
    int most = 0; // sign bit set where any edge function is negative
    for (uint i = 0u; i < 3u; i++)
        most |= int(prepared[at + 3u * i]) * x + int(prepared[at + 3u * i + 1u]) * y +
                int(prepared[at + 3u * i + 2u]);
    return most >= 0;
}

// Pixel number along the line that lands on (x, y), or -1.
int line_pixel(uint at, int x, int y)
{
    at += PSX_SETUP_LINE;
    int x0 = int(prepared[at]), y0 = int(prepared[at + 1u]);
    int dx = int(prepared[at + 2u]), dy = int(prepared[at + 3u]), k = int(prepared[at + 4u]);
    if (k == 0)
        return x == x0 && y == y0 ? 0 : -1;
    int i = dx == k ? x - x0 : abs(y - y0);
    if (i < 0 || i > k || (dx != k && (y - y0 < 0) != (dy < 0) && i != 0))
        return -1;
    int rise = psx_line_y(i, abs(dy), k);
    bool hit = x == x0 + psx_line_x(i, dx, k) && y == y0 + (dy < 0 ? -rise : rise);
    return hit ? i : -1;
}

// What record `record` makes of the cell at (x, y).
uint draw(uint record, uint cell, uint x, uint y)
{
    uint at = record * PSX_SETUP_WORDS;
    uint from = prepared[at + PSX_SETUP_MIN], to = prepared[at + PSX_SETUP_MAX];
    if (x < (from & 0xffffu) || x > (to & 0xffffu) || y < from >> 16 || y > to >> 16)
        return cell;
    uint kind = prepared[at + PSX_SETUP_KIND] & 7u, state = prepared[at + PSX_SETUP_STATE];
    if (skipped(state, y))
        return cell;
    if (kind == PSX_KIND_FILL)
        return prepared[at + PSX_SETUP_CELL];
    if (LINES && kind == PSX_KIND_LINE) {
        int i = line_pixel(at, int(x), int(y));
        if (i < 0)
            return cell;
        ivec3 rgb;
        for (uint c = 0u; c < 3u; c++)
            rgb[c] = (int(prepared[at + PSX_SETUP_PLANES + 3u * c]) +
                      i * int(prepared[at + PSX_SETUP_PLANES + 3u * c + 1u])) >> 12;
        return shade(state, 0u, 0u, cell, x, y, rgb, 0u, 0u);
    }
    if (!on_edges(at, int(x), int(y)))
        return cell;
    ivec3 rgb = ivec3(plane(at, 0u, x, y), plane(at, 1u, x, y), plane(at, 2u, x, y));
    return shade(state, prepared[at + PSX_SETUP_STATE + 1u], prepared[at + PSX_SETUP_CLUT],
                 cell, x, y, rgb, plane(at, 3u, x, y), plane(at, 4u, x, y));
}
