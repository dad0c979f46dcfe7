#include "tests/vm/slice_program.h"

#define BUFFERS 4
#define IMAGES 3
#define BYTES 256 // of a buffer, and of volatile memory
#define SIDE 16   // of an image

#define roll slice_program_roll

uint32_t slice_program_roll(struct slice_program *k, uint32_t below)
{
    if (k->left) {
        uint32_t byte = *k->bytes++;
        k->left--;
        if (below > 256 && k->left) {
            byte = byte << 8 | *k->bytes++;
            k->left--;
        }
        return byte % below;
    }
    k->state = k->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(k->state >> 33) % below;
}

#define SAY(...) gv_bytes_printf(&k->text, __VA_ARGS__)

static const char prelude[] =
    ".require alternative feature \"geometryShader\" fallback \"x\"\n"
    ".resource code u32 ( 1 2 3 4 )\n"
    ".volatile v 256\n"
    ".export e0 buffer\n.export e1 buffer\n"
    ".compute kernel {\n binding 0 0 UNIFORM_BUFFER_DYNAMIC COMPUTE\n"
    " binding 3 0 STORAGE_BUFFER COMPUTE\n binding 3 1 STORAGE_BUFFER COMPUTE\n"
    " binding 3 2 UNIFORM_BUFFER COMPUTE\n}\n"
    ".compute other {\n binding 3 0 STORAGE_BUFFER COMPUTE\n}\n"
    ".graphics flat {\n topology = TRIANGLE_LIST\n color 0 R8_UNORM\n"
    " vertex_binding 0\n attribute 0 slot=0 format=R8_UNORM\n}\n"
    ".graphics deep {\n topology = TRIANGLE_LIST\n color 0 R8_UNORM\n color 1 "
    "R8_UNORM\n"
    " depth_stencil_format = D32_SFLOAT_S8_UINT\n depth_test = true\n"
    " depth_write = true\n stencil_test = true\n"
    " binding 2 0 COMBINED_IMAGE_SAMPLER FRAGMENT\n}\n"
    ".graphics tested {\n topology = TRIANGLE_LIST\n color 0 R8_UNORM\n"
    " depth_stencil_format = D32_SFLOAT_S8_UINT\n depth_test = true\n"
    " binding 2 1 COMBINED_IMAGE_SAMPLER FRAGMENT\n"
    " binding 3 0 STORAGE_BUFFER FRAGMENT\n binding 1 0 UNIFORM_BUFFER FRAGMENT\n}\n"
    "s = shader_create(code)\n"
    "kernelp = pipeline_create_compute(desc=kernel, compute=s)\n"
    "otherp = pipeline_create_compute(desc=other, compute=s)\n"
    "flatp = pipeline_create_graphics(desc=flat, vertex=s)\n"
    "deepp = pipeline_create_graphics(desc=deep, vertex=s)\n"
    "testedp = pipeline_create_graphics(desc=tested, vertex=s)\n"
    "z = image_create(2D, D32_SFLOAT_S8_UINT, width=16, height=16, "
    "usage=DEPTH_STENCIL_ATTACHMENT)\n"
    "q = query_create(OCCLUSION, 4)\n"
    "bind_pipeline(kernelp)\nbind_pipeline(flatp)\nset_scissor(0, 0, 0, 16, 16)\n";

static void say_prelude(struct slice_program *k)
{
    SAY("%s.const data u8 (", prelude);
    for (int i = 0; i < BYTES; i++)
        SAY(" %u", roll(k, 256));
    SAY(" )\n.resource bytes u8 (");
    for (int i = 0; i < 64; i++)
        SAY(" %u", roll(k, 256));
    SAY(" )\n");
    for (int i = 0; i < BUFFERS; i++)
        SAY("b%d = buffer_create(%d, STORAGE|VERTEX|UNIFORM)\n", i, BYTES);
    for (int i = 0; i < IMAGES; i++)
        SAY("i%d = image_create(2D, R8_UNORM, width=%d, height=%d, mips=2, layers=2, "
            "usage=COLOR_ATTACHMENT|SAMPLED)\n",
            i, SIDE, SIDE);
    SAY("bind_buffer(3, 0, 0, b0)\nbind_buffer(3, 1, 0, b1)\nbind_buffer(3, 2, 0, b2)\n"
        "bind_buffer(1, 0, 0, b3)\nbind_uniform_bytes(0, 0, data, 16)\n"
        "bind_texture(2, 0, 0, i0, 2D, mips=1, layers=1)\n"
        "bind_texture(2, 1, 0, i1, 2D, mips=1, layers=1)\n"
        "bind_vertex_buffer(0, b0)\nbind_index_buffer(b1)\n");
}

