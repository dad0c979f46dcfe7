// VRAM. The shader says before how it uses it: PSX_VRAM_ACCESS is `readonly` or empty.
layout(set = PSX_SET_STORAGE, binding = PSX_BIND_VRAM, std430) PSX_VRAM_ACCESS buffer Vram
{
    uint vram[];
};

uint load_cell(uint x, uint y)
{
    return vram[y * 512u + (x >> 1)] >> ((x & 1u) * 16u) & 0xffffu;
}
