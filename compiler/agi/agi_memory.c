#include "compiler/agi/agi_memory.h"

#include <stdlib.h>
#include <string.h>

// Orders need not be secret: who makes a deep tree by them loses time, and little.
static uint64_t next_order(struct gv_agi_memory *m)
{
    uint64_t z = (m->random += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

// Turns left children up until there is none: no recursion, whatever the tree's depth.
static void free_tree(struct gv_agi_memory *m, struct gv_agi_piece *p)
{
    while (p) {
        struct gv_agi_piece *left = p->left;
        if (left) {
            p->left = left->right;
            left->right = p;
            p = left;
        } else {
            struct gv_agi_piece *right = p->right;
            free(p);
            m->pieces--;
            p = right;
        }
    }
}

void gv_agi_memory_finish(struct gv_agi_memory *m)
{
    free_tree(m, m->root);
    m->root = NULL;
}

static struct gv_agi_piece *join(struct gv_agi_piece *low, struct gv_agi_piece *high)
{
    struct gv_agi_piece *root = NULL, **at = &root;
    while (low && high) {
        if (low->order > high->order) {
            *at = low;
            at = &low->right;
            low = low->right;
        } else {
            *at = high;
            at = &high->left;
            high = high->left;
        }
    }
    *at = low ? low : high;
    return root;
}

// Pieces that begin before `address`, and the others.
static void split(struct gv_agi_piece *p, uint64_t address, struct gv_agi_piece **low,
                  struct gv_agi_piece **high)
{
    while (p) {
        if (p->address < address) {
            *low = p;
            low = &p->right;
            p = p->right;
        } else {
            *high = p;
            high = &p->left;
            p = p->left;
        }
    }
    *low = *high = NULL;
}

static struct gv_agi_piece *last_of(struct gv_agi_piece *p)
{
    while (p && p->right)
        p = p->right;
    return p;
}

static struct gv_agi_piece *make(struct gv_agi_memory *m, uint64_t address,
                                 const uint8_t *bytes, uint64_t size)
{
    struct gv_agi_piece *p = malloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (struct gv_agi_piece){
        .address = address, .size = size, .bytes = bytes, .order = next_order(m)
    };
    m->pieces++;
    return p;
}

bool gv_agi_memory_observe(struct gv_agi_memory *m, uint64_t address,
                           const uint8_t *bytes, uint64_t size)
{
    const uint64_t end = address + size;
    struct gv_agi_piece *low, *rest, *covered, *high;
    if (!size)
        return true;
    struct gv_agi_piece *piece = make(m, address, bytes, size);
    if (!piece)
        return false;
    split(m->root, address, &low, &rest);
    split(rest, end, &covered, &high);
    // At most one piece reaches past the end: the last of those that begin before it.
    struct gv_agi_piece *before = last_of(low);
    const struct gv_agi_piece *last = covered ? last_of(covered) : before;
    struct gv_agi_piece *tail = NULL;
    bool ok = true;
    if (last && last->address + last->size > end) {
        tail = make(m, end, last->bytes + (end - last->address),
                    last->address + last->size - end);
        ok = tail != NULL;
    }
    if (before && before->address + before->size > address)
        before->size = address - before->address;
    free_tree(m, covered);
    m->root = join(join(low, piece), join(tail, high));
    return ok;
}

// The piece that has `address`, or else the first one behind it.
static const struct gv_agi_piece *find(const struct gv_agi_memory *m, uint64_t address)
{
    const struct gv_agi_piece *p = m->root, *best = NULL;
    while (p) {
        if (p->address + p->size - 1 < address) {
            p = p->right;
        } else {
            best = p;
            p = p->left;
        }
    }
    return best;
}

bool gv_agi_memory_has(const struct gv_agi_memory *m, uint64_t address, uint64_t size)
{
    while (size) {
        const struct gv_agi_piece *p = find(m, address);
        if (!p || p->address > address)
            return false;
        const uint64_t there = p->size - (address - p->address);
        if (there >= size)
            return true;
        address += there;
        size -= there;
    }
    return true;
}

uint64_t gv_agi_memory_read(const struct gv_agi_memory *m, uint64_t address,
                            uint64_t size, void *out)
{
    uint64_t got = 0, done = 0;
    memset(out, 0, (size_t)size);
    while (done < size) {
        const struct gv_agi_piece *p = find(m, address + done);
        if (!p || (p->address > address + done && p->address - address >= size))
            break;
        if (p->address > address + done)
            done = p->address - address;
        const uint64_t skip = address + done - p->address;
        uint64_t n = p->size - skip;
        n = n < size - done ? n : size - done;
        memcpy((uint8_t *)out + done, p->bytes + skip, (size_t)n);
        done += n;
        got += n;
    }
    return got;
}

bool gv_agi_memory_text(const struct gv_agi_memory *m, uint64_t address, uint64_t most,
                        uint64_t *size)
{
    for (*size = 0; *size < most;) {
        const struct gv_agi_piece *p = find(m, address + *size);
        if (!p || p->address > address + *size)
            return false;
        const uint64_t skip = address + *size - p->address;
        uint64_t n = p->size - skip;
        n = n < most - *size ? n : most - *size;
        const uint8_t *end = memchr(p->bytes + skip, 0, (size_t)n);
        if (end) {
            *size += (uint64_t)(end - (p->bytes + skip)) + 1;
            return true;
        }
        *size += n;
    }
    return true;
}
