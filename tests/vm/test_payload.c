// Payload writer and reader: what goes in comes out, from file, memory and pipe alike,
// whatever the number of threads; damage anywhere is refused.
#include "resources/base/bytes.h"
#include "resources/cache.h"
#include "resources/source_open.h"
#include "tests/helpers.h"
#include "tests/test.h"
#include "vm/machine.h"
#include "vm/ops.h"
#include "vm/payload/payload.h"
#include "vm/payload/payload_writer.h"

#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- a payload with a bit of everything ----

struct recipe {
    int level, jobs;
    bool strip;
    struct gv_store *store;
    size_t large;   // bytes of the large resources
    uint32_t small; // number of small resources
    uint32_t commands;
};

static void add_tables(struct gv_payload_writer *w)
{
    gv_writer_provenance(w, "{\"front-end\":\"test\"}");
    gv_writer_require(w, &(struct gv_requirement){ GV_REQUIRE_FEATURE, GV_NEEDED,
                                                   "geometryShader", 0, "" });
    gv_writer_require(w, &(struct gv_requirement){ GV_REQUIRE_LIMIT, GV_PREFERRED,
                                                   "maxImageDimension2D", 16384,
                                                   "images are halved" });
    gv_writer_import(w, GV_CALL_frame_end);
    gv_writer_import(w, GV_CALL_buffer_create);
    gv_writer_slot(w, (struct gv_slot_info){ GV_KIND_BUFFER, 0 });
    gv_writer_slot(w, (struct gv_slot_info){ GV_KIND_MAP, 4096 });
    gv_writer_limits(w, &(struct gv_limits){ 1 << 20, 4096, 16, 3, 1000, 1 << 22 });
    gv_writer_export(w, &(struct gv_export){ "color0", GV_KIND_IMAGE, 37, 64, 48 });
    gv_writer_constant(w, "abc", 3, 1);
    CHECK(gv_writer_constant(w, "0123456789abcdef", 16, 16) == 16);
}

static void add_resources(struct gv_payload_writer *w, const struct recipe *recipe)
{
    uint32_t seed = 7;
    uint8_t bytes[256];
    uint8_t *large = malloc(recipe->large + 1);
    for (uint32_t i = 0; i < recipe->small; i++) {
        size_t size = 1 + gv_test_random(&seed) % sizeof bytes;
        for (size_t k = 0; k < size; k++)
            bytes[k] = (uint8_t)(gv_test_random(&seed) & 3);
        CHECK(gv_writer_resource(w, bytes, size) == i);
        gv_writer_use(w, i);
    }
    for (size_t k = 0; k < recipe->large; k++)
        large[k] = (uint8_t)gv_test_random(&seed); // incompressible
    if (recipe->large) {
        uint32_t random = gv_writer_resource(w, large, recipe->large);
        memset(large, 5, recipe->large);
        uint32_t flat = gv_writer_resource(w, large, recipe->large);
        gv_writer_use(w, flat);
        gv_writer_use(w, random);
    }
    free(large);
}

static bool add_frames(struct gv_payload_writer *w, const struct recipe *recipe,
                       struct gv_error *err)
{
    uint32_t seed = 9;
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t code[600];
        for (size_t k = 0; k < sizeof code - 1; k++)
            code[k] = (uint8_t)(GV_OP_PUSH_0 + (gv_test_random(&seed) & 7));
        code[sizeof code - 1] = GV_OP_END;
        uint64_t first = (uint64_t)i * recipe->commands;
        gv_writer_chunk(w, code, sizeof code, first, i);
        for (uint32_t c = 0; c < recipe->commands; c++)
            if (c % 3 != 2)
                gv_writer_source(w, &(struct gv_source_row){
                                        first + c, 100 + (first + c) * 40,
                                        c % 2 ? "draw" : "bind", first + (c ^ (i & 1)),
                                        c % 2 ? GV_COMMAND_DRAW : 0 });
        if (i < 3)
            gv_writer_frame(w,
                            &(struct gv_frame){ i, i + 1, first,
                                                first + recipe->commands, 64, 48, i });
        const struct gv_pace pace = { i, 50, 1 + i / 2, 4, 3 };
        gv_writer_pace(w, &pace);
        gv_writer_pace(w, &pace); // says nothing new
        if (!gv_writer_flush(w, i == 1, err))
            return false;
    }
    gv_writer_diagnostic(w, &(struct gv_diagnostic){ GV_WARNING, "unknown-opcode",
                                                     "opcode 99 skipped", 3,
                                                     GV_NO_OFFSET, 12 });
    gv_writer_keyframe(
        w, &(struct gv_keyframe){
               .frame = 2,
               .stack_cells = 1,
               .size = 3,
               .code = (const uint8_t[]){ GV_OP_PUSH_0, GV_OP_DROP, GV_OP_END },
               .device = "dev",
               .driver = "drv",
               .exact = true });
    return true;
}

