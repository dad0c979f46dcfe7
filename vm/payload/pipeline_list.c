#include "vm/payload/pipeline_list.h"

#include <stdlib.h>

// Room for one more behind `count`; the (moved) array, or NULL.
static void *grow(void *array, size_t count, size_t *capacity, size_t element)
{
    if (count < *capacity)
        return array;
    size_t more = *capacity ? *capacity * 2 : 32;
    void *grown = count < GV_STAGE_EMPTY / 2 ? realloc(array, more * element) : NULL;
    if (grown)
        *capacity = more;
    return grown;
}

bool gv_pipeline_list_shader(struct gv_pipeline_list *list,
                             const struct gv_made_shader *shader)
{
    struct gv_made_shader *grown =
        grow(list->shaders, list->shader_count, &list->shader_capacity, sizeof *grown);
    if (!grown)
        return false;
    list->shaders = grown;
    list->shaders[list->shader_count++] = *shader;
    return true;
}

bool gv_pipeline_list_add(struct gv_pipeline_list *list,
                          const struct gv_made_pipeline *pipeline)
{
    struct gv_made_pipeline *grown = grow(list->pipelines, list->pipeline_count,
                                          &list->pipeline_capacity, sizeof *grown);
    if (!grown)
        return false;
    list->pipelines = grown;
    list->pipelines[list->pipeline_count++] = *pipeline;
    return true;
}

void gv_pipeline_list_finish(struct gv_pipeline_list *list)
{
    free(list->shaders);
    free(list->pipelines);
    *list = (struct gv_pipeline_list){ 0 };
}
