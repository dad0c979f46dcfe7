// Answers of servers, byte for byte as libcurl hands them over: to a folder, a pack,
// and the parts of a file some of which need others. A server may be honest, change
// bytes of an honest answer, cut it short, or say anything. Whatever it says, every
// order gets an outcome, and what is handed out has its hash.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "resources/base/cursor.h"
#include "resources/dictionaries.h"
#include "resources/http/source_http.h"
#include "resources/object.h"
#include "tests/helpers.h"
#include "tests/promise.h"
#include "tests/wire/fake_curl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define OBJECTS 10
#define LEVEL 3
#define MOST_ANSWERS 400 // a client that asks for more goes round in a circle

// Of ENDED the file's second half is there before anything is asked for.
enum kind { FOLDER, PACK, PARTS, ENDED, KINDS };

// A store of our own, as each kind of server has it.
struct goods {
    struct gv_bytes raw[OBJECTS], frames[OBJECTS]; // without dictionary
    struct gv_hash ids[OBJECTS];
    struct gv_bytes pack, file;
    struct gv_pack_row parts[OBJECTS], dictionaries[2];
};

// The sizes that matter: in a pack's end and before it, near each other and not.
static const size_t sizes[OBJECTS] = { 1,  30,    2000, 90000, 5000,
                                       70, 40000, 3000, 3000,  12 };
// Which two others' ends some need in a pack and a file, or none.
static const uint32_t needs[OBJECTS] = { 0, 0, 0, 0, 1, 0, 1, 2, 2, 0 };
static const size_t needed[2] = { 3, 2 };

static void make_object(struct goods *g, size_t i, struct gv_codec_state *codec)
{
    uint32_t seed = 1;
    for (size_t k = 0; k < sizes[i]; k++) // alike, half of it noise
        gv_bytes_u8(&g->raw[i], (uint8_t)(gv_test_random(&seed) >> 12 & 15));
    g->raw[i].data[0] = (uint8_t)(100 + i);
    const struct gv_span raw = { g->raw[i].data, g->raw[i].size };
    g->ids[i] = gv_hash_bytes(raw.data, raw.size);
    gv_must(gv_codec_compress(codec, LEVEL, raw, &g->frames[i], NULL));
}

static int by_id(const void *a, const void *b)
{
    const struct gv_pack_row *x = a, *y = b;
    return gv_hash_compare(&x->hash, &y->hash);
}

// With the other's end, if it needs one.
static void make_frame(const struct goods *g, size_t i, struct gv_codec_state *codec,
                       struct gv_bytes *frame)
{
    const struct gv_span raw = { g->raw[i].data, g->raw[i].size };
    if (!needs[i]) {
        gv_bytes_put(frame, g->frames[i].data, g->frames[i].size);
        return;
    }
    const struct gv_bytes *other = &g->raw[needed[needs[i] - 1]];
    const struct gv_span all = { other->data, other->size };
    struct gv_codec_dictionary *digested =
        gv_codec_dictionary_create(LEVEL, gv_dictionary_of(all), NULL);
    gv_must(digested && gv_codec_compress_with(codec, digested, raw, frame, NULL));
    gv_codec_dictionary_destroy(digested);
}

static void make_pack(struct goods *g, struct gv_codec_state *codec)
{
    struct gv_pack_row rows[OBJECTS];
    struct gv_pack_index index = { .version = GV_PACKFILE_MAJOR,
                                   .rows = rows,
                                   .count = OBJECTS };
    for (size_t i = 0; i < 2; i++)
        gv_pack_dictionary_place(&index, &g->ids[needed[i]]);
    gv_pack_put_header(&g->pack, index.version);
    for (size_t i = 0; i < OBJECTS; i++) {
        struct gv_bytes frame = { 0 };
        make_frame(g, i, codec, &frame);
        rows[i] = (struct gv_pack_row){ .hash = g->ids[i],
                                        .offset = g->pack.size,
                                        .stored = frame.size,
                                        .raw_size = sizes[i],
                                        .dictionary = needs[i] };
        struct gv_record record = { .kind = GV_RECORD_OBJECT,
                                    .size = frame.size + gv_pack_lead(&rows[i]),
                                    .raw_size = sizes[i],
                                    .hash = g->ids[i] };
        if (needs[i]) {
            record.kind = GV_RECORD_DEPENDENT;
            record.dictionary = index.dictionaries[needs[i] - 1];
        }
        gv_pack_put_record(&g->pack, &record);
        gv_bytes_put(&g->pack, frame.data, frame.size);
        gv_bytes_zero_to(&g->pack, GV_PACKFILE_ALIGNMENT);
        gv_bytes_finish(&frame);
    }
    qsort(rows, OBJECTS, sizeof *rows, by_id);
    gv_pack_put_index(&g->pack, &index, g->pack.size);
}

