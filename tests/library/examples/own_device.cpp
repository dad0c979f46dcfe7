// A host with a Vulkan device of its own: replays a payload on it and samples each
// picture in work of its own, without a copy. Validation is on; a message is a failure.
//   own_device PAYLOAD SHADER      SHADER: sample_frame.comp as SPIR-V
// Prints "FRAME WIDTHxHEIGHT same|differs" for each frame: what was sampled against the
// picture as bytes.
#include "tools/library/gpuvm.h" // <gpuvm.h> where it is installed

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>
#include <vulkan/vulkan.h>

namespace
{

unsigned messages;

VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                    VkDebugUtilsMessageTypeFlagsEXT,
                                    const VkDebugUtilsMessengerCallbackDataEXT *data,
                                    void *)
{
    messages++;
    std::fprintf(stderr, "own_device: %s\n", data->pMessage);
    return VK_FALSE;
}

[[noreturn]] void fail(const char *what, int code = 1)
{
    std::fprintf(stderr, "own_device: %s\n", what);
    std::exit(code);
}

void check(VkResult result, const char *what)
{
    if (result != VK_SUCCESS)
        fail(what);
}

void check(int status, const gpuvm_error &error)
{
    if (status != GPUVM_OK)
        fail(error.message, status);
}

// The host's own Vulkan.
struct Host {
    VkInstance instance = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE;
    uint32_t family = 0;
    gpuvm_wishes *wishes = nullptr;
    VkDeviceCreateInfo info = {};
    float priority = 1;
    VkDeviceQueueCreateInfo queue_info = {};
};

void make_instance(Host &host)
{
    const char *layer = "VK_LAYER_KHRONOS_validation";
    const char *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    VkDebugUtilsMessengerCreateInfoEXT ear = {};
    ear.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
    ear.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                          VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    ear.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    ear.pfnUserCallback = hear;
    VkApplicationInfo application = {};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_3;
    VkInstanceCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pNext = &ear;
    info.pApplicationInfo = &application;
    info.enabledLayerCount = 1;
    info.ppEnabledLayerNames = &layer;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
    VkResult result = vkCreateInstance(&info, nullptr, &host.instance);
    if (result == VK_ERROR_LAYER_NOT_PRESENT)
        fail("no validation layer", 77);
    check(result, "vkCreateInstance");
    auto create = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(host.instance, "vkCreateDebugUtilsMessengerEXT"));
    check(create(host.instance, &ear, nullptr, &host.messenger), "messenger");
}

gpuvm_vulkan as_gpuvm_takes_it(const Host &host)
{
    gpuvm_vulkan vulkan = {};
    vulkan.instance = host.instance;
    vulkan.physical_device = host.physical;
    vulkan.device = host.device;
    vulkan.queue = host.queue;
    vulkan.queue_family = host.family;
    vulkan.device_info = &host.info;
    return vulkan;
}

// A device with what the payload's replay wishes for, and nothing of the host's own.
void make_device(Host &host, const gpuvm_payload *payload)
{
    uint32_t count = 1;
    if (vkEnumeratePhysicalDevices(host.instance, &count, &host.physical) < 0 || !count)
        fail("no Vulkan device", 77);
    uint32_t families = 8;
    VkQueueFamilyProperties properties[8];
    vkGetPhysicalDeviceQueueFamilyProperties(host.physical, &families, properties);
    const VkQueueFlags wanted = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    while (host.family < families &&
           (properties[host.family].queueFlags & wanted) != wanted)
        host.family++;
    gpuvm_error error;
    const gpuvm_vulkan vulkan = as_gpuvm_takes_it(host);
    host.wishes = gpuvm_wishes_create(payload, &vulkan, &error);
    if (!host.wishes)
        fail(error.message, error.status);
    host.queue_info.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    host.queue_info.queueFamilyIndex = host.family;
    host.queue_info.queueCount = 1;
    host.queue_info.pQueuePriorities = &host.priority;
    host.info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    host.info.pNext = gpuvm_wishes_features(host.wishes);
    host.info.queueCreateInfoCount = 1;
    host.info.pQueueCreateInfos = &host.queue_info;
    host.info.ppEnabledExtensionNames =
        gpuvm_wishes_extensions(host.wishes, &host.info.enabledExtensionCount);
    check(vkCreateDevice(host.physical, &host.info, nullptr, &host.device),
          "vkCreateDevice");
    vkGetDeviceQueue(host.device, host.family, 0, &host.queue);
}

