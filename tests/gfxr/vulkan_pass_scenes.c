// Passes and command buffers, a rule each.
#include "tests/gfxr/vulkan_scene.h"

static VkRenderPass render_pass(struct app *app, VkSampleCountFlagBits samples)
{
    const bool resolves = samples != VK_SAMPLE_COUNT_1_BIT;
    const VkAttachmentDescription attachments[2] = {
        { 0, app->format, samples, VK_ATTACHMENT_LOAD_OP_CLEAR,
          resolves ? VK_ATTACHMENT_STORE_OP_DONT_CARE : VK_ATTACHMENT_STORE_OP_STORE,
          VK_ATTACHMENT_LOAD_OP_DONT_CARE, VK_ATTACHMENT_STORE_OP_DONT_CARE,
          VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL },
        { 0, app->format, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_DONT_CARE,
          VK_ATTACHMENT_STORE_OP_STORE, VK_ATTACHMENT_LOAD_OP_DONT_CARE,
          VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_IMAGE_LAYOUT_UNDEFINED,
          VK_IMAGE_LAYOUT_GENERAL },
    };
    const VkAttachmentReference colour = { 0, VK_IMAGE_LAYOUT_GENERAL };
    const VkAttachmentReference resolved = { 1, VK_IMAGE_LAYOUT_GENERAL };
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &colour,
        .pResolveAttachments = resolves ? &resolved : NULL,
    };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = resolves ? 2 : 1,
        .pAttachments = attachments,
        .subpassCount = 1,
        .pSubpasses = &subpass,
    };
    VkRenderPass pass;
    app_check(vkCreateRenderPass(app->device, &info, NULL, &pass),
              "vkCreateRenderPass");
    return pass;
}

// A frame and depths, in two subpasses.
static VkRenderPass two_subpasses(struct app *app)
{
    const VkAttachmentDescription attachments[2] = {
        { 0, app->format, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR,
          VK_ATTACHMENT_STORE_OP_STORE, VK_ATTACHMENT_LOAD_OP_DONT_CARE,
          VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_IMAGE_LAYOUT_UNDEFINED,
          VK_IMAGE_LAYOUT_GENERAL },
        { 0, VK_FORMAT_D32_SFLOAT, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR,
          VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_ATTACHMENT_LOAD_OP_DONT_CARE,
          VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_IMAGE_LAYOUT_UNDEFINED,
          VK_IMAGE_LAYOUT_GENERAL },
    };
    const VkAttachmentReference colour = { 0, VK_IMAGE_LAYOUT_GENERAL };
    const VkAttachmentReference depth = { 1, VK_IMAGE_LAYOUT_GENERAL };
    const VkSubpassDescription subpass = {
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
        .colorAttachmentCount = 1,
        .pColorAttachments = &colour,
        .pDepthStencilAttachment = &depth,
    };
    const VkSubpassDescription both[2] = { subpass, subpass };
    const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT;
    const VkAccessFlags access = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT |
                                 VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
    const VkSubpassDependency dependency = { 0, 1, stages, stages, access, access, 0 };
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
        .attachmentCount = 2,
        .pAttachments = attachments,
        .subpassCount = 2,
        .pSubpasses = both,
        .dependencyCount = 1,
        .pDependencies = &dependency,
    };
    VkRenderPass pass;
    app_check(vkCreateRenderPass(app->device, &info, NULL, &pass),
              "vkCreateRenderPass");
    return pass;
}

static VkFramebuffer framebuffer(struct app *app, VkRenderPass pass,
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

static void begin_pass(struct app *app, VkRenderPass pass, VkFramebuffer to, float grey,
                       VkSubpassContents contents)
{
    const VkClearValue clears[2] = {
        { .color = { .float32 = { grey, grey, grey, 1 } } },
        { .depthStencil = { 1, 0 } },
    };
    const VkRenderPassBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
        .framebuffer = to,
        .renderArea = { .extent = { APP_SIZE, APP_SIZE } },
        .clearValueCount = 2,
        .pClearValues = clears,
    };
    vkCmdBeginRenderPass(app->commands, &info, contents);
}

