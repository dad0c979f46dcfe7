// Programs of Vulkan, one rule each, for recordings: vulkan_scenes NAME. All draw quads
// into frames of 64x64 and present them.
#include "tests/gfxr/vulkan_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    void (*run)(struct scene *s);
} scenes[] = {
#define SCENE(name) { #name, scene_##name },
#include "tests/gfxr/vulkan_scenes.def"
#undef SCENE
};

int main(int argc, char **argv)
{
    struct app app;
    struct scene s;
    for (size_t i = 0; argc == 2 && i < sizeof scenes / sizeof *scenes; i++) {
        if (strcmp(scenes[i].name, argv[1]) != 0)
            continue;
        app_open(&app);
        scene_prepare(&s, &app);
        scenes[i].run(&s);
        app_close(&app);
        return EXIT_SUCCESS;
    }
    fprintf(stderr, "usage: vulkan_scenes NAME\n");
    return EXIT_FAILURE;
}
