// Pictures on their way to files: made into their format by threads beside the replay,
// written one after the other in the order they came.
#ifndef GV_PICTURE_QUEUE_H
#define GV_PICTURE_QUEUE_H

#include "runtime/runtime.h"
#include "tools/picture/picture_file.h"

struct gv_picture_queue;

// Rows waiting, in bytes, before a caller is made to wait. A larger picture has the
// queue to itself, and its caller waits for it.
#define GV_PICTURE_QUEUE_BYTES (32 << 20)

// Starts nothing yet. NULL: GV_ERR_MEMORY. Use a queue from one thread.
struct gv_picture_queue *gv_picture_queue_create(enum gv_picture_format format,
                                                 struct gv_error *err);
// Drops what has not been written. NULL is fine.
void gv_picture_queue_destroy(struct gv_picture_queue *q);

// Queues a picture for `path`, and takes its rows over (`rgba` is then NULL), also on
// failure. `frame` says where the run was, should this picture fail. Waits for room.
// False: this or an earlier picture failed, as gv_picture_queue_ok tells.
bool gv_picture_queue_put(struct gv_picture_queue *q, const char *path,
                          struct gv_picture *picture, uint32_t frame,
                          struct gv_error *err);

// Whether no picture has failed so far. Otherwise the first that did, in their order,
// overwrites `err` (GV_ERR_OUTPUT, GV_ERR_MEMORY) and `frame`: it came before whatever
// `err` held. Nothing after it is written. Both may be NULL.
bool gv_picture_queue_ok(struct gv_picture_queue *q, uint32_t *frame,
                         struct gv_error *err);

// How many pictures are files now: the first of those that were put.
uint64_t gv_picture_queue_written(struct gv_picture_queue *q);

// Waits until all is written, or one has failed.
void gv_picture_queue_drain(struct gv_picture_queue *q);

#endif
