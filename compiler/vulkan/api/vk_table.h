// The types and functions of Vulkan as tables, which follow from vk_api.def: how
// structs lie in memory, which member counts which, and the names of all of it.
#ifndef GV_VK_TABLE_H
#define GV_VK_TABLE_H

#include "compiler/vulkan/api/vk_call.h"

// What a value is in memory.
enum gv_vk_class {
    GV_VK_CLASS_U8,
    GV_VK_CLASS_I8, // a char too
    GV_VK_CLASS_U16,
    GV_VK_CLASS_I16,
    GV_VK_CLASS_U32,
    GV_VK_CLASS_I32,
    GV_VK_CLASS_U64,
    GV_VK_CLASS_I64,
    GV_VK_CLASS_F32,
    GV_VK_CLASS_F64,
    GV_VK_CLASS_BOOL,    // VkBool32
    GV_VK_CLASS_ADDRESS, // of the recording process
    GV_VK_CLASS_HANDLE,
    GV_VK_CLASS_ENUM, // 4 bytes or 8
    GV_VK_CLASS_FLAGS,
    GV_VK_CLASS_STRUCT,
    GV_VK_CLASS_UNION,
    GV_VK_CLASS_REFUSED, // pointers to what this table does not describe
};

// GV_VK_TYPE_VkImage ...
enum gv_vk_type {
#define GV_VK_SCALAR(name, class) GV_VK_TYPE_##name,
#define GV_VK_HANDLE(name) GV_VK_TYPE_##name,
#define GV_VK_ENUM(name, printed) GV_VK_TYPE_##name,
#define GV_VK_FLAGS(name, bits) GV_VK_TYPE_##name,
#define GV_VK_STRUCT(name, type) GV_VK_TYPE_##name,
#define GV_VK_UNION(name) GV_VK_TYPE_##name,
#include "compiler/vulkan/api/vk_api.def"
    GV_VK_TYPE_gv_vk_refused,
    GV_VK_TYPE_COUNT,
    GV_VK_TYPE_void = GV_VK_TYPE_COUNT // of a result
};

// How a member or a parameter holds its type.
enum gv_vk_form {
    GV_VK_FORM_VALUE,
    GV_VK_FORM_INLINE,  // a fixed number of them
    GV_VK_FORM_TEXT,    // char[N]
    GV_VK_FORM_SINGLE,  // a pointer to one
    GV_VK_FORM_ARRAY,   // a pointer to some
    GV_VK_FORM_ARRAYS,  // a pointer to pointers to some each
    GV_VK_FORM_STRING,  // const char *
    GV_VK_FORM_STRINGS, // const char *const *
    GV_VK_FORM_CHAIN,   // pNext
};

// Whether a pointer may be null (vk_call.h).
enum gv_vk_presence { GV_VK_HERE, GV_VK_MAYBE, GV_VK_RETURNED };

// How many elements a pointer has: a rule over other members.
enum gv_vk_rule {
    GV_VK_RULE_NONE,
    GV_VK_RULE_OF,      // a member says it
    GV_VK_RULE_AT,      // a member points to the number
    GV_VK_RULE_THROUGH, // a member points to a struct that has the number
    GV_VK_RULE_QUARTER, // a member says it in bytes, elements have 4
    GV_VK_RULE_PER32,   // one for each 32, begun
    GV_VK_RULE_FIXED,
};

struct gv_vk_length {
    uint8_t rule, size; // of the number, bytes
    uint16_t offset;    // of the member; of GV_VK_RULE_FIXED the number itself
    uint16_t through;   // of the number in the struct pointed to
};

struct gv_vk_field {
    uint32_t name; // gv_vk_name
    uint16_t type; // enum gv_vk_type
    uint16_t offset;
    uint16_t size; // of GV_VK_FORM_INLINE and _TEXT, bytes
    uint8_t form, presence;
    struct gv_vk_length length;
};

#define GV_VK_NO_TYPE UINT32_MAX // a struct without sType

struct gv_vk_type_info {
    uint32_t name;
    uint32_t structure_type; // sType or GV_VK_NO_TYPE
    uint16_t size;           // bytes
    uint8_t class;
    uint16_t bits;         // of flags: the type that names them
    uint32_t first, count; // fields of a struct; values of an enumeration
};

struct gv_vk_value_info {
    uint32_t name;
    int64_t value;
};

struct gv_vk_function_info {
    uint32_t name;
    uint32_t first, count; // fields: its parameters
    uint16_t size;         // of its struct of arguments
    uint16_t result;       // enum gv_vk_type
};

// A function by the number that .gfxr files have for it.
struct gv_vk_id_info {
    uint32_t id;
    uint32_t name;     // of the function called, an alias perhaps
    uint32_t function; // GV_VK_FUNCTION_COUNT: unknown but for its name
};

extern const struct gv_vk_type_info gv_vk_types[GV_VK_TYPE_COUNT];
extern const struct gv_vk_function_info gv_vk_functions[GV_VK_FUNCTION_COUNT];
extern const struct gv_vk_field gv_vk_fields[];
extern const struct gv_vk_value_info gv_vk_values[];

const char *gv_vk_name(uint32_t name);
// NULL: no such id.
const struct gv_vk_id_info *gv_vk_find_id(uint32_t id);
// The same by the name of a function, an alias perhaps.
const struct gv_vk_id_info *gv_vk_find_called(const char *name);
// The struct whose sType this is; GV_VK_TYPE_COUNT: none.
enum gv_vk_type gv_vk_find_struct(uint32_t structure_type);
// The name of an enumerator; NULL: none has this value.
const char *gv_vk_value_name(enum gv_vk_type type, int64_t value);

// How many elements `field` of a struct at `base` is to have. False: a pointer on the
// way to the number is null.
bool gv_vk_length_of(const struct gv_vk_field *field, const void *base,
                     uint64_t *length);

// Which of its three arrays a VkWriteDescriptorSet of a type uses: the member's offset,
// or 0 for none (its contents are in the chain).
size_t gv_vk_written_array(VkDescriptorType type);

// Calls `each` with the sType of every struct in every chain of a call's arguments.
typedef void (*gv_vk_chain_fn)(void *context, uint32_t structure_type);
void gv_vk_each_chained(const struct gv_vk_call *call, gv_vk_chain_fn each,
                        void *context);

// Whether a parameter is the `void *` of template data (struct gv_vk_template_data).
bool gv_vk_is_template_data(enum gv_vk_function function,
                            const struct gv_vk_field *field);

#endif