// What samples a picture: one dispatch into a buffer that the host reads.
struct Sampler {
    const Host &host;
    VkShaderModule module = VK_NULL_HANDLE;
    VkSampler sampler = VK_NULL_HANDLE;
    VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
    VkPipelineLayout layout = VK_NULL_HANDLE;
    VkPipeline pipeline = VK_NULL_HANDLE;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    VkDescriptorSet set = VK_NULL_HANDLE;
    VkCommandPool commands = VK_NULL_HANDLE;
    VkCommandBuffer buffer = VK_NULL_HANDLE;
    VkBuffer seen = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    const void *bytes = nullptr;

    Sampler(const Host &of, const char *shader, VkDeviceSize size) : host(of)
    {
        make_pipeline(shader);
        make_set();
        make_seen(size);
        VkCommandPoolCreateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
        info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
        info.queueFamilyIndex = host.family;
        check(vkCreateCommandPool(host.device, &info, nullptr, &commands), "pool");
        VkCommandBufferAllocateInfo one = {};
        one.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
        one.commandPool = commands;
        one.commandBufferCount = 1;
        check(vkAllocateCommandBuffers(host.device, &one, &buffer), "commands");
    }

    Sampler(const Sampler &) = delete;
    Sampler &operator=(const Sampler &) = delete;

    ~Sampler()
    {
        vkDestroyBuffer(host.device, seen, nullptr);
        vkFreeMemory(host.device, memory, nullptr);
        vkDestroyCommandPool(host.device, commands, nullptr);
        vkDestroyDescriptorPool(host.device, pool, nullptr);
        vkDestroyPipeline(host.device, pipeline, nullptr);
        vkDestroyPipelineLayout(host.device, layout, nullptr);
        vkDestroyDescriptorSetLayout(host.device, set_layout, nullptr);
        vkDestroySampler(host.device, sampler, nullptr);
        vkDestroyShaderModule(host.device, module, nullptr);
    }

    void make_module(const char *shader)
    {
        std::ifstream file(shader, std::ios::binary);
        std::vector<char> code((std::istreambuf_iterator<char>(file)), {});
        std::vector<uint32_t> words(code.size() / 4);
        std::memcpy(words.data(), code.data(), words.size() * 4);
        VkShaderModuleCreateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
        info.codeSize = words.size() * 4;
        info.pCode = words.data();
        check(vkCreateShaderModule(host.device, &info, nullptr, &module), "shader");
    }

