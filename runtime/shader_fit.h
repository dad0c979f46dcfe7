// Whether the shaders of a payload fit their pipelines, told without a device: what a
// run would say of them before it asks one.
#ifndef GV_SHADER_FIT_H
#define GV_SHADER_FIT_H

#include "resources/base/error.h"
#include "resources/source.h"
#include "vm/payload/payload.h"
#include "vm/payload/pipeline_list.h"

// Validates every module of `list` (from gv_verify of the same payload) and holds it
// against the pipelines made of it, by the functions and in the words of a run, with
// the limits of no device. Resources come from the payload, or from the first source
// that has them. `err->offset` is the code offset of the call at fault. GV_ERR_FORMAT,
// GV_ERR_UNSUPPORTED, GV_ERR_LIMIT (beyond every device); GV_ERR_FETCH.
bool gv_shaders_fit(const struct gv_payload *payload,
                    const struct gv_pipeline_list *list,
                    struct gv_source *const *sources, size_t source_count,
                    struct gv_error *err);

#endif
