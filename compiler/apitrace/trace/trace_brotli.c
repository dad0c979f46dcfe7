#include "compiler/apitrace/trace/trace_brotli.h"

#include <brotli/decode.h>

// One and the same.
static BrotliDecoderState *state(struct gv_brotli *brotli)
{
    return (BrotliDecoderState *)brotli;
}

struct gv_brotli *gv_brotli_create(void)
{
    return (struct gv_brotli *)BrotliDecoderCreateInstance(NULL, NULL, NULL);
}

void gv_brotli_destroy(struct gv_brotli *brotli)
{
    if (brotli)
        BrotliDecoderDestroyInstance(state(brotli));
}

enum gv_step gv_brotli_step(struct gv_brotli *brotli, struct gv_step_io *io)
{
    BrotliDecoderResult result = BrotliDecoderDecompressStream(
        state(brotli), &io->in_size, &io->in, &io->out_size, &io->out, NULL);
    if (result == BROTLI_DECODER_RESULT_SUCCESS)
        return GV_STEP_ENDED;
    if (result != BROTLI_DECODER_RESULT_ERROR)
        return GV_STEP_MORE;
    BrotliDecoderErrorCode why = BrotliDecoderGetErrorCode(state(brotli));
    return why <= BROTLI_DECODER_ERROR_ALLOC_CONTEXT_MODES &&
                   why >= BROTLI_DECODER_ERROR_ALLOC_BLOCK_TYPE_TREES
               ? GV_STEP_MEMORY
               : GV_STEP_DAMAGED;
}