static bool make(const struct recipe *recipe, struct gv_bytes *out)
{
    struct gv_error err = GV_ERROR_INIT;
    const struct gv_writer_params params = {
        .write = gv_test_append,
        .context = out,
        .level = recipe->level,
        .jobs = recipe->jobs,
        .strip = recipe->strip,
        .store = recipe->store,
    };
    struct gv_payload_writer *w = gv_payload_writer_create(&params, &err);
    CHECK(w != NULL);
    if (!w)
        return false;
    add_tables(w);
    add_resources(w, recipe);
    bool ok = add_frames(w, recipe, &err) && gv_writer_close(w, true, &err);
    if (!ok)
        fprintf(stderr, "writer: %s\n", err.message);
    CHECK(ok);
    gv_payload_writer_destroy(w);
    return ok;
}

static const struct recipe small_recipe = {
    .level = 3,
    .jobs = 1,
    .small = 5,
    .commands = 10,
};
static const struct recipe large_recipe = {
    .level = 3,
    .jobs = 1,
    .large = 400000,
    .small = 9000,
    .commands = 1000,
};

// ---- it comes out as it went in ----

static void check_content(const struct gv_payload *p, const struct recipe *recipe)
{
    CHECK(strcmp(p->provenance, "{\"front-end\":\"test\"}") == 0);
    CHECK(p->requirement_count == 2 && p->requirements[1].strength == GV_PREFERRED);
    CHECK(strcmp(p->requirements[1].fallback, "images are halved") == 0);
    CHECK(p->requirements[1].value == 16384);
    CHECK(p->import_count == 2 && p->imports[1].call == GV_CALL_buffer_create);
    CHECK(p->imports[1].signature == gv_call_signature(GV_CALL_buffer_create));
    CHECK(p->slot_count == 2 && p->slots[1].map_size == 4096);
    CHECK(p->limits.object_bytes == 1 << 22 && p->limits.stack_cells == 16);
    CHECK(p->constant_size == 32 && memcmp(p->constants + 16, "0123", 4) == 0);
    CHECK(p->export_count == 1 && strcmp(p->exports[0].name, "color0") == 0);
    CHECK(p->resource_count == recipe->small + (recipe->large ? 2 : 0));
    CHECK(p->schedule_count == p->resource_count);
    CHECK(p->frame_count == 3 && p->frames[2].chunk_end == 3 && p->tail_begin == 3);
    CHECK(p->frames[2].command_begin == (uint64_t)2 * recipe->commands);
    CHECK(p->frames[2].schedule == 2 && p->frames[1].width == 64);
    CHECK(p->pace_count == 2 && p->paces[1].frame == 2 && p->paces[1].per == 2);
    CHECK(gv_payload_pace(p, 1).per == 1 && gv_payload_pace(p, 9).per == 2);
    CHECK(p->chunk_count == 4 && p->chunks[3].code_offset == 1800);
    CHECK(p->chunks[3].first_resource == 3 && p->code_size == 2400);
    CHECK(p->diagnostic_count == 1 && p->diagnostics[0].count == 12);
    CHECK(p->diagnostics[0].offset == GV_NO_OFFSET && p->diagnostics[0].command == 3);
    CHECK(p->complete && p->level == recipe->level);
    CHECK(p->minor == GV_PAYLOAD_MINOR && p->keyframe_count == 1);
    const struct gv_keyframe *k = p->keyframes;
    CHECK(k->frame == 2 && k->stack_cells == 1 && k->size == 3 && k->exact);
    CHECK(k->code[1] == GV_OP_DROP && k->code_offset == 2400);
    CHECK(strcmp(k->device, "dev") == 0 && strcmp(k->driver, "drv") == 0);
    CHECK(gv_payload_keyframe(p, 2) == 0 && gv_payload_keyframe(p, 1) == 1);
}

// What runs from a keyframe on.
static void check_view(const struct gv_payload *p)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_payload view;
    bool ok = gv_payload_view(&view, p, 0, &err);
    CHECK(ok);
    if (!ok)
        return;
    CHECK(view.first_frame == 2 && view.frame_count == p->frame_count);
    CHECK(view.chunk_count == 3 && view.tail_begin == 2);
    CHECK(view.frames[1].chunk_end == 0 && view.frames[2].chunk_begin == 0);
    CHECK(view.frames[2].chunk_end == 2 && view.frames[2].schedule == 0);
    CHECK(view.schedule_count == p->schedule_count - 2);
    const uint8_t *code = gv_payload_chunk(&view, 0, &err);
    CHECK(code && code[0] == GV_OP_PUSH_0 && view.chunks[0].size == 3);
    CHECK(view.chunks[0].first_command == p->frames[2].command_begin);
    CHECK(view.chunks[1].code_offset == p->chunks[2].code_offset);
    gv_payload_view_finish(&view);
}

