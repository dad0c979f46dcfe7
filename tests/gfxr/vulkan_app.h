// A small Vulkan program: a window of 64x64, a device, frames, pipelines of quads. What
// goes wrong ends the program with a message.
#ifndef GV_VULKAN_APP_H
#define GV_VULKAN_APP_H

#undef VK_NO_PROTOTYPES // the loader's own functions: as programs call them
#define VK_USE_PLATFORM_XLIB_KHR
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

#define APP_SIZE 64u
#define APP_MOST_IMAGES 8u
#define APP_QUAD_VERTICES 4u

struct app {
    Display *display;
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    Window window;
    VkSurfaceKHR surface;
    VkSwapchainKHR swapchain;
    VkFormat format;
    VkImage images[APP_MOST_IMAGES];
    VkImageView views[APP_MOST_IMAGES];
    uint32_t image_count, image; // the image of this frame
    VkCommandPool pool;
    VkCommandBuffer commands; // of this frame
    VkFence fence;
};

void app_open(struct app *app);
void app_close(struct app *app);
// The window in another size: images of it take the place of the old ones.
void app_resize(struct app *app, uint32_t width, uint32_t height);
void app_check(VkResult result, const char *what);

// A frame: the next image, to be drawn into; its commands are recorded. `app_submit`
// runs what is recorded so far, and recording goes on.
void app_begin(struct app *app);
void app_submit(struct app *app);
void app_end(struct app *app); // presents
// An image is presented as it is.
void app_present(struct app *app);
void app_acquire(struct app *app);

// A second command buffer, of a level.
VkCommandBuffer app_commands(struct app *app, VkCommandBufferLevel level);

// The pass of dynamic rendering that clears the frame to a grey.
void app_begin_rendering(struct app *app, float grey);
void app_end_rendering(struct app *app);

struct app_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *data; // mapped
    VkDeviceSize size;
};

// Mapped as long as it lives, at this offset of its memory.
struct app_buffer app_buffer(struct app *app, VkDeviceSize size,
                             VkBufferUsageFlags usage, VkDeviceSize offset);

struct app_image {
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
};
struct app_image app_image(struct app *app, VkFormat format, VkImageUsageFlags usage,
                           VkSampleCountFlagBits samples);
// Without a view.
struct app_image app_image_of(struct app *app, const VkImageCreateInfo *info);
VkShaderModule app_module(struct app *app, const uint32_t *words, size_t size);
// To another layout, for any use, what it held aside where `from` is undefined.
void app_barrier(struct app *app, VkImage image, VkImageLayout from, VkImageLayout to);

// A vertex as scene_quad.vert reads it, and a quad of these: a strip.
struct app_vertex {
    float position[4], colour[4];
};
void app_quad(struct app_vertex to[APP_QUAD_VERTICES], const float box[4] /* x, y */,
              float depth, const float colour[4]);

// A pipeline of scene_quad.vert and one fragment shader. Zeros are what is usual.
struct app_pipeline {
    const uint32_t *fragment;
    size_t fragment_size;
    VkPipelineLayout layout;
    VkRenderPass render_pass; // none: dynamic rendering
    VkSampleCountFlagBits samples;
    uint32_t stride, colour_offset; // of vertices, 0: those of struct app_vertex
    uint32_t colour_binding;
    const VkDynamicState *dynamic;
    uint32_t dynamic_count;
    VkRect2D scissor;         // of none that is dynamic; 0: all
    bool negative_one_to_one; // depths that are not clipped
    const VkSpecializationInfo *specialization;
    VkPrimitiveTopology topology; // 0: strips of triangles
    bool restart;                 // at the largest index
    bool instanced;               // colours of the second binding are instances'
    uint32_t subpass;
    const VkPipelineDepthStencilStateCreateInfo *depth; // of D32_SFLOAT
    bool discard;                                       // all that is drawn
    bool second;                                        // a second colour, of no format
};
VkPipeline app_make_pipeline(struct app *app, const struct app_pipeline *p);
VkPipelineLayout app_layout(struct app *app, const VkDescriptorSetLayout *sets,
                            uint32_t set_count, uint32_t push_bytes);

#endif
