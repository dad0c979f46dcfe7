#include "tests/shader/vkd3d_oracle.h"

#include "compiler/shader/d3d/dxbc.h"

#if defined __has_include
#if __has_include(<vkd3d_shader.h>)
#define HAVE_VKD3D 1
#endif
#endif

#ifdef HAVE_VKD3D

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vkd3d_shader.h>

#define CHILD_SECONDS 20
#define COMPUTE_INDEX 5 // of the binding scheme in compiler/shader/d3d/dxbc_types.h

static PFN_vkd3d_shader_compile load(void)
{
    static PFN_vkd3d_shader_compile compile;
    void *library = compile ? NULL : dlopen("libvkd3d-shader.so.1", RTLD_NOW);
    if (library)
        *(void **)&compile = dlsym(library, "vkd3d_shader_compile");
    return compile;
}

bool vkd3d_oracle_present(void)
{
    return load() != NULL;
}

static struct vkd3d_shader_resource_binding
binding(enum vkd3d_shader_descriptor_type type, unsigned int index, unsigned int set,
        unsigned int number)
{
    return (struct vkd3d_shader_resource_binding){
        .type = type,
        .register_index = index,
        .shader_visibility = VKD3D_SHADER_VISIBILITY_ALL,
        .flags = VKD3D_SHADER_BINDING_FLAG_BUFFER,
        .binding = { set, number, 1 },
    };
}

static int compile(const struct gv_bytes *dxbc, struct vkd3d_shader_code *out)
{
    const unsigned int uavs = COMPUTE_INDEX * GV_DXBC_RESOURCE_BINDINGS + 128;
    const struct vkd3d_shader_resource_binding bindings[] = {
        binding(VKD3D_SHADER_DESCRIPTOR_TYPE_UAV, 0, 3, uavs),
        binding(VKD3D_SHADER_DESCRIPTOR_TYPE_UAV, 1, 3, uavs + 1),
        binding(VKD3D_SHADER_DESCRIPTOR_TYPE_CBV, 0, 0,
                COMPUTE_INDEX * GV_DXBC_CBUFFER_BINDINGS),
    };
    const struct vkd3d_shader_spirv_target_info target = {
        .type = VKD3D_SHADER_STRUCTURE_TYPE_SPIRV_TARGET_INFO,
        .environment = VKD3D_SHADER_SPIRV_ENVIRONMENT_VULKAN_1_0,
    };
    const struct vkd3d_shader_interface_info interface = {
        .type = VKD3D_SHADER_STRUCTURE_TYPE_INTERFACE_INFO,
        .next = &target,
        .bindings = bindings,
        .binding_count = 3,
    };
    const struct vkd3d_shader_compile_info info = {
        .type = VKD3D_SHADER_STRUCTURE_TYPE_COMPILE_INFO,
        .next = &interface,
        .source = { dxbc->data, dxbc->size },
        .source_type = VKD3D_SHADER_SOURCE_DXBC_TPF,
        .target_type = VKD3D_SHADER_TARGET_SPIRV_BINARY,
        .log_level = VKD3D_SHADER_LOG_NONE,
    };
    return load()(&info, out, NULL);
}

static void child(const struct gv_bytes *dxbc, int fd)
{
    struct vkd3d_shader_code code = { 0 };
    const struct rlimit seconds = { CHILD_SECONDS, CHILD_SECONDS };
    const struct rlimit none = { 0, 0 };
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &none);
    setenv("VKD3D_SHADER_DEBUG", "none", 1);
    if (!freopen("/dev/null", "w", stderr)) // it prints what it asserts
        _exit(1);
    int result = compile(dxbc, &code);
    if (result < 0)
        _exit(-result);
    const char *bytes = code.code;
    for (size_t at = 0; at < code.size;) {
        ssize_t n = write(fd, bytes + at, code.size - at);
        if (n <= 0)
            _exit(1);
        at += (size_t)n;
    }
    _exit(0);
}

bool vkd3d_oracle_compile(const struct gv_bytes *dxbc, struct gv_bytes *spirv,
                          char *error)
{
    int fds[2], status = 0;
    char buffer[4096];
    if (!load() || pipe(fds) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0)
        child(dxbc, fds[1]);
    close(fds[1]);
    for (ssize_t n; (n = read(fds[0], buffer, sizeof buffer)) > 0;)
        gv_bytes_put(spirv, buffer, (size_t)n);
    close(fds[0]);
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return false;
    if (WIFSIGNALED(status))
        snprintf(error, 160, "signal %d", WTERMSIG(status));
    else
        snprintf(error, 160, "result %d", -WEXITSTATUS(status));
    return status == 0 && spirv->size && !spirv->failed;
}

#else

bool vkd3d_oracle_present(void)
{
    return false;
}

bool vkd3d_oracle_compile(const struct gv_bytes *dxbc, struct gv_bytes *spirv,
                          char *error)
{
    (void)dxbc;
    (void)spirv;
    (void)error;
    return false;
}

#endif
