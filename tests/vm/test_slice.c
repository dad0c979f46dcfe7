// The slicer: which calls of small programs run for a frame. Each row is a program and
// the calls that are left of it, in order.
#include "tests/test.h"
#include "tests/vm/record_host.h"
#include "vm/slice/slice.h"
#include "vm/text/text.h"
#include "vm/verify/verify.h"

// Two frames: the second one's picture is wanted.
#define PICTURE                                                      \
    "i = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, usage=" \
    "COLOR_ATTACHMENT|SAMPLED)\n"
#define FIRST "present(i, width=4, height=4)\nframe_end()\n"
#define SHOW "present(i, width=4, height=4)\nframe_end()\n"
#define DATA ".const data zero 64\n"
#define BUFFER "b = buffer_create(64, STORAGE)\n"
#define TO_IMAGE "buffer_to_image(image=i, width=4, height=4, buffer=b)\n"
#define PASS                           \
    "pass_color(image=i, load=LOAD)\n" \
    "pass_begin(4, 4, 1)\n"
#define COMPUTE                                           \
    ".resource cs u32 ( 1 2 3 4 )\n"                      \
    ".compute d {\n binding 3 0 STORAGE_BUFFER COMPUTE\n" \
    " binding 3 1 STORAGE_BUFFER COMPUTE\n}\n"            \
    "s = shader_create(cs)\n"                             \
    "p = pipeline_create_compute(desc=d, compute=s)\n"    \
    "c = buffer_create(64, STORAGE)\n"                    \
    "bind_pipeline(p)\n"                                  \
    "bind_buffer(3, 0, 0, b)\n"                           \
    "bind_buffer(3, 1, 0, c)\n"
#define COMPUTE_KEPT                                                    \
    "buffer_create image_create shader_create pipeline_create_compute " \
    "buffer_create bind_pipeline bind_buffer bind_buffer "
// A picture of a blit of texels 2 and 3 of each side of `j`.
#define BLIT_FROM(type, more)                                                          \
    "j = image_create(" type ", R8G8B8A8_UNORM, width=8, height=8, usage=SAMPLED" more \
    ")\n" DATA PICTURE "image_clear_color(j)\n" FIRST
#define BLIT(box, more)                                       \
    "image_blit(i, dst_x1=4, dst_y1=4, dst_z1=1, src=j, " box \
    ", layers=1, aspect=COLOR, " more ")\n" SHOW
#define TWO "src_x0=2, src_y0=2, src_x1=4, src_y1=4"
#define TWO_MIRRORED "src_x0=4, src_y0=4, src_x1=2, src_y1=2"
#define TEXEL(at) "image_upload(j, " at ", width=1, height=1, data=data)\n"
#define SAMPLE(number) \
    "image_upload_sample(m, COLOR, 0, " number ", 0, 0, 4, 4, data, 64)\n"
#define DRAWING                                                           \
    ".resource vs u32 ( 1 2 3 4 )\n"                                      \
    ".graphics g {\n topology = TRIANGLE_LIST\n color 0 R8G8B8A8_UNORM\n" \
    " binding 2 0 COMBINED_IMAGE_SAMPLER FRAGMENT\n}\n"                   \
    "s = shader_create(vs)\n"                                             \
    "p = pipeline_create_graphics(desc=g, vertex=s)\n"                    \
    "bind_pipeline(p)\n"                                                  \
    "set_scissor(0, 0, 0, 4, 4)\n"

