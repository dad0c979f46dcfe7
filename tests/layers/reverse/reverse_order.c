// What waits for what, and the order that the driver gets.
#include "tests/layers/reverse/reverse.h"

#include <stdlib.h>
#include <string.h>

#define ALL_CLASSES ((1u << GV_REVERSE_CLASSES) - 1)
#define CHUNK 65536u

// ---- memory ----

struct gv_reverse_chunk {
    struct gv_reverse_chunk *older;
    size_t used, size;
    _Alignas(16) unsigned char bytes[];
};

static void *must(void *memory)
{
    if (!memory)
        gv_reverse_give_up("out of memory");
    return memory;
}

void *gv_reverse_memory(struct gv_reverse_buffer *buffer, size_t size)
{
    struct gv_reverse_chunk *chunk = buffer->chunks;
    size = (size + 15) & ~(size_t)15;
    if (!chunk || size > chunk->size - chunk->used) {
        size_t room = size > CHUNK ? size : CHUNK;
        chunk = must(calloc(1, sizeof *chunk + room));
        chunk->size = room;
        chunk->older = buffer->chunks;
        buffer->chunks = chunk;
    }
    chunk->used += size;
    return chunk->bytes + chunk->used - size;
}

static void free_chunks(struct gv_reverse_buffer *buffer)
{
    while (buffer->chunks) {
        struct gv_reverse_chunk *chunk = buffer->chunks;
        buffer->chunks = chunk->older;
        free(chunk);
    }
}

static void append(struct gv_reverse_nodes *list, struct gv_reverse_node *node)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64;
        list->items =
            must(realloc(list->items, capacity * sizeof(struct gv_reverse_node *)));
        list->capacity = capacity;
    }
    list->items[list->count++] = node;
}

static void forget_order(struct gv_reverse_buffer *buffer)
{
    buffer->held.count = 0;
    for (size_t c = 0; c < GV_REVERSE_CLASSES; c++) {
        buffer->since[c].count = 0;
        buffer->all[c] = buffer->gate[c] = NULL;
    }
}

void gv_reverse_begin(struct gv_reverse_buffer *buffer)
{
    free_chunks(buffer);
    forget_order(buffer);
    memset(buffer->slots, 0, sizeof buffer->slots);
    buffer->commands = buffer->units = 0;
    buffer->pass = NULL;
}

void gv_reverse_finish(struct gv_reverse_buffer *buffer)
{
    free_chunks(buffer);
    free(buffer->held.items);
    for (size_t c = 0; c < GV_REVERSE_CLASSES; c++)
        free(buffer->since[c].items);
}

// ---- nodes ----

static struct gv_reverse_node *make_node(struct gv_reverse_buffer *buffer,
                                         const struct gv_reverse_nodes *before)
{
    struct gv_reverse_node *node = gv_reverse_memory(buffer, sizeof *node);
    if (!before->count)
        return node;
    node->before =
        gv_reverse_memory(buffer, before->count * sizeof(struct gv_reverse_node *));
    memcpy(node->before, before->items,
           before->count * sizeof(struct gv_reverse_node *));
    node->before_count = before->count;
    return node;
}

static int by_number(const void *a, const void *b)
{
    const struct gv_reverse_command *x = *(struct gv_reverse_command *const *)a,
                                    *y = *(struct gv_reverse_command *const *)b;
    return (x->number > y->number) - (x->number < y->number);
}

// The slots that dispatches or draws use; both have their own pipeline and sets.
static bool slot_counts(uint32_t slot, bool draws)
{
    if (slot < GV_REVERSE_SETS)
        return slot == (draws ? 0 : 1);
    if (slot < GV_REVERSE_PUSH)
        return (slot - GV_REVERSE_SETS < 8) == draws;
    return draws || slot < GV_REVERSE_DRAW_STATE;
}

static void keep_state(struct gv_reverse_buffer *buffer, struct gv_reverse_node *unit)
{
    struct gv_reverse_command *state[GV_REVERSE_SLOTS];
    size_t count = 0, distinct = 0;
    if (unit->classes == 1u << GV_REVERSE_TRANSFER)
        return;
    for (uint32_t i = 0; i < GV_REVERSE_SLOTS; i++)
        if (buffer->slots[i] && slot_counts(i, unit->classes & 1u << GV_REVERSE_DRAW))
            state[count++] = buffer->slots[i];
    qsort(state, count, sizeof(struct gv_reverse_command *), by_number);
    for (size_t i = 0; i < count; i++)
        if (!distinct || state[i] != state[distinct - 1])
            state[distinct++] = state[i];
    unit->state =
        gv_reverse_memory(buffer, (distinct + 1) * sizeof(struct gv_reverse_command *));
    memcpy(unit->state, state, distinct * sizeof(struct gv_reverse_command *));
    unit->state_count = distinct;
}

