// Groups that say they need others, with right hashes and stored bytes changed: opened,
// read in any order, thinned and fattened. What is whole as a payload is so by each of
// these, and what is read has its hash.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/cursor.h"
#include "tests/helpers.h"
#include "tests/promise.h"
#include "tests/vm/made_group.h"
#include "vm/payload/payload_convert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_GROUPS 24
#define MEMORY ((uint64_t)64 << 20)

static bool fetch(const struct gv_payload *p, struct gv_source *source, size_t i)
{
    struct gv_fetch item = { .hash = p->groups[i].hash,
                             .raw_size = p->groups[i].raw_size };
    item.data = malloc((size_t)item.raw_size);
    gv_must(item.data != NULL);
    bool ok = source->fetch(source, &item, 1, NULL) && item.found;
    if (ok) {
        const struct gv_hash hash = gv_hash_bytes(item.data, (size_t)item.raw_size);
        gv_must(gv_hash_equal(&hash, &item.hash));
    }
    free(item.data);
    return ok;
}

static bool forget(void *taker, const struct gv_hash *hash, struct gv_span raw,
                   struct gv_span frame, struct gv_error *err)
{
    (void)taker;
    (void)hash;
    (void)raw;
    (void)frame;
    (void)err;
    return true;
}

// The payload whose groups are all whole, there and back.
static void convert(const struct gv_payload *p, struct gv_source *source)
{
    struct gv_bytes thin = { 0 }, fat = { 0 };
    struct gv_payload other = { 0 };
    struct gv_convert_params params = { .write = gv_test_append,
                                        .context = &thin,
                                        .take = forget,
                                        .sources = &source,
                                        .source_count = 1 };
    gv_must(gv_payload_thin(p, &params, NULL));
    gv_must(gv_payload_open_memory(&other, thin.data, thin.size, MEMORY, NULL));
    params.context = &fat;
    gv_must(gv_payload_fatten(&other, &params, NULL));
    gv_payload_finish(&other);
    gv_must(gv_payload_open_memory(&other, fat.data, fat.size, MEMORY, NULL));
    gv_must(gv_payload_verify_deep(&other, NULL, 0, NULL));
    gv_payload_finish(&other);
    gv_bytes_finish(&thin);
    gv_bytes_finish(&fat);
}

static void read_all(const struct gv_bytes *file, uint8_t first)
{
    struct gv_payload p = { 0 };
    if (!gv_payload_open_memory(&p, file->data, file->size, MEMORY, NULL)) {
        gv_payload_finish(&p);
        return;
    }
    struct gv_source *source = gv_payload_open_source(&p, NULL);
    gv_must(source != NULL);
    bool whole = true;
    for (size_t i = 0; i < p.group_count; i++)
        whole &= fetch(&p, source, (first + i) % p.group_count);
    // Of two groups with one id a source may give the one that is not damaged.
    bool deep = gv_payload_verify_deep(&p, NULL, 0, NULL);
    gv_must(whole || !deep);
    if (deep)
        convert(&p, source);
    gv_source_destroy(source);
    gv_payload_finish(&p);
}

// A size, what noise, with what it was compressed, what is said.
static void read_group(struct gv_cursor *c, struct made_group *group, size_t number)
{
    group->size = gv_cursor_u16(c) % 3000u + 1;
    group->noise = gv_cursor_u8(c) % 4;
    group->with = gv_cursor_u8(c);
    group->said = gv_cursor_u8(c);
    if (group->with >= number)
        group->with = MADE_GROUP_NONE;
    if (group->said == 254)
        group->said = group->with;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gv_cursor c = gv_cursor_make(data, size);
    struct made_group groups[MOST_GROUPS];
    struct gv_bytes table = { 0 }, stored = { 0 }, file = { 0 };
    const size_t count = gv_cursor_u8(&c) % MOST_GROUPS + 1u;
    const uint8_t first = gv_cursor_u8(&c), changes = gv_cursor_u8(&c) % 4;
    for (size_t i = 0; i < count; i++) {
        read_group(&c, &groups[i], i);
        gv_must(made_group_put(groups, i, &table, &stored));
    }
    for (uint8_t i = 0; i < changes; i++) {
        struct gv_bytes *which = gv_cursor_u8(&c) & 1 ? &stored : &table;
        const uint16_t at = gv_cursor_u16(&c);
        which->data[at % which->size] ^= gv_cursor_u8(&c);
    }
    gv_must(made_group_file(&table, &stored, &file));
    read_all(&file, first);
    gv_bytes_finish(&table);
    gv_bytes_finish(&stored);
    gv_bytes_finish(&file);
    return 0;
}
