// Any bytes: opened as a payload, verified, and run on the recording host. Whatever
// they are, that ends in a refusal or a finished run.
#include <stddef.h>
#include <stdint.h>

#include "tests/fuzz/interpret.h"
#include "vm/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct gv_verify_params params = { .memory_limit = INTERPRET_MEMORY };
    struct gv_payload payload;
    if (!gv_payload_open_memory(&payload, data, size, INTERPRET_MEMORY, NULL))
        return 0;
    if (gv_verify(&payload, &params, NULL) && interpret_is_short(&payload))
        interpret(&payload, NULL);
    gv_payload_finish(&payload);
    return 0;
}