static const struct {
    const char *name, *text, *kept;
} rows[] = {
    { "a frame alone",
      PICTURE "image_clear_color(i)\n" FIRST "image_clear_color(i)\n" SHOW,
      "image_create frame_end image_clear_color present frame_end " },
    { "half begun anew",
      PICTURE DATA "image_clear_color(i)\n" FIRST
                   "image_upload(i, width=2, height=4, data=data)\n" SHOW,
      "image_create image_clear_color frame_end image_upload present frame_end " },
    { "halves that make a whole",
      PICTURE DATA "image_clear_color(i)\n" FIRST
                   "image_upload(i, width=2, height=4, data=data)\n"
                   "image_upload(i, x=2, width=2, height=4, data=data)\n" SHOW,
      "image_create frame_end image_upload image_upload present frame_end " },
    { "bytes of a buffer",
      DATA BUFFER PICTURE "buffer_upload(b, 0, data)\n" FIRST
                          "buffer_upload(b, 0, data+32, 32)\n" TO_IMAGE SHOW,
      "buffer_create image_create buffer_upload frame_end buffer_upload "
      "buffer_to_image "
      "present frame_end " },
    { "all bytes of a buffer",
      DATA BUFFER PICTURE
      "buffer_upload(b, 0, data)\n" FIRST
      "buffer_upload(b, 32, data+32, 32)\nbuffer_fill(b, 0, 32, 0)\n" TO_IMAGE SHOW,
      "buffer_create image_create frame_end buffer_upload buffer_fill buffer_to_image "
      "present frame_end " },
    { "rows of a buffer",
      DATA BUFFER PICTURE
      "buffer_fill(b, 0, 64, 0)\n" FIRST
      "buffer_upload_rows(b, 0, 8, 16, 4, data, 32)\n"
      "buffer_upload_rows(b, 8, 8, 16, 4, data, 32)\n" TO_IMAGE SHOW,
      "buffer_create image_create frame_end buffer_upload_rows buffer_upload_rows "
      "buffer_to_image present frame_end " },
    { "what is given up",
      DATA BUFFER PICTURE "x = buffer_create(64, STORAGE)\nbuffer_upload(x, 0, "
                          "data)\nbuffer_destroy(x)\n" FIRST
                          "buffer_fill(b, 0, 64, 0)\n" TO_IMAGE
                          "buffer_destroy(b)\n" SHOW,
      "buffer_create image_create frame_end buffer_fill buffer_to_image buffer_destroy "
      "present frame_end " },
    { "volatile memory",
      ".volatile v 64\n" DATA BUFFER PICTURE
      "volatile v\nconst data\ncopy 64\nvolatile v\nconst data\ncopy 64\n" FIRST
      "buffer_upload(b, 0, v, 64)\n" TO_IMAGE SHOW,
      "buffer_create image_create frame_end buffer_upload buffer_to_image present "
      "frame_end " },
    { "a map that is flushed",
      DATA BUFFER PICTURE "m = buffer_map(b, 0, 64)\n" FIRST
                          "load_slot m\nconst data\ncopy 64\nmap_flush(m, 0, 64)\n"
                          "buffer_unmap(m)\n" TO_IMAGE SHOW,
      "buffer_create image_create buffer_map frame_end buffer_unmap "
      "buffer_to_image present frame_end " },
    { "a map that is closed",
      DATA BUFFER PICTURE "m = buffer_map(b, 0, 64)\n" FIRST
                          "load_slot m\nconst data\ncopy 64\nmap_flush(m, 0, 64)\n"
                          "map_close(m)\n" TO_IMAGE SHOW,
      "buffer_create image_create buffer_map frame_end map_flush map_close "
      "buffer_to_image present frame_end " },
    { "a loop is whole",
      DATA BUFFER PICTURE "buffer_fill(b, 0, 64, 0)\n" FIRST
                          "loop 2\nbuffer_fill(b, 0, 64, 0)\nloop_end\n" TO_IMAGE SHOW,
      "buffer_create image_create buffer_fill present frame_end buffer_fill "
      "buffer_fill "
      "buffer_to_image present frame_end " },
    { "a pass that clears",
      PICTURE "image_clear_color(i)\n" FIRST
              "pass_color(image=i, load=CLEAR)\npass_begin(4, 4, 1)\npass_end()\n" SHOW,
      "image_create frame_end pass_color pass_begin pass_end present frame_end " },
    { "a pass that loads",
      PICTURE "image_clear_color(i)\n" FIRST PASS
              "clear_color(0, 0, 0, 2, 4)\npass_end()\n" SHOW,
      "image_create image_clear_color frame_end pass_color pass_begin clear_color "
      "pass_end present frame_end " },
    { "an idle pass", PICTURE "image_clear_color(i)\n" FIRST PASS "pass_end()\n" SHOW,
      "image_create image_clear_color frame_end present frame_end " },
    { "a draw writes some",
      PICTURE DRAWING "image_clear_color(i)\n" FIRST PASS "draw(3)\npass_end()\n" SHOW,
      "image_create shader_create pipeline_create_graphics bind_pipeline set_scissor "
      "image_clear_color frame_end pass_color pass_begin draw pass_end present "
      "frame_end " },
    { "a draw that is cleared away",
      PICTURE DRAWING FIRST PASS
      "draw(3)\nclear_color(0, 0, 0, 4, 4)\npass_end()\n" SHOW,
      "image_create frame_end pass_color pass_begin clear_color pass_end present "
      "frame_end " },
    { "a draw beside the picture",
      PICTURE DRAWING "image_clear_color(i)\n" FIRST PASS
                      "set_scissor(0, 0, 0, 1, 1)\ndraw(3)\npass_end()\n"
                      "present(i, x=2, width=2, height=4)\nframe_end()\n",
      "image_create image_clear_color frame_end present frame_end " },
    { "a dispatch of all that is bound",
      DATA BUFFER PICTURE COMPUTE
      "buffer_fill(b, 0, 64, 0)\nbuffer_fill(c, 0, 64, 0)\n" FIRST
      "dispatch(1, 1, 1)\n" TO_IMAGE SHOW,
      COMPUTE_KEPT "buffer_fill buffer_fill frame_end dispatch buffer_to_image present "
                   "frame_end " },
    { "a dispatch that overwrites",
      DATA BUFFER PICTURE COMPUTE
      ".ranges r {\n overwrite 3 0 bytes=64\n read 3 1 bytes=32\n}\n"
      "buffer_fill(b, 0, 64, 0)\nbuffer_fill(c, 32, 32, 0)\nbuffer_fill(c, 0, 32, "
      "0)\n" FIRST "dispatch(1, 1, 1, r)\n" TO_IMAGE SHOW,
      COMPUTE_KEPT
      "buffer_fill frame_end dispatch buffer_to_image present frame_end " },
    { "a dispatch that is not sure",
      DATA BUFFER PICTURE COMPUTE
      ".ranges r {\n overwrite 3 0 bytes=64\n unused 3 1\n}\n"
      "buffer_fill(b, 0, 64, 0)\nbuffer_fill(c, 32, 32, 0)\n" FIRST
      "dispatch(1, 0, 1, r)\n" TO_IMAGE SHOW,
      COMPUTE_KEPT
      "buffer_fill frame_end dispatch buffer_to_image present frame_end " },
    { "a dispatch under a condition",
      DATA BUFFER PICTURE COMPUTE
      "q = buffer_create(4, CONDITIONAL)\n"
      ".ranges r {\n overwrite 3 0 bytes=64\n unused 3 1\n}\n"
      "buffer_fill(b, 0, 64, 0)\nbuffer_fill(q, 0, 4, 0)\n" FIRST
      "condition_begin(q)\ndispatch(1, 1, 1, r)\ncondition_end()\n" TO_IMAGE SHOW,
      COMPUTE_KEPT "buffer_create buffer_fill buffer_fill frame_end condition_begin "
                   "dispatch condition_end buffer_to_image present frame_end " },
    { "a query",
      DATA BUFFER PICTURE DRAWING
      "q = query_create(OCCLUSION, 1)\nquery_reset(q, 0, 1)\n"
      "e = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, "
      "usage=COLOR_ATTACHMENT)\n" FIRST "pass_color(image=e)\npass_begin(4, 4, "
      "1)\nquery_begin(q)\ndraw(3)\nquery_end(q)\n"
      "draw(3)\npass_end()\nquery_copy(q, 0, 1, b, 0, 8)\n" TO_IMAGE SHOW,
      "buffer_create image_create shader_create pipeline_create_graphics bind_pipeline "
      "set_scissor query_create query_reset image_create frame_end pass_color "
      "pass_begin "
      "query_begin draw query_end pass_end query_copy buffer_to_image present "
      "frame_end " },
    { "samples are written one by one",
      DATA PICTURE
      "m = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, samples=4, "
      "usage=COLOR_ATTACHMENT)\n" FIRST SAMPLE("0") "image_clear_color(m)\n" SAMPLE("1")
          SAMPLE("2") "image_resolve(i, src=m, width=4, height=4)\n" SHOW,
      "image_create image_create frame_end image_clear_color image_upload_sample "
      "image_upload_sample image_resolve present frame_end " },
    { "a linear blit reads the texels around its box",
      BLIT_FROM("2D", "") TEXEL("x=1, y=1") TEXEL("x=4, y=4") TEXEL("x=4, y=1")
          TEXEL("x=0, y=2") TEXEL("x=2, y=5") BLIT(TWO, "src_z1=1, filter=LINEAR"),
      "image_create image_create image_clear_color frame_end image_upload "
      "image_upload image_upload image_blit present frame_end " },
    { "a mirrored one too",
      BLIT_FROM("2D", "") TEXEL("x=1, y=1") TEXEL("x=4, y=4") TEXEL("x=0, y=2")
          BLIT(TWO_MIRRORED, "src_z1=1, filter=LINEAR"),
      "image_create image_create image_clear_color frame_end image_upload "
      "image_upload image_blit present frame_end " },
    { "the nearest are in the box",
      BLIT_FROM("2D", "") TEXEL("x=1, y=1") TEXEL("x=4, y=4") TEXEL("x=3, y=3")
          BLIT(TWO, "src_z1=1, filter=NEAREST"),
      "image_create image_create image_clear_color frame_end image_upload image_blit "
      "present frame_end " },
    { "a linear blit reads the slices around",
      BLIT_FROM("3D", ", depth=8") TEXEL("x=2, y=2, z=1") TEXEL("x=2, y=2, z=4")
          TEXEL("x=2, y=2, z=0") TEXEL("x=2, y=2, z=5")
              BLIT(TWO, "src_z0=2, src_z1=4, filter=LINEAR"),
      "image_create image_create image_clear_color frame_end image_upload "
      "image_upload image_blit present frame_end " },
    { "but no layers around",
      BLIT_FROM("2D", ", layers=3") TEXEL("x=2, y=2, layer=0")
          TEXEL("x=2, y=2, layer=1") TEXEL("x=2, y=2, layer=2")
              BLIT(TWO, "src_layer=1, src_z1=1, filter=LINEAR"),
      "image_create image_create frame_end image_upload image_blit "
      "present frame_end " },
    { "corners that stand where an image has no room",
      PICTURE DATA "j = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, layers=3, "
                   "usage=SAMPLED)\n"
                   "image_clear_color(j, layers=3)\n" FIRST
                   "image_blit(j, dst_x1=4, dst_y1=4, dst_z0=3, src=i, src_x1=4, "
                   "src_y1=4, src_z1=1, layers=1, aspect=COLOR)\n"
                   "present(j, layer=1, width=4, height=4)\nframe_end()\n",
      "image_create image_clear_color frame_end present frame_end " },
    { "more slices with gaps than are told apart",
      "v = image_create(3D, R8G8B8A8_UNORM, width=1, height=1, depth=5000, "
      "usage=SAMPLED)\n" PICTURE "b = buffer_create(80000, STORAGE)\n"
      "image_clear_color(v)\nbuffer_fill(b, 0, 80000, 0)\n" FIRST
      "image_to_buffer(b, rows=2, image=v, width=1, height=1, depth=5000)\n"
      "buffer_to_image(i, width=4, height=4, buffer=b, offset=39900)\n" SHOW,
      "image_create image_create buffer_create image_clear_color buffer_fill frame_end "
      "image_to_buffer buffer_to_image present frame_end " },
    { "either of two",
      ".require alternative feature \"geometryShader\" fallback \"x\"\n" DATA BUFFER
          PICTURE COMPUTE FIRST
      "meets 0\nskip_zero a\nbind_buffer(3, 0, 0, c)\na:\ndispatch(1, 1, 1)\n" TO_IMAGE
          SHOW,
      COMPUTE_KEPT "frame_end dispatch buffer_to_image present frame_end " },
};

