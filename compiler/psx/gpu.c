#include "compiler/psx/gpu.h"

#include "compiler/psx/gp0.h"
#include "resources/base/cursor.h"

static void reset_command(struct gv_psx_gpu *gpu)
{
    gv_psx_flush_upload(gpu);
    gpu->parse = GV_PSX_IDLE;
    gpu->have = 0;
    gpu->need = 0;
    gpu->queue.size = 0;
    gpu->queue_at = 0;
}

static void reset(struct gv_psx_gpu *gpu)
{
    reset_command(gpu);
    gpu->draw_mode = gpu->window = gpu->area_tl = gpu->area_br = gpu->offset = 0;
    gpu->mask = 0;
    gpu->display_off = true;
    gpu->interrupt = false;
    gpu->dma_direction = 0;
    gpu->display_start = 0;
    gpu->h_range = 0x200 | 0xc00 << 12;
    gpu->v_range = 0x10 | 0x100 << 10;
    gpu->mode = 0;
    gpu->clut_valid = false;
    gpu->flushes++;
}

void gv_psx_gpu_init(struct gv_psx_gpu *gpu, const struct gv_psx_sink *sink)
{
    *gpu = (struct gv_psx_gpu){ .sink = sink, .version = GV_PSX_V2 };
    reset(gpu);
}

void gv_psx_gpu_finish(struct gv_psx_gpu *gpu)
{
    gv_bytes_finish(&gpu->cells);
    gv_bytes_finish(&gpu->queue);
}

uint32_t gv_psx_vram_rows(const struct gv_psx_gpu *gpu)
{
    return gpu->version == GV_PSX_V2_2MB ? 1024 : 512;
}

uint32_t gv_psx_y_mask(const struct gv_psx_gpu *gpu)
{
    return gpu->version == GV_PSX_V2_2MB && gpu->upper_512 ? 1023 : 511;
}

// Bits above the register keep what the latch held before.
static void set_latch(struct gv_psx_gpu *gpu, uint32_t value, uint32_t mask)
{
    gpu->latch = (gpu->latch & ~mask) | (value & mask);
    gpu->latch_from_vram &= ~mask;
}

// GP1(10h): puts a register into the GPUREAD latch. The old GPU looks at three bits.
static void get_info(struct gv_psx_gpu *gpu, uint32_t index)
{
    switch (gpu->version == GV_PSX_V0 ? index & 7 : index) {
    case 2:
        set_latch(gpu, gpu->window, 0xfffff);
        break;
    case 3:
        set_latch(gpu, gpu->area_tl, 0xfffff);
        break;
    case 4:
        set_latch(gpu, gpu->area_br, 0xfffff);
        break;
    case 5:
        set_latch(gpu, gpu->offset, 0x3fffff);
        break;
    case 7:
        if (gpu->version != GV_PSX_V0)
            set_latch(gpu, 2, UINT32_MAX);
        break;
    case 8:
        set_latch(gpu, 0, UINT32_MAX);
        break;
    default: // others leave the latch
        break;
    }
}

void gv_psx_gp1(struct gv_psx_gpu *gpu, uint32_t word)
{
    uint32_t number = word >> 24 & 0x3f;
    switch (number) {
    case 0x00:
        reset(gpu);
        break;
    case 0x01:
        reset_command(gpu);
        break;
    case 0x02:
        gpu->interrupt = false;
        break;
    case 0x03:
        gpu->display_off = word & 1;
        break;
    case 0x04:
        gpu->dma_direction = word & 3;
        break;
    case 0x05:
        gpu->display_start = word & 0xffffff;
        break;
    case 0x06:
        gpu->h_range = word & 0xffffff;
        break;
    case 0x07:
        gpu->v_range = word & 0xfffff;
        break;
    case 0x08:
        gpu->mode = word & 0xff;
        break;
    case 0x09:
        gpu->upper_512 = (word & 1) && gpu->version != GV_PSX_V0;
        break;
    default: // 10h..1Fh and their mirrors; the rest does nothing
        if (number >= 0x10 && number <= 0x1f)
            get_info(gpu, word & 0x0f);
        break;
    }
}

