#include "compiler/shader/glsl/text/glsl_structures.h"

#include "compiler/shader/glsl/text/glsl_declare.h"
#include "resources/base/bytes.h"
#include "resources/hash.h"

#include <string.h>

#define MOST_LEVELS 64u // of structures in structures

struct hoisting {
    struct glsl_tokens code;
    struct gv_bytes hoisted;   // definitions in front of the statement
    struct gv_bytes statement; // the one that is read
    struct gv_bytes known;     // hashes of what has no name, and is at global scope
    struct gv_bytes out;
    unsigned level, scope, nameless;
    struct gv_error *err;
};

static bool is(const struct hoisting *h, size_t i, const char *text)
{
    return i < h->code.count && glsl_token_is(&h->code.tokens[i], text);
}

static bool is_name(const struct hoisting *h, size_t i)
{
    return i < h->code.count && h->code.tokens[i].kind == GLSL_IDENTIFIER;
}

static void put(const struct hoisting *h, size_t i, struct gv_bytes *out)
{
    gv_bytes_put(out, h->code.tokens[i].text, h->code.tokens[i].size);
}

// The brace that a structure's body begins with; the end: this is no definition.
static size_t body_of(const struct hoisting *h, size_t i)
{
    if (!is(h, i, "struct"))
        return h->code.count;
    i = glsl_next(&h->code, i);
    if (is_name(h, i))
        i = glsl_next(&h->code, i);
    return is(h, i, "{") ? i : h->code.count;
}

static size_t put_body(struct hoisting *h, size_t open, struct gv_bytes *out);

// Space instead of the newlines, which stay in the statement.
static void put_in_line(const struct gv_bytes *from, struct gv_bytes *out)
{
    for (size_t i = 0; i < from->size; i++)
        gv_bytes_u8(out, from->data[i] == '\n' ? ' ' : from->data[i]);
}

static void put_newlines(const struct gv_bytes *from, struct gv_bytes *out)
{
    for (size_t i = 0; i < from->size; i++)
        if (from->data[i] == '\n')
            gv_bytes_u8(out, '\n');
}

// Whether such members were hoisted before, where their name is seen.
static bool known(struct hoisting *h, const struct gv_hash *hash)
{
    for (size_t i = 0; i + sizeof *hash <= h->known.size; i += sizeof *hash)
        if (!memcmp(h->known.data + i, hash, sizeof *hash))
            return true;
    gv_bytes_put(&h->known, hash, sizeof *hash);
    return false;
}

// The name of a definition at `i`, or one by its members; false: it was hoisted before.
static bool put_name(struct hoisting *h, size_t i, const struct gv_bytes *body,
                     struct gv_bytes *out)
{
    char hex[GV_HASH_HEX];
    const size_t name = glsl_next(&h->code, i);
    const struct gv_hash hash = gv_hash_bytes(body->data, body->size);
    if (is_name(h, name)) {
        put(h, name, out);
        return true;
    }
    gv_hash_to_hex(&hash, hex);
    gv_bytes_printf(out, GLSL_NAMELESS "%s", hex);
    if (h->scope) // seen nowhere else
        gv_bytes_printf(out, "_%u", ++h->nameless);
    return h->scope || !known(h, &hash);
}

// A definition within a body: its name stays. The token behind it.
static size_t hoist(struct hoisting *h, size_t i, size_t open, struct gv_bytes *out)
{
    struct gv_bytes body = { 0 }, name = { 0 };
    const size_t end = put_body(h, open, &body);
    if (put_name(h, i, &body, &name)) {
        gv_bytes_printf(&h->hoisted, "struct ");
        gv_bytes_put(&h->hoisted, name.data, name.size);
        put_in_line(&body, &h->hoisted);
        gv_bytes_printf(&h->hoisted, "; ");
    }
    gv_bytes_put(out, name.data, name.size);
    put_newlines(&body, out);
    h->statement.failed |= body.failed || name.failed;
    gv_bytes_finish(&body);
    gv_bytes_finish(&name);
    return end;
}

// A body with its braces; the token behind it.
static size_t put_body(struct hoisting *h, size_t open, struct gv_bytes *out)
{
    const size_t close = glsl_closing(&h->code, open, h->code.count);
    if (++h->level > MOST_LEVELS)
        gv_fail(h->err, GV_ERR_LIMIT, GV_NO_OFFSET,
                "glsl: more than %u structures in "
                "structures",
                MOST_LEVELS);
    for (size_t i = open; i <= close && i < h->code.count && h->level <= MOST_LEVELS;) {
        const size_t inner = i > open ? body_of(h, i) : h->code.count;
        if (inner < close) {
            i = hoist(h, i, inner, out);
            continue;
        }
        put(h, i++, out);
    }
    h->level--;
    return close < h->code.count ? close + 1 : close;
}

static void end_statement(struct hoisting *h)
{
    gv_bytes_put(&h->out, h->hoisted.data, h->hoisted.size);
    gv_bytes_put(&h->out, h->statement.data, h->statement.size);
    h->hoisted.size = h->statement.size = 0;
}

static void hoist_all(struct hoisting *h)
{
    for (size_t i = 0; i < h->code.count && h->err->status == GV_OK;) {
        const size_t open = body_of(h, i);
        const bool block = is(h, i, "uniform") && is_name(h, glsl_next(&h->code, i)) &&
                           is(h, glsl_next(&h->code, glsl_next(&h->code, i)), "{");
        if (open < h->code.count || block) {
            const size_t body =
                block ? glsl_next(&h->code, glsl_next(&h->code, i)) : open;
            while (i < body)
                put(h, i++, &h->statement);
            i = put_body(h, body, &h->statement);
            continue;
        }
        h->scope += is(h, i, "{");
        h->scope -= is(h, i, "}") && h->scope;
        const bool ends = is(h, i, ";") || is(h, i, "{") || is(h, i, "}");
        put(h, i++, &h->statement);
        if (ends)
            end_statement(h);
    }
    end_statement(h);
}

bool glsl_hoist_structures(const char **text, struct gv_arena *arena,
                           struct gv_error *err)
{
    struct gv_error own = GV_ERROR_INIT;
    struct hoisting h = { .err = err ? err : &own };
    const char *first = strstr(*text, "struct");
    if (!first || (!strstr(first + 1, "struct") && !strstr(*text, "uniform")))
        return true;
    if (!glsl_tokenize(*text, arena, &h.code, h.err))
        return false;
    hoist_all(&h);
    const bool whole = !h.out.failed && !h.statement.failed && !h.hoisted.failed;
    const char *copy = whole ? gv_arena_copy(arena, h.out.data, h.out.size) : NULL;
    gv_bytes_finish(&h.hoisted);
    gv_bytes_finish(&h.statement);
    gv_bytes_finish(&h.known);
    gv_bytes_finish(&h.out);
    *text = copy ? copy : *text;
    return h.err->status == GV_OK && (copy || gv_out_of_memory(err));
}