static void make_part(struct goods *g, size_t i, struct gv_codec_state *codec)
{
    const struct gv_span raw = { g->raw[i].data, g->raw[i].size };
    struct gv_bytes frame = { 0 };
    g->parts[i] = (struct gv_pack_row){ .hash = g->ids[i],
                                        .offset = g->file.size,
                                        .raw_size = sizes[i],
                                        .dictionary = needs[i] };
    make_frame(g, i, codec, &frame);
    if (frame.size >= sizes[i]) {
        frame.size = 0;
        gv_bytes_put(&frame, raw.data, raw.size);
    }
    g->parts[i].stored = frame.size;
    gv_bytes_put(&g->file, frame.data, frame.size);
    gv_bytes_finish(&frame);
}

static const struct goods *goods(void)
{
    static struct goods g;
    if (g.file.size)
        return &g;
    struct gv_codec_state *codec = gv_codec_create();
    gv_must(codec != NULL);
    for (size_t i = 0; i < OBJECTS; i++)
        make_object(&g, i, codec);
    make_pack(&g, codec);
    for (size_t i = 0; i < OBJECTS; i++)
        make_part(&g, i, codec);
    for (size_t i = 0; i < 2; i++)
        g.dictionaries[i] = g.parts[needed[i]];
    qsort(g.parts, OBJECTS, sizeof *g.parts, by_id);
    gv_codec_destroy(codec);
    return &g;
}

// ---- the server ----

struct server {
    const struct goods *goods;
    enum kind kind;
    struct gv_cursor says; // what the input has of answers
    struct gv_bytes body;
    size_t answers;
    bool lied; // an answer was not honest
};

// What is asked for; empty if there is none.
static struct gv_span find(const struct server *s, const char *url)
{
    if (s->kind == PACK)
        return (struct gv_span){ s->goods->pack.data, s->goods->pack.size };
    if (s->kind == PARTS || s->kind == ENDED)
        return (struct gv_span){ s->goods->file.data, s->goods->file.size };
    for (size_t i = 0; i < OBJECTS; i++) {
        char hex[GV_HASH_HEX];
        gv_hash_to_hex(&s->goods->ids[i], hex);
        if (strstr(url, hex))
            return (struct gv_span){ s->goods->frames[i].data,
                                     s->goods->frames[i].size };
    }
    return (struct gv_span){ 0 };
}

static void answer_honestly(struct server *s, const struct fake_request *request,
                            struct fake_answer *a)
{
    struct gv_span all = find(s, request->url);
    unsigned long long first = 0, last = 0;
    s->body.size = 0;
    a->status = 404;
    if (!all.size)
        return;
    a->status = 200;
    if (request->range && request->range[0] == '-') {
        unsigned long long few = strtoull(request->range + 1, NULL, 10);
        first = few < all.size ? all.size - few : 0;
        last = all.size - 1;
    } else if (request->range) {
        gv_must(sscanf(request->range, "%llu-%llu", &first, &last) == 2);
    }
    if (first > last || last > all.size) {
        a->status = 416;
        return;
    }
    if (request->range) {
        last = last < all.size ? last : all.size - 1;
        a->status = 206;
        snprintf(a->headers, sizeof a->headers,
                 "Content-Range: bytes %llu-%llu/%zu\r\n", first, last, all.size);
        all = (struct gv_span){ (const char *)all.data + first,
                                (size_t)(last - first) + 1 };
    }
    gv_bytes_put(&s->body, all.data, all.size);
}

static void change(struct server *s, unsigned count)
{
    for (; count; count--) {
        uint32_t at = gv_cursor_u32(&s->says);
        uint8_t with = gv_cursor_u8(&s->says);
        // Often near the end, where a pack's index is.
        if (s->body.size)
            s->body.data[at & 1 ? s->body.size - 1 - (at >> 1) % s->body.size
                                : (at >> 1) % s->body.size] ^= with;
    }
}

// So many of the next bytes as there are.
static struct gv_span next_bytes(struct server *s, size_t most)
{
    const size_t left = s->says.bad ? 0 : gv_cursor_left(&s->says);
    const size_t size = most < left ? most : left;
    return (struct gv_span){ size ? (const void *)gv_cursor_take(&s->says, size) : "",
                             size };
}

static void answer_anything(struct server *s, struct fake_answer *a)
{
    static const int results[] = { 0, 0, 0, 0, 7, 18, 23, 28, 52, 56, 92 };
    a->status = gv_cursor_u16(&s->says) % 600;
    a->result = results[gv_cursor_u8(&s->says) % (sizeof results / sizeof *results)];
    size_t headers = gv_cursor_u8(&s->says), body = gv_cursor_u16(&s->says);
    const struct gv_span lines = next_bytes(s, headers), bytes = next_bytes(s, body);
    memcpy(a->headers, lines.data, lines.size);
    a->headers[lines.size] = '\0';
    s->body.size = 0;
    gv_bytes_put(&s->body, bytes.data, bytes.size);
}

