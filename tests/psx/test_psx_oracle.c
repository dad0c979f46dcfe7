// The oracle against the corpus: VRAM after the last packet, the words read back and
// the display at every VSync. Needs ../shared/corpus/psx (or $GPUVM_CORPUS/psx).
#include "compiler/decompress.h"
#include "compiler/psx/replay.h"
#include "resources/base/file.h"
#include "tests/psx/psx_oracle.h"
#include "tests/test.h"
#include "tools/verdict/hash_frame.h"

// The texture cache is not modelled; what depends on it differs.
static const char *const known_differences[] = { "hazard-texcache" };

struct run {
    struct gv_psx_oracle *oracle;
    struct gv_psx_gpu gpu;
    struct gv_bytes frames; // the lines of frames.tsv, less the hash of VRAM
    uint32_t frame;
};

static bool on_vsync(void *context, bool live, struct gv_error *err)
{
    struct run *r = context;
    (void)err;
    if (!live)
        return true;
    struct gv_psx_display d = gv_psx_display_area(&r->gpu);
    struct gv_bytes rgb = { 0 }, rgba = { 0 };
    char hash[GV_HASH_FRAME_TEXT] = "";
    gv_psx_oracle_display(r->oracle, &d, &rgb);
    for (size_t i = 0; i + 3 <= rgb.size; i += 3) {
        gv_bytes_put(&rgba, rgb.data + i, 3);
        gv_bytes_u8(&rgba, 255);
    }
    bool ok = gv_hash_frame(hash, GV_HASH_SHA256_RGB, rgba.data, d.width, d.height);
    gv_bytes_printf(&r->frames, "%u\t%u\t%u\t%s\n", r->frame++, d.width, d.height,
                    ok ? strchr(hash, ':') + 1 : "");
    gv_bytes_finish(&rgb);
    gv_bytes_finish(&rgba);
    return ok;
}

// A file of the corpus without its compression; false if it is not there.
static bool load(const char *folder, const char *name, const char *suffix,
                 struct gv_bytes *out)
{
    char path[512];
    struct gv_file file;
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_decompress_params params = { .limit = 64 << 20 };
    struct gv_decompressed raw = { 0 };
    snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
    if (!gv_file_open(&file, path, &err))
        return false;
    enum gv_layer layer = gv_layer_detect(file.data, file.size);
    bool ok = true;
    if (layer == GV_LAYER_NONE)
        gv_bytes_put(out, file.data, file.size);
    else
        ok = gv_decompress(layer, (struct gv_span){ file.data, file.size }, &params,
                           &raw, &err);
    if (layer != GV_LAYER_NONE)
        *out = raw.bytes;
    gv_file_close(&file);
    return ok && !out->failed;
}

static bool equal(const void *a, size_t a_size, const struct gv_bytes *b)
{
    return a_size == b->size && (a_size == 0 || memcmp(a, b->data, a_size) == 0);
}

// frames.tsv without its heading and its second column.
static void expected_frames(const struct gv_bytes *tsv, struct gv_bytes *out)
{
    struct gv_bytes text = { 0 };
    gv_bytes_put(&text, tsv->data, tsv->size);
    gv_bytes_u8(&text, '\0');
    char *save = NULL;
    for (char *line = strtok_r((char *)text.data, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save)) {
        char number[16], width[16], height[16], hash[80];
        if (sscanf(line, "%15[0-9]\t%*s\t%15s\t%15s\t%79s", number, width, height,
                   hash) == 4)
            gv_bytes_printf(out, "%s\t%s\t%s\t%s\n", number, width, height, hash);
    }
    gv_bytes_finish(&text);
}

static bool same_results(struct run *r, const char *folder, const char *name)
{
    struct gv_bytes vram = { 0 }, readback = { 0 }, tsv = { 0 }, frames = { 0 };
    bool same = load(folder, name, ".vram.bin.zst", &vram) &&
                equal(r->oracle->vram, gv_psx_vram_rows(&r->gpu) * 2048, &vram);
    if (load(folder, name, ".readback.bin", &readback))
        same &= equal(r->oracle->readback.data, r->oracle->readback.size, &readback);
    CHECK_ROW(name, load(folder, name, ".frames.tsv", &tsv));
    expected_frames(&tsv, &frames);
    same &= equal(r->frames.data, r->frames.size, &frames);
    gv_bytes_finish(&vram);
    gv_bytes_finish(&readback);
    gv_bytes_finish(&tsv);
    gv_bytes_finish(&frames);
    return same;
}

static bool known_to_differ(const char *file)
{
    size_t length = strcspn(file, ".");
    for (size_t i = 0; i < sizeof known_differences / sizeof known_differences[0]; i++)
        if (strlen(known_differences[i]) == length &&
            memcmp(file, known_differences[i], length) == 0)
            return true;
    return false;
}

static bool plays_as_expected(const char *folder, const char *file)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes dump = { 0 };
    struct run r = { .oracle = calloc(1, sizeof *r.oracle) };
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
    CHECK_ROW(name, load(folder, file, "", &dump) && r.oracle);
    if (!r.oracle)
        return false;
    struct gv_psx_sink sink = gv_psx_oracle_sink(r.oracle);
    const struct gv_psx_listener listener = { .context = &r, .vsync = on_vsync };
    gv_psx_gpu_init(&r.gpu, &sink);
    r.oracle->gpu = &r.gpu;
    CHECK_ROW(name, gv_psx_replay(gv_cursor_make(dump.data, dump.size), &r.gpu,
                                  &listener, false, &err));
    bool same = same_results(&r, folder, name);
    gv_psx_gpu_finish(&r.gpu);
    gv_bytes_finish(&r.oracle->readback);
    gv_bytes_finish(&r.frames);
    gv_bytes_finish(&dump);
    free(r.oracle);
    return same;
}

int main(void)
{
    const char *corpus = getenv("GPUVM_CORPUS");
    char folder[256];
    struct gv_bytes manifest = { 0 };
    snprintf(folder, sizeof folder, "%s/psx", corpus ? corpus : "../shared/corpus");
    if (!load(folder, "manifest.tsv", "", &manifest))
        return gv_test_skip("no corpus");
    gv_bytes_u8(&manifest, '\0');
    unsigned rows = 0, good = 0, known = 0;
    char *save = NULL;
    strtok_r((char *)manifest.data, "\n", &save);
    for (char *line; (line = strtok_r(NULL, "\n", &save));) {
        char file[64];
        if (sscanf(line, "%63[^\t]", file) != 1)
            continue;
        bool same = plays_as_expected(folder, file);
        if (!same && known_to_differ(file)) {
            printf("%s: known difference\n", file);
            known++;
            continue;
        }
        CHECK_ROW(file, same);
        rows++;
        good += same;
    }
    printf("%u of %u dumps equal, %u differ as known\n", good, rows, known);
    CHECK(rows > 0);
    gv_bytes_finish(&manifest);
    return TEST_RESULT();
}
