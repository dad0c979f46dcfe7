// Objects of a snapshot as structs of Vulkan: the model's members have the names of
// Vulkan's, but for case, a leading p, and the rows of agi_names.def.
#ifndef GV_AGI_MODEL_H
#define GV_AGI_MODEL_H

#include "compiler/agi/agi_capture.h"

struct gv_agi_reference;
struct gv_agi_model {
    struct gv_agi_capture *capture;
    struct gv_arena *arena; // of what is made
    struct gv_error *err;
    struct gv_vk_place place;
    struct gv_agi_map references; // by ReferenceID: struct gv_agi_reference
    // Makes the object that a reference stands for, where nothing made it yet.
    bool (*make)(struct gv_agi_model *model, struct gv_agi_reference *reference);
    void *context;  // of make
    uint64_t limit; // bytes of the arena
};

// What a ReferenceID stands for.
struct gv_agi_reference {
    struct gv_agi_mapped_object head;
    struct gv_agi_message value; // an object, or a map with its Keys and Values
    uint64_t id;                 // of the object, once it is made
    bool making;
};

// An entry of a map.
struct gv_agi_entry {
    uint64_t key, number;
    struct gv_agi_message value; // of messages: what a reference stands for
    uint64_t reference;          // its ReferenceID, or 0
};

// Fails with the byte of a message.
bool gv_agi_model_bad(struct gv_agi_model *model, const struct gv_agi_message *at,
                      const char *what);
bool gv_agi_model_no_memory(struct gv_agi_model *model);

// Finds all references of a state. Circles are GV_ERR_FORMAT when they are followed.
bool gv_agi_model_read(struct gv_agi_model *model, const struct gv_agi_message *state);

// The entries of a map in the order of their keys, of the arena.
bool gv_agi_entries(struct gv_agi_model *model, const struct gv_agi_message *object,
                    const char *field, const struct gv_agi_entry **entries,
                    uint64_t *count);
// The object that a field refers to; no type: none.
struct gv_agi_message gv_agi_referred(const struct gv_agi_model *model,
                                      const struct gv_agi_message *object,
                                      const char *field);
// The id of the object that a ReferenceID stands for, which is made if it was not yet;
// 0: it stands for none.
bool gv_agi_reference_id(struct gv_agi_model *model, uint64_t reference, uint64_t *id);
// The id of the object that a field refers to or whose handle it has; 0: none.
bool gv_agi_referred_id(struct gv_agi_model *model, const struct gv_agi_message *object,
                        const char *field, enum gv_vk_type type, uint64_t *id);
// The bytes that a memory.Slice names, as far as they were observed; others are 0.
// None where nothing of it was.
bool gv_agi_slice(struct gv_agi_model *model, const struct gv_agi_message *object,
                  const char *field, struct gv_span *out);

// Fills a struct of Vulkan from an object.
bool gv_agi_fill_struct(struct gv_agi_model *model, enum gv_vk_type type,
                        const struct gv_agi_message *object, void *out);
// The arguments of a function, which makes an object with this id; 0: it makes none.
// NULL is an error.
void *gv_agi_fill_call(struct gv_agi_model *model, enum gv_vk_function function,
                       const struct gv_agi_message *object, uint64_t id);

#endif