// ---- buffers and memory ----

static void on_buffers(struct slice_program *k)
{
    uint32_t b = roll(k, BUFFERS), other = (b + 1 + roll(k, BUFFERS - 1)) % BUFFERS;
    uint32_t size = 1 + roll(k, BYTES / 2), at = roll(k, BYTES - size + 1);
    uint32_t from = roll(k, BYTES - size + 1);
    switch (roll(k, k->mapped ? 7 : 8)) { // what is mapped stays
    case 0:
        SAY("buffer_upload(b%u, %u, data+%u, %u)\n", b, at, from, size);
        break;
    case 1:
        SAY("buffer_fill(b%u, %u, %u, %u)\n", b, at & ~3u, size & ~3u, roll(k, 256));
        break;
    case 2:
        SAY("buffer_copy(b%u, %u, b%u, %u, %u)\n", b, at, other, from, size);
        break;
    case 3:
        SAY("buffer_upload_rows(b%u, %u, 8, %u, 4, data+%u, 32)\n", b, roll(k, 128),
            8 + roll(k, 24), roll(k, 128));
        break;
    case 4:
        SAY("buffer_copy_rows(b%u, %u, %u, b%u, %u, %u, 8, 4)\n", b, roll(k, 128),
            8 + roll(k, 24), other, roll(k, 128), 8 + roll(k, 24));
        break;
    case 5:
        SAY("buffer_upload(b%u, %u, v+%u, %u)\n", b, at, from, size);
        break;
    case 6: // a place out of memory
        SAY("load_slot b%u\nvolatile v+%u\nload8\npush 124\nand\npush %u\npush %u\n"
            "call buffer_fill\n",
            b, roll(k, BYTES), 4 * roll(k, 16), roll(k, 256));
        break;
    default:
        SAY("buffer_destroy(b%u)\nb%u = buffer_create(%d, STORAGE|VERTEX|UNIFORM)\n", b,
            b, BYTES);
        break;
    }
}

static void on_memory(struct slice_program *k)
{
    uint32_t size = 1 + roll(k, 64), to = roll(k, BYTES - size), from = roll(k, 192);
    switch (roll(k, 7)) {
    case 0:
        SAY("volatile v+%u\nconst data+%u\ncopy %u\n", to, from, size);
        break;
    case 1:
        SAY("volatile v+%u\nvolatile v+%u\ncopy %u\n", to, from, size);
        break;
    case 2:
        SAY("push %u\nvolatile v+%u\nstore32\n", roll(k, 1000), to & ~3u);
        break;
    case 4:
        SAY("volatile v+%u\nvolatile v+%u\nvolatile v+%u\nproduct %u\n",
            roll(k, BYTES - 64), roll(k, BYTES - 64), roll(k, BYTES - 128), roll(k, 3));
        break;
    case 5:
        SAY("volatile v+%u\nvolatile v+%u\ninverse %u\n", roll(k, BYTES - 64),
            roll(k, BYTES - 64), 1 + roll(k, 4));
        break;
    case 3:
        SAY("volatile v+%u\nload16\nvolatile v+%u\nload8\nadd\nvolatile "
            "v+%u\nstore16\n",
            roll(k, 250), roll(k, 250), roll(k, 250));
        break;
    default:
        SAY("volatile v+%u\nfetch bytes\n", roll(k, 192));
        break;
    }
}

static void on_map(struct slice_program *k)
{
    if (!k->mapped) {
        SAY("m = buffer_map(b%u, %u, 64)\n", roll(k, BUFFERS), roll(k, 192));
        k->mapped = true;
        return;
    }
    uint32_t size = 1 + roll(k, 32), at = roll(k, 64 - size);
    switch (roll(k, 5)) {
    case 0:
        SAY("load_slot m\nadd_imm %u\nconst data+%u\ncopy %u\n", at + 1, roll(k, 64),
            size - 1);
        break;
    case 1:
        SAY("volatile v+%u\nload_slot m\ncopy %u\n", roll(k, 128), size);
        break;
    case 2:
        SAY("map_flush(m, %u, %u)\n", at, size);
        break;
    default:
        SAY("%s(m)\n", roll(k, 2) ? "buffer_unmap" : "map_close");
        k->mapped = false;
        break;
    }
}