static void check_sources(const struct gv_payload *p, const struct recipe *recipe)
{
    const char *name = "?";
    uint64_t command = recipe->commands + 1;
    CHECK(gv_payload_source(p, command, &name) == 100 + command * 40);
    CHECK(strcmp(name, "draw") == 0);
    CHECK(gv_payload_source(p, 0, &name) == 100 && strcmp(name, "bind") == 0);
    CHECK(gv_payload_source(p, 2, &name) == GV_NO_OFFSET && name[0] == '\0');
    CHECK(gv_payload_source(p, 3, NULL) == 220);
    CHECK(gv_payload_source(p, UINT64_MAX - 1, NULL) == GV_NO_OFFSET);
    struct gv_source_row row;
    uint64_t position = 0, rows = 0;
    for (; gv_payload_source_next(p, &position, &row); rows++)
        CHECK(row.offset == 100 + row.command * 40);
    CHECK(rows > (uint64_t)recipe->commands * 2);
}

static void check_code(struct gv_payload *p)
{
    struct gv_error err = GV_ERROR_INIT;
    uint32_t seed = 9;
    for (size_t i = 0; i < p->chunk_count; i++) {
        const uint8_t *code = gv_payload_chunk(p, i, &err);
        CHECK(code && code[599] == GV_OP_END);
        for (size_t k = 0; code && k < 599; k++)
            if (code[k] != GV_OP_PUSH_0 + (gv_test_random(&seed) & 7)) {
                CHECK(code[k] == 0);
                break;
            }
    }
    CHECK(!gv_payload_chunk(p, p->chunk_count, &err) && err.status == GV_ERR_USAGE);
}

// Every resource through payload source and cache, in schedule order.
static void check_resources(struct gv_payload *p, struct gv_source *source,
                            uint64_t budget)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_cache_item *items = calloc(p->group_count + 1, sizeof *items);
    uint32_t *uses = calloc(p->schedule_count + 1, sizeof *uses);
    for (size_t i = 0; i < p->group_count; i++)
        items[i] = (struct gv_cache_item){ p->groups[i].hash, p->groups[i].raw_size };
    for (size_t i = 0; i < p->schedule_count; i++)
        uses[i] = p->resources[p->schedule[i]].group;
    struct gv_cache *cache =
        gv_cache_create(&(struct gv_cache_params){ .items = items,
                                                   .item_count = p->group_count,
                                                   .uses = uses,
                                                   .use_count = p->schedule_count,
                                                   .sources = &source,
                                                   .source_count = 1,
                                                   .budget = budget },
                        &err);
    uint32_t seed = 7;
    for (size_t i = 0; i < p->schedule_count; i++) {
        const struct gv_resource *res = &p->resources[p->schedule[i]];
        const uint8_t *data = gv_cache_use(cache, res->group, &err);
        CHECK(data != NULL);
        if (!data)
            break;
        if (res->size <= 256) {
            CHECK(res->size == 1 + gv_test_random(&seed) % 256);
            for (size_t k = 0; k < res->size; k++)
                if (data[res->offset + k] != (gv_test_random(&seed) & 3)) {
                    CHECK(data[res->offset + k] > 3);
                    break;
                }
        }
        gv_cache_release(cache);
    }
    struct gv_cache_counters counters;
    gv_cache_get_counters(cache, &counters);
    CHECK(counters.items == p->group_count && counters.uses == p->schedule_count);
    gv_cache_destroy(cache);
    free(items);
    free(uses);
}

static void check_all(struct gv_payload *p, const struct recipe *recipe)
{
    struct gv_error err = GV_ERROR_INIT;
    check_content(p, recipe);
    check_view(p);
    if (recipe->strip)
        CHECK(gv_payload_source(p, 0, NULL) == GV_NO_OFFSET);
    else
        check_sources(p, recipe);
    check_code(p);
    CHECK(gv_payload_verify_deep(p, NULL, 0, &err));
    struct gv_source *source = gv_payload_open_source(p, &err);
    check_resources(p, source, 3 << 20);
    gv_source_destroy(source);
}

static void test_round_trip(void)
{
    static const struct recipe *recipes[] = { &small_recipe, &large_recipe };
    for (size_t i = 0; i < 2; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_bytes bytes = { 0 };
        struct gv_payload payload;
        if (make(recipes[i], &bytes) &&
            gv_payload_open_memory(&payload, bytes.data, bytes.size, 0, &err)) {
            check_all(&payload, recipes[i]);
            gv_payload_finish(&payload);
        } else {
            fprintf(stderr, "open: %s\n", err.message);
            CHECK(bytes.size == 0);
        }
        gv_bytes_finish(&bytes);
    }
}