static struct gv_reverse_node *make_unit(struct gv_reverse_buffer *buffer,
                                         struct gv_reverse_command *command,
                                         uint32_t classes)
{
    struct gv_reverse_node *unit = gv_reverse_memory(buffer, sizeof *unit);
    unit->first = unit->last = command;
    unit->classes = classes;
    unit->number = ++buffer->units;
    keep_state(buffer, unit);
    return unit;
}

// Puts a unit whose classes are known behind what it waits for.
static void hold(struct gv_reverse_buffer *buffer, struct gv_reverse_node *unit)
{
    unit->before = gv_reverse_memory(buffer, GV_REVERSE_CLASSES *
                                                 sizeof(struct gv_reverse_node *));
    for (uint32_t c = 0; c < GV_REVERSE_CLASSES; c++) {
        if (!(unit->classes & 1u << c))
            continue;
        if (buffer->gate[c])
            unit->before[unit->before_count++] = buffer->gate[c];
        append(&buffer->since[c], unit);
    }
    append(&buffer->held, unit);
}

// ---- what is recorded ----

static void extend(struct gv_reverse_node *unit, struct gv_reverse_command *command)
{
    unit->last->next = command;
    unit->last = command;
}

void gv_reverse_state(struct gv_reverse_buffer *buffer,
                      struct gv_reverse_command *command, uint32_t first,
                      uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        buffer->slots[first + i] = command;
    // One command may set several slots: it is in the pass once.
    if (buffer->pass && buffer->pass->last != command)
        extend(buffer->pass, command);
}

void gv_reverse_action(struct gv_reverse_buffer *buffer,
                       struct gv_reverse_command *command, uint32_t classes)
{
    if (buffer->pass) {
        buffer->pass->classes |= classes;
        extend(buffer->pass, command);
    } else {
        hold(buffer, make_unit(buffer, command, classes));
    }
}

void gv_reverse_fence(struct gv_reverse_buffer *buffer,
                      struct gv_reverse_command *command)
{
    if (buffer->pass) {
        buffer->pass_fixed = true;
        extend(buffer->pass, command);
        return;
    }
    gv_reverse_flush(buffer);
    command->play(&buffer->device->next, buffer->handle, command);
}

void gv_reverse_pass_begin(struct gv_reverse_buffer *buffer,
                           struct gv_reverse_command *command)
{
    buffer->pass = make_unit(buffer, command, 1u << GV_REVERSE_DRAW);
    buffer->pass_fixed = false;
}

void gv_reverse_pass_end(struct gv_reverse_buffer *buffer,
                         struct gv_reverse_command *command)
{
    struct gv_reverse_node *pass = buffer->pass;
    extend(pass, command);
    buffer->pass = NULL;
    if (buffer->pass_fixed)
        gv_reverse_flush(buffer);
    hold(buffer, pass);
    if (buffer->pass_fixed)
        gv_reverse_flush(buffer);
}

// ---- barriers ----

static uint32_t classes_of(VkPipelineStageFlags2 stages)
{
    static const struct {
        VkPipelineStageFlags2 stages;
        uint32_t class;
    } rows[] = {
        { VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT |
              VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT |
              VK_PIPELINE_STAGE_2_CLEAR_BIT,
          GV_REVERSE_TRANSFER },
        { VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, GV_REVERSE_COMPUTE },
        { VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, GV_REVERSE_INDIRECT },
        { VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT |
              VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT |
              VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT |
              VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT |
              VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT |
              VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT |
              VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT |
              VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT |
              VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT |
              VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT |
              VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT |
              VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT |
              VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT |
              VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
          GV_REVERSE_DRAW },
    };
    uint32_t classes = 0;
    if (stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT)
        return ALL_CLASSES;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (stages & rows[i].stages)
            classes |= 1u << rows[i].class;
    return classes;
}

// One dependency of a barrier, and the transitions that go with it.
struct pair {
    uint32_t to[GV_REVERSE_CLASSES]; // by class: which classes wait for it
    bool whole;                      // nothing was left out
    VkImageMemoryBarrier2 *images;
    uint32_t image_count;
};

