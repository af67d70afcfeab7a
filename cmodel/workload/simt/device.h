/* Device memory: arrays in one host reservation, laid out as on the device, so that a device
 * address is GM_DEVICE_BASE plus the offset in the reservation, equal in every run. */
#ifndef GOLDMEM_WORKLOAD_SIMT_DEVICE_H
#define GOLDMEM_WORKLOAD_SIMT_DEVICE_H

#include "goldmem/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GM_DEVICE_ARRAYS = 32, GM_DEVICE_ALIGNMENT = 512 };

typedef struct gm_device_array {
    const char *name;
    void *data;
    size_t bytes;
    bool copied; /* from the host, before the first kernel */
} gm_device_array;

typedef struct gm_device {
    unsigned char *memory;
    size_t used;
    gm_device_array array[GM_DEVICE_ARRAYS];
    unsigned arrays;
} gm_device;

int gm_device_create(gm_device *device, gm_error *error);
void gm_device_free(gm_device *device);

/* Returns a zeroed array, aligned to 512 bytes, with at least 1 byte of gap behind it, or NULL on
 * failure. */
void *gm_device_take(gm_device *device, const char *name, size_t count, size_t size, bool copied,
                     gm_error *error);

#endif