static void test_file_and_pipe(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes bytes = { 0 };
    struct gv_payload payload;
    char path[] = "/tmp/gpuvm-test-payload-XXXXXX";
    int fd = mkstemp(path);
    make(&large_recipe, &bytes);
    CHECK(write(fd, bytes.data, bytes.size) == (ssize_t)bytes.size);
    CHECK(gv_payload_open(&payload, path, 0, &err));
    check_all(&payload, &large_recipe);
    gv_payload_finish(&payload);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    CHECK(gv_payload_read_fd(&payload, fd, (uint64_t)64 << 20, NULL, &err));
    check_all(&payload, &large_recipe);
    gv_payload_finish(&payload);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    CHECK(!gv_payload_read_fd(&payload, fd, 300000, NULL, &err));
    CHECK(err.status == GV_ERR_LIMIT);
    gv_error_clear(&err);
    close(fd);
    unlink(path);
    CHECK(!gv_payload_open(&payload, path, 0, &err) && err.status == GV_ERR_NOT_FOUND);
    gv_bytes_finish(&bytes);
}

static void test_same_bytes_for_any_jobs(void)
{
    struct gv_bytes one = { 0 };
    make(&large_recipe, &one);
    for (int jobs = 1; jobs <= 5; jobs += 2) {
        struct recipe recipe = large_recipe;
        struct gv_bytes many = { 0 };
        recipe.jobs = jobs;
        make(&recipe, &many);
        CHECK(many.size == one.size && memcmp(many.data, one.data, one.size) == 0);
        gv_bytes_finish(&many);
    }
    gv_bytes_finish(&one);
}

static void test_strip(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct recipe recipe = large_recipe;
    struct gv_bytes bytes = { 0 };
    struct gv_payload payload;
    recipe.strip = true;
    make(&recipe, &bytes);
    CHECK(gv_payload_open_memory(&payload, bytes.data, bytes.size, 0, &err));
    check_all(&payload, &recipe);
    CHECK(payload.command_count == 4000); // as if it were not stripped
    gv_payload_finish(&payload);
    gv_bytes_finish(&bytes);
}

static void test_thin(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct recipe recipe = large_recipe;
    struct gv_bytes bytes = { 0 };
    struct gv_payload payload;
    char folder[] = "/tmp/gpuvm-test-thin-XXXXXX";
    char command[64];
    CHECK(mkdtemp(folder) != NULL);
    recipe.store = gv_store_create(folder, &err);
    make(&recipe, &bytes);
    CHECK(gv_payload_open_memory(&payload, bytes.data, bytes.size, 0, &err));
    check_content(&payload, &recipe);
    CHECK(payload.thin && payload.groups[0].file_offset == 0);
    CHECK(!gv_payload_verify_deep(&payload, NULL, 0, &err));
    CHECK(err.status == GV_ERR_FETCH);
    gv_error_clear(&err);
    struct gv_source *source = gv_source_open(folder, &err);
    CHECK(gv_payload_verify_deep(&payload, &source, 1, &err));
    check_resources(&payload, source, 3 << 20);
    gv_source_destroy(source);
    gv_payload_finish(&payload);
    gv_bytes_finish(&bytes);
    gv_store_destroy(recipe.store);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
}

// ---- damage ----

static bool opens(const void *data, size_t size, struct gv_error *err)
{
    struct gv_payload payload;
    gv_error_clear(err);
    bool ok = gv_payload_open_memory(&payload, data, size, (uint64_t)64 << 20, err);
    CHECK(ok == (err->status == GV_OK));
    if (ok && !gv_payload_verify_deep(&payload, NULL, 0, err))
        ok = false;
    gv_payload_finish(&payload);
    return ok;
}

static void test_cut_at_every_byte(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes bytes = { 0 };
    make(&small_recipe, &bytes);
    for (size_t size = 0; size < bytes.size; size++) {
        uint8_t *copy = malloc(size + 1);
        memcpy(copy, bytes.data, size); // exact, so that ASan sees a step too far
        uint8_t *exact = realloc(copy, size ? size : 1);
        CHECK(!opens(exact, size, &err));
        CHECK(err.status == GV_ERR_FORMAT && err.offset != GV_NO_OFFSET);
        free(exact);
    }
    gv_bytes_finish(&bytes);
}

static size_t find_segment(const struct gv_payload *p, uint16_t kind)
{
    for (size_t i = 0; i < p->segment_count; i++)
        if (p->segments[i].kind == kind)
            return i;
    return SIZE_MAX;
}

