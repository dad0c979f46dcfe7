// Live objects of the payload under construction, and the slots that hold their
// handles.
//
// Objects are numbered for ever, slots are few: a slot is recycled when its object is
// destroyed, for another object of its kind (of its size too, for MAP slots), since a
// slot keeps its kind for the whole payload.
#ifndef GV_SLOTS_H
#define GV_SLOTS_H

#include "vm/calls.h"
#include "vm/rules/image_rules.h"

struct gv_live_object {
    uint32_t slot;
    uint8_t kind;   // enum gv_kind; GV_KIND_NONE once destroyed
    uint8_t call;   // enum gv_call that made it
    uint32_t trait; // BUFFER: its usage; IMAGE: its format; SHADER: GV_POINTS_*
    uint64_t bytes; // of a MAP: its size; of others: estimate of device memory
    struct gv_image_shape image; // of an IMAGE; of no mips: not known
    uint32_t branch; // it exists in this branch alone (builder.h); 0: everywhere
};

#define GV_OBJECT_PAGE 512u

struct gv_object_page {
    uint32_t live; // objects in it that are not destroyed
    struct gv_live_object objects[GV_OBJECT_PAGE];
};

struct gv_slot {
    uint32_t next_free; // slot number plus one
    uint8_t kind;
    uint64_t map_size;
};

// Zero-initialise before use.
struct gv_slots {
    // Number n is at pages[n / GV_OBJECT_PAGE]; pages without live objects are freed.
    struct gv_object_page **pages;
    size_t page_count, page_capacity;
    uint32_t last_object; // number given last
    uint32_t live, most_live;
    uint64_t live_bytes, most_live_bytes;
    // Of the last place that calls can be put at later: the most there were since, with
    // all that was made there; whether objects are made there now, in slots that
    // nothing had before.
    bool early;
    uint32_t peak;
    uint64_t peak_bytes;
    struct gv_slot *slots;
    size_t slot_count, slot_capacity;
    uint32_t free_by_kind[GV_KIND_COUNT]; // slot plus one, or 0
    // MAP slots by size: a small open-addressing table of list heads.
    struct gv_free_maps {
        uint64_t size; // 0 = unused
        uint32_t head; // slot plus one, or 0
    } * free_maps;
    size_t free_map_count, free_map_size;
};

void gv_slots_finish(struct gv_slots *s);

// A new object like `like`, whose `slot` is ignored; 0 when memory or numbers run out.
// `new_slot` tells that its slot was never used before.
uint32_t gv_slots_create(struct gv_slots *s, const struct gv_live_object *like,
                         bool *new_slot);

// The live object of that number, or NULL. Valid until the next create or destroy.
static inline const struct gv_live_object *gv_slots_find(const struct gv_slots *s,
                                                         uint64_t object)
{
    if (object / GV_OBJECT_PAGE >= s->page_count)
        return NULL;
    const struct gv_object_page *page = s->pages[object / GV_OBJECT_PAGE];
    if (!page || !page->objects[object % GV_OBJECT_PAGE].kind)
        return NULL;
    return &page->objects[object % GV_OBJECT_PAGE];
}

// A live object is, in another branch, one like `like`: from now on it stands for both,
// in `branch`. What the two have in common stays known of it.
void gv_slots_join(struct gv_slots *s, uint32_t object,
                   const struct gv_live_object *like, uint32_t branch);

// A place opens where objects can be made later as if they were made now.
void gv_slots_open_place(struct gv_slots *s);

// Ends a live object. False: out of memory.
bool gv_slots_destroy(struct gv_slots *s, uint32_t object);

#endif
