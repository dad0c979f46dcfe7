// Render passes of several views, and attachments that a later subpass reads.
#include "tests/gfxr/vulkan_scene.h"

#include "tests/gfxr/scene_input_frag.spv.h"
#include "tests/gfxr/scene_samples_frag.spv.h"
#include "tests/gfxr/scene_view_frag.spv.h"

#define VIEWS 3u

static const VkAttachmentReference first = { 0, VK_IMAGE_LAYOUT_GENERAL };
static const VkAttachmentReference second = { 1, VK_IMAGE_LAYOUT_GENERAL };

static VkAttachmentDescription attachment(const struct app *app,
                                          VkSampleCountFlagBits samples)
{
    return (VkAttachmentDescription){
        .format = app->format,
        .samples = samples,
        .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
        .finalLayout = VK_IMAGE_LAYOUT_GENERAL,
    };
}

static VkSubpassDependency follows(uint32_t from, uint32_t to)
{
    return (VkSubpassDependency){
        .srcSubpass = from,
        .dstSubpass = to,
        .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT |
                        VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
        .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT |
                         VK_ACCESS_COLOR_ATTACHMENT_READ_BIT |
                         VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
        .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT,
    };
}

static VkRenderPass make_pass(struct app *app, const VkRenderPassCreateInfo *info)
{
    VkRenderPass pass;
    app_check(vkCreateRenderPass(app->device, info, NULL, &pass), "vkCreateRenderPass");
    return pass;
}

static VkFramebuffer make_framebuffer(struct app *app, VkRenderPass pass,
                                      const VkImageView *views, uint32_t count)
{
    const VkFramebufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
        .renderPass = pass,
        .attachmentCount = count,
        .pAttachments = views,
        .width = APP_SIZE,
        .height = APP_SIZE,
        .layers = 1,
    };
    VkFramebuffer made;
    app_check(vkCreateFramebuffer(app->device, &info, NULL, &made),
              "vkCreateFramebuffer");
    return made;
}

static void begin(struct app *app, VkRenderPass pass, VkFramebuffer to, float grey)
{
    const VkClearValue clears[2] = {
        { .color = { .float32 = { grey, 0.1f, grey, 1 } } },
        { .color = { .float32 = { grey, grey, grey, 1 } } },
    };
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
        .framebuffer = to,
        .renderArea = { .extent = { APP_SIZE, APP_SIZE } },
        .clearValueCount = 2,
        .pClearValues = clears,
    };
    vkCmdBeginRenderPass(app->commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

// ---- views ----

// Two subpasses, which not all views share.
static VkRenderPass views_pass(struct app *app)
{
    const VkAttachmentDescription one = attachment(app, VK_SAMPLE_COUNT_1_BIT);
    const uint32_t masks[2] = { 5, 6 };
    const VkRenderPassMultiviewCreateInfo views = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO,
        .subpassCount = 2,
        .pViewMasks = masks,
    };
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &first,
    };
    const VkSubpassDescription both[2] = { subpass, subpass };
    VkSubpassDependency dependency = follows(0, 1);
    dependency.dependencyFlags |= VK_DEPENDENCY_VIEW_LOCAL_BIT;
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .pNext = &views,
        .attachmentCount = 1,
        .pAttachments = &one,
        .subpassCount = 2,
        .pSubpasses = both,
        .dependencyCount = 1,
        .pDependencies = &dependency,
    };
    return make_pass(app, &info);
}

static struct app_image layered_image(struct app *app)
{
    const VkImageCreateInfo layers = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = app->format,
        .extent = { APP_SIZE, APP_SIZE, 1 },
        .mipLevels = 1,
        .arrayLayers = VIEWS,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
    };
    struct app_image image = app_image_of(app, &layers);
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image.image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
        .format = app->format,
        .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, VIEWS },
    };
    app_check(vkCreateImageView(app->device, &info, NULL, &image.view),
              "vkCreateImageView");
    return image;
}

// Each layer's middle becomes a stripe of the frame.
static void show_layers(struct app *app, VkImage image)
{
    for (uint32_t i = 0; i < VIEWS; i++) {
        const VkImageCopy stripe = {
            .srcSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, i, 1 },
            .srcOffset = { 0, 20, 0 },
            .dstSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
            .dstOffset = { 0, 21 * (int32_t)i, 0 },
            .extent = { APP_SIZE, 21, 1 },
        };
        vkCmdCopyImage(app->commands, image, VK_IMAGE_LAYOUT_GENERAL,
                       app->images[app->image], VK_IMAGE_LAYOUT_GENERAL, 1, &stripe);
    }
}

// Of three layers, one view or two are drawn in each subpass; the state that a view's
// draws begin with is that of the pass, not that of the view before.
void scene_views(struct scene *s)
{
    const struct app_image image = layered_image(s->app);
    struct app_pipeline p = scene_plain(s);
    p.render_pass = views_pass(s->app);
    VkPipeline plain = app_make_pipeline(s->app, &p);
    p.fragment = scene_view_frag;
    p.fragment_size = sizeof scene_view_frag;
    VkPipeline viewed = app_make_pipeline(s->app, &p);
    p.subpass = 1;
    VkPipeline later = app_make_pipeline(s->app, &p);
    VkFramebuffer to = make_framebuffer(s->app, p.render_pass, &image.view, 1);
    app_quad(scene_quad_at(s, 1), scene_left, 0, scene_blue);
    app_quad(scene_quad_at(s, 2), scene_right, 0, scene_red);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_quad(scene_quad_at(s, 0), scene_whole, 0, i & 1 ? scene_green : scene_blue);
        app_begin(s->app);
        app_barrier(s->app, image.image, VK_IMAGE_LAYOUT_UNDEFINED,
                    VK_IMAGE_LAYOUT_GENERAL);
        scene_bind(s, viewed, 0);
        begin(s->app, p.render_pass, to, scene_grey(i));
        vkCmdDraw(s->app->commands, APP_QUAD_VERTICES, 1, 0, 0);
        scene_draw(s, plain, 1);
        vkCmdNextSubpass(s->app->commands, VK_SUBPASS_CONTENTS_INLINE);
        scene_draw(s, later, 2);
        vkCmdEndRenderPass(s->app->commands);
        app_barrier(s->app, image.image, VK_IMAGE_LAYOUT_GENERAL,
                    VK_IMAGE_LAYOUT_GENERAL);
        show_layers(s->app, image.image);
        app_end(s->app);
    }
}