// A flipped bit is found, or (a zstd frame can say the same in two ways) lies in the
// resource bytes and the resources still have their hashes.
static void test_every_bit_flipped(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes bytes = { 0 };
    struct gv_payload payload;
    make(&small_recipe, &bytes);
    CHECK(gv_payload_open_memory(&payload, bytes.data, bytes.size, 0, &err));
    struct gv_segment_info stored =
        payload.segments[find_segment(&payload, GV_SEGMENT_RESOURCE_BYTES)];
    for (size_t i = 0; i < bytes.size; i++)
        for (int bit = 0; bit < 8; bit++) {
            bytes.data[i] ^= (uint8_t)(1 << bit);
            bool inside =
                i >= stored.offset + 32 && i - stored.offset - 32 < stored.size;
            if (opens(bytes.data, bytes.size, &err) && !inside) {
                fprintf(stderr, "byte %zu bit %d: accepted\n", i, bit);
                CHECK(inside);
            }
            bytes.data[i] ^= (uint8_t)(1 << bit);
        }
    CHECK(opens(bytes.data, bytes.size, &err));
    gv_payload_finish(&payload);
    gv_bytes_finish(&bytes);
}

static void test_cut_pipe(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes bytes = { 0 };
    make(&small_recipe, &bytes);
    for (size_t size = 0; size < bytes.size; size += 13) {
        int ends[2];
        struct gv_payload payload;
        gv_error_clear(&err);
        CHECK(pipe(ends) == 0);
        CHECK(write(ends[1], bytes.data, size) == (ssize_t)size);
        close(ends[1]);
        CHECK(!gv_payload_read_fd(&payload, ends[0], 1 << 20, NULL, &err));
        CHECK(err.status == GV_ERR_FORMAT);
        close(ends[0]);
    }
    gv_bytes_finish(&bytes);
}

// ---- damage that keeps the hashes right ----

// Rewrites header and trailer hashes, and hash of segment `index` in both places.
static void rehash(struct gv_bytes *b, size_t segment)
{
    uint8_t *trailer = b->data + b->size - 64;
    uint64_t directory = gv_load_u64(trailer);
    uint8_t *rows = b->data + directory + 32;
    uint8_t *row = rows + segment * 40;
    uint64_t at = gv_load_u64(row + 8), size = gv_load_u64(row + 16);
    struct gv_hash hash = gv_hash_bytes(b->data + at + 32, (size_t)size);
    memcpy(row, b->data + at, 8); // kind, flags, raw size as the header has them
    if (gv_load_u16(row) != GV_SEGMENT_RESOURCE_BYTES) {
        memcpy(b->data + at + 16, hash.bytes, 16);
        memcpy(row + 24, hash.bytes, 16);
    }
    hash = gv_hash_bytes(rows, (size_t)gv_load_u64(b->data + directory + 8));
    memcpy(b->data + directory + 16, hash.bytes, 16);
    hash = gv_hash_bytes(b->data, 48);
    memcpy(b->data + 48, hash.bytes, 16);
    hash = gv_hash_bytes(trailer, 40);
    memcpy(trailer + 40, hash.bytes, 16);
}

