// The only user of libbrotli.
#include "compiler/brotli_head.h"

#include <brotli/decode.h>

size_t gv_brotli_head(const uint8_t *data, size_t size, uint8_t *out, size_t room)
{
    BrotliDecoderState *state = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (!state)
        return 0;
    size_t left = room;
    BrotliDecoderDecompressStream(state, &size, &data, &left, &out, NULL);
    BrotliDecoderDestroyInstance(state);
    return room - left;
}
