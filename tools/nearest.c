#include "tools/nearest.h"

#include <string.h>

#define MAX_WORD 40      // letters; longer ones are near to nothing
#define NEAR_BEGINNING 3 // letters that are enough to be the beginning of a word

void gv_nearest_init(struct gv_nearest *n, const char *word, size_t length)
{
    *n = (struct gv_nearest){ .word = word, .length = length };
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

// Edit distance with swaps of neighbours ("optimal string alignment"), row by row.
static unsigned distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][MAX_WORD + 1] = { 0 };
    unsigned *above2 = rows[0], *above = rows[1], *row = rows[2];
    for (size_t k = 0; k <= b_length; k++)
        above[k] = (unsigned)k;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = (unsigned)i;
        for (size_t k = 1; k <= b_length; k++) {
            unsigned change = above[k - 1] + (a[i - 1] != b[k - 1]);
            row[k] = least(change, least(above[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = least(row[k], above2[k - 2] + 1);
        }
        unsigned *free_row = above2;
        above2 = above;
        above = row;
        row = free_row;
    }
    return above[b_length];
}

void gv_nearest_offer(struct gv_nearest *n, const char *known)
{
    size_t length = strlen(known);
    if (n->length == 0 || n->length > MAX_WORD || length > MAX_WORD)
        return;
    unsigned slips = distance(n->word, n->length, known, length);
    size_t shorter = n->length < length ? n->length : length;
    if (n->length >= NEAR_BEGINNING && strncmp(n->word, known, n->length) == 0)
        slips = 1;
    if (slips > 1 + shorter / 3 || slips >= shorter ||
        (n->best && slips >= n->distance))
        return;
    n->best = known;
    n->distance = slips;
}