static bool assemble(const char *text, struct gv_bytes *bytes,
                     struct gv_payload *payload, struct gv_error *err)
{
    const struct gv_assemble_params params = { 0 };
    return gv_text_assemble(text, strlen(text), &params, bytes, err) &&
           gv_payload_open_memory(payload, bytes->data, bytes->size, 0, err) &&
           gv_verify(payload, &(struct gv_verify_params){ 0 }, err);
}

// The names of the calls that were made, each with a space behind it.
// Behind a command instead: attachment 0 of the current or last pass, or what is shown.
#define OTHER                                                        \
    "j = image_create(2D, R8G8B8A8_UNORM, width=4, height=4, usage=" \
    "COLOR_ATTACHMENT)\n"
static const struct {
    const char *name, *text, *kept;
    uint64_t call;
} call_rows[] = {
    { "inside a pass",
      PICTURE DRAWING "command 1\n" PASS "draw(3)\ncommand 2\ndraw(6)\ncommand 3\n"
                      "draw(9)\npass_end()\ncommand 4\n" FIRST,
      "image_create shader_create pipeline_create_graphics bind_pipeline set_scissor "
      "pass_color pass_begin draw draw pass_end frame_end ",
      2 },
    { "behind a pass",
      PICTURE OTHER DRAWING "command 1\n" PASS "draw(3)\npass_end()\ncommand 2\n"
                            "image_clear_color(j)\ncommand 3\n"
                            "pass_color(image=j, load=LOAD)\npass_begin(4, 4, 1)\n"
                            "draw(3)\npass_end()\n" FIRST,
      "image_create shader_create pipeline_create_graphics bind_pipeline set_scissor "
      "pass_color pass_begin draw pass_end frame_end ",
      2 },
    { "what is shown",
      PICTURE OTHER "command 1\nshow(j, 0, 0, 4, 4)\nimage_clear_color(j)\ncommand 2\n"
                    "image_clear_color(i)\nimage_clear_color(j)\ncommand 3\n" FIRST,
      "image_create show image_clear_color frame_end ", 1 },
    { "no target yet", PICTURE "command 1\nimage_clear_color(i)\ncommand 2\n" FIRST,
      "frame_end ", 1 },
};

