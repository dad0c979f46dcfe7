// Any bytes, through a pipe: read, verified and run as they come, on the recording
// host. Whatever they are, that ends in a refusal or a finished run; and what ran to
// its end is a payload as a whole, too, that does the same.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tests/fuzz/interpret.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!stream_agrees(data, size))
        abort();
    return 0;
}
