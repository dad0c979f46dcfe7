#include "resources/source.h"

void gv_source_destroy(struct gv_source *source)
{
    if (source)
        source->destroy(source);
}
