// Changes to assembly text: words, numbers and lines.
#include "tests/fuzz/mutate/mutate.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MOST_LINES 4096
#define MOST_TEXT ((size_t)256 << 10)

struct line {
    const char *text;
    size_t size; // with its newline
};

struct lines {
    struct line items[MOST_LINES];
    size_t count;
};

static void split(struct lines *lines, const struct gv_seed *seed)
{
    const char *at = (const char *)seed->data, *end = at + seed->size;
    lines->count = 0;
    while (at < end && lines->count < MOST_LINES) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t size = newline ? (size_t)(newline - at) + 1 : (size_t)(end - at);
        lines->items[lines->count++] = (struct line){ at, size };
        at += size;
    }
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

// Some word of the text, starting from a place in it.
static struct line any_word(struct gv_dice *d, const struct gv_seed *seed)
{
    const char *text = (const char *)seed->data;
    size_t at = gv_dice_below(d, seed->size);
    while (at < seed->size && !is_word(text[at]))
        at++;
    while (at > 0 && at < seed->size && is_word(text[at - 1]))
        at--;
    size_t end = at;
    while (end < seed->size && is_word(text[end]))
        end++;
    return (struct line){ text + at, end - at };
}

static void put(struct gv_bytes *out, struct line line)
{
    if (out->size < MOST_TEXT)
        gv_bytes_put(out, line.text, line.size);
}

static void put_number(struct gv_dice *d, struct gv_bytes *out)
{
    static const char *const odd[] = { "nan", "1e38", "-1e38", "0.5", "-0.0", "1.0" };
    if (gv_dice_below(d, 6) == 0)
        gv_bytes_printf(out, "%s", odd[gv_dice_below(d, 6)]);
    else if (gv_dice_below(d, 4) == 0)
        gv_bytes_printf(out, "%lld", (long long)gv_dice_odd(d));
    else
        gv_bytes_printf(out, "%llu", (unsigned long long)gv_dice_odd(d));
}

// The line with one word made another: a number an odd one, any a word from elsewhere.
static void put_changed(struct gv_dice *d, const struct gv_seed *seed,
                        const struct gv_seed *other, struct line line,
                        struct gv_bytes *out)
{
    size_t at = gv_dice_below(d, line.size), end;
    while (at < line.size && !is_word(line.text[at]))
        at++;
    while (at > 0 && at < line.size && is_word(line.text[at - 1]))
        at--;
    for (end = at; end < line.size && is_word(line.text[end]);)
        end++;
    put(out, (struct line){ line.text, at });
    bool number = at < line.size &&
                  (isdigit((unsigned char)line.text[at]) || line.text[at] == '-');
    if (number && gv_dice_below(d, 4) != 0)
        put_number(d, out);
    else if (gv_dice_below(d, 8) != 0)
        put(out, any_word(d, gv_dice_below(d, 8) ? seed : other));
    put(out, (struct line){ line.text + end, line.size - end });
}

// One change around line `i`; the others follow from the seed.
static void put_line(struct gv_dice *d, const struct lines *lines, size_t i,
                     const struct gv_seed *seed, const struct gv_seed *other,
                     struct gv_bytes *out)
{
    static struct lines others;
    struct line line = lines->items[i];
    struct line far = lines->items[gv_dice_below(d, lines->count)];
    switch (gv_dice_below(d, 12)) {
    case 0:
        break; // left out
    case 1:
        put(out, line);
        put(out, line);
        break;
    case 2:
        put(out, far);
        put(out, line);
        break;
    case 3:
        put(out, far);
        break;
    case 4:
        gv_bytes_printf(out, "loop %llu\n",
                        (unsigned long long)(gv_dice_below(d, 200) + 1));
        put(out, line);
        gv_bytes_printf(out, "loop_end\n");
        break;
    case 5:
        split(&others, other);
        if (others.count)
            put(out, others.items[gv_dice_below(d, others.count)]);
        put(out, line);
        break;
    default:
        put_changed(d, seed, other, line, out);
        break;
    }
}

void gv_mutate_text(struct gv_dice *d, const struct gv_seed *seed,
                    const struct gv_seed *other, struct gv_bytes *out)
{
    static struct lines lines;
    split(&lines, seed);
    uint64_t changes = gv_dice_below(d, 4) + 1;
    for (size_t i = 0; i < lines.count; i++) {
        // Comments are no use.
        bool here = gv_dice_below(d, lines.count - i) < changes;
        if (here && lines.items[i].text[0] != '#') {
            put_line(d, &lines, i, seed, other, out);
            changes -= changes > 0;
        } else
            put(out, lines.items[i]);
    }
}
