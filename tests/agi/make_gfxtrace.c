// Writes a gfxreconstruct capture as AGI would have recorded it: the same calls, with
// memory, handles and threads of its own.
//   make_gfxtrace FILE.gfxr FILE.gfxtrace lp64|arm32|x86
// Ends with 77 if the capture has what this writer does not write: a snapshot,
// templates.
#include "compiler/gfxr/gfxr_blocks.h"
#include "compiler/gfxr/gfxr_decode.h"
#include "compiler/gfxr/gfxr_meta.h"
#include "tests/agi/agi_writer.h"
#include "tests/test.h"

static bool put_block(struct agi_writer *w, struct gv_gfxr_reader *reader,
                      struct gv_gfxr_block *block, struct gv_error *err)
{
    struct gv_arena arena = { 0 };
    struct gv_vk_call call = { .place = block->place };
    struct gv_gfxr_meta meta;
    bool ok = true;
    if (block->kind == GV_GFXR_CALL) {
        ok = gv_gfxr_decode(block->id, block->body,
                            &(struct gv_gfxr_room){ .arena = &arena }, &call, err);
        if (ok)
            agi_put_call(w, &call, block->place.thread);
        if (ok && block->place.block % 50 == 0)
            agi_put_aborted(w);
    } else if (block->kind == GV_GFXR_META) {
        ok = gv_gfxr_meta(reader, block, &arena, &meta, err);
        if (ok && meta.kind == GV_GFXR_FILL)
            agi_put_fill(w, meta.fill.memory, meta.fill.offset, meta.fill.bytes.data,
                         meta.fill.bytes.size);
        w->failed = w->failed ||
                    (ok && (meta.kind == GV_GFXR_BUFFER || meta.kind == GV_GFXR_IMAGE));
    }
    w->failed = w->failed || block->kind == GV_GFXR_STATE_MARKER;
    gv_arena_finish(&arena);
    return ok;
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc((size_t)1 << 28);
    *size = file && bytes ? fread(bytes, 1, (size_t)1 << 28, file) : 0;
    if (file)
        fclose(file);
    return bytes;
}

static bool write_file(const char *path, const struct gv_bytes *bytes)
{
    FILE *file = fopen(path, "wb");
    const bool ok = file && fwrite(bytes->data, 1, bytes->size, file) == bytes->size;
    return file && fclose(file) == 0 && ok;
}

int main(int argc, char **argv)
{
    static const char *const abis[] = { "lp64", "arm32", "x86" };
    static struct agi_writer w;
    enum agi_writer_abi abi = AGI_LP64;
    if (argc != 4)
        return 2;
    while (abi < AGI_X86 && strcmp(argv[3], abis[abi]) != 0)
        abi++;
    size_t size;
    uint8_t *bytes = read_file(argv[1], &size);
    struct gv_error err = GV_ERROR_INIT;
    struct gv_gfxr_block block;
    bool ended = false;
    const struct gv_gfxr_params params = { .memory_limit = (uint64_t)1 << 30 };
    struct gv_gfxr_reader *reader =
        gv_gfxr_open(gv_cursor_make(bytes, size), &params, &err);
    agi_begin(&w, abi, 4);
    w.interleaved = true;
    bool ok = reader != NULL;
    while (ok && (ok = gv_gfxr_next(reader, &block, &ended, &err)) && !ended)
        ok = put_block(&w, reader, &block, &err);
    const int skipped = ok && w.failed ? TEST_SKIP : EXIT_SUCCESS;
    ok = ok && write_file(argv[2], &w.out);
    if (!ok)
        fprintf(stderr, "%s: %s\n", argv[1], err.message);
    gv_gfxr_close(reader);
    agi_finish(&w);
    free(bytes);
    return ok ? skipped : EXIT_FAILURE;
}
