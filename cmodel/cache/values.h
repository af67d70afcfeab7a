/* Values: the data that a run's caches would hold, moved as the engine moves them, and the check of
 * every load (--check=values). A value is the number of the store that wrote a word
 * (goldmem/value_observer.h).
 *
 * The engine calls these functions where data move: at the L1 when a request is taken, when data
 * arrive, when a line is written back; at the L2 when a line is read from DRAM, a request is
 * performed, a line is written back. Packets in flight are known by SM and id, waiting requests by
 * SM and ticket. What a cache holds is known by line; the tags decide whether it is used.
 *
 * Coherence order of a word: the order in which the L2 performs its writes. docs/values.md says
 * what a load may return. */
#ifndef GOLDMEM_CACHE_VALUES_H
#define GOLDMEM_CACHE_VALUES_H

#include "base/template.h"
#include "cache/request_kind.h"
#include "goldmem/config.h"
#include "goldmem/source.h"
#include "goldmem/value_observer.h"

#include <stdbool.h>
#include <stdint.h>

enum { GM_VALUE_TICKETS = 2048 }; /* tickets of an SM: 0 to 2047 */

typedef struct gm_values gm_values;

/* A request that an L1 takes. */
typedef struct gm_value_request {
    uint32_t sm, ticket;
    uint64_t line;    /* of the L1 */
    uint32_t sectors; /* touched */
    uint64_t since;   /* a load that merges: the cycle from which its data are in flight; 0: now */
} gm_value_request;

/* What a store does in its SM. All masks are of sectors that it touches. */
typedef struct gm_value_effect {
    uint32_t held;      /* written into the L1's line now */
    uint32_t waiting;   /* written when the data of `entry` arrive */
    uint32_t dirtied;   /* of both: to be written back later */
    uint32_t forwarded; /* sent to the L2 in packets with `id` */
    uint32_t entry;     /* packet id of the reply that brings the line's data */
    uint32_t id;
} gm_value_effect;

/* Makes the values of a run. `now`: the engine's time, and `unit` its unit, for messages.
 * `observer`: NULL: none. The caller keeps all three. Returns 0, -ENOMEM, or -EINVAL for
 * keys with which loads may see old values (l1.keep_bypassed) or whose values are not kept
 * (l1.parts). gm_values_free takes NULL too. */
GM_COLD int gm_values_create(gm_values **values, const gm_config *config, const char *unit,
                             const uint64_t *now, const gm_value_observer *observer,
                             gm_error *error);
GM_COLD void gm_values_free(gm_values *values);

/* From now on values are carried, but not checked, for kernels that communicate; only the words
 * that the observer wants have values. Memory grows with the words, not with the stores. */
GM_COLD void gm_values_carry_only(gm_values *values);

/* Calls `held` with each word's value in each place, 0 left out. */
GM_COLD void gm_values_each(const gm_values *values,
                            void (*held)(void *context, uint64_t address, uint32_t value),
                            void *context);

/* Returns 0, -ENOMEM, or -EPROTO: *error names the first wrong value: kernel, time, SM, warp,
 * address, the value seen, the value expected, and who wrote both. */
GM_COLD int gm_values_check(const gm_values *values, gm_error *error);

/* Begins a kernel, `number` in the run, while none runs: every write performed so far must be seen
 * by each SM, if kernels' ends flush the L1s. Kernels that run beside it are not told of. */
GM_COLD void gm_values_kernel(gm_values *values, uint64_t number, const gm_kernel *kernel);

/* Ends a kernel: forgets the sectors that the L1s no longer hold. `holds` returns the sectors of a
 * line that an SM's L1 holds. */
GM_COLD void gm_values_end_kernel(gm_values *values,
                                  uint32_t (*holds)(void *context, uint32_t sm, uint64_t line),
                                  void *context);

/* A warp's memory instruction gets a ticket of its SM. warp->number is counted here. */
GM_COLD void gm_values_issue(gm_values *values, uint32_t ticket, const gm_value_warp *warp);

/* A warp slot of an SM gets a new warp, which has nothing to wait for at a fence. */
GM_COLD void gm_values_begin_warp(gm_values *values, uint32_t sm, uint32_t slot);

