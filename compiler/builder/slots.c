#include "compiler/builder/slots.h"

#include <stdlib.h>
#include <string.h>

void gv_slots_finish(struct gv_slots *s)
{
    for (size_t i = 0; i < s->page_count; i++)
        free(s->pages[i]);
    free(s->pages);
    free(s->slots);
    free(s->free_maps);
    *s = (struct gv_slots){ 0 };
}

static struct gv_free_maps *find_free_maps(struct gv_free_maps *table, size_t mask,
                                           uint64_t size)
{
    size_t at =
        (size_t)(size * 0x9e3779b97f4a7c15u >> 32) & mask; // 2^64 / golden ratio
    while (table[at].size && table[at].size != size)
        at = (at + 1) & mask;
    return &table[at];
}

static bool grow_free_maps(struct gv_slots *s)
{
    size_t size = s->free_map_size ? s->free_map_size * 2 : 16;
    struct gv_free_maps *table = calloc(size, sizeof *table);
    if (!table)
        return false;
    for (size_t i = 0; i < s->free_map_size; i++)
        if (s->free_maps[i].size)
            *find_free_maps(table, size - 1, s->free_maps[i].size) = s->free_maps[i];
    free(s->free_maps);
    s->free_maps = table;
    s->free_map_size = size;
    return true;
}

// Where the list of free slots of a kind (and map size) starts; NULL: out of memory.
static uint32_t *free_list(struct gv_slots *s, enum gv_kind kind, uint64_t map_size)
{
    if (kind != GV_KIND_MAP)
        return &s->free_by_kind[kind];
    if (s->free_map_count * 2 >= s->free_map_size && !grow_free_maps(s))
        return NULL;
    struct gv_free_maps *entry =
        find_free_maps(s->free_maps, s->free_map_size - 1, map_size);
    s->free_map_count += !entry->size;
    entry->size = map_size;
    return &entry->head;
}

static bool add_slot(struct gv_slots *s, enum gv_kind kind, uint64_t map_size)
{
    if (s->slot_count == s->slot_capacity) {
        size_t capacity = s->slot_capacity ? s->slot_capacity * 2 : 64;
        struct gv_slot *grown = realloc(s->slots, capacity * sizeof *grown);
        if (!grown)
            return false;
        s->slots = grown;
        s->slot_capacity = capacity;
    }
    s->slots[s->slot_count++] =
        (struct gv_slot){ .kind = (uint8_t)kind, .map_size = map_size };
    return true;
}

// A full page without live objects goes; the one being filled stays.
static void free_if_dead(struct gv_slots *s, size_t page)
{
    if (page + 1 < s->page_count && s->pages[page] && s->pages[page]->live == 0) {
        free(s->pages[page]);
        s->pages[page] = NULL;
    }
}

static struct gv_live_object *add_object(struct gv_slots *s)
{
    if (s->last_object == UINT32_MAX)
        return NULL;
    size_t number = (size_t)s->last_object + 1, page = number / GV_OBJECT_PAGE;
    if (page == s->page_capacity) {
        size_t capacity = s->page_capacity ? s->page_capacity * 2 : 16;
        // NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
        struct gv_object_page **grown = realloc(s->pages, capacity * sizeof(*grown));
        if (!grown)
            return NULL;
        s->pages = grown;
        s->page_capacity = capacity;
    }
    if (page == s->page_count) {
        s->pages[page] = calloc(1, sizeof(struct gv_object_page));
        if (!s->pages[page])
            return NULL;
        s->page_count++;
        if (page > 0)
            free_if_dead(s, page - 1);
    }
    s->last_object++;
    s->pages[page]->live++;
    return &s->pages[page]->objects[number % GV_OBJECT_PAGE];
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void add_live_bytes(struct gv_slots *s, uint64_t bytes)
{
    s->live_bytes += bytes;
    s->peak_bytes = larger(s->peak_bytes + (s->early ? bytes : 0), s->live_bytes);
    s->most_live_bytes =
        larger(s->most_live_bytes, s->early ? s->peak_bytes : s->live_bytes);
}

static void add_live(struct gv_slots *s)
{
    s->live++;
    s->peak = (uint32_t)larger(s->peak + (s->early ? 1u : 0u), s->live);
    s->most_live = (uint32_t)larger(s->most_live, s->early ? s->peak : s->live);
}

void gv_slots_open_place(struct gv_slots *s)
{
    s->peak = s->live;
    s->peak_bytes = s->live_bytes;
}

uint32_t gv_slots_create(struct gv_slots *s, const struct gv_live_object *like,
                         bool *new_slot)
{
    enum gv_kind kind = like->kind;
    uint64_t map_size = kind == GV_KIND_MAP ? like->bytes : 0;
    uint32_t *head = free_list(s, kind, map_size);
    if (!head)
        return 0;
    *new_slot = *head == 0 || s->early;
    if (*new_slot && !add_slot(s, kind, map_size))
        return 0;
    struct gv_live_object *object = add_object(s);
    if (!object)
        return 0;
    uint32_t slot = *new_slot ? (uint32_t)s->slot_count - 1 : *head - 1;
    if (!*new_slot)
        *head = s->slots[slot].next_free;
    *object = *like;
    object->slot = slot;
    add_live_bytes(s, kind == GV_KIND_MAP ? 0 : like->bytes);
    add_live(s);
    return s->last_object;
}

void gv_slots_join(struct gv_slots *s, uint32_t number,
                   const struct gv_live_object *like, uint32_t branch)
{
    struct gv_object_page *page = s->pages[number / GV_OBJECT_PAGE];
    struct gv_live_object *object = &page->objects[number % GV_OBJECT_PAGE];
    object->branch = branch;
    if (object->kind != GV_KIND_IMAGE)
        object->trait |= like->trait; // bits
    else if (object->trait != like->trait)
        object->trait = 0;
    if (memcmp(&object->image, &like->image, sizeof like->image) != 0)
        object->image.mips = 0;
    if (like->bytes <= object->bytes)
        return;
    if (object->kind != GV_KIND_MAP)
        add_live_bytes(s, like->bytes - object->bytes);
    object->bytes = like->bytes;
}

bool gv_slots_destroy(struct gv_slots *s, uint32_t number)
{
    size_t at = number / GV_OBJECT_PAGE;
    struct gv_live_object *object = &s->pages[at]->objects[number % GV_OBJECT_PAGE];
    uint32_t slot = object->slot;
    uint32_t *head = free_list(s, object->kind, s->slots[slot].map_size);
    if (!head)
        return false;
    s->slots[slot].next_free = *head;
    *head = slot + 1;
    s->live_bytes -= object->kind == GV_KIND_MAP ? 0 : object->bytes;
    s->live--;
    object->kind = GV_KIND_NONE;
    s->pages[at]->live--;
    free_if_dead(s, at);
    return true;
}
