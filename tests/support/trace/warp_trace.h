/* A trace of one warp, for tests that run the command on a few instructions. */
#ifndef GOLDMEM_TESTS_SUPPORT_TRACE_WARP_TRACE_H
#define GOLDMEM_TESTS_SUPPORT_TRACE_WARP_TRACE_H

#include "support/support.h"

#include <stdio.h>

/* Writes it into the temporary folder: `instructions` lines, each from its PC on and with its end
 * of line. Returns its full path (static). */
static inline const char *warp_trace_write(unsigned instructions, const char *lines)
{
    char text[1024];
    int length =
        snprintf(text, sizeof text,
                 "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
                 "-shmem base_addr = 0x00007fb139000000\n-accelsim tracer version = 5\n\n"
                 "#traces format = immediate\n\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n"
                 "insts = %u\n%s#END_TB\n",
                 instructions, lines);
    assert_in_range(length, 1, sizeof text - 1);
    return test_file_write("kernel-1.traceg", text, (size_t)length);
}

#endif
