/* The cycle engine's memory system under another simulator (docs/embedding.md): the simulator has
 * the SMs, or the SMs and their L1s, and sends line requests; goldmem has the rest, from a
 * gm_config, and says in which cycle each request is answered.
 *
 *     gm_memory_open(&memory, &config, &options, &error);
 *     in each cycle of the simulator:
 *         gm_memory_tick(memory);                           the cycle's work
 *         while (gm_memory_pop(memory, &answer)) ...        what is answered in it
 *         gm_memory_send(memory, &request, &error) ...      seen from the next cycle on
 *     gm_memory_statistics(memory, &statistics);
 *     gm_memory_close(memory);
 *
 * A port stands for an SM: port p is SM p of the configuration. The functions are deterministic and
 * share no state: each handle may have a thread of its own. */
#ifndef GOLDMEM_MEMORY_H
#define GOLDMEM_MEMORY_H

#include "goldmem/config.h"
#include "goldmem/error.h"
#include "goldmem/statistics.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where the memory system begins. */
typedef enum gm_memory_level {
    GM_MEMORY_BELOW_SM, /* coalesced requests, by the SM's load/store queue into its L1 */
    GM_MEMORY_BELOW_L1, /* an L1's misses, stores and atomics, into the interconnect to the L2 */
} gm_memory_level;

typedef enum gm_memory_kind {
    GM_MEMORY_LOAD,
    GM_MEMORY_STRONG_LOAD, /* sees other SMs' stores: bypasses the L1; below the L1 a LOAD */
    GM_MEMORY_STORE,
    GM_MEMORY_ATOMIC,    /* answered with the old values */
    GM_MEMORY_REDUCTION, /* an atomic that returns nothing */
} gm_memory_kind;

enum {
    GM_MEMORY_IN_FLIGHT = 2048,  /* most requests of a port between gm_memory_send and _pop */
    GM_MEMORY_LINE_SECTORS = 32, /* sectors of a line, at most */
    GM_MEMORY_SECTOR = 32,       /* bytes */
    GM_MEMORY_LINES = 64,        /* line requests of one gm_memory_send_lines, at most */
    GM_MEMORY_ADDRESS_BITS = 57,
};

#define GM_MEMORY_NEVER UINT64_MAX

typedef struct gm_memory gm_memory;

/* Zeroed: below the SMs, at the core's clock. */
typedef struct gm_memory_options {
    gm_memory_level level;
    uint64_t clock;        /* MHz of the simulator's clock, 1 to 100000: its cycles are those of all
                              functions below; 0: clock.core of the configuration */
    uint32_t in_flight;    /* most requests of a port between send and pop, 1 to
                              GM_MEMORY_IN_FLIGHT; 0: GM_MEMORY_IN_FLIGHT */
    uint64_t shared_bytes; /* l1.unified: bytes of shared memory that the CTAs of an SM need, at
                              most sm.shared_bytes; the L1 has the rest */
    bool no_skip; /* visit every unit in every cycle: equal results, slower, for checking */
} gm_memory_options;

/* A request for sectors of one line: of the L1, or below the L1 of the L2 (gm_memory_line). */
typedef struct gm_memory_request {
    uint64_t id;           /* of the caller's choice; returned with the answer */
    uint64_t address;      /* of any byte of the line; below 2^GM_MEMORY_ADDRESS_BITS */
    const uint32_t *bytes; /* STORE, ATOMIC, REDUCTION: [sectors of a line] masks of the bytes that
                              it writes in each sector, bit 0 the first; NULL: every byte of
                              `sectors`. Read during the call only. Of LOADs not read */
    uint32_t sectors;      /* mask of the line's 32-byte sectors, bit 0 the first; not 0; with
                              l2.dirty=parts one bit, but of LOADs */
    uint32_t port;         /* below gpu.sms */
    uint32_t warp; /* slot of the warp in its SM, below sm.warps: for mrpb and protocols with
                      leases; else 0 */
    gm_memory_kind kind;
    bool local;  /* below the SM: of local memory, not of global (l1.local_write) */
    bool unkept; /* below the L1, LOAD: the requester keeps no copy (l2.bypass, which tells loads of
                    L1s from others) */
} gm_memory_request;

typedef struct gm_memory_answer {
    uint64_t id;
    uint64_t cycle; /* the simulator's, in which the answer was due */
    uint32_t port;
} gm_memory_answer;

/* Makes an idle memory system at cycle 0, with empty caches; copies the configuration. Keys of the
 * SMs have no effect below them, nor those of the L1 below it. Returns 0; -EINVAL names the key or
 * option that cannot be: what gm_config_check finds; below the SM sm.throttle=ccws, which needs
 * the SMs' warps, and l1.bypass=profiled, which needs kernels; below the L1 tracker.enabled and any
 * coherence.protocol, whose messages an L1 must send; or -ENOMEM.
 * gm_memory_close frees the handle, which may be NULL; no request need be answered. */