// A barrier also orders the logically later stages of its destination, and the earlier
// ones of its source: arguments are read before shaders run.
static uint32_t with_later(uint32_t classes)
{
    if (classes & 1u << GV_REVERSE_INDIRECT)
        classes |= 1u << GV_REVERSE_COMPUTE | 1u << GV_REVERSE_DRAW;
    return classes;
}

static struct pair make_pair(const struct gv_reverse_buffer *buffer,
                             VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst)
{
    const uint32_t work = 1u << GV_REVERSE_COMPUTE | 1u << GV_REVERSE_DRAW;
    bool whole = buffer->device->whole;
    uint32_t from = whole ? ALL_CLASSES : classes_of(src);
    uint32_t to = whole ? ALL_CLASSES : classes_of(dst);
    struct pair pair = { .whole = true };
    for (uint32_t c = 0; c < GV_REVERSE_CLASSES; c++) {
        if (!(from & 1u << c))
            continue;
        uint32_t kept = with_later(to & ~buffer->device->without[c]);
        pair.whole = pair.whole && kept == with_later(to);
        pair.to[c] |= kept;
        if (work & 1u << c)
            pair.to[GV_REVERSE_INDIRECT] |= kept;
    }
    return pair;
}

// Everything of the class so far, as one node.
static void gather_class(struct gv_reverse_buffer *buffer, uint32_t class)
{
    struct gv_reverse_nodes *since = &buffer->since[class];
    if (!since->count)
        return;
    struct gv_reverse_node *older = buffer->all[class];
    struct gv_reverse_node *all = make_node(buffer, since);
    if (older) {
        const struct gv_reverse_nodes both = {
            (struct gv_reverse_node *[]){ older, all }, 2, 2
        };
        all = make_node(buffer, &both);
    }
    buffer->all[class] = all;
    since->count = 0;
}

static void add_class(const struct gv_reverse_buffer *buffer, uint32_t class,
                      struct gv_reverse_nodes *list)
{
    if (buffer->all[class])
        append(list, buffer->all[class]);
    if (buffer->gate[class])
        append(list, buffer->gate[class]);
}

// The transitions of a pair wait for everything that some destination waits for.
static struct gv_reverse_node *hold_images(struct gv_reverse_buffer *buffer,
                                           const struct pair *pair)
{
    struct gv_reverse_nodes before = { 0 };
    if (!pair->image_count)
        return NULL;
    for (uint32_t from = 0; from < GV_REVERSE_CLASSES; from++)
        if (pair->to[from])
            add_class(buffer, from, &before);
    struct gv_reverse_node *node = make_node(buffer, &before);
    node->images = pair->images;
    node->image_count = pair->image_count;
    append(&buffer->held, node);
    free(before.items);
    return node;
}

static void add_pair(struct gv_reverse_buffer *buffer, const struct pair *pair,
                     uint32_t to, struct gv_reverse_nodes gates[GV_REVERSE_CLASSES])
{
    struct gv_reverse_node *images = hold_images(buffer, pair);
    for (uint32_t class = 0; class < GV_REVERSE_CLASSES; class ++) {
        for (uint32_t from = 0; from < GV_REVERSE_CLASSES; from++)
            if (pair->to[from] & 1u << class)
                add_class(buffer, from, &gates[class]);
        if (images && pair->whole && to & 1u << class)
            append(&gates[class], images);
    }
}

// Image barriers of the same stages make one pair.
static void add_images(struct gv_reverse_buffer *buffer, const VkDependencyInfo *info,
                       struct gv_reverse_nodes gates[GV_REVERSE_CLASSES])
{
    const VkImageMemoryBarrier2 *all = info->pImageMemoryBarriers;
    uint32_t count = info->imageMemoryBarrierCount;
    bool *taken = gv_reverse_memory(buffer, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        if (taken[i])
            continue;
        struct pair pair = make_pair(buffer, all[i].srcStageMask, all[i].dstStageMask);
        pair.images = gv_reverse_memory(buffer, (count - i) * sizeof *pair.images);
        for (uint32_t j = i; j < count; j++)
            if (!taken[j] && all[j].srcStageMask == all[i].srcStageMask &&
                all[j].dstStageMask == all[i].dstStageMask) {
                taken[j] = true;
                pair.images[pair.image_count++] = all[j];
            }
        add_pair(buffer, &pair, with_later(classes_of(all[i].dstStageMask)), gates);
    }
}