// ---- input attachments ----

struct inputs {
    VkSampleCountFlagBits samples;
    const uint32_t *fragment;
    size_t fragment_size;
    struct app_image image;
    VkDescriptorSetLayout set_layout;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkRenderPass pass;
};

// The second subpass reads what the first one wrote.
static VkRenderPass inputs_pass(struct app *app, VkSampleCountFlagBits samples)
{
    const VkAttachmentDescription both[2] = { attachment(app, samples),
                                              attachment(app, VK_SAMPLE_COUNT_1_BIT) };
    const VkSubpassDescription subpasses[2] = {
        { .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
          .colorAttachmentCount = 1,
          .pColorAttachments = &first },
        { .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
          .inputAttachmentCount = 1,
          .pInputAttachments = &first,
          .colorAttachmentCount = 1,
          .pColorAttachments = &second },
    };
    const VkSubpassDependency dependency = follows(0, 1);
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 2,
        .pAttachments = both,
        .subpassCount = 2,
        .pSubpasses = subpasses,
        .dependencyCount = 1,
        .pDependencies = &dependency,
    };
    return make_pass(app, &info);
}

static void make_set(struct app *app, struct inputs *in)
{
    const VkDescriptorSetLayoutBinding only = {
        .binding = 3,
        .descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
        .descriptorCount = 1,
        .stageFlags = VK_SHADER_STAGE_FRAGMENT_BIT,
    };
    const VkDescriptorSetLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 1,
        .pBindings = &only,
    };
    const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1 };
    const VkDescriptorPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = 1,
        .poolSizeCount = 1,
        .pPoolSizes = &size,
    };
    VkDescriptorPool pool;
    app_check(vkCreateDescriptorSetLayout(app->device, &layout, NULL, &in->set_layout),
              "vkCreateDescriptorSetLayout");
    app_check(vkCreateDescriptorPool(app->device, &pool_info, NULL, &pool),
              "vkCreateDescriptorPool");
    const VkDescriptorSetAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = pool,
        .descriptorSetCount = 1,
        .pSetLayouts = &in->set_layout,
    };
    app_check(vkAllocateDescriptorSets(app->device, &allocate, &in->set),
              "vkAllocateDescriptorSets");
    const VkDescriptorImageInfo image = { .imageView = in->image.view,
                                          .imageLayout = VK_IMAGE_LAYOUT_GENERAL };
    const VkWriteDescriptorSet write = {
        .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
        .dstSet = in->set,
        .dstBinding = 3,
        .descriptorCount = 1,
        .descriptorType = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT,
        .pImageInfo = &image,
    };
    vkUpdateDescriptorSets(app->device, 1, &write, 0, NULL);
}

static void show_inputs(struct scene *s, struct inputs *in)
{
    static const float slanted[4] = { -0.83f, -0.71f, 0.77f, 0.69f };
    in->image = app_image(s->app, s->app->format,
                          VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                              VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
                          in->samples);
    in->pass = inputs_pass(s->app, in->samples);
    make_set(s->app, in);
    struct app_pipeline p = scene_plain(s);
    p.render_pass = in->pass;
    p.samples = in->samples;
    VkPipeline writes = app_make_pipeline(s->app, &p);
    p.layout = app_layout(s->app, &in->set_layout, 1, 0);
    p.fragment = in->fragment;
    p.fragment_size = in->fragment_size;
    p.samples = VK_SAMPLE_COUNT_1_BIT;
    p.subpass = 1;
    VkPipeline reads = app_make_pipeline(s->app, &p);
    app_quad(scene_quad_at(s, 0), slanted, 0, scene_red);
    scene_quad_at(s, 0)[1].position[1] = 0.35f; // edges that pixels lie on
    app_quad(scene_quad_at(s, 1), scene_right, 0, scene_blue);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_begin(s->app);
        const VkImageView both[2] = { in->image.view, s->app->views[s->app->image] };
        begin(s->app, in->pass, make_framebuffer(s->app, in->pass, both, 2),
              scene_grey(i));
        scene_draw(s, writes, 0);
        vkCmdNextSubpass(s->app->commands, VK_SUBPASS_CONTENTS_INLINE);
        vkCmdBindDescriptorSets(s->app->commands, VK_PIPELINE_BIND_POINT_GRAPHICS,
                                p.layout, 0, 1, &in->set, 0, NULL);
        scene_draw(s, reads, 1);
        vkCmdEndRenderPass(s->app->commands);
        app_end(s->app);
    }
}

void scene_inputs(struct scene *s)
{
    struct inputs in = { .samples = VK_SAMPLE_COUNT_1_BIT,
                         .fragment = scene_input_frag,
                         .fragment_size = sizeof scene_input_frag };
    show_inputs(s, &in);
}

void scene_samples(struct scene *s)
{
    struct inputs in = { .samples = VK_SAMPLE_COUNT_4_BIT,
                         .fragment = scene_samples_frag,
                         .fragment_size = sizeof scene_samples_frag };
    show_inputs(s, &in);
}