static void names_of(const char *text, struct gv_bytes *out)
{
    while (*text) {
        size_t line = strcspn(text, "\n"), word = strcspn(text, " \n");
        if (word != strlen("command") || strncmp(text, "command", word) != 0)
            gv_bytes_printf(out, "%.*s ", (int)word, text);
        text += line + (text[line] == '\n');
    }
    gv_bytes_u8(out, 0);
}

static bool run_kept(struct gv_payload *payload, const struct gv_kept *kept,
                     struct gv_bytes *names, struct gv_error *err)
{
    struct record_host host;
    record_host_init(&host, true);
    const struct gv_vm_params params = { .payload = payload,
                                         .host = &host.host,
                                         .kept = kept };
    struct gv_vm *vm = gv_vm_create(&params, err);
    enum gv_stop stop = GV_STOP_FRAME;
    bool ok = vm != NULL;
    while (ok && stop == GV_STOP_FRAME)
        ok = gv_vm_run(vm, &stop, err);
    names_of(record_host_text(&host), names);
    gv_vm_destroy(vm);
    record_host_finish(&host);
    return ok;
}

static void test_row(const char *name, const char *text, const char *kept,
                     const struct gv_slice_params *params)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes bytes = { 0 }, names = { 0 };
    struct gv_payload payload = { 0 };
    struct gv_slice slice = { 0 };
    bool ok = assemble(text, &bytes, &payload, &err) &&
              gv_slice_make(&slice, &payload, params, &err) && slice.kept.chunk_count &&
              run_kept(&payload, &slice.kept, &names, &err);
    CHECK_ROW(name, ok);
    if (!ok || strcmp((const char *)names.data, kept) != 0) {
        fprintf(stderr, "  %s%s\n  kept   %s\n  wanted %s\n", err.message,
                slice.whole ? slice.whole : "", ok ? (const char *)names.data : "",
                kept);
        gv_test_failures++;
    }
    gv_slice_finish(&slice);
    gv_payload_finish(&payload);
    gv_bytes_finish(&bytes);
    gv_bytes_finish(&names);
}

int main(void)
{
    const uint64_t frame = 1;
    const struct gv_slice_params second = { .frames = &frame,
                                            .frame_count = 1,
                                            .last_frame = 1 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        test_row(rows[i].name, rows[i].text, rows[i].kept, &second);
    for (size_t i = 0; i < sizeof call_rows / sizeof *call_rows; i++) {
        const struct gv_slice_params call = { .calls = &call_rows[i].call,
                                              .call_count = 1 };
        test_row(call_rows[i].name, call_rows[i].text, call_rows[i].kept, &call);
    }
    return TEST_RESULT();
}