// One poke per row, at `at` bytes into header, trailer, segment header or content.
enum where { HEADER, TRAILER, SEGMENT, CONTENT };
static const struct {
    const char *name;
    enum where where;
    uint16_t kind;
    size_t at;
    uint8_t value;
    enum gv_status status;
    const char *message; // a part of it
} pokes[] = {
    { "major", HEADER, GV_SEGMENT_SLOTS, 8, 9, GV_ERR_UNSUPPORTED, "version 9" },
    { "paces_of_old", HEADER, GV_SEGMENT_SLOTS, 8, 1, GV_ERR_FORMAT,
      "paces in a payload of version 1" },
    { "header_flag", HEADER, GV_SEGMENT_SLOTS, 13, 1, GV_ERR_UNSUPPORTED, "flags" },
    { "level", HEADER, GV_SEGMENT_SLOTS, 16, 77, GV_ERR_FORMAT, "header" },
    { "thin_with_bytes", HEADER, GV_SEGMENT_SLOTS, 12, 1, GV_ERR_FORMAT, "group" },
    { "trailer_flag", TRAILER, GV_SEGMENT_SLOTS, 16, 4, GV_ERR_UNSUPPORTED, "trailer" },
    { "no_segments", TRAILER, GV_SEGMENT_SLOTS, 20, 0, GV_ERR_FORMAT, "directory" },
    { "commands", TRAILER, GV_SEGMENT_SLOTS, 24, 5, GV_ERR_FORMAT, "last" },
    { "unknown_kind", SEGMENT, GV_SEGMENT_SLOTS, 0, 99, GV_ERR_UNSUPPORTED, "kind 99" },
    { "unknown_flag", SEGMENT, GV_SEGMENT_SLOTS, 2, 8, GV_ERR_UNSUPPORTED, "flags" },
    { "raw_size", SEGMENT, GV_SEGMENT_SLOTS, 4, 1, GV_ERR_FORMAT, "header" },
    { "not_zstd", SEGMENT, GV_SEGMENT_SLOTS, 2, 1, GV_ERR_FORMAT, "zstd" },
    { "slot_kind", CONTENT, GV_SEGMENT_SLOTS, 0, 200, GV_ERR_FORMAT, "slot" },
    { "slot_none", CONTENT, GV_SEGMENT_SLOTS, 0, 0, GV_ERR_FORMAT, "slot" },
    { "import_twice", CONTENT, GV_SEGMENT_IMPORTS, 0, 1, GV_ERR_FORMAT, "import" },
    { "use_outside", CONTENT, GV_SEGMENT_SCHEDULE, 0, 60, GV_ERR_FORMAT, "schedule" },
    { "use_negative", CONTENT, GV_SEGMENT_SCHEDULE, 0, 127, GV_ERR_FORMAT, "schedule" },
    { "frame_chunks", CONTENT, GV_SEGMENT_FRAMES, 0, 99, GV_ERR_FORMAT, "last chunk" },
    { "pace_cut", CONTENT, GV_SEGMENT_PACES, 4, 0x83, GV_ERR_FORMAT, "pace" },
    { "pace_without_rate", CONTENT, GV_SEGMENT_PACES, 1, 0, GV_ERR_FORMAT, "pace" },
    { "pace_without_height", CONTENT, GV_SEGMENT_PACES, 4, 0, GV_ERR_FORMAT, "pace" },
    { "pace_of_no_one", SEGMENT, GV_SEGMENT_PACES, 2, 8, GV_ERR_UNSUPPORTED, "flags" },
    { "chunk_size", CONTENT, GV_SEGMENT_CHUNKS, 1, 0xd9, GV_ERR_FORMAT, "as large" },
    { "chunk_none", CONTENT, GV_SEGMENT_CHUNKS, 0, 0, GV_ERR_FORMAT, "no chunks" },
    { "chunk_many", CONTENT, GV_SEGMENT_CHUNKS, 0, 100, GV_ERR_FORMAT, "chunk" },
    { "blocks", CONTENT, GV_SEGMENT_CODE, 3, 0x10, GV_ERR_FORMAT, "block table" },
    { "block_size", CONTENT, GV_SEGMENT_CODE, 4, 0xff, GV_ERR_FORMAT, "block" },
    { "codec", CONTENT, GV_SEGMENT_RESOURCES, 0, 7, GV_ERR_FORMAT, "group" },
    { "group_size", CONTENT, GV_SEGMENT_RESOURCES, 1, 0x81, GV_ERR_FORMAT, "group" },
    { "group_hash", CONTENT, GV_SEGMENT_RESOURCES, 9, 1, GV_ERR_FORMAT, "hash" },
    { "debug_shape", CONTENT, GV_SEGMENT_DEBUG, 0, 9, GV_ERR_FORMAT, "debug" },
    { "severity", CONTENT, GV_SEGMENT_DIAGNOSTICS, 0, 9, GV_ERR_FORMAT, "diagnostic" },
    { "code_utf8", CONTENT, GV_SEGMENT_DIAGNOSTICS, 2, 0x9b, GV_ERR_FORMAT, "UTF-8" },
    { "export_utf8", CONTENT, GV_SEGMENT_EXPORTS, 1, 0xff, GV_ERR_FORMAT, "UTF-8" },
    { "feature_utf8", CONTENT, GV_SEGMENT_REQUIREMENTS, 3, 0x80, GV_ERR_FORMAT,
      "UTF-8" },
    { "provenance_utf8", CONTENT, GV_SEGMENT_PROVENANCE, 0, 0xc2, GV_ERR_FORMAT,
      "UTF-8" },
    { "debug_utf8", CONTENT, GV_SEGMENT_DEBUG, 5, 0xc0, GV_ERR_FORMAT, "debug" },
    { "keyframe_frame", CONTENT, GV_SEGMENT_KEYFRAMES, 0, 3, GV_ERR_FORMAT,
      "no frame" },
    { "keyframe_first", CONTENT, GV_SEGMENT_KEYFRAMES, 0, 0, GV_ERR_FORMAT,
      "keyframe row" },
    { "keyframe_stack", CONTENT, GV_SEGMENT_KEYFRAMES, 1, 0xff, GV_ERR_FORMAT,
      "string" },
    { "keyframe_flags", CONTENT, GV_SEGMENT_KEYFRAMES, 10, 4, GV_ERR_FORMAT,
      "keyframe row" },
    { "keyframe_code", CONTENT, GV_SEGMENT_KEYFRAMES, 11, 4, GV_ERR_FORMAT,
      "keyframe row" },
    { "keyframe_none", CONTENT, GV_SEGMENT_KEYFRAMES, 11, 0, GV_ERR_FORMAT,
      "keyframe row" },
    { "keyframe_device", CONTENT, GV_SEGMENT_KEYFRAMES, 3, 0xff, GV_ERR_FORMAT,
      "UTF-8" },
    { "text", CONTENT, GV_SEGMENT_DIAGNOSTICS, 1, 100, GV_ERR_FORMAT, "string" },
};

