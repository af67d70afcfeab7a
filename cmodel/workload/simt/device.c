/* Device memory of a workload. */
#include "workload/simt/device.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

static const size_t DEVICE_BYTES = (size_t)16 << 30; /* reserved; only arrays in use take memory */

int gm_device_create(gm_device *device, gm_error *error)
{
    *device = (gm_device){0};
    void *memory =
        mmap(NULL, DEVICE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return gm_fail(error, -ENOMEM, "out of address space for a workload's arrays");
    }
    device->memory = memory;
    return 0;
}

void gm_device_free(gm_device *device)
{
    if (device->memory != NULL) {
        munmap(device->memory, DEVICE_BYTES);
        device->memory = NULL;
    }
}

void *gm_device_take(gm_device *device, const char *name, size_t count, size_t size, bool copied,
                     gm_error *error)
{
    size_t bytes = 0;
    size_t room = DEVICE_BYTES - device->used;
    if (__builtin_mul_overflow(count, size, &bytes) || room < GM_DEVICE_ALIGNMENT ||
        bytes > room - GM_DEVICE_ALIGNMENT) {
        gm_fail(error, -ENOMEM, "array %s: %zu elements of %zu bytes do not fit in 16 GB", name,
                count, size);
        return NULL;
    }
    if (device->arrays == GM_DEVICE_ARRAYS) {
        gm_fail(error, -ENOMEM, "array %s: a workload has at most %d arrays", name,
                GM_DEVICE_ARRAYS);
        return NULL;
    }
    size_t end = device->used + bytes + 1;
    end = (end + GM_DEVICE_ALIGNMENT - 1) / GM_DEVICE_ALIGNMENT * GM_DEVICE_ALIGNMENT;
    size_t page = 4096;
    size_t from = device->used / page * page;
    if (mprotect(device->memory + from, (end - from + page - 1) / page * page,
                 PROT_READ | PROT_WRITE) != 0) {
        gm_fail_errno(error, "memory of a workload's arrays");
        return NULL;
    }
    (void)madvise(device->memory + from, (end - from + page - 1) / page * page, MADV_HUGEPAGE);
    void *data = device->memory + device->used;
    device->array[device->arrays++] =
        (gm_device_array){.name = name, .data = data, .bytes = bytes, .copied = copied};
    device->used = end;
    return data;
}
