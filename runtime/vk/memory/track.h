// What hazard tracking keeps in each buffer and each subresource of an image.
#ifndef GV_VK_TRACK_H
#define GV_VK_TRACK_H

#include "resources/hash.h"

#include <stdbool.h>
#include <stdint.h>
#include <volk.h>

#define GV_VK_ALWAYS_USED UINT64_MAX // uses of the object are not noted

// What has been done to a buffer, or to a subresource of an image, that later work has
// not been ordered after.
struct gv_vk_track {
    VkPipelineStageFlags2 write_stages;
    VkAccessFlags2 write_access;
    VkPipelineStageFlags2 visible_stages; // where the writes can be seen already
    VkPipelineStageFlags2 read_stages; // of transfers; draws are counted in work_seen
    uint64_t round;     // entries of an earlier round (see below) no longer count
    uint64_t work_seen; // value of work_count that transfers here have waited for
    uint64_t hull_begin, hull_end; // buffers: bytes written by transfers this round
};

struct gv_vk_sub {
    struct gv_vk_track track;
    VkImageLayout layout;
    uint32_t batch; // the batch in which it last became an attachment
    bool defined;   // holds zeros or data; else its zero clear is still to be recorded
    bool known;     // holds an upload and nothing else (kept_images.h), which has
    struct gv_hash content;
};

#endif
