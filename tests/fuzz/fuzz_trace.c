/* Fuzz target: any bytes as a kernel file, in any form and compression. */
#include "fuzz/read_trace.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int file = memfd_create("kernel-1.traceg", MFD_CLOEXEC);
    fuzz_require(file >= 0 && write(file, data, size) == (ssize_t)size);
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    fuzz_read_trace(path);
    close(file);
    return 0;
}