int gm_memory_open(gm_memory **memory, const gm_config *config, const gm_memory_options *options,
                   gm_error *error);
void gm_memory_close(gm_memory *memory);

/* Returns the ports, and the bytes of a line of requests: l1.line, or below the L1 l2.line. */
uint32_t gm_memory_ports(const gm_memory *memory);
uint32_t gm_memory_line(const gm_memory *memory);

/* Sets address, sectors and bytes of a request to those of a run of `size` bytes from `address`, as
 * far as they lie in one line; the masks go to `bytes`[GM_MEMORY_LINE_SECTORS], which the request
 * points to. Returns the number of bytes of the run in this line; the rest is in the next one. */
uint64_t gm_memory_cover(const gm_memory *memory, gm_memory_request *request, uint32_t *bytes,
                         uint64_t address, uint64_t size);

/* Sends a request, which the memory system sees from the next cycle on. Returns 1 if it was taken:
 * it will be answered once. Returns 0 if there is no room, now or during a kernel's end, and
 * nothing has changed: the load/store queue (sm.memory_queue) or the port's buffer of the
 * interconnect (noc.buffer) is full, or in_flight requests of the port are not popped yet. -EINVAL
 * names the field that is out of range; nothing has changed. Requests of one port are taken by the
 * L1, or leave for one L2 bank, in order. */
int gm_memory_send(gm_memory *memory, const gm_memory_request *request, gm_error *error);

/* Sends a warp's instruction of `count` lines, 1 to GM_MEMORY_LINES, which takes one place of the
 * load/store queue and is answered once, when all its lines are. id, port, warp and kind are those
 * of the first. Only below the SM; returns as gm_memory_send. */
int gm_memory_send_lines(gm_memory *memory, const gm_memory_request *lines, uint32_t count,
                         gm_error *error);

/* Tells the number of warps resident in the port's SM, 0 to sm.warps: l1.bypass=contention asks for
 * it. Until then it is sm.warps. Returns 0 or -EINVAL. */
int gm_memory_set_warps(gm_memory *memory, uint32_t port, uint32_t warps, gm_error *error);

/* True if gm_memory_send would take the request, which must be in range. */
bool gm_memory_has_room(const gm_memory *memory, const gm_memory_request *request);

/* Returns the simulator's cycle: the number of ticks. */
uint64_t gm_memory_now(const gm_memory *memory);

/* Computes the next cycle. With a slower clock than the core's this is several core cycles, or with
 * a faster one perhaps none: core cycle c belongs to cycle ceil(c * clock / clock.core). */
void gm_memory_tick(gm_memory *memory);

/* Computes all cycles up to `cycle`, as as many ticks do; those in which nothing happens cost no
 * time. Does nothing if it has passed. GM_MEMORY_NEVER: up to the last cycle in which a unit has
 * work, thus none in an idle memory system; gm_memory_now is then that cycle. Requires
 * GM_MEMORY_NEVER or a cycle up to 5 * 10^12. */
void gm_memory_advance(gm_memory *memory, uint64_t cycle);

/* Returns the first cycle after gm_memory_now in which a unit has work, if nothing is sent before:
 * until then no answer comes and no room. GM_MEMORY_NEVER: the memory system is idle. */
uint64_t gm_memory_next(const gm_memory *memory);

/* Removes the oldest answer that is due by now, by cycle, then port. Returns false if there is
 * none.
 */
bool gm_memory_pop(gm_memory *memory, gm_memory_answer *answer);

/* True if nothing waits or is in flight in any unit, DRAM included, and no kernel's end goes on.
 * Answers may wait for gm_memory_pop. */
bool gm_memory_idle(const gm_memory *memory);

/* Ends a kernel, as the engine does: L1s are flushed (l1.flush), atomic buffers emptied. Requests
 * are refused until the ticks have done it. Returns 0, or -EBUSY if a request is not answered yet.
 */
int gm_memory_end_kernel(gm_memory *memory, gm_error *error);

/* Sets *statistics to the counters since open, up to the end of this cycle: those of the L1s, the
 * interconnect, the L2 and DRAM; time.cycles is in core cycles. Those of one port, L2 bank (of all
 * partitions) or memory partition have the counters of that unit alone, as gm_results has them;
 * they require a number in range. */
void gm_memory_statistics(gm_memory *memory, gm_statistics *statistics);
void gm_memory_port_statistics(gm_memory *memory, uint32_t port, gm_statistics *statistics);
void gm_memory_bank_statistics(gm_memory *memory, uint32_t bank, gm_statistics *statistics);
void gm_memory_partition_statistics(gm_memory *memory, uint32_t partition,
                                    gm_statistics *statistics);

/* Checks the engine's conservation laws between kernels: all that was sent was received, and each
 * request was answered once. Returns 0; -EPROTO names the law; -EBUSY unless idle with all answers
 * popped; -ENOMEM if an unbounded cache could not grow, which makes the results void. */
int gm_memory_check(gm_memory *memory, gm_error *error);

#ifdef __cplusplus
}
#endif

#endif