// ---- images ----

static void on_images(struct slice_program *k)
{
    uint32_t i = roll(k, IMAGES), other = (i + 1) % IMAGES, mip = roll(k, 2);
    uint32_t side = SIDE >> mip, layer = roll(k, 2), w = 1 + roll(k, side),
             h = 1 + roll(k, side);
    uint32_t x = roll(k, side - w + 1), y = roll(k, side - h + 1);
    switch (roll(k, 8)) {
    case 0:
        SAY("image_upload(i%u, mip=%u, layer=%u, x=%u, y=%u, width=%u, height=%u, "
            "data=data, size=256)\n",
            i, mip, layer, x, y, w, h);
        break;
    case 1:
        SAY("image_clear_color(i%u, mip=%u, mips=%u, layer=%u, layers=%u, c0=%u)\n", i,
            mip, 1 + (!mip && roll(k, 2)), layer, 1 + (!layer && roll(k, 2)),
            roll(k, 256));
        break;
    case 2:
        SAY("image_copy(dst=i%u, dst_mip=%u, dst_layer=%u, dst_x=%u, dst_y=%u, "
            "src=i%u, "
            "src_mip=%u, src_layer=%u, width=%u, height=%u)\n",
            i, mip, layer, x, y, other, mip, roll(k, 2), w, h);
        break;
    case 3: {
        bool mirrored = roll(k, 2);
        uint32_t left = roll(k, SIDE), top = roll(k, SIDE);
        SAY("image_blit(dst=i%u, dst_mip=%u, dst_layer=%u, dst_x0=%u, dst_y0=%u, "
            "dst_x1=%u, dst_y1=%u, dst_z1=1, src=i%u, src_x0=%u, src_y0=%u, src_x1=%u, "
            "src_y1=%u, src_z1=1, aspect=COLOR, filter=%s)\n",
            i, mip, layer, mirrored ? x + w : x, y, mirrored ? x : x + w, y + h, other,
            left, top, left + 1 + roll(k, SIDE - left), top + 1 + roll(k, SIDE - top),
            roll(k, 2) ? "LINEAR" : "NEAREST");
        break;
    }
    case 4:
        SAY("image_to_buffer(b%u, %u, row_bytes=%u, image=i%u, mip=%u, layer=%u, x=%u, "
            "y=%u, width=%u, height=%u)\n",
            roll(k, BUFFERS), roll(k, 16), w > 8 ? 0 : w + roll(k, 4), i, mip, layer, x,
            y, w > 8 ? 8 : w, h > 8 ? 8 : h);
        break;
    case 5:
        SAY("buffer_to_image(i%u, mip=%u, layer=%u, x=%u, y=%u, width=%u, height=%u, "
            "buffer=b%u, offset=%u)\n",
            i, mip, layer, x, y, w, h, roll(k, BUFFERS), roll(k, 64));
        break;
    case 6:
        SAY("image_mipmaps(i%u, 0, 2, %u, 1)\n", i, layer);
        break;
    default:
        SAY("image_clear_depth_stencil(z, aspect=%s, stencil=%u)\n",
            roll(k, 2) ? "DEPTH" : "DEPTH|STENCIL", roll(k, 256));
        break;
    }
}

// ---- state and work ----

