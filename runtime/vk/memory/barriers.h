// Hazards and layouts. Every operation says what it is about to read and write; what is
// needed in between goes into one vkCmdPipelineBarrier2 before it.
//
// Between operations every image rests in its `rest_layout`; transfers and attachments
// take subresources away from it. The next piece of work (pass or dispatch) brings back
// what transfers had, and what was an attachment once work has used the image
// otherwise; other attachments stay parked in their layout until work names them.
// Writes wait likewise for the next piece of work, which sees all of them.
//
// A transfer:  read_*/write_* for each object, gv_vk_barriers_emit, the command.
// A pass:      attachment for each attachment, gv_vk_barriers_work, begin rendering ...
//              end rendering, then wrote_* for each storage object shaders may have
//              written.
// A dispatch:  gv_vk_uses_before, gv_vk_barriers_work (or _dispatch with ranges),
//              gv_vk_uses_note (uses.h), the command, wrote_*.
// A draw:      both of uses.h; the pass is interrupted if `urgent` is set then.
#ifndef GV_VK_BARRIERS_H
#define GV_VK_BARRIERS_H

#include "resources/base/error.h"
#include "runtime/vk/link.h"
#include "runtime/vk/memory/buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <volk.h>

struct gv_runtime;
struct gv_vk_commands;
struct gv_vk_image;

// A strided range of bytes that a dispatch touches. row_bytes 0: the whole object.
struct gv_vk_range {
    struct gv_vk_buffer *buffer; // one of both is NULL
    struct gv_vk_image *image;
    uint64_t offset, row_bytes, stride; // in the buffer
    uint32_t rows;
    bool write;
    bool overwrite; // each byte, whatever it held; then `write` too
};

#define GV_VK_MAX_BATCH 64            // image barriers in one command
#define GV_VK_MAX_TRACKED_RANGES 1024 // of dispatches since the last barrier

struct gv_vk_barriers {
    // The batch being gathered.
    uint32_t batch;
    VkMemoryBarrier2 global;
    VkImageMemoryBarrier2 images[GV_VK_MAX_BATCH];
    uint32_t image_count;
    // Writes not yet seen by work: where from, where to.
    VkPipelineStageFlags2 pending_stages, wanted_stages;
    VkAccessFlags2 pending_access, wanted_access;
    uint64_t round;      // counts the times when all work was made to see all writes
    uint64_t work_count; // passes and dispatches begun
    // Stages in which work since the last round used objects that work also writes:
    // the next writer must wait for them. `drain`: for all work, since such a use was
    // not noted when it happened. `careful`: always (conditions, transform feedback).
    VkPipelineStageFlags2 readers;
    bool drain, careful;
    bool urgent;          // work that has begun needs another round first
    bool worked;          // passes or dispatches without ranges since the last round
    bool ranged;          // dispatches with ranges since the last round
    struct gv_link *away; // images with subresources out of their rest layout
    struct gv_link *undefined_images, *undefined_buffers;
    struct gv_vk_range ranges[GV_VK_MAX_TRACKED_RANGES];
    uint32_t range_count;
    uint64_t emitted; // barriers, for statistics
};

// Queue what the next transfer does. Ranges of buffers let disjoint writes go
// unordered; `copy` is for a command that reads and writes buffers, perhaps the same.
// `layout`: TRANSFER_SRC/DST_OPTIMAL, or GENERAL to do both to one image. `whole`:
// everything in the range is overwritten, without gaps, so that old contents may be
// lost and a new object needs no zeros there.
bool gv_vk_barriers_read_buffer(struct gv_vk_commands *commands,
                                struct gv_vk_barriers *b, struct gv_vk_bytes bytes,
                                struct gv_error *err);
bool gv_vk_barriers_write_buffer(struct gv_vk_commands *commands,
                                 struct gv_vk_barriers *b, struct gv_vk_bytes bytes,
                                 bool whole, struct gv_error *err);
bool gv_vk_barriers_copy_buffer(struct gv_runtime *rt, struct gv_vk_bytes dst,
                                struct gv_vk_bytes src, bool whole,
                                struct gv_error *err);
bool gv_vk_barriers_read_image(struct gv_runtime *rt, struct gv_vk_image *image,
                               const VkImageSubresourceRange *range,
                               VkImageLayout layout, struct gv_error *err);
bool gv_vk_barriers_write_image(struct gv_runtime *rt, struct gv_vk_image *image,
                                const VkImageSubresourceRange *range,
                                VkImageLayout layout, bool whole, struct gv_error *err);

// Queue what the next pass does to an attachment: stages and accesses from `layout`
// (COLOR_ATTACHMENT_OPTIMAL or DEPTH_STENCIL_ATTACHMENT_OPTIMAL). The subresources stay
// in that layout until other work comes. For 3D images the range's layer is 0. `whole`:
// the pass overwrites all of the range, so that old contents are lost.
bool gv_vk_barriers_attachment(struct gv_runtime *rt, struct gv_vk_image *image,
                               const VkImageSubresourceRange *range,
                               VkImageLayout layout, bool whole, struct gv_error *err);

// Before a pass or a dispatch: zero clears that are still owed, images back to rest,
// all earlier writes made visible; emits the batch. Call it outside rendering.
bool gv_vk_barriers_work(struct gv_runtime *rt, struct gv_error *err);

// The same before a dispatch whose ranges are known: waits for earlier ranged
// dispatches only where ranges overlap and one of both writes. The dispatch needs no
// wrote_* call for what `ranges` name; objects are marked here. Ranges lie inside their
// buffers.
bool gv_vk_barriers_dispatch(struct gv_runtime *rt, const struct gv_vk_range *ranges,
                             size_t count, struct gv_error *err);

// After such a dispatch: an object of its ranges that its shaders may have written, be
// they said to or not. All but dispatches with ranges wait for it.
void gv_vk_barriers_ranged_write(struct gv_vk_barriers *barriers,
                                 struct gv_vk_buffer *buffer,
                                 struct gv_vk_image *image);

// Whether two ranges of one object share bytes. Exact for rectangles of one stride that
// do not wrap around their rows; where strides differ, the whole spans count.
bool gv_vk_ranges_overlap(const struct gv_vk_range *a, const struct gv_vk_range *b);

// After a pass or dispatch: shaders (or transform feedback, query copies ...) may have
// written this.
void gv_vk_barriers_wrote_buffer(struct gv_vk_barriers *barriers,
                                 struct gv_vk_buffer *buffer,
                                 VkPipelineStageFlags2 stages, VkAccessFlags2 access);
void gv_vk_barriers_wrote_image(struct gv_vk_barriers *barriers,
                                struct gv_vk_image *image, VkPipelineStageFlags2 stages,
                                VkAccessFlags2 access);

// Emits the gathered batch, if there is any.
bool gv_vk_barriers_emit(struct gv_vk_commands *commands, struct gv_vk_barriers *b,
                         struct gv_error *err);

// An object is about to die: takes it off every list.
void gv_vk_barriers_forget_image(struct gv_vk_barriers *barriers,
                                 struct gv_vk_image *image);
void gv_vk_barriers_forget_buffer(struct gv_vk_barriers *barriers,
                                  struct gv_vk_buffer *buffer);
// Every object has died, and nothing is queued any more.
void gv_vk_barriers_forget_all(struct gv_vk_barriers *barriers);

#endif