static void test_lies(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes good = { 0 }, bad = { 0 };
    struct gv_payload payload;
    make(&small_recipe, &good);
    CHECK(gv_payload_open_memory(&payload, good.data, good.size, 0, &err));
    for (size_t i = 0; i < sizeof pokes / sizeof pokes[0]; i++) {
        size_t segment = find_segment(&payload, pokes[i].kind);
        CHECK_ROW(pokes[i].name, segment != SIZE_MAX);
        uint64_t base[] = { 0, good.size - 64, payload.segments[segment].offset,
                            payload.segments[segment].offset + 32 };
        bad.size = 0;
        gv_bytes_put(&bad, good.data, good.size);
        bad.data[base[pokes[i].where] + pokes[i].at] = pokes[i].value;
        rehash(&bad, segment);
        opens(bad.data, bad.size, &err);
        CHECK_ROW(pokes[i].name, err.status == pokes[i].status);
        CHECK_ROW(pokes[i].name, strstr(err.message, pokes[i].message) != NULL);
        if (err.status != pokes[i].status || !strstr(err.message, pokes[i].message))
            fprintf(stderr, "  %d: %s\n", (int)err.status, err.message);
    }
    // An unknown segment that says it is optional does no harm.
    size_t segment = find_segment(&payload, GV_SEGMENT_DIAGNOSTICS);
    bad.size = 0;
    gv_bytes_put(&bad, good.data, good.size);
    bad.data[payload.segments[segment].offset] = 99;
    bad.data[payload.segments[segment].offset + 3] = 0x80;
    rehash(&bad, segment);
    CHECK(opens(bad.data, bad.size, &err));
    gv_payload_finish(&payload);
    gv_bytes_finish(&good);
    gv_bytes_finish(&bad);
}

// Any bytes in any segment behind right hashes: refused or read, never worse.
static void test_random_lies(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes good = { 0 }, bad = { 0 };
    struct gv_payload payload;
    uint32_t seed = 11;
    unsigned refused = 0;
    make(&small_recipe, &good);
    CHECK(gv_payload_open_memory(&payload, good.data, good.size, 0, &err));
    for (int i = 0; i < 20000; i++) {
        size_t segment = gv_test_random(&seed) % payload.segment_count;
        const struct gv_segment_info *s = &payload.segments[segment];
        bad.size = 0;
        gv_bytes_put(&bad, good.data, good.size);
        for (uint32_t k = gv_test_random(&seed) % 3 + 1; k; k--)
            bad.data[s->offset + 32 + gv_test_random(&seed) % s->size] =
                (uint8_t)(gv_test_random(&seed) % 4 ? gv_test_random(&seed) : 0xff);
        rehash(&bad, segment);
        refused += !opens(bad.data, bad.size, &err);
    }
    CHECK(refused > 5000 && refused < 19000);
    gv_payload_finish(&payload);
    gv_bytes_finish(&good);
    gv_bytes_finish(&bad);
}

// Code that was opened stays as it was verified, whatever becomes of the file.
static void test_code_is_kept(void)
{
    static const struct {
        const char *name;
        int filler; // of the code; random bytes are stored raw
    } rows[] = { { "zstd", GV_OP_PUSH_0 }, { "raw", -1 } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_bytes out = { 0 };
        uint8_t code[4096];
        uint32_t seed = 3;
        for (size_t k = 0; k < sizeof code; k++)
            code[k] = (uint8_t)(rows[i].filler < 0 ? (int)gv_test_random(&seed) & 0xff
                                                   : rows[i].filler);
        struct gv_writer_params params = {
            .write = gv_test_append, .context = &out, .level = 3, .jobs = 1
        };
        struct gv_payload_writer *w = gv_payload_writer_create(&params, &err);
        gv_writer_chunk(w, code, sizeof code, 0, 0);
        CHECK(gv_writer_close(w, true, &err));
        struct gv_payload payload;
        CHECK(gv_payload_open_memory(&payload, out.data, out.size, 0, &err));
        const struct gv_block *block = &payload.code_blocks[0];
        bool raw = block->stored_size == block->raw_size;
        CHECK_ROW(rows[i].name, raw == (rows[i].filler < 0));
        memset(out.data, 0xee, out.size);
        const uint8_t *kept = gv_payload_chunk(&payload, 0, &err);
        CHECK_ROW(rows[i].name, kept && memcmp(kept, code, sizeof code) == 0);
        gv_payload_finish(&payload);
        gv_payload_writer_destroy(w);
        gv_bytes_finish(&out);
    }
}