static void on_state(struct slice_program *k)
{
    uint32_t b = roll(k, BUFFERS), size = 16 * roll(k, 8);
    static const char *const pipelines[] = { "flatp", "deepp", "testedp" };
    switch (roll(k, 9)) {
    case 0:
        SAY("bind_pipeline(%s)\n", pipelines[roll(k, 3)]);
        break;
    case 1: // never one buffer in both
        SAY("bind_buffer(3, 0, 0, b%u, %u, %u)\nbind_buffer(3, 1, 0, b%u)\n", b,
            16 * roll(k, 8), 0u, (b + 1) % BUFFERS);
        break;
    case 2:
        SAY("bind_buffer(%s, 0, b%u, %u, %u)\n", roll(k, 2) ? "3, 2" : "1, 0", b,
            16 * roll(k, 8), size);
        break;
    case 3:
        SAY("bind_uniform_bytes(0, 0, %s+%u, 16)\n", roll(k, 2) ? "data" : "v",
            roll(k, 200));
        break;
    case 4:
        SAY("bind_texture(2, %u, 0, i%u, 2D, mip=%u, mips=1, layer=%u, layers=1)\n",
            roll(k, 2), roll(k, IMAGES), roll(k, 2), roll(k, 2));
        break;
    case 5:
        SAY("bind_vertex_buffer(0, b%u, %u, %u)\nbind_index_buffer(b%u)\n", b,
            16 * roll(k, 8), size, roll(k, BUFFERS));
        break;
    case 6:
        SAY("set_viewport(0, x=%u)\nset_blend_constants(r=%u)\n", roll(k, 9),
            roll(k, 9));
        break;
    case 7: {
        uint32_t label = k->labels++;
        SAY("meets 0\nskip_zero l%u\nbind_buffer(1, 0, 0, b%u)\nset_scissor(0, %u, 4, "
            "9, 9)\n"
            "l%u:\n",
            label, b, roll(k, 9), label);
        break;
    }
    default:
        SAY("set_scissor(0, %u, %u, %u, %u)\n", roll(k, 8), roll(k, 8), roll(k, 16),
            roll(k, 16));
        break;
    }
}

static void on_target(struct slice_program *k, uint32_t width, uint32_t height)
{
    static const char *const loads[] = { "LOAD", "CLEAR" };
    uint32_t i = roll(k, IMAGES);
    SAY("pass_color(0, i%u, layer=%u, load=%s, c0=%u)\n", i, roll(k, 2),
        loads[roll(k, 2)], roll(k, 256));
    if (roll(k, 2))
        SAY("pass_color(1, i%u, layer=%u, load=%s)\n", (i + 1) % IMAGES, roll(k, 2),
            loads[roll(k, 2)]);
    if (roll(k, 2))
        SAY("pass_depth_stencil(z, depth_load=%s, stencil_load=%s)\n",
            loads[roll(k, 2)], loads[roll(k, 2)]);
    SAY("pass_begin(%u, %u, 1)\n", width, height);
}

static void on_pass(struct slice_program *k)
{
    bool counts = roll(k, 4) == 0, condition = roll(k, 3) == 0;
    uint32_t slot = roll(k, 4), width = 1 + roll(k, SIDE), height = 1 + roll(k, SIDE);
    if (counts)
        SAY("query_reset(q, %u, 1)\n", slot);
    on_target(k, width, height);
    if (condition)
        SAY("condition_begin(b%u, %u, %s)\n", roll(k, BUFFERS), 4 * roll(k, 60),
            roll(k, 2) ? "true" : "false");
    if (counts)
        SAY("query_begin(q, %u)\n", slot);
    for (uint32_t n = roll(k, 4) + 1; n > 0; n--) {
        uint32_t w = 1 + roll(k, width), h = 1 + roll(k, height);
        uint32_t x = roll(k, width - w + 1), y = roll(k, height - h + 1);
        switch (roll(k, 24) ? roll(k, 5) : 5) {
        case 5:
            SAY("loop 2\ndraw(3)\nloop_end\n");
            break;
        case 0:
            SAY("clear_color(0, %u, %u, %u, %u, c0=%u)\n", x, y, w, h, roll(k, 256));
            break;
        case 1:
            SAY("clear_depth_stencil(aspect=%s, x=%u, y=%u, width=%u, height=%u, "
                "stencil=%u)\n",
                roll(k, 2) ? "STENCIL" : "DEPTH", x, y, w, h, roll(k, 256));
            break;
        case 2:
            on_state(k);
            break;
        case 3:
            SAY("draw_indexed(%u)\n", 3 * roll(k, 4));
            break;
        default:
            SAY("draw(%u)\n", 3 * roll(k, 4));
            break;
        }
    }
    if (counts)
        SAY("query_end(q, %u)\n", slot);
    if (condition)
        SAY("condition_end()\n");
    SAY("pass_end()\n");
    if (roll(k, 3) == 0)
        SAY("query_copy(q, 0, 4, b%u, %u, 4)\n", roll(k, BUFFERS), roll(k, 200));
}