/* The warp in a slot, of this kernel, completes a fence of GPU or system scope: its later loads
 * must see what is visible now, even if they merge with requests made before. */
GM_COLD void gm_values_fence(gm_values *values, uint32_t sm, uint32_t slot, uint32_t kernel);

/* Takes a line request of the instruction, before gm_values_load or gm_values_store. `words`: for
 * each sector of a line a mask of the words that the request touches. `bytes`: with l2.dirty=byte,
 * of a store or atomic, for each sector a mask of the bytes that it writes; else NULL. */
GM_COLD void gm_values_ask(gm_values *values, const gm_value_request *request, const uint8_t *words,
                           const uint32_t *bytes);

/* Takes what a load has at once: `held` sectors from the L1's line, and of the others what stores
 * that wait for the reply `id` have written. `id`: packet id of the reply that brings the rest;
 * ignored if none is missing. Answers the load if nothing is missing. */
GM_COLD void gm_values_load(gm_values *values, const gm_value_request *request, uint32_t held,
                            uint32_t id);

/* Answers those `sectors` of a load whose data have arrived in the reply `id`. An instruction may
 * have several requests of a line, of other sectors: those that the L1 has not taken, or whose data
 * come in other replies, are not answered. Does nothing for a ticket without a load of that line.
 */
GM_COLD void gm_values_answer(gm_values *values, uint32_t sm, uint32_t ticket, uint64_t line,
                              uint32_t sectors, uint32_t id);

/* Does a store, atomic or reduction in its SM. */
GM_COLD void gm_values_store(gm_values *values, const gm_value_request *request,
                             const gm_value_effect *effect);

/* Installs sectors of a reply in the L1's line, with the writes of waiting stores; `dirtied`: those
 * of them to be written back later. */
GM_COLD void gm_values_install(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors,
                               uint32_t dirtied, uint32_t id);

/* Forgets the data of a reply, all of whose requesters are answered. */
GM_COLD void gm_values_end_reply(gm_values *values, uint32_t sm, uint64_t line, uint32_t id);

/* Sends the words that an SM has written in `dirty` sectors of a line to the L2, in packets `id`.
 */
GM_COLD void gm_values_write_back(gm_values *values, uint32_t sm, uint64_t line, uint32_t dirty,
                                  uint32_t id);

/* Gives a load's reply `id` the sectors that another L1 holds, and checks that they have the writes
 * of all SMs of its sharing tracker. */
GM_COLD void gm_values_supply(gm_values *values, uint32_t sm, uint32_t supplier, uint64_t line,
                              uint32_t sectors, uint32_t id);

/* A sharing tracker registers an SM as a sharer of a line. Checks that the `sectors` that its L1
 * holds have the writes of all SMs of the tracker. */
GM_COLD void gm_values_register(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors);

/* Timed sharing trackers, which the order engine does not have: before the first request, says that
 * writes pass them before the L2 performs them. */
GM_COLD void gm_values_time_trackers(gm_values *values);

/* A tracker processes a LOOKUP with this id; of one that becomes a SUPPLY, gm_values_supply or
 * gm_values_end_look_up (the supplier lacks the sectors) follows. A supplier's copy must have all
 * writes that passed before. */
GM_COLD void gm_values_look_up(gm_values *values, uint32_t sm, uint32_t id, uint64_t line,
                               uint32_t sectors);
GM_COLD void gm_values_end_look_up(gm_values *values, uint32_t sm, uint32_t id, uint64_t line,
                                   uint32_t sectors);

/* An L1 sends a FILL of the sectors that it has installed. */
GM_COLD void gm_values_fill(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors);

/* A tracker processes this FILL, which `registers` the L1 or not. A registered copy must have all
 * writes that passed before. */
GM_COLD void gm_values_filled(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors,
                              bool registers);

/* An L1 sends an EVICT with these sectors of a line. */
GM_COLD void gm_values_evict(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors);

/* A tracker processes this EVICT, and sends the line to the L2 or not. A line sent must have all
 * writes that passed before. */
GM_COLD void gm_values_evicted(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors,
                               bool sent);

