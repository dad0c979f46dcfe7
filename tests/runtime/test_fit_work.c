// What holding shaders against pipelines takes: work that grows with the payload, and
// no memory beside what the payload is given.
#include "runtime/shader_fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "resources/base/bytes.h"
#include "resources/base/file.h"
#include "tests/test.h"
#include "vm/text/text.h"
#include "vm/verify/verify.h"

#define MIB ((size_t)1 << 20)
#define OP_SOURCE 3
#define OP_SOURCE_EXTENSION 4
#define LONGEST 0xffffu // words of an instruction

static char folder[] = "/tmp/gpuvm-fit-work.XXXXXX";

// ---- modules ----

static void put_words(struct gv_bytes *out, uint32_t word, size_t count)
{
    for (; count; count--)
        gv_bytes_put(out, &word, sizeof word);
}

// A remark of so many words, whose text begins with `tag`.
static void put_remark(struct gv_bytes *out, uint32_t words, uint32_t tag)
{
    put_words(out, words << 16 | OP_SOURCE_EXTENSION, 1);
    put_words(out, 0x30303030 + tag, 1);
    put_words(out, 0x20202020, words - 3);
    put_words(out, 0, 1);
}

// The module of `path` with remarks that make it at least `size` bytes.
static bool make_heavy(const char *path, const char *name, size_t size, uint32_t tag)
{
    char to[256];
    struct gv_file file;
    struct gv_error err = GV_ERROR_INIT;
    struct gv_bytes out = { 0 };
    if (!gv_file_open(&file, path, &err))
        return false;
    const uint32_t *words = (const uint32_t *)(const void *)file.data;
    size_t count = file.size / 4, at = 5;
    while (at < count && (words[at] & 0xffff) != OP_SOURCE)
        at += words[at] >> 16;
    bool ok = at < count;
    gv_bytes_put(&out, words, at * 4);
    while (ok && out.size + (count - at) * 4 < size) {
        size_t left = (size - out.size - (count - at) * 4) / 4;
        put_remark(&out, left < 8 ? 8 : left > LONGEST ? LONGEST : (uint32_t)left, tag);
    }
    gv_bytes_put(&out, words + at, ok ? (count - at) * 4 : 0);
    snprintf(to, sizeof to, "%s/%s", folder, name);
    ok = ok && !out.failed && gv_file_write(to, out.data, out.size, &err);
    gv_bytes_finish(&out);
    gv_file_close(&file);
    return ok;
}

// ---- payloads ----

struct opened {
    struct gv_bytes bytes;
    struct gv_payload payload;
    struct gv_pipeline_list list;
};

static void open_text(struct opened *o, const struct gv_bytes *text)
{
    const struct gv_assemble_params assemble = { .include_folder = folder };
    const struct gv_verify_params verify = { .pipelines = &o->list };
    struct gv_error err = GV_ERROR_INIT;
    *o = (struct opened){ 0 };
    CHECK(gv_text_assemble((const char *)text->data, text->size, &assemble, &o->bytes,
                           &err) &&
          gv_payload_open_memory(&o->payload, o->bytes.data, o->bytes.size, 0, &err) &&
          gv_verify(&o->payload, &verify, &err));
    CHECK_ROW(err.message, err.status == GV_OK);
}

static void close_text(struct opened *o)
{
    gv_pipeline_list_finish(&o->list);
    gv_payload_finish(&o->payload);
    gv_bytes_finish(&o->bytes);
}

static void say(struct gv_bytes *text, const char *line)
{
    gv_bytes_put(text, line, strlen(line));
}

#define SHADERS 1000
#define PIPELINES 100

// One module, made over and over: looked at once.
static void test_same_shader(void)
{
    struct gv_bytes text = { 0 };
    struct opened o;
    struct gv_error err = GV_ERROR_INIT;
    say(&text, ".resource m file \"heavy.spv\"\n");
    for (int i = 0; i < SHADERS; i++)
        say(&text, "s = shader_create(m)\nshader_destroy(s)\n");
    say(&text, "frame_end()\n");
    open_text(&o, &text);
    CHECK(o.list.shader_count == SHADERS);
    CHECK(gv_shaders_fit(&o.payload, &o.list, NULL, 0, &err));
    close_text(&o);
    gv_bytes_finish(&text);
}

// Pipelines of it: with `differing` each has another specialisation, which means
// reading the module anew. `faulty` says first one that does not fit.
static void say_pipelines(struct gv_bytes *text, bool faulty, bool differing)
{
    char line[160];
    say(text, ".resource m file \"heavy.spv\"\n");
    if (faulty)
        say(text, ".compute f {\nbinding 3 0 STORAGE_BUFFER COMPUTE\n}\n");
    for (int i = 0; i < PIPELINES; i++) {
        snprintf(line, sizeof line,
                 ".compute d%d {\nbinding 3 0 STORAGE_BUFFER COMPUTE\n"
                 "binding 3 1 STORAGE_BUFFER COMPUTE\n"
                 "binding 3 2 STORAGE_IMAGE COMPUTE\nspec COMPUTE 0 %d\n}\n",
                 i, differing ? i : 0);
        say(text, line);
    }
    say(text, "s = shader_create(m)\n");
    if (faulty)
        say(text, "p = pipeline_create_compute(desc=f, compute=s)\n"
                  "pipeline_destroy(p)\n");
    for (int i = 0; i < PIPELINES; i++) {
        snprintf(line, sizeof line,
                 "p = pipeline_create_compute(desc=d%d, compute=s)\n"
                 "pipeline_destroy(p)\n",
                 differing ? i : 0);
        say(text, line);
    }
    say(text, "frame_end()\n");
}

