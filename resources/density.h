// Whether bytes are such that compression saves next to nothing of them.
#ifndef GV_DENSITY_H
#define GV_DENSITY_H

#include "resources/codec.h"

#include <stdbool.h>

#define GV_DENSE_BYTES ((size_t)8192) // fewer are not asked about: they are not dense

// By samples: noise, pictures with noise, what is compressed already. Of most bytes a
// look at how often each value is there tells that they are not. GV_ERR_LIMIT (memory).
bool gv_density_look(struct gv_codec_state *codec, struct gv_span bytes, bool *dense,
                     struct gv_error *err);

#endif
