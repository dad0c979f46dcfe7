#version 460
#extension GL_GOOGLE_include_directive : require
#ifndef PSX_MINIMAL
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#endif
// Eight invocations own one tile and walk its records in order; one invocation owns pairs
// of cells, which are words of VRAM, one below the other.
#include "psx_common.glsl"

#define PSX_VRAM_ACCESS
#include "psx_vram.glsl"

#ifdef PSX_MINIMAL
#define PSX_VRAM_CELL(index) load_cell((index) & 1023u, (index) >> 10)
#else
layout(set = PSX_SET_TEXTURE, binding = PSX_BIND_VRAM_TEXELS) uniform usamplerBuffer vram_texels;
#define PSX_VRAM_CELL(index) texelFetch(vram_texels, int(index)).r
#endif
#include "psx_pixel.glsl"

layout(local_size_x = PSX_TILE_LANES * PSX_GROUP_TILES) in;
layout(constant_id = PSX_SPEC_TILE_W) const uint TILE_W = 4u;
layout(constant_id = PSX_SPEC_ROWS) const uint ROWS = 2u;

#ifdef PSX_MINIMAL
layout(set = PSX_SET_STORAGE, binding = PSX_BIND_BINS, std430) readonly buffer Bins
{
    uint bins[];
};
#define BIN_WORD(index) bins[index]
#else
layout(set = PSX_SET_TEXTURE, binding = PSX_BIND_BIN_TEXELS) uniform usamplerBuffer bin_texels;
#define BIN_WORD(index) texelFetch(bin_texels, int(index)).r
#endif

// params[0]: first record, last record, words per bin, first tile (x | y << 16)
// params[1]: origin of the bins (x | y << 16), tiles in a row of bins, word of a list of
// blocks (0: none)
layout(set = PSX_SET_STORAGE, binding = PSX_BIND_RECORDS, std430) readonly buffer Records
{
    uint records[];
};

uvec4 texel_of(uint record, uint i)
{
    return texelFetch(setup_texels, int(record * PSX_SETUP_TEXELS + i));
}

// The invocations of a tile want the same record. Where they run together, and no others,
// each loads a part, which `shared_record` then hands around.
uvec4 record_part(uint record)
{
#ifdef PSX_MINIMAL
    return texel_of(record, 0u);
#else
    return texel_of(record, gl_SubgroupSize == PSX_TILE_LANES ? gl_SubgroupInvocationID : 0u);
#endif
}

Record shared_record(uvec4 part, uint record)
{
#ifndef PSX_MINIMAL
    if (gl_SubgroupSize == PSX_TILE_LANES)
        return Record(subgroupShuffle(part, 0u), subgroupShuffle(part, 1u),
                      subgroupShuffle(part, 2u), subgroupShuffle(part, 3u),
                      subgroupShuffle(part, 4u), subgroupShuffle(part, 5u),
                      subgroupShuffle(part, 6u), subgroupShuffle(part, 7u));
#endif
    return Record(part, texel_of(record, 1u), texel_of(record, 2u), texel_of(record, 3u),
                  texel_of(record, 4u), texel_of(record, 5u), texel_of(record, 6u),
                  texel_of(record, 7u));
}

// Of the bits of word `word` of a row of bits, those from `first` to `last`.
uint between(uint bits, uint word, uint first, uint last)
{
    bits &= word == first / 32u ? ~0u << (first & 31u) : ~0u;
    return bits & (word == last / 32u ? ~0u >> (31u - (last & 31u)) : ~0u);
}

// The first tile of this workgroup.
uvec2 first_tile()
{
    const uvec2 group = uvec2(PSX_GROUP_TILES_W, PSX_GROUP_TILES / PSX_GROUP_TILES_W);
    if (params[1].z == 0u)
        return gl_WorkGroupID.xy * group + uvec2(params[0].w & 0xffffu, params[0].w >> 16);
    const uvec2 tiles = PSX_BLOCK / uvec2(TILE_W * 2u, PSX_TILE_LANES / TILE_W * ROWS);
    uint block = records[params[1].z + gl_WorkGroupID.y], across = tiles.x / group.x;
    return uvec2(block & 0xffffu, block >> 16) * tiles +
           uvec2(gl_WorkGroupID.x % across, gl_WorkGroupID.x / across) * group;
}

void main()
{
    const uint lane_rows = PSX_TILE_LANES / TILE_W;
    uint lane = gl_LocalInvocationIndex % PSX_TILE_LANES,
         number = gl_LocalInvocationIndex / PSX_TILE_LANES;
    uvec2 tile = first_tile() + uvec2(number % PSX_GROUP_TILES_W, number / PSX_GROUP_TILES_W);
    uvec2 at = tile * uvec2(TILE_W, lane_rows * ROWS) + uvec2(lane % TILE_W, lane / TILE_W);
    uvec2 binned = tile - uvec2(params[1].x & 0xffffu, params[1].x >> 16);
    uint x = at.x * 2u, first = params[0].x, last = params[0].y, words = params[0].z;
    uint bin = (binned.y * params[1].y + binned.x) * PSX_BIN_STRIDE(words);
    uint cells[PSX_MAX_ROWS], before[PSX_MAX_ROWS];
    for (uint i = 0u; i < ROWS; i++)
        before[i] = cells[i] = vram[(at.y + i * lane_rows) * 512u + at.x];
    uint some = between(BIN_WORD(bin), 0u, first / 32u, last / 32u);
    uint w = uint(findLSB(some | 0x80000000u));
    uint bits = between(BIN_WORD(bin + 1u + w), w, first, last);
    bits = some != 0u ? bits : 0u;
    some &= some - 1u;
    uint record = w * 32u + uint(findLSB(bits | 0x80000000u));
    uvec4 part = record_part(record);
    // One loop with its test at the end: where lanes are masked rather than jumped over,
    // every loop costs one turn more than it counts. The next record is fetched while this
    // one is drawn.
    bool more;
    do {
        Record r = shared_record(part, record);
        bool valid = bits != 0u;
        bits &= bits - 1u;
        bool next = bits == 0u && some != 0u;
        w = next ? uint(findLSB(some)) : w;
        uint fetched = between(BIN_WORD(bin + 1u + w), w, first, last);
        bits = next ? fetched : bits;
        some = next ? some & (some - 1u) : some;
        more = (bits | some) != 0u;
        record = w * 32u + uint(findLSB(bits | 0x80000000u));
        part = record_part(record);
        for (uint i = 0u; i < ROWS; i++) {
            uint drawn = draw(r, cells[i], x, at.y + i * lane_rows);
            cells[i] = valid ? drawn : cells[i];
        }
    } while (more);
    for (uint i = 0u; i < ROWS; i++)
        if (cells[i] != before[i])
            vram[(at.y + i * lane_rows) * 512u + at.x] = cells[i];
}