static void serve(void *context, const struct fake_request *request,
                  struct fake_answer *a)
{
    struct server *s = context;
    gv_must(++s->answers < MOST_ANSWERS);
    uint8_t how = gv_cursor_u8(&s->says);
    if (s->says.bad)
        how = 0;
    a->piece = (size_t)64 << (how >> 4);
    s->lied |= (how & 3) != 0;
    switch (how & 3) {
    case 0:
        answer_honestly(s, request, a);
        break;
    case 1:
        answer_honestly(s, request, a);
        change(s, 1 + (how >> 2 & 3));
        break;
    case 2: // cut
        answer_honestly(s, request, a);
        s->body.size = s->body.size ? gv_cursor_u16(&s->says) % s->body.size : 0;
        break;
    case 3:
        answer_anything(s, a);
        break;
    }
    gv_must(!s->body.failed);
    a->body = s->body.data;
    a->size = s->body.size;
}

// ---- the client ----

static struct gv_async *open_source(const struct server *s, struct gv_http *http)
{
    const struct gv_bytes *file = &s->goods->file;
    const size_t here = s->kind == ENDED ? file->size / 2 : 0;
    const struct gv_http_parts parts = { .url = "http://h/f",
                                         .rows = s->goods->parts,
                                         .dictionaries = s->goods->dictionaries,
                                         .count = OBJECTS,
                                         .dictionary_count = 2,
                                         .tail = { file->data + (file->size - here),
                                                   here },
                                         .tail_at = file->size - here };
    return s->kind == PARTS || s->kind == ENDED
               ? gv_source_http_parts(http, &parts, NULL)
               : gv_source_http(http, "http://h/f", s->kind == PACK, NULL);
}

struct client {
    const struct goods *goods;
    const struct server *server;
    struct gv_async *source;
    struct gv_order orders[OBJECTS];
    bool open[OBJECTS];
    size_t left;
};

static void check_order(struct client *c, const struct gv_order *order)
{
    size_t i = (size_t)(order - c->orders);
    gv_must(i < OBJECTS && c->open[i]);
    c->open[i] = false;
    c->left--;
    gv_must(order->outcome != GV_ORDER_OPEN);
    gv_must(order->outcome == GV_ORDER_HERE || c->server->lied);
    gv_must((order->outcome == GV_ORDER_HERE) == order->item.found);
    gv_must(order->outcome == GV_ORDER_FAILED || order->error.status == GV_OK);
    if (order->outcome == GV_ORDER_HERE)
        gv_must(memcmp(order->item.data, c->goods->raw[i].data, sizes[i]) == 0);
}

// Some orders at once; one may be wanted sooner, or no more.
static void order_some(struct client *c, uint8_t first, uint8_t count, uint8_t then)
{
    struct gv_order *list[OBJECTS];
    size_t n = 0;
    for (size_t i = 0; i < count % (OBJECTS + 1); i++) {
        size_t k = (first + i * 7) % OBJECTS;
        struct gv_order *order = &c->orders[k];
        if (c->open[k])
            continue;
        c->open[k] = true;
        order->rank = 100 + k;
        order->item.hash = c->goods->ids[k];
        order->item.raw_size = sizes[k];
        list[n++] = order;
    }
    if (!n)
        return;
    c->left += n;
    if (!c->source->submit(c->source, list, n, NULL)) {
        gv_must(c->server->lied);
        for (size_t i = 0; i < n; i++)
            c->open[list[i] - c->orders] = false;
        c->left -= n;
        return;
    }
    struct gv_order *one = list[then % n];
    if (then & 64) {
        one->rank = 1;
        c->source->sooner(c->source, one);
    }
    if (then & 128) {
        c->source->cancel(c->source, one);
        c->open[one - c->orders] = false;
        c->left--;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct client c = { .goods = goods() };
    struct server s = { .goods = c.goods, .says = gv_cursor_make(data, size) };
    c.server = &s;
    const struct gv_http_params params = { .stall_s = 1, .tries = 1, .hangup = -1 };
    s.kind = gv_cursor_u8(&s.says) % KINDS;
    uint8_t rounds[3][3];
    for (size_t i = 0; i < 9; i++)
        rounds[i / 3][i % 3] = gv_cursor_u8(&s.says);
    s.says.bad = false;
    fake_curl_serve(serve, &s);
    struct gv_http *http = gv_http_create(&params, NULL);
    gv_must(http != NULL);
    c.source = open_source(&s, http);
    gv_must(c.source != NULL);
    for (size_t i = 0; i < OBJECTS; i++)
        c.orders[i].item.data = malloc(sizes[i]);
    for (size_t i = 0; i < 3; i++) {
        order_some(&c, rounds[i][0], rounds[i][1], rounds[i][2]);
        while (c.left) {
            struct gv_order *order = c.source->poll(c.source, -1, -1);
            gv_must(order != NULL);
            check_order(&c, order);
            if (rounds[i][2] & 32)
                break; // the next ones are ordered while others are open
        }
    }
    gv_async_destroy(c.source);
    gv_http_destroy(http);
    for (size_t i = 0; i < OBJECTS; i++)
        free(c.orders[i].item.data);
    gv_bytes_finish(&s.body);
    return 0;
}