    void make_layouts()
    {
        VkDescriptorSetLayoutBinding bindings[2] = {};
        bindings[0].descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
        bindings[1].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        for (uint32_t i = 0; i < 2; i++) {
            bindings[i].binding = i;
            bindings[i].descriptorCount = 1;
            bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
        }
        VkDescriptorSetLayoutCreateInfo sets = {};
        sets.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
        sets.bindingCount = 2;
        sets.pBindings = bindings;
        check(vkCreateDescriptorSetLayout(host.device, &sets, nullptr, &set_layout),
              "set layout");
        const VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0, 16 };
        VkPipelineLayoutCreateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
        info.setLayoutCount = 1;
        info.pSetLayouts = &set_layout;
        info.pushConstantRangeCount = 1;
        info.pPushConstantRanges = &range;
        check(vkCreatePipelineLayout(host.device, &info, nullptr, &layout), "layout");
    }

    void make_pipeline(const char *shader)
    {
        make_module(shader);
        make_layouts();
        VkComputePipelineCreateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
        info.layout = layout;
        info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
        info.stage.module = module;
        info.stage.pName = "main";
        check(vkCreateComputePipelines(host.device, VK_NULL_HANDLE, 1, &info, nullptr,
                                       &pipeline),
              "pipeline");
        VkSamplerCreateInfo nearest = {};
        nearest.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
        nearest.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
        nearest.addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
        nearest.addressModeW = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
        check(vkCreateSampler(host.device, &nearest, nullptr, &sampler), "sampler");
    }

    void make_set()
    {
        const VkDescriptorPoolSize sizes[] = {
            { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1 },
            { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 },
        };
        VkDescriptorPoolCreateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
        info.maxSets = 1;
        info.poolSizeCount = 2;
        info.pPoolSizes = sizes;
        check(vkCreateDescriptorPool(host.device, &info, nullptr, &pool), "sets");
        VkDescriptorSetAllocateInfo one = {};
        one.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
        one.descriptorPool = pool;
        one.descriptorSetCount = 1;
        one.pSetLayouts = &set_layout;
        check(vkAllocateDescriptorSets(host.device, &one, &set), "set");
    }

    uint32_t host_memory(uint32_t types) const
    {
        const VkMemoryPropertyFlags wanted =
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        VkPhysicalDeviceMemoryProperties all;
        vkGetPhysicalDeviceMemoryProperties(host.physical, &all);
        for (uint32_t i = 0; i < all.memoryTypeCount; i++)
            if ((types >> i & 1) &&
                (all.memoryTypes[i].propertyFlags & wanted) == wanted)
                return i;
        fail("no memory that the host sees");
    }

    void make_seen(VkDeviceSize size)
    {
        VkBufferCreateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
        info.size = size;
        info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
        check(vkCreateBuffer(host.device, &info, nullptr, &seen), "buffer");
        VkMemoryRequirements needs;
        vkGetBufferMemoryRequirements(host.device, seen, &needs);
        VkMemoryAllocateInfo room = {};
        room.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
        room.allocationSize = needs.size;
        room.memoryTypeIndex = host_memory(needs.memoryTypeBits);
        check(vkAllocateMemory(host.device, &room, nullptr, &memory), "memory");
        check(vkBindBufferMemory(host.device, seen, memory, 0), "binding");
        void *mapped;
        check(vkMapMemory(host.device, memory, 0, size, 0, &mapped), "mapping");
        bytes = mapped;
    }

    void bind(VkImageView view) const
    {
        const VkDescriptorImageInfo image = {
            sampler, view, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL
        };
        const VkDescriptorBufferInfo out = { seen, 0, VK_WHOLE_SIZE };
        VkWriteDescriptorSet writes[2] = {};
        for (uint32_t i = 0; i < 2; i++) {
            writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
            writes[i].dstSet = set;
            writes[i].dstBinding = i;
            writes[i].descriptorCount = 1;
        }
        writes[0].descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
        writes[0].pImageInfo = &image;
        writes[1].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
        writes[1].pBufferInfo = &out;
        vkUpdateDescriptorSets(host.device, 2, writes, 0, nullptr);
    }

    void record(const gpuvm_image &image) const
    {
        const uint32_t how[] = { image.width, image.height, image.flipped,
                                 image.opaque };
        VkCommandBufferBeginInfo begin = {};
        begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
        check(vkBeginCommandBuffer(buffer, &begin), "begin");
        vkCmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        vkCmdBindDescriptorSets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1,
                                &set, 0, nullptr);
        vkCmdPushConstants(buffer, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof how,
                           how);
        vkCmdDispatch(buffer, (image.width + 7) / 8, (image.height + 7) / 8, 1);
        VkMemoryBarrier to_host = {};
        to_host.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
        to_host.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
        to_host.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
        vkCmdPipelineBarrier(buffer, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                             VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &to_host, 0, nullptr, 0,
                             nullptr);
        check(vkEndCommandBuffer(buffer), "end");
    }

    // Behind the replay's work, as any queue has to wait for it: on the replay's own,
    // which this is, it need not.
    void submit(const gpuvm_image &image) const
    {
        const VkSemaphore timeline = (VkSemaphore)image.semaphore;
        const VkPipelineStageFlags where = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
        uint64_t reached = 0;
        VkTimelineSemaphoreSubmitInfo values = {};
        values.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
        values.waitSemaphoreValueCount = 1;
        values.pWaitSemaphoreValues = &image.value;
        VkSubmitInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
        info.pNext = &values;
        info.waitSemaphoreCount = 1;
        info.pWaitSemaphores = &timeline;
        info.pWaitDstStageMask = &where;
        info.commandBufferCount = 1;
        info.pCommandBuffers = &buffer;
        check(vkQueueSubmit(host.queue, 1, &info, VK_NULL_HANDLE), "submit");
        check(vkQueueWaitIdle(host.queue), "wait");
        check(vkGetSemaphoreCounterValue(host.device, timeline, &reached), "value");
        if (image.value == 0 || reached < image.value)
            fail("the semaphore says nothing of the image", EXIT_FAILURE);
    }

    // The host's frame.
    void sample(const gpuvm_image &image) const
    {
        VkImageViewCreateInfo info = {};
        info.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
        info.image = (VkImage)image.image;
        info.viewType = VK_IMAGE_VIEW_TYPE_2D;
        info.format = (VkFormat)image.format;
        info.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 };
        VkImageView view;
        check(vkCreateImageView(host.device, &info, nullptr, &view), "view");
        bind(view);
        record(image);
        submit(image);
        vkDestroyImageView(host.device, view, nullptr);
    }
};