// Numbers that no source can have.
static void test_own_numbers(void)
{
    static const struct {
        const char *name;
        uint64_t number;
        bool taken;
    } rows[] = { { "largest", GV_MAX_COMMAND_NUMBER - 1, true },
                 { "too large", GV_MAX_COMMAND_NUMBER, false },
                 { "none", UINT64_MAX, false } };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static const uint8_t code[] = { GV_OP_PUSH_0, GV_OP_END };
        struct gv_error err = GV_ERROR_INIT;
        struct gv_bytes out = { 0 };
        const struct gv_writer_params params = {
            .write = gv_test_append, .context = &out, .level = 3, .jobs = 1
        };
        struct gv_payload_writer *w = gv_payload_writer_create(&params, &err);
        gv_writer_chunk(w, code, sizeof code, 0, 0);
        gv_writer_source(w, &(struct gv_source_row){ 0, 8, "draw", rows[i].number, 0 });
        CHECK_ROW(rows[i].name, gv_writer_close(w, true, &err));
        CHECK_ROW(rows[i].name, opens(out.data, out.size, &err) == rows[i].taken);
        CHECK_ROW(rows[i].name, err.status == (rows[i].taken ? GV_OK : GV_ERR_FORMAT));
        gv_payload_writer_destroy(w);
        gv_bytes_finish(&out);
    }
}

static void test_writer_refuses(void)
{
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes out = { 0 };
    struct gv_writer_params params = {
        .write = gv_test_append, .context = &out, .level = 3, .jobs = 1
    };
    struct gv_payload_writer *w = gv_payload_writer_create(&params, &err);
    gv_writer_use(w, 0);
    CHECK(!gv_writer_flush(w, true, &err) && err.status == GV_ERR_FORMAT);
    gv_payload_writer_destroy(w);
    gv_error_clear(&err);
    params.level = 20;
    CHECK(!gv_payload_writer_create(&params, &err) && err.status == GV_ERR_USAGE);
    gv_bytes_finish(&out);
}

// What is written can be run: the writer stops where the verifier would.
static void pass_slots(struct gv_payload_writer *w)
{
    for (uint32_t i = 0; i <= GV_MAX_SLOTS; i++)
        gv_writer_slot(w, (struct gv_slot_info){ GV_KIND_BUFFER, 0 });
}

static void pass_resources(struct gv_payload_writer *w)
{
    const uint64_t size = 4; // the count is refused before the sizes are read
    const struct gv_writer_group group = { .sizes = &size,
                                           .count = (size_t)GV_MAX_RESOURCES + 1,
                                           .hash = { { 1 } } };
    gv_writer_group(w, &group);
}

static const struct {
    const char *name;
    void (*add)(struct gv_payload_writer *w);
    const char *message;
} limits[] = {
    { "slots", pass_slots, "too many slots" },
    { "resources", pass_resources, "too many resources" },
};

static void test_writer_limits(void)
{
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct gv_error err = GV_ERROR_INIT;
        struct gv_bytes out = { 0 };
        struct gv_writer_params params = { .write = gv_test_append,
                                           .context = &out,
                                           .level = 3,
                                           .jobs = 1,
                                           .thin = true };
        struct gv_payload_writer *w = gv_payload_writer_create(&params, &err);
        limits[i].add(w);
        CHECK_ROW(limits[i].name, !gv_writer_flush(w, true, &err));
        CHECK_ROW(limits[i].name, err.status == GV_ERR_LIMIT);
        CHECK_ROW(limits[i].name, strstr(err.message, limits[i].message));
        gv_payload_writer_destroy(w);
        gv_bytes_finish(&out);
    }
}

int main(void)
{
    test_round_trip();
    test_file_and_pipe();
    test_same_bytes_for_any_jobs();
    test_strip();
    test_thin();
    test_cut_at_every_byte();
    test_every_bit_flipped();
    test_cut_pipe();
    test_lies();
    test_random_lies();
    test_code_is_kept();
    test_own_numbers();
    test_writer_refuses();
    test_writer_limits();
    return TEST_RESULT();
}