// Reading a module anew has an end.
static void test_pipelines(bool differing)
{
    struct gv_bytes text = { 0 };
    struct opened o;
    struct gv_error err = GV_ERROR_INIT;
    say_pipelines(&text, false, differing);
    open_text(&o, &text);
    CHECK(o.list.pipeline_count == PIPELINES);
    CHECK(gv_shaders_fit(&o.payload, &o.list, NULL, 0, &err) == !differing);
    CHECK(differing == (strstr(err.message, "as often as they are read") != NULL));
    CHECK(!differing || err.status == GV_ERR_UNSUPPORTED);
    close_text(&o);
    gv_bytes_finish(&text);
}

// A fault that was found is said, though the end came before all was looked at.
static void test_fault_stands(void)
{
    struct gv_bytes text = { 0 };
    struct opened o;
    struct gv_error err = GV_ERROR_INIT;
    say_pipelines(&text, true, true);
    open_text(&o, &text);
    CHECK(!gv_shaders_fit(&o.payload, &o.list, NULL, 0, &err));
    CHECK_ROW(err.message, strstr(err.message, "pipeline_create_compute") &&
                               !strstr(err.message, "as often as they are read"));
    CHECK(err.offset == o.list.pipelines[0].at);
    close_text(&o);
    gv_bytes_finish(&text);
}

// ---- groups ----

#define GROUPS 3

// Has the groups that a payload had, and counts how often each is asked for.
struct counting_source {
    struct gv_source base; // first: the functions cast back
    const struct gv_payload *payload;
    uint8_t *raw[GROUPS];
    unsigned fetched[GROUPS];
    uint64_t most_memory; // of the payload, while a group is read
};

static bool fetch(struct gv_source *source, struct gv_fetch *items, size_t count,
                  struct gv_error *err)
{
    struct counting_source *s = (struct counting_source *)source;
    (void)err;
    uint64_t memory = gv_payload_memory(s->payload);
    if (memory > s->most_memory)
        s->most_memory = memory;
    for (size_t i = 0; i < count; i++)
        for (size_t g = 0; g < GROUPS; g++)
            if (gv_hash_equal(&s->payload->groups[g].hash, &items[i].hash)) {
                memcpy(items[i].data, s->raw[g], (size_t)items[i].raw_size);
                items[i].found = true;
                s->fetched[g]++;
            }
    return true;
}

// Shaders of three groups by turns: each group is read once, and one is held at a time,
// on the payload's account.
static void test_groups(void)
{
    struct gv_bytes text = { 0 };
    struct opened o;
    struct gv_error err = GV_ERROR_INIT;
    say(&text, ".resource m0 file \"m0.spv\"\n.resource m1 file \"m1.spv\"\n"
               ".resource m2 file \"m2.spv\"\n.resource m3 file \"m3.spv\"\n"
               ".resource m4 file \"m4.spv\"\n.resource m5 file \"m5.spv\"\n"
               "a = shader_create(m0)\nb = shader_create(m2)\nc = shader_create(m4)\n"
               "d = shader_create(m1)\ne = shader_create(m3)\nf = shader_create(m5)\n"
               "frame_end()\n");
    open_text(&o, &text);
    struct counting_source source = { .base = { .name = "counting", .fetch = fetch },
                                      .payload = &o.payload };
    struct gv_source *sources[] = { &source.base };
    uint64_t before = gv_payload_memory(&o.payload), largest = 0;
    CHECK(o.payload.group_count == GROUPS);
    for (size_t i = 0; i < GROUPS; i++) {
        struct gv_group *group = &o.payload.groups[i];
        source.raw[i] = gv_payload_read_group(&o.payload, group, NULL, 0, &err);
        CHECK(source.raw[i] != NULL);
        CHECK(gv_payload_memory(&o.payload) == before + group->raw_size);
        gv_payload_release(&o.payload, group->raw_size); // kept on our own account
        group->file_offset = 0;
        largest = group->raw_size > largest ? group->raw_size : largest;
    }
    CHECK(gv_shaders_fit(&o.payload, &o.list, sources, 1, &err));
    for (size_t i = 0; i < GROUPS; i++)
        CHECK(source.fetched[i] == 1);
    // Beside the group, what is kept of each module: its words and those made safe.
    CHECK(source.most_memory >= before + largest + 4 * 2 * MIB);
    CHECK(source.most_memory <= before + largest + 4 * 2 * (MIB + MIB / 4));
    CHECK(gv_payload_memory(&o.payload) == before);
    for (size_t i = 0; i < GROUPS; i++)
        free(source.raw[i]);
    close_text(&o);
    gv_bytes_finish(&text);
}

int main(int argc, char **argv)
{
    char path[256], command[64];
    if (argc != 2)
        return 2;
    CHECK(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/step.comp.spv", argv[1]);
    CHECK(make_heavy(path, "heavy.spv", 4 * MIB - 4096, 0));
    for (uint32_t i = 0; i < 2 * GROUPS; i++) {
        char name[16];
        snprintf(name, sizeof name, "m%u.spv", i);
        CHECK(make_heavy(path, name, MIB + MIB / 8, i));
    }
    test_same_shader();
    test_pipelines(false);
    test_pipelines(true);
    test_fault_stands();
    test_groups();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
    return TEST_RESULT();
}