/* A tracker processes the write of a packet `id`. */
GM_COLD void gm_values_pass(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line,
                            uint32_t sectors);

/* The L2 reads sectors of one of its lines from DRAM, or writes them to DRAM. */
GM_COLD void gm_values_fetch(gm_values *values, uint64_t l2_line, uint32_t sectors);
GM_COLD void gm_values_write_to_dram(gm_values *values, uint64_t l2_line, uint32_t sectors);

/* An L2 that knows bytes (l2.dirty=byte): a line of one sector gets a way and has no byte; `bytes`
 * of it are filled from DRAM; `bytes` of it, which it must have, are written to DRAM. */
GM_COLD void gm_values_allocate_bytes(gm_values *values, uint64_t l2_line);
GM_COLD void gm_values_fetch_bytes(gm_values *values, uint64_t l2_line, uint32_t bytes);
GM_COLD void gm_values_write_bytes_to_dram(gm_values *values, uint64_t l2_line, uint32_t bytes);

/* The L2 takes sectors of one of its lines from an SM's L1, which has evicted it. Checks that they
 * are the last that the L2 performed, and that DRAM has them. In time the L2 may drop them. */
GM_COLD void gm_values_insert_victim(gm_values *values, uint32_t sm, uint64_t l2_line,
                                     uint32_t sectors);
GM_COLD void gm_values_drop_victim(gm_values *values, uint32_t sm, uint64_t l2_line,
                                   uint32_t sectors);

/* Makes the reply `id` of sectors of an L2 line that is in no way, from DRAM, and checks it. */
GM_COLD void gm_values_read_dram(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line,
                                 uint32_t sectors);

/* The L2 performs a packet: reads make the reply `id`, writes become the last of their words.
 * `through`: DRAM gets the written words as well. */
GM_COLD void gm_values_perform(gm_values *values, gm_message_kind kind, uint32_t sm, uint32_t id,
                               uint64_t l2_line, uint32_t sectors, bool through, uint64_t visible);

/* As gm_values_perform, of a coherent operation on the line in an atomic buffer: an atomic, a
 * reduction or a READ. */
GM_COLD void gm_values_perform_in_buffer(gm_values *values, gm_message_kind kind, uint32_t sm,
                                         uint32_t id, uint64_t l2_line, uint32_t sectors,
                                         uint64_t visible);

/* Sectors of an L2 line move into its bank's atomic buffer, or from there into the L2. `bytes`:
 * with l2.dirty=byte the line's valid bytes, which move. */
GM_COLD void gm_values_take(gm_values *values, uint64_t l2_line, uint32_t sectors, uint32_t bytes);
GM_COLD void gm_values_put(gm_values *values, uint64_t l2_line, uint32_t sectors, uint32_t bytes);

/* Makes the reply `id` of sectors of an L2 line, beside the performing of another request. */
GM_COLD void gm_values_reply(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line,
                             uint32_t sectors);

/* L1s that own lines. Numbers a store, atomic or reduction, in its SM's order; gm_values_ask comes
 * first. */
GM_COLD void gm_values_begin_store(gm_values *values, const gm_value_request *request);

/* Performs it on the SM's copy of the line, which must have the last writes of all SMs. `returns`:
 * an atomic that returns the old values. */
GM_COLD void gm_values_perform_in_l1(gm_values *values, bool returns, uint32_t sm, uint32_t ticket,
                                     uint64_t line);

/* Makes the reply `id` of the SM's copy as it is now: loads that wait in the reply's MSHR entry
 * behind stores get them. */
GM_COLD void gm_values_renew_reply(gm_values *values, uint32_t sm, uint64_t line, uint32_t id);

/* The SM sends sectors of its copy to the L2 in a packet `id`; the L2 takes them, and must have the
 * last writes then, or, `old`, drops them. */
GM_COLD void gm_values_send_line(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors,
                                 uint32_t id);
GM_COLD void gm_values_take_line(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line,
                                 uint32_t sectors, bool old);

/* A host copy writes sectors of an L2 line; `installs`: in the L2 as well. */
GM_COLD void gm_values_copy(gm_values *values, uint64_t l2_line, uint32_t sectors, bool installs);

#endif