// Words that arrived during a read: run until one of them begins another read.
static void run_queue(struct gv_psx_gpu *gpu)
{
    while (gpu->parse != GV_PSX_READ && gpu->queue_at < gpu->queue.size) {
        uint32_t word = gv_load_u32(gpu->queue.data + gpu->queue_at);
        gpu->queue_at += 4;
        gv_psx_gp0(gpu, word);
    }
    if (gpu->queue_at == gpu->queue.size) {
        gpu->queue.size = 0;
        gpu->queue_at = 0;
    }
}

void gv_psx_gpuread(struct gv_psx_gpu *gpu, uint32_t count, bool keep)
{
    while (count > 0 && gpu->parse == GV_PSX_READ) {
        uint32_t left = gv_psx_place_cells(&gpu->transfer) - gpu->done;
        uint32_t cells = count > left / 2 + (left & 1) ? left : count * 2;
        cells = cells < left ? cells : left;
        gpu->sink->read(gpu->sink->context, &gpu->transfer,
                        (struct gv_psx_cells){ gpu->done, cells }, keep);
        gpu->done += cells;
        gpu->latch = 0;
        gpu->latch_from_vram = UINT32_MAX;
        count -= (cells + 1) / 2;
        if (gpu->done == gv_psx_place_cells(&gpu->transfer)) {
            gpu->parse = GV_PSX_IDLE;
            run_queue(gpu);
        }
    }
    uint32_t latched = count < GV_PSX_LATCH_WORDS ? count : GV_PSX_LATCH_WORDS;
    for (uint32_t i = 0; i < latched; i++)
        gpu->sink->latch(gpu->sink->context, gpu->latch, gpu->latch_from_vram, keep);
    gpu->dropped_reads += count - latched;
}

void gv_psx_flush_upload(struct gv_psx_gpu *gpu)
{
    uint32_t count = (uint32_t)(gpu->cells.size / 2);
    if (gpu->parse != GV_PSX_UPLOAD || count == 0)
        return;
    gpu->sink->upload(gpu->sink->context, &gpu->transfer,
                      (struct gv_psx_cells){ gpu->done - count, count },
                      gpu->cells.data, gv_psx_mask_bits(gpu));
    gpu->cells.size = 0;
}

static bool is_480(const struct gv_psx_gpu *gpu)
{
    return (gpu->mode & 0x24) == 0x24;
}

void gv_psx_vsync(struct gv_psx_gpu *gpu)
{
    gpu->field = is_480(gpu) ? gpu->field ^ 1 : 0;
}

// "13.1 Rectangle": no overscan clamp, native size.
// GP1(08h), bits 3 (PAL) and 5 (interlace). A field of interlaced pictures has half a
// line less: 262.5 of NTSC's 263, 312.5 of PAL's 314.
struct gv_psx_refresh gv_psx_refresh(const struct gv_psx_gpu *gpu)
{
    static const struct gv_psx_refresh ntsc = { 15750000, 263263 },
                                       pal = { 15625, 314 },
                                       ntsc_interlaced = { 60000, 1001 },
                                       pal_interlaced = { 50, 1 };
    if (gpu->mode & 0x20)
        return gpu->mode & 8 ? pal_interlaced : ntsc_interlaced;
    return gpu->mode & 8 ? pal : ntsc;
}

struct gv_psx_display gv_psx_display_area(const struct gv_psx_gpu *gpu)
{
    static const uint32_t clocks[4] = { 10, 8, 5, 4 };
    uint32_t per_pixel = gpu->mode & 0x40 ? 7 : clocks[gpu->mode & 3];
    uint32_t x1 = gpu->h_range & 0xfff, x2 = gpu->h_range >> 12 & 0xfff;
    uint32_t y1 = gpu->v_range & 0x3ff, y2 = gpu->v_range >> 10 & 0x3ff;
    struct gv_psx_display d = {
        .x = gpu->display_start & 0x3fe,
        .y = gpu->display_start >> 10 & (gv_psx_vram_rows(gpu) - 1),
        .width = x2 > x1 ? ((x2 - x1) / per_pixel + 2) & ~3u : 0,
        .height = y2 > y1 ? y2 - y1 : 0,
        .off = gpu->display_off,
        .rgb24 = gpu->mode & 0x10,
    };
    if (is_480(gpu))
        d.height *= 2;
    return d;
}