// Four samples are resolved at the end of their subpass. A pipeline that discards all
// does not say how many there are.
void scene_resolves(struct scene *s)
{
    static const float slanted[4] = { -0.83f, -0.71f, 0.77f, 0.69f };
    struct app_pipeline p = scene_plain(s);
    p.samples = VK_SAMPLE_COUNT_4_BIT;
    p.render_pass = render_pass(s->app, p.samples);
    VkPipeline pipeline = app_make_pipeline(s->app, &p);
    p.discard = true;
    VkPipeline nothing = app_make_pipeline(s->app, &p);
    const struct app_image image = app_image(
        s->app, s->app->format, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, p.samples);
    app_quad(scene_quad_at(s, 0), slanted, 0, scene_green);
    scene_quad_at(s, 0)[1].position[1] = 0.35f; // edges that pixels lie on
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_begin(s->app);
        const VkImageView views[2] = { image.view, s->app->views[s->app->image] };
        begin_pass(s->app, p.render_pass, framebuffer(s->app, p.render_pass, views, 2),
                   scene_grey(i), VK_SUBPASS_CONTENTS_INLINE);
        scene_draw(s, nothing, 0);
        scene_draw(s, pipeline, 0);
        vkCmdEndRenderPass(s->app->commands);
        app_end(s->app);
    }
}

// Secondary command buffers, recorded once and executed in every frame.
void scene_secondaries(struct scene *s)
{
    struct app_pipeline p = scene_plain(s);
    p.render_pass = render_pass(s->app, VK_SAMPLE_COUNT_1_BIT);
    VkPipeline pipeline = app_make_pipeline(s->app, &p);
    const VkCommandBufferInheritanceInfo inherited = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
        .renderPass = p.render_pass,
    };
    const VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
        .pInheritanceInfo = &inherited,
    };
    VkCommandBuffer lists[2];
    VkCommandBuffer primary = s->app->commands;
    for (uint32_t k = 0; k < 2; k++) {
        lists[k] = app_commands(s->app, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
        app_check(vkBeginCommandBuffer(lists[k], &begin), "vkBeginCommandBuffer");
        s->app->commands = lists[k];
        scene_draw(s, pipeline, k);
        app_check(vkEndCommandBuffer(lists[k]), "vkEndCommandBuffer");
    }
    s->app->commands = primary;
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_quad(scene_quad_at(s, 0), scene_left, 0, i & 1 ? scene_red : scene_blue);
        app_quad(scene_quad_at(s, 1), scene_right, 0, scene_green);
        app_begin(s->app);
        VkImageView view = s->app->views[s->app->image];
        begin_pass(s->app, p.render_pass, framebuffer(s->app, p.render_pass, &view, 1),
                   scene_grey(i), VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
        vkCmdExecuteCommands(s->app->commands, i == 2 ? 1 : 2, lists);
        vkCmdEndRenderPass(s->app->commands);
        app_end(s->app);
    }
}

// Depths that one subpass writes hide what the next one draws.
void scene_depths(struct scene *s)
{
    const VkPipelineDepthStencilStateCreateInfo tested = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = VK_TRUE,
        .depthWriteEnable = VK_TRUE,
        .depthCompareOp = VK_COMPARE_OP_LESS,
    };
    const struct app_image depth =
        app_image(s->app, VK_FORMAT_D32_SFLOAT,
                  VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_SAMPLE_COUNT_1_BIT);
    struct app_pipeline p = scene_plain(s);
    p.depth = &tested;
    p.render_pass = two_subpasses(s->app);
    VkPipeline first = app_make_pipeline(s->app, &p);
    p.subpass = 1;
    VkPipeline second = app_make_pipeline(s->app, &p);
    for (uint32_t i = 0; i < SCENE_FRAMES; i++) {
        app_quad(scene_quad_at(s, 0), scene_left, 0.5f, scene_red);
        app_quad(scene_quad_at(s, 1), scene_whole, 0.25f + 0.3f * (float)i,
                 scene_green);
        app_begin(s->app);
        const VkImageView views[2] = { s->app->views[s->app->image], depth.view };
        begin_pass(s->app, p.render_pass, framebuffer(s->app, p.render_pass, views, 2),
                   scene_grey(i), VK_SUBPASS_CONTENTS_INLINE);
        scene_draw(s, first, 0);
        vkCmdNextSubpass(s->app->commands, VK_SUBPASS_CONTENTS_INLINE);
        scene_draw(s, second, 1);
        vkCmdEndRenderPass(s->app->commands);
        app_end(s->app);
    }
}
