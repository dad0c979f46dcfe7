// Making and freeing buffers.
#ifndef GV_VK_BUFFER_CREATE_H
#define GV_VK_BUFFER_CREATE_H

struct gv_runtime;

// Frees buffer, views and memory now; the device must be done with them.
void gv_vk_buffer_free(struct gv_runtime *rt, void *buffer);

#endif