void gv_reverse_barrier(struct gv_reverse_buffer *buffer, const VkDependencyInfo *info)
{
    struct gv_reverse_nodes gates[GV_REVERSE_CLASSES] = { 0 };
    if (buffer->pass || info->pNext)
        gv_reverse_give_up("a barrier inside a pass, or with an extension");
    buffer->device->barriers++;
    for (uint32_t c = 0; c < GV_REVERSE_CLASSES; c++) {
        gather_class(buffer, c);
        if (buffer->gate[c])
            append(&gates[c], buffer->gate[c]);
    }
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
        const VkMemoryBarrier2 *b = &info->pMemoryBarriers[i];
        const struct pair pair = make_pair(buffer, b->srcStageMask, b->dstStageMask);
        add_pair(buffer, &pair, 0, gates);
    }
    for (uint32_t i = 0; i < info->bufferMemoryBarrierCount; i++) {
        const VkBufferMemoryBarrier2 *b = &info->pBufferMemoryBarriers[i];
        const struct pair pair = make_pair(buffer, b->srcStageMask, b->dstStageMask);
        add_pair(buffer, &pair, 0, gates);
    }
    add_images(buffer, info, gates);
    for (uint32_t c = 0; c < GV_REVERSE_CLASSES; c++) {
        if (gates[c].count)
            buffer->gate[c] = make_node(buffer, &gates[c]);
        free(gates[c].items);
    }
}

// ---- what the driver gets ----

// Everything so far before everything from here, with some transitions.
static void record_barrier(struct gv_reverse_buffer *buffer,
                           const VkImageMemoryBarrier2 *images, uint32_t count)
{
    const VkMemoryBarrier2 everything = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .srcAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
        .dstStageMask =
            VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT,
        .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT |
                         VK_ACCESS_2_HOST_READ_BIT,
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &everything,
        .imageMemoryBarrierCount = count,
        .pImageMemoryBarriers = images,
    };
    buffer->device->next.CmdPipelineBarrier2(buffer->handle, &info);
}

static void record_transition(struct gv_reverse_buffer *buffer,
                              const VkImageMemoryBarrier2 *barrier)
{
    const VkPipelineStageFlags2 all = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    const VkAccessFlags2 any =
        VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    VkImageMemoryBarrier2 step = *barrier;
    step.srcStageMask = step.dstStageMask = all;
    step.srcAccessMask = step.dstAccessMask = any;
    if (gv_reverse_can_noise(buffer->device, barrier)) {
        step.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
        record_barrier(buffer, &step, 1);
        gv_reverse_noise(buffer, barrier);
        step.oldLayout = step.newLayout;
        step.newLayout = barrier->newLayout;
    }
    record_barrier(buffer, &step, 1);
}

static void record_unit(struct gv_reverse_buffer *buffer,
                        const struct gv_reverse_node *unit)
{
    const struct gv_reverse_next *next = &buffer->device->next;
    for (size_t i = 0; i < unit->state_count; i++)
        unit->state[i]->play(next, buffer->handle, unit->state[i]);
    for (const struct gv_reverse_command *c = unit->first; c; c = c->next)
        c->play(next, buffer->handle, c);
}

static void record_node(struct gv_reverse_buffer *buffer, struct gv_reverse_node *node,
                        uint64_t *latest)
{
    if (node->number) {
        buffer->device->units++;
        buffer->device->moved += node->number < *latest;
        if (node->number > *latest)
            *latest = node->number;
        record_unit(buffer, node);
    }
    for (uint32_t i = 0; i < node->image_count; i++)
        record_transition(buffer, &node->images[i]);
    if (node->number)
        record_barrier(buffer, NULL, 0);
}

// Records a node behind everything before it, the latest of that first: what was
// recorded early is put off as long as nothing needs it.
static void record_tree(struct gv_reverse_buffer *buffer, struct gv_reverse_node *root,
                        struct gv_reverse_nodes *stack, uint64_t *latest)
{
    append(stack, root);
    while (stack->count) {
        struct gv_reverse_node *node = stack->items[stack->count - 1];
        if (!node->seen) {
            node->seen = true;
            for (size_t i = 0; i < node->before_count; i++)
                if (!node->before[i]->seen)
                    append(stack, node->before[i]);
            continue;
        }
        stack->count--;
        if (!node->done) {
            node->done = true;
            record_node(buffer, node, latest);
        }
    }
}

void gv_reverse_flush(struct gv_reverse_buffer *buffer)
{
    struct gv_reverse_nodes stack = { 0 };
    uint64_t latest = 0;
    for (size_t i = buffer->held.count; i-- > 0;)
        record_tree(buffer, buffer->held.items[i], &stack, &latest);
    free(stack.items);
    forget_order(buffer);
}