static void on_dispatch(struct slice_program *k)
{
    static const char *const access[] = { "read", "write", "overwrite" };
    bool condition = roll(k, 3) == 0;
    uint32_t x = roll(k, 8) ? 1 : 0;
    SAY("bind_pipeline(%s)\n", roll(k, 4) ? "kernelp" : "otherp");
    if (condition)
        SAY("condition_begin(b%u, %u, %s)\n", roll(k, BUFFERS), 4 * roll(k, 60),
            roll(k, 2) ? "true" : "false");
    if (roll(k, 4) == 0) {
        SAY("dispatch(%u, 1, 1)\n", x);
    } else {
        uint32_t number = k->ranges++;
        SAY(".ranges r%u {\n", number);
        SAY(" %s 3 0 offset=%u bytes=%u stride=32 rows=%u\n", access[roll(k, 3)],
            4 * roll(k, 8), 4 + 4 * roll(k, 7), 1 + roll(k, 3));
        if (roll(k, 3) == 0)
            SAY(" unused 3 1\n");
        else
            SAY(" %s 3 1 offset=%u bytes=%u\n", access[roll(k, 3)], 4 * roll(k, 8),
                4 + 4 * roll(k, 20));
        if (roll(k, 2))
            SAY(" read 3 0 offset=%u bytes=%u\n", 4 * roll(k, 8), 4 + 4 * roll(k, 8));
        SAY("}\ndispatch(%u, 1, 1, r%u)\n", x, number);
    }
    if (condition)
        SAY("condition_end()\n");
}

static void on_rare(struct slice_program *k)
{
    switch (roll(k, 6)) {
    case 0:
        SAY("loop 2\nbuffer_copy(b0, %u, b1, %u, 32)\nbuffer_copy(b1, %u, b0, %u, 32)\n"
            "loop_end\n",
            roll(k, 200), roll(k, 200), roll(k, 200), roll(k, 200));
        break;
    case 1: {
        uint32_t label = k->labels++;
        if (roll(k, 4)) // behind it nothing is told apart
            break;
        SAY("volatile v+%u\nload8\nskip_zero l%u\nbuffer_fill(b%u, 0, 64, %u)\nl%u:\n",
            roll(k, BYTES), label, roll(k, BUFFERS), roll(k, 256), label);
        break;
    }
    case 2: // two pipelines, of which the device takes one
        SAY("x%u = shader_create(code)\nmeets 0\nskip_zero l%u\n"
            "y%u = pipeline_create_compute(desc=kernel, compute=x%u)\nl%u:\n"
            "meets 0\npush 1\nless\nskip_zero l%u\n"
            "y%u = pipeline_create_compute(desc=other, compute=x%u)\nl%u:\n"
            "bind_pipeline(y%u)\ndispatch(1, 1, 1)\n",
            k->labels, k->labels, k->labels, k->labels, k->labels, k->labels + 1,
            k->labels, k->labels, k->labels + 1, k->labels);
        k->labels += 2;
        break;
    default:
        SAY("post_buffer(e%u, b%u, %u, 32, %s)\n", roll(k, 2), roll(k, BUFFERS),
            roll(k, 200), roll(k, 2) ? "true" : "false");
        break;
    }
}

static void say_frame(struct slice_program *k, uint32_t number)
{
    for (uint32_t n = 3 + roll(k, 22); n > 0; n--) {
        SAY("command %u\n", number * 32 + 32 - n);
        switch (roll(k, 16)) {
        case 0:
            on_rare(k);
            break;
        case 1:
        case 2:
            on_map(k);
            break;
        case 3:
        case 4:
            on_memory(k);
            break;
        case 5:
        case 6:
        case 7:
            on_pass(k);
            break;
        case 8:
        case 9:
            on_dispatch(k);
            break;
        case 10:
        case 11:
            on_images(k);
            break;
        case 12:
            on_state(k);
            break;
        default:
            on_buffers(k);
            break;
        }
    }
    uint32_t side = 9 + roll(k, 8);
    if (roll(k, 3) == 0)
        SAY("buffer_to_image(i0, width=16, height=16, buffer=b%u)\n", roll(k, BUFFERS));
    SAY("present(i%u, layer=%u, width=%u, height=%u)\nframe_end()\n",
        roll(k, 3) ? 0 : roll(k, IMAGES), roll(k, 4) ? 0u : 1u, side, side);
}

void slice_program_write(struct slice_program *k)
{
    say_prelude(k);
    for (uint32_t i = 0; i < SLICE_PROGRAM_FRAMES; i++)
        say_frame(k, i);
}

void slice_program_finish(struct slice_program *k)
{
    gv_bytes_finish(&k->text);
}
