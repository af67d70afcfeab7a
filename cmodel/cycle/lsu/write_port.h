/* Write port of the load/store unit (sm.write_port), as in GPGPU-Sim: one register between the unit
 * and the register file, for loads from shared memory, for data that bypass the L1 and for requests
 * that the L1 had missed. In a cycle it first writes what it holds, unless the SM says that its
 * registers' banks are written by other units, and then takes from one of the three, in turn. Hits
 * of the L1 do not pass it. Private to the unit, but for what the SM reads and sets. */
#ifndef GOLDMEM_CYCLE_LSU_WRITE_PORT_H
#define GOLDMEM_CYCLE_LSU_WRITE_PORT_H

#include <stdbool.h>
#include <stdint.h>

/* Those that the port takes from, in the order of turns. */
typedef enum gm_writer {
    GM_WRITER_SHARED,
    GM_WRITER_BYPASSED,
    GM_WRITER_MISSED,
    GM_WRITERS
} gm_writer;

typedef struct gm_write_port {
    bool enabled;
    bool waits;    /* set by the SM before a step: a bank of the registers of `ticket` is written */
    uint32_t turn; /* gm_writer that goes first */
    uint32_t ticket;   /* in the register; GM_NO_TICKET: it is empty */
    uint32_t bypassed; /* ticket whose data bypass the L1 and wait; GM_NO_TICKET: none */
    uint32_t
        written; /* not saved: ticket whose registers the last step wrote; GM_NO_TICKET: none */
} gm_write_port;

#endif