VkDeviceSize largest_picture(const gpuvm_payload *payload)
{
    VkDeviceSize most = 4;
    for (uint64_t i = 0; i < gpuvm_frame_count(payload); i++) {
        gpuvm_frame frame;
        gpuvm_frame_info(payload, i, &frame);
        const VkDeviceSize size = VkDeviceSize(4) * frame.width * frame.height;
        most = size > most ? size : most;
    }
    return most;
}

// Whether all frames were seen as they are.
bool play(const Host &host, gpuvm_payload *payload, const char *shader)
{
    gpuvm_error error;
    const gpuvm_vulkan vulkan = as_gpuvm_takes_it(host);
    gpuvm_settings settings = {};
    settings.size = sizeof settings;
    settings.timeout_ms = 60000;
    settings.flags = GPUVM_IMAGES;
    settings.vulkan = &vulkan;
    gpuvm_replay *replay = gpuvm_replay_create(payload, &settings, &error);
    if (!replay)
        fail(error.message, error.status);
    Sampler sampler(host, shader, largest_picture(payload));
    bool all = true;
    for (uint64_t i = 0; i < gpuvm_frame_count(payload); i++) {
        gpuvm_image image;
        gpuvm_picture picture;
        check(gpuvm_run_to_frame(replay, i, &error), error);
        check(gpuvm_get_image(replay, &image, &error), error);
        check(gpuvm_get_picture(replay, &picture, &error), error);
        if (!image.width)
            continue;
        sampler.sample(image);
        const bool same = std::memcmp(sampler.bytes, picture.rgba,
                                      size_t(4) * image.width * image.height) == 0;
        std::printf("%u %ux%u %s\n", unsigned(i), image.width, image.height,
                    same ? "same" : "differs");
        all = all && same;
    }
    gpuvm_replay_close(replay);
    return all;
}

void end(Host &host)
{
    vkDestroyDevice(host.device, nullptr);
    gpuvm_wishes_destroy(host.wishes);
    auto destroy = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(host.instance, "vkDestroyDebugUtilsMessengerEXT"));
    destroy(host.instance, host.messenger, nullptr);
    vkDestroyInstance(host.instance, nullptr);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3)
        fail("usage: own_device PAYLOAD SHADER", 2);
    gpuvm_error error;
    gpuvm_payload *payload = gpuvm_open_file(argv[1], 0, nullptr, &error);
    if (!payload)
        fail(error.message, error.status);
    Host host;
    make_instance(host);
    make_device(host, payload);
    const bool all = play(host, payload, argv[2]);
    end(host);
    gpuvm_payload_close(payload);
    std::printf("%u messages\n", messages);
    return all && !messages ? 0 : 1;
}
