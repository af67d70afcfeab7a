/* Statistics: the counters of one kernel, of one SM or bank, or of a whole run. The lists below are
 * the only home of their names and meanings; text, JSON, CSV and docs/statistics.md come from them.
 */
#ifndef GOLDMEM_STATISTICS_H
#define GOLDMEM_STATISTICS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of access, as caches count them. */
typedef enum gm_access_kind {
    GM_LOAD,
    GM_STORE,
    GM_ATOMIC,
    GM_INSTRUCTION, /* an L1I's fetch of a line from the L2 (cycle engine); no data cache sees it */
    GM_ACCESS_KINDS
} gm_access_kind;

/* COUNTER(name, unit, meaning): each is split by gm_access_kind.
 * accesses = hits + hits_pending + misses + bypasses, for each kind. */
#define GM_CACHE_COUNTERS(COUNTER)                                                                 \
    COUNTER(accesses, "line requests",                                                             \
            "coalesced line requests, each once however often it retries")                         \
    COUNTER(hits, "line requests", "every sector asked for was there")                             \
    COUNTER(hits_pending, "line requests", "the line was in flight (cycle engine)")                \
    COUNTER(misses, "line requests", "some sector asked for was not there")                        \
    COUNTER(sector_misses, "line requests", "misses whose line was there without the sector")      \
    COUNTER(bypasses, "line requests", "sent on without allocating a line")                        \
    COUNTER(evictions, "lines", "valid lines dropped to make room")                                \
    COUNTER(write_backs, "lines", "dirty lines sent to the next level")                            \
    COUNTER(invalidations, "lines", "valid lines dropped by a store, an atomic or a flush")        \
    COUNTER(sectors_filled, "32-byte sectors", "received from the next level")                     \
    COUNTER(sectors_stored, "32-byte sectors",                                                     \
            "of an L1: written by stores that did not hit, beside fills; the L2 has none")         \
    COUNTER(sectors_written_back, "32-byte sectors", "sent to the next level by write-backs")      \
    COUNTER(fails_line, "retries", "reservation fail: no line can be allocated (cycle engine)")    \
    COUNTER(fails_mshr_entry, "retries", "reservation fail: no MSHR entry is free (cycle engine)") \
    COUNTER(fails_mshr_merge, "retries",                                                           \
            "reservation fail: the MSHR entry is full (cycle engine)")                             \
    COUNTER(fails_miss_queue, "retries",                                                           \
            "reservation fail: the miss queue is full (cycle engine)")                             \
    COUNTER(fails_bypass_queue, "retries",                                                         \
            "reservation fail: the L1's bypass path is full (cycle engine); the L2 has none")

typedef struct gm_cache_statistics {
#define COUNTER(name, unit, meaning) uint64_t name[GM_ACCESS_KINDS];
    GM_CACHE_COUNTERS(COUNTER)
#undef COUNTER
} gm_cache_statistics;

#define GM_CORE_COUNTERS(COUNTER)                                                                  \
    COUNTER(ctas, "CTAs", "CTAs run")                                                              \
    COUNTER(warps, "warps", "warps run")                                                           \
    COUNTER(warp_instructions, "warp instructions", "issued")                                      \
    COUNTER(thread_instructions, "thread instructions", "active lanes of all warp instructions")   \
    COUNTER(memory_instructions, "warp instructions", "with a memory operand, mask 0 included")    \
    COUNTER(global_instructions, "warp instructions", "that touched global memory")                \
    COUNTER(local_instructions, "warp instructions", "that touched local memory")                  \
    COUNTER(shared_instructions, "warp instructions", "that touched shared memory")                \
    COUNTER(atomic_instructions, "warp instructions", "atomics and reductions on global memory")   \
    COUNTER(barriers, "warp instructions", "CTA barriers")                                         \
    COUNTER(fences, "warp instructions", "memory fences")                                          \
    COUNTER(fences_gpu, "warp instructions", "of those, of GPU scope")                             \
    COUNTER(fences_sys, "warp instructions", "of those, of system scope; the rest: of CTA scope")  \
    COUNTER(copies_to_shared, "warp instructions",                                                 \
            "asynchronous copies from global to shared memory without a register (LDGSTS, bulk)")  \
    COUNTER(copied_to_shared, "bytes", "that LDGSTS write to shared memory, of active lanes")      \
    COUNTER(lane_accesses, "lane accesses",                                                        \
            "addresses of active lanes in global and local memory")                                \
    COUNTER(shared_accesses, "passes", "passes that a conflict-free shared memory would take")     \
    COUNTER(shared_conflicts, "passes", "further passes due to bank conflicts")

typedef struct gm_core_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_CORE_COUNTERS(COUNTER)
#undef COUNTER
} gm_core_statistics;

#define GM_DRAM_COUNTERS(COUNTER)                                                                  \
    COUNTER(reads, "32-byte sectors", "read")                                                      \
    COUNTER(writes, "32-byte sectors", "written")                                                  \
    COUNTER(requests, "requests", "line requests from the L2, reads and writes")                   \
    COUNTER(row_hits, "requests", "found their row open (order engine: in order of arrival)")      \
    COUNTER(bytes, "bytes", "read and written")

typedef struct gm_dram_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_DRAM_COUNTERS(COUNTER)
#undef COUNTER
} gm_dram_statistics;

/* Interconnect bytes by class [singh, 8.1, figure 8]: "LD, ST, and ATO are the data traffic from
 * load, store, and atomic requests", "REQ refers to control traffic"; and a class for the traffic
 * of sharing trackers, which the paper lacks. */
#define GM_DATA_TRAFFIC_CLASSES(CLASS)                                                             \
    CLASS(req, "headers of all messages; an acknowledgement is one")                               \
    CLASS(ld, "data of loads, L2 to SM")                                                           \
    CLASS(st, "data of stores and write-backs, SM to L2")                                          \
    CLASS(ato, "data of atomics, both directions")                                                 \
    CLASS(inv, "invalidations and their acknowledgements")                                         \
    CLASS(rcl, "recalls and their acknowledgements")                                               \
    CLASS(trk, "headers of what L1s and sharing trackers send each other")                         \
    CLASS(rem, "data that an L1 supplies to another")

/* With an instruction cache. */
#define GM_INSTRUCTION_TRAFFIC_CLASSES(CLASS) CLASS(ins, "lines of instructions, L2 to SM")

/* With l2.victim. */
#define GM_VICTIM_TRAFFIC_CLASSES(CLASS)                                                           \
    CLASS(vic, "data of clean lines that L1s evict, SM to tracker")

#define GM_TRAFFIC_CLASSES(CLASS)                                                                  \
    GM_DATA_TRAFFIC_CLASSES(CLASS)                                                                 \
    GM_INSTRUCTION_TRAFFIC_CLASSES(CLASS) GM_VICTIM_TRAFFIC_CLASSES(CLASS)

typedef struct gm_traffic_statistics {
#define CLASS(name, meaning) uint64_t name;
    GM_TRAFFIC_CLASSES(CLASS)
#undef CLASS
} gm_traffic_statistics;

/* SM dueling [li, 4.3]; all 0 without l1.dueling. */
#define GM_DUELING_COUNTERS(COUNTER)                                                               \
    COUNTER(intervals_sampled, "intervals",                                                        \
            "sampling intervals that have ended: SM 0 ran the decoupled L1, SM 1 the other")       \
    COUNTER(decisions, "decisions", "those of them in which SM 0 and SM 1 both had loads")         \
    COUNTER(decisions_decoupled, "decisions", "decisions for the decoupled L1")                    \
    COUNTER(loads_sampled, "line requests",                                                        \
            "loads of SM 0 and SM 1 in sampling intervals, which decide")                          \
    COUNTER(loads_decoupled, "line requests",                                                      \
            "loads of SMs that follow the decisions, in the decoupled L1")                         \
    COUNTER(loads_conventional, "line requests",                                                   \
            "loads of SMs that follow the decisions, in the conventional L1")

typedef struct gm_dueling_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_DUELING_COUNTERS(COUNTER)
#undef COUNTER
} gm_dueling_statistics;

/* Streaming bypass [khairy, 4.1]; all 0 without l1.streaming, l2.streaming. A line request is one
 * of the L1s or of the L2 banks. */
#define GM_STREAMING_COUNTERS(COUNTER)                                                             \
    COUNTER(periods_open, "periods", "sampling periods that gates were open in")                   \
    COUNTER(periods_closed, "periods", "sampling periods that gates were closed in")               \
    COUNTER(closings, "transitions", "of gates from open to closed")                               \
    COUNTER(openings, "transitions", "of gates from closed to open")                               \
    COUNTER(                                                                                       \
        accesses, "line requests",                                                                 \
        "that count for the miss rates: loads that may use the L1; in the L2 loads and stores")    \
    COUNTER(misses, "line requests", "of these, that missed, in a closed cache the tags")          \
    COUNTER(loads_bypassed, "line requests", "loads that a closed cache sent on")                  \
    COUNTER(stores_bypassed, "line requests", "stores that a closed L2 bank sent on to DRAM")      \
    COUNTER(tags_taken, "lines", "tags without data that these two took")

/* Not a sum: of two statistics the earlier one's holds. */
#define GM_STREAMING_TIMES(COUNTER)                                                                \
    COUNTER(first_closed, "core cycles",                                                           \
            "of the run before the first closing (order engine: accesses of that cache); 0: none")

typedef struct gm_streaming_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_STREAMING_COUNTERS(COUNTER)
    GM_STREAMING_TIMES(COUNTER)
#undef COUNTER
} gm_streaming_statistics;

/* Dynamic warp throttling [khairy, 4.2, DWT-CS]; all 0 without sm.throttle=sampling. */
#define GM_SAMPLING_COUNTERS(COUNTER)                                                              \
    COUNTER(periods, "periods", "sampling periods that all SMs have reported")                     \
    COUNTER(periods_hot, "periods",                                                                \
            "those of them in which a kernel without a limit misses more than the threshold")      \
    COUNTER(periods_cool, "periods", "in which it does not")                                       \
    COUNTER(periods_sampled, "periods", "in which each SM has a limit of its own")                 \
    COUNTER(periods_limited, "periods", "in which all SMs have the kernel's limit")                \
    COUNTER(samplings, "samplings", "times that SMs began to be sampled")                          \
    COUNTER(rounds, "rounds", "further rounds of sampling, with larger limits")                    \
    COUNTER(decided, "samplings", "samplings that found a limit")                                  \
    COUNTER(dropped, "samplings", "dropped as an SM had no warps left")                            \
    COUNTER(cut, "samplings", "that the end of the kernel ended")                                  \
    COUNTER(known, "launches", "launches that took the limit found for their kernel before")

/* Not a sum: of two statistics the later one's holds. */
#define GM_SAMPLING_STATES(COUNTER)                                                                \
    COUNTER(limit, "warps",                                                                        \
            "of a scheduler that may issue at the end of the kernel, of a run's last kernel; 0: "  \
            "no limit")

typedef struct gm_sampling_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_SAMPLING_COUNTERS(COUNTER)
    GM_SAMPLING_STATES(COUNTER)
#undef COUNTER
} gm_sampling_statistics;

/* CCWS; all 0 without sm.throttle=ccws. */
#define GM_CCWS_COUNTERS(COUNTER)                                                                  \
    COUNTER(victims, "lines", "lines replaced in L1s, whose tags their warps were given")          \
    COUNTER(probes, "line requests", "load misses that searched their warp's victim tags")         \
    COUNTER(hits, "line requests", "those of them that found their line: lost locality")           \
    COUNTER(hits_raised, "line requests", "those hits whose score is above the base")              \
    COUNTER(loads, "warp instructions",                                                            \
            "issued: loads, atomics and asynchronous copies of global and local memory")           \
    COUNTER(loads_held, "warp instructions",                                                       \
            "those of them that were ready at the end of a cycle and that scores did not allow")

typedef struct gm_ccws_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_CCWS_COUNTERS(COUNTER)
#undef COUNTER
} gm_ccws_statistics;

/* Sharing trackers [anssari, 3.1]: of the messages between an SM and its tracker. */
#define GM_TRACKER_COUNTERS(COUNTER)                                                               \
    COUNTER(lookups, "line requests", "loads that missed or passed the L1, and asked the tracker") \
    COUNTER(hits, "line requests", "another SM was known to have the line")                        \
    COUNTER(refused, "line requests",                                                              \
            "hits sent to the L2, its L1 having tracker.supplies others to answer")                \
    COUNTER(remote_hits, "line requests", "its L1 had the sectors asked for, and supplied them")   \
    COUNTER(remote_misses, "line requests", "it had not: the request went on to the L2")           \
    COUNTER(remote_sectors, "32-byte sectors", "supplied by other L1s")                            \
    COUNTER(supplied_sectors, "32-byte sectors", "supplied to other L1s")                          \
    COUNTER(fills, "notices", "a load installed its line in the L1")                               \
    COUNTER(evicts, "notices", "the L1 evicted a clean line")                                      \
    COUNTER(last_sharer_evicts, "notices", "evicts of a line that no other SM was known to have")  \
    COUNTER(writes, "line requests", "stores and write-backs, which then go to the L2")            \
    COUNTER(coherent, "line requests", "atomics and strong loads, which then go to the L2")        \
    COUNTER(                                                                                       \
        changes, "transactions",                                                                   \
        "of these five kinds that wrote the entry: all but those that found nothing to change")    \
    COUNTER(entries_taken, "entries", "by loads whose line had none")                              \
    COUNTER(entries_freed, "entries", "by writes, coherent operations and evicts")                 \
    COUNTER(dropped, "entries", "given up for another line")                                       \
    COUNTER(displaced, "sharers", "given up for another, all pointers being in use")               \
    COUNTER(held, "line requests",                                                                 \
            "stores, atomics and strong loads that waited for a look-up of their line")

/* With tracker.ask, else 0. */
#define GM_TRACKER_ASK_COUNTERS(COUNTER)                                                           \
    COUNTER(asks, "transactions", "of other trackers that were asked for a sharer")                \
    COUNTER(ask_hits, "line requests", "of tracker.hits: an SM of another tracker was named")      \
    COUNTER(told, "transactions", "of other trackers that were told of stores and atomics")

/* With l2.victim, else 0. last_sharer_evicts = victims + victims_shared. */
#define GM_TRACKER_VICTIM_COUNTERS(COUNTER)                                                        \
    COUNTER(evict_sectors, "32-byte sectors", "sent with evicts")                                  \
    COUNTER(victims, "lines", "of last sharers, which the tracker sent on to the L2")              \
    COUNTER(victim_sectors, "32-byte sectors", "of these lines")                                   \
    COUNTER(victim_asks, "transactions",                                                           \
            "of other trackers that were asked whether the last sharer is that of all trackers")   \
    COUNTER(victims_shared, "lines", "of last sharers of their tracker; another knows one")

typedef struct gm_tracker_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_TRACKER_COUNTERS(COUNTER)
    GM_TRACKER_ASK_COUNTERS(COUNTER)
    GM_TRACKER_VICTIM_COUNTERS(COUNTER)
#undef COUNTER
} gm_tracker_statistics;

/* L2 as a victim buffer of the L1s [anssari, 3.3]; all 0 without l2.victim.
 * lines = inserted + present + refused. */
#define GM_L2_VICTIM_COUNTERS(COUNTER)                                                             \
    COUNTER(lines, "lines", "parts of L1 lines that trackers sent, each of one line of the L2")    \
    COUNTER(sectors, "32-byte sectors", "of these")                                                \
    COUNTER(inserted, "lines", "of these: took a way, clean")                                      \
    COUNTER(inserted_sectors, "32-byte sectors", "of the lines inserted")                          \
    COUNTER(present, "lines", "of these, dropped: the L2 has the line, or waits for its data")     \
    COUNTER(refused, "lines", "of these, dropped: no way or queue place was free (cycle engine)")  \
    COUNTER(moved, "lines", "clean lines that left the L2 with a read that fills an L1")

typedef struct gm_l2_victim_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_L2_VICTIM_COUNTERS(COUNTER)
#undef COUNTER
} gm_l2_victim_statistics;

/* Atomic buffers of L2 banks [anssari, 3.4, 3.5]; all 0 without l2.atomic_buffer. */
#define GM_ATOMIC_BUFFER_COUNTERS(COUNTER)                                                         \
    COUNTER(hits, "line requests", "atomics and strong loads on the line in the buffer")           \
    COUNTER(taken, "lines",                                                                        \
            "moved from the L2 into the buffer: by each other atomic and strong load")             \
    COUNTER(in_place, "line requests",                                                             \
            "atomics and strong loads on lines from DRAM that remained in the L2 (cycle engine)")  \
    COUNTER(loads, "line requests", "strong loads, of all of these")                               \
    COUNTER(load_hits, "line requests", "strong loads, of the hits")                               \
    COUNTER(load_sectors, "32-byte sectors", "that strong loads read")                             \
    COUNTER(put_for_atomics, "lines", "moved back into the L2: the buffer took another")           \
    COUNTER(put_for_accesses, "lines", "moved back before another access to the line")             \
    COUNTER(put_at_ends, "lines", "moved back at the end of a kernel")                             \
    COUNTER(sectors_taken, "32-byte sectors", "of the lines moved into the buffer")                \
    COUNTER(sectors_put, "32-byte sectors", "of the lines moved back")

typedef struct gm_atomic_buffer_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_ATOMIC_BUFFER_COUNTERS(COUNTER)
#undef COUNTER
} gm_atomic_buffer_statistics;

/* Sharing-aware caches [tabbakh, V]; all 0 without sharing.enabled. Of an SM and its L1: */
#define GM_SHARING_SM_COUNTERS(COUNTER)                                                            \
    COUNTER(l1_fills_private, "lines", "that came into L1s as private")                            \
    COUNTER(l1_fills_shared, "lines", "that came into L1s as shared")                              \
    COUNTER(l1_fills_bypassed, "fills", "of shared lines that L1s did not install")                \
    COUNTER(l1_sectors_bypassed, "32-byte sectors",                                                \
            "of l1d.sectors_filled and sectors_stored: of these fills")                            \
    COUNTER(l1_fills_closed, "fills",                                                              \
            "that L1s did not install: a strong load or an atomic came first (cycle engine)")      \
    COUNTER(l1_hits_private, "line requests", "loads and stores that hit private lines of L1s")    \
    COUNTER(l1_hits_shared, "line requests", "loads and stores that hit shared lines of L1s")      \
    COUNTER(l1_merged_private, "line requests",                                                    \
            "that a fill of a private line answered beside the one that asked for it")             \
    COUNTER(l1_merged_shared, "line requests",                                                     \
            "that a fill of a shared line answered beside the one that asked for it")              \
    COUNTER(l1_evicted_private, "lines", "private, that gave way to a fill of an L1")              \
    COUNTER(l1_evicted_shared, "lines", "shared, that gave way to a fill of an L1")                \
    COUNTER(l1_dead_marked, "lines", "private, that were declared dead and stayed in an L1")       \
    COUNTER(l1_dead_evicted, "lines", "of l1_evicted_private: dead")

/* Of an L2 bank: */
#define GM_SHARING_BANK_COUNTERS(COUNTER)                                                          \
    COUNTER(became_shared, "lines", "of the L2 that a second SM accessed")                         \
    COUNTER(l2_evicted_private, "lines", "private, that gave way to another line of the L2")       \
    COUNTER(l2_evicted_shared, "lines", "shared, that gave way to another line of the L2")         \
    COUNTER(l2_dead_marked, "lines", "shared, that were declared dead and stayed in the L2")       \
    COUNTER(l2_dead_evicted, "lines", "of l2_evicted_shared: dead")                                \
    COUNTER(l2_local_reads, "messages", "local loads that bypassed the L2")                        \
    COUNTER(l2_local_writes, "messages", "write-backs of local lines that bypassed the L2")

typedef struct gm_sharing_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_SHARING_SM_COUNTERS(COUNTER)
    GM_SHARING_BANK_COUNTERS(COUNTER)
#undef COUNTER
} gm_sharing_statistics;

/* Coherence of the L1s [singh, 6]; all 0 without coherence.protocol tcs or tcw. Of an SM and its
 * L1: */
#define GM_COHERENCE_SM_COUNTERS(COUNTER)                                                          \
    COUNTER(expired, "line requests", "loads that found their line in the L1, but its lease past") \
    COUNTER(upgrades, "line requests", "stores that wrote a copy in the L1")                       \
    COUNTER(renewals, "copies", "that took a new lease from the answer of a store")                \
    COUNTER(not_installed, "fills", "whose data the L1 did not keep: entry closed, or lease past") \
    COUNTER(asked_again, "line requests", "loads sent again (coherence.merge=lease)")              \
    COUNTER(fences, "warp instructions", "fences of GPU or system scope that have completed")      \
    COUNTER(fences_answers, "warp instructions", "of these, that waited for answers")              \
    COUNTER(fences_time, "warp instructions", "of these, that waited for GWCTs to pass")           \
    COUNTER(fence_answer_cycles, "warp cycles", "in which fences waited for answers")              \
    COUNTER(fence_time_cycles, "warp cycles", "in which fences waited for GWCTs to pass")

/* Of an L2 bank: */
#define GM_COHERENCE_BANK_COUNTERS(COUNTER)                                                        \
    COUNTER(leases, "leases", "given to loads")                                                    \
    COUNTER(lease_extensions, "leases", "of these, of lines whose lease was not past")             \
    COUNTER(lease_cycles, "core cycles", "sum of the lifetimes of leases given to loads")          \
    COUNTER(writes_alone, "line requests", "writes of lines without an unexpired lease")           \
    COUNTER(writes_private, "line requests", "writes by the only SM with a lease")                 \
    COUNTER(writes_gwct, "line requests", "writes answered with a GWCT")                           \
    COUNTER(write_stalls, "L2 cycles", "in which a write waited for a lease to pass (tcs)")        \
    COUNTER(leases_stored, "leases", "of lines that were evicted before they had passed")          \
    COUNTER(leases_taken, "leases", "of these, that a refetch of the line found")

/* With a directory [singh, 4], of an SM and its L1, and of an L2 bank: */
#define GM_DIRECTORY_SM_COUNTERS(COUNTER)                                                          \
    COUNTER(copies_dropped, "copies", "dropped by invalidations and recalls")

#define GM_DIRECTORY_BANK_COUNTERS(COUNTER)                                                        \
    COUNTER(writes_shared, "line requests", "writes that waited for other SMs' copies")            \
    COUNTER(invalidations, "messages", "to SMs whose copies a write has made old")                 \
    COUNTER(recalled_lines, "lines", "evicted by the L2 of which SMs may have had copies")         \
    COUNTER(recalls, "messages", "to these SMs")                                                   \
    COUNTER(forward_flits, "flits", "of invalidations and recalls")                                \
    COUNTER(acknowledgement_flits, "flits", "of their acknowledgements")

/* Of L1s that own lines [singh, 4.1], of an SM and its L1, and of an L2 bank: */
#define GM_OWNER_SM_COUNTERS(COUNTER)                                                              \
    COUNTER(line_upgrades, "line requests", "writes of shared copies")                             \
    COUNTER(not_kept, "fills", "whose line was used once, since an invalidation had overtaken it") \
    COUNTER(puts, "messages", "write-backs of owned lines that were evicted, dirty or not")

#define GM_OWNER_BANK_COUNTERS(COUNTER)                                                            \
    COUNTER(forwards, "messages", "to the owners of lines that others have requested")             \
    COUNTER(puts_old, "messages", "write-backs of lines that had been given away before")          \
    COUNTER(recalls_owned, "messages", "recalls of lines that an SM owned, dirty or not")

#define GM_COHERENCE_MACHINE_COUNTERS(COUNTER)                                                     \
    COUNTER(rollovers, "rollovers", "of time: all leases ended, and it began anew")

#define GM_COHERENCE_COUNTERS(COUNTER)                                                             \
    GM_COHERENCE_SM_COUNTERS(COUNTER)                                                              \
    GM_COHERENCE_BANK_COUNTERS(COUNTER)                                                            \
    GM_COHERENCE_MACHINE_COUNTERS(COUNTER)                                                         \
    GM_DIRECTORY_SM_COUNTERS(COUNTER)                                                              \
    GM_DIRECTORY_BANK_COUNTERS(COUNTER)                                                            \
    GM_OWNER_SM_COUNTERS(COUNTER)                                                                  \
    GM_OWNER_BANK_COUNTERS(COUNTER)

typedef struct gm_coherence_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_COHERENCE_COUNTERS(COUNTER)
#undef COUNTER
} gm_coherence_statistics;

/* Cycle engine: time and occupancy. In every core cycle of a kernel each warp scheduler of each SM
 * is in one state: the slots_ counters add up to cycles * SMs * schedulers. */
#define GM_CYCLE_COUNTERS(COUNTER)                                                                 \
    COUNTER(cycles, "core cycles", "from a kernel's start to its end, kernel after kernel")

#define GM_SLOT_COUNTERS(COUNTER)                                                                  \
    COUNTER(slots_issued, "scheduler cycles", "a warp instruction was issued")                     \
    COUNTER(slots_memory, "scheduler cycles",                                                      \
            "no warp ready: some wait for data of loads, atomics, asynchronous copies")            \
    COUNTER(slots_dependence, "scheduler cycles",                                                  \
            "no warp (of the group) ready: some wait for a result or a branch")                    \
    COUNTER(slots_unit, "scheduler cycles", "the units that ready warps need were taken")          \
    COUNTER(slots_memory_unit, "scheduler cycles",                                                 \
            "ready warps wait for room in front of the coalescer")                                 \
    COUNTER(slots_barrier, "scheduler cycles",                                                     \
            "no warp ready: some wait at barriers, none for data or results")                      \
    COUNTER(slots_fence, "scheduler cycles",                                                       \
            "no warp ready: all wait at fences, or for their last accesses' answers")              \
    COUNTER(slots_idle, "scheduler cycles", "no warp was there, or the kernel was being launched")

/* Cycle engine: with an instruction cache; else 0. */
#define GM_FETCH_SLOT_COUNTERS(COUNTER)                                                            \
    COUNTER(slots_fetch, "scheduler cycles",                                                       \
            "no warp ready: some wait for lines of instructions, none for data")

/* Cycle engine: with sm.throttle; else 0. */
#define GM_THROTTLE_SLOT_COUNTERS(COUNTER)                                                         \
    COUNTER(slots_throttled, "scheduler cycles",                                                   \
            "warps are ready, but throttling forbids each of them to issue")

/* Cycle engine: further counters of one SM. */
#define GM_SM_TIME_COUNTERS(COUNTER)                                                               \
    COUNTER(loads, "line requests", "load requests answered, by the L1 or from beyond")            \
    COUNTER(load_cycles, "core cycles", "sum over them, from the coalescer to the data's arrival") \
    COUNTER(l1_mshr_cycles, "entry cycles", "sum over core cycles of L1 MSHR entries in use")      \
    COUNTER(l1_mshr_entries, "entries", "L1 MSHR entries taken")                                   \
    COUNTER(warp_cycles, "warp cycles", "sum over core cycles of warps resident")                  \
    COUNTER(occupied_cycles, "core cycles", "in which some warp was resident")

/* Cycle engine: one L2 bank. */
#define GM_BANK_TIME_COUNTERS(COUNTER)                                                             \
    COUNTER(l2_mshr_cycles, "entry cycles", "sum over core cycles of L2 MSHR entries in use")      \
    COUNTER(l2_mshr_entries, "entries", "L2 MSHR entries taken")

/* Cycle engine: one L2 bank of an L2 in two halves; else 0. */
#define GM_HALVES_COUNTERS(COUNTER)                                                                \
    COUNTER(l2_near, "requests", "of SMs of the bank's half")                                      \
    COUNTER(l2_far, "requests", "of SMs of the other half, each l2.far_latency later")

/* Cycle engine: the interconnect. */
#define GM_NOC_TIME_COUNTERS(COUNTER)                                                              \
    COUNTER(request_flits, "flits", "from SMs to L2 banks")                                        \
    COUNTER(reply_flits, "flits", "from L2 banks to SMs")

/* Cycle engine: one DRAM channel. */
#define GM_DRAM_TIME_COUNTERS(COUNTER)                                                             \
    COUNTER(dram_activates, "commands", "DRAM rows opened")                                        \
    COUNTER(dram_precharges, "commands", "DRAM rows closed")                                       \
    COUNTER(dram_refreshes, "commands", "refreshes of a DRAM bank, or of all banks at once")       \
    COUNTER(dram_bursts, "bursts", "read and write commands")                                      \
    COUNTER(dram_busy, "DRAM cycles", "cycles of a data bus in use")                               \
    COUNTER(dram_cycles, "DRAM cycles", "cycles of all data buses")

#define GM_TIME_COUNTERS(COUNTER)                                                                  \
    GM_CYCLE_COUNTERS(COUNTER)                                                                     \
    GM_SLOT_COUNTERS(COUNTER)                                                                      \
    GM_FETCH_SLOT_COUNTERS(COUNTER)                                                                \
    GM_THROTTLE_SLOT_COUNTERS(COUNTER)                                                             \
    GM_SM_TIME_COUNTERS(COUNTER)                                                                   \
    GM_BANK_TIME_COUNTERS(COUNTER)                                                                 \
    GM_HALVES_COUNTERS(COUNTER)                                                                    \
    GM_NOC_TIME_COUNTERS(COUNTER)                                                                  \
    GM_DRAM_TIME_COUNTERS(COUNTER)

typedef struct gm_time_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_TIME_COUNTERS(COUNTER)
#undef COUNTER
} gm_time_statistics;

/* Banks of the L1s, in the cycle engine; all 0 with l1.banks=1. */
#define GM_L1_BANK_COUNTERS(COUNTER)                                                               \
    COUNTER(requests, "line requests", "taken by the banks: all")                                  \
    COUNTER(cycles, "bank cycles", "cycles in which banks were in use, each bank by itself")       \
    COUNTER(conflicts, "core cycles", "in which a line request waited for a bank")

typedef struct gm_l1_bank_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_L1_BANK_COUNTERS(COUNTER)
#undef COUNTER
} gm_l1_bank_statistics;

/* L1 instruction caches, in the cycle engine; all 0 without l1i.size.
 * accesses = hits + hits_pending + misses + fails. */
#define GM_L1I_COUNTERS(COUNTER)                                                                   \
    COUNTER(accesses, "look-ups", "for a warp whose instruction buffer is empty")                  \
    COUNTER(hits, "look-ups", "the line was there")                                                \
    COUNTER(hits_pending, "look-ups", "the line was in flight")                                    \
    COUNTER(misses, "look-ups", "the line was not there: fetched from the L2")                     \
    COUNTER(fails, "look-ups",                                                                     \
            "no MSHR entry was free, or the line's was full: looked up again when one is freed")   \
    COUNTER(fill_cycles, "core cycles", "sum over misses, from the look-up to the line's arrival") \
    COUNTER(sectors_filled, "32-byte sectors", "received from the L2")                             \
    COUNTER(evictions, "lines", "dropped to make room")

typedef struct gm_l1i_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_L1I_COUNTERS(COUNTER)
#undef COUNTER
} gm_l1i_statistics;

/* The division of unified memory for a kernel; in the total, for the last one. No sums: of two
 * statistics the later one's values hold. All 0 without l1.unified. */
#define GM_UNIFIED_COUNTERS(COUNTER)                                                               \
    COUNTER(l1_bytes, "bytes", "of an L1")                                                         \
    COUNTER(l1_ways, "ways", "of each set of an L1")                                               \
    COUNTER(shared_bytes, "bytes", "the size of l1.shared_options that shared memory got")         \
    COUNTER(resident_ctas, "CTAs", "the most in an SM, whose shared memory decided")               \
    COUNTER(on_fill, "0 or 1", "1: a load miss takes its line when its data come")

typedef struct gm_unified_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_UNIFIED_COUNTERS(COUNTER)
#undef COUNTER
} gm_unified_statistics;

/* Where a kernel lies among those in flight with it: with gpu.kernels above 1, else 0. Not in the
 * total. With others beside it, only its core counters and its cycles are its own. */
#define GM_OVERLAP_COUNTERS(COUNTER)                                                               \
    COUNTER(stream, "number", "of the kernel's CUDA stream")                                       \
    COUNTER(began, "core cycles", "of the run before the kernel's first one")                      \
    COUNTER(ended, "core cycles", "of the run up to the kernel's last one")                        \
    COUNTER(beside, "kernels",                                                                     \
            "others that were launched and not over beside it; 0: all counters are its own, else " \
            "core counters and cycles are, and the others are given for the whole run only")

typedef struct gm_overlap_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_OVERLAP_COUNTERS(COUNTER)
#undef COUNTER
} gm_overlap_statistics;

/* CTAs of a kernel [tabbakh, Figure 8]: cycle engine, another gpu.cta than rr. Of a run, those of
 * its last kernel. */
#define GM_CTA_COUNTERS(COUNTER)                                                                   \
    COUNTER(sms, "SMs", "that had a CTA of the kernel")                                            \
    COUNTER(ended, "CTAs", "that have ended")                                                      \
    COUNTER(cycles, "core cycles", "of them all, each from its place on an SM to its end")         \
    COUNTER(least, "core cycles", "of one of them")                                                \
    COUNTER(most, "core cycles", "of one of them")

typedef struct gm_cta_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_CTA_COUNTERS(COUNTER)
#undef COUNTER
} gm_cta_statistics;

/* Loads that fill an L1 [anssari, 4.3], in an L2 that they bypass: l2.bypass=coalesced, else 0.
 * reads = present + bypassed + joined. */
#define GM_L2_COALESCED_COUNTERS(COUNTER)                                                          \
    COUNTER(reads, "messages", "reads whose data an L1 installs")                                  \
    COUNTER(sectors, "32-byte sectors", "that they ask for")                                       \
    COUNTER(present, "messages", "of these reads: of lines that have a way, served as any other")  \
    COUNTER(bypassed, "messages", "of these reads: fetched from DRAM, and no line is installed")   \
    COUNTER(joined, "messages", "of these reads: all sectors were in flight for one that bypasses")

typedef struct gm_l2_coalesced_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_L2_COALESCED_COUNTERS(COUNTER)
#undef COUNTER
} gm_l2_coalesced_statistics;

/* Data that pass an L2 bank by, in no line of it: l2.bypass=coalesced, l2.streaming,
 * sharing.local_l2=bypass; else 0. */
#define GM_L2_BYPASSED_COUNTERS(COUNTER)                                                           \
    COUNTER(read_sectors, "32-byte sectors", "of l2.sectors_filled: read for loads that bypass")   \
    COUNTER(answered_sectors, "32-byte sectors",                                                   \
            "sent to SMs from these reads; more than read, where loads share a read")              \
    COUNTER(written_sectors, "32-byte sectors",                                                    \
            "of stores and write-backs that went on to DRAM without the L2")

typedef struct gm_l2_bypassed_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_L2_BYPASSED_COUNTERS(COUNTER)
#undef COUNTER
} gm_l2_bypassed_statistics;

/* Bytes of L2 lines [anssari, 4.3]: l2.dirty=byte, else 0. partial = completed + covered + left +
 * partial lines at the end. */
#define GM_L2_BYTES_COUNTERS(COUNTER)                                                              \
    COUNTER(unfetched, "32-byte sectors", "missed by stores, which fetched nothing")               \
    COUNTER(partial, "32-byte sectors", "of these, written in part by that store")                 \
    COUNTER(completed, "32-byte sectors", "of these, fetched later for a load or an atomic")       \
    COUNTER(covered, "32-byte sectors", "of these, written to the last byte by later stores")      \
    COUNTER(left, "32-byte sectors", "of these, partial when evicted or written by a host copy")   \
    COUNTER(writes, "requests", "to DRAM, of lines written back")                                  \
    COUNTER(masked, "requests", "of these, of fewer than 32 bytes")                                \
    COUNTER(written_bytes, "bytes", "that these requests write")

typedef struct gm_l2_bytes_statistics {
#define COUNTER(name, unit, meaning) uint64_t name;
    GM_L2_BYTES_COUNTERS(COUNTER)
#undef COUNTER
} gm_l2_bytes_statistics;

/* One kernel, or the total. */
typedef struct gm_statistics {
    gm_core_statistics core;
    gm_cache_statistics l1d;
    gm_cache_statistics l2;
    gm_dram_statistics dram;
    gm_traffic_statistics traffic; /* bytes */
    gm_time_statistics time;       /* all 0 in the order engine */
    uint64_t copies;               /* host-to-device copies */
    uint64_t copy_bytes;
    uint64_t l2_dirty_sectors; /* not yet written to DRAM at the end */
    gm_dueling_statistics dueling;
    gm_sampling_statistics sampling;
    gm_ccws_statistics ccws;
    gm_tracker_statistics tracker; /* all 0 in the cycle engine */
    gm_coherence_statistics coherence;
    gm_unified_statistics unified;
    gm_l1_bank_statistics l1_banks;
    gm_l1i_statistics l1i;
    gm_overlap_statistics overlap;
    gm_cta_statistics cta;
    gm_streaming_statistics l1_streaming, l2_streaming;
    gm_l2_coalesced_statistics l2_coalesced;
    gm_l2_bypassed_statistics l2_bypassed;
    gm_l2_victim_statistics l2_victim;
    gm_atomic_buffer_statistics atomic_buffer;
    gm_sharing_statistics sharing;
    gm_l2_bytes_statistics l2_bytes;
} gm_statistics;

/* into += from, counter by counter. */
void gm_cache_statistics_add(gm_cache_statistics *into, const gm_cache_statistics *from);

/* into += from, counter by counter. */
void gm_core_statistics_add(gm_core_statistics *into, const gm_core_statistics *from);

/* into += from, counter by counter. */
void gm_ccws_statistics_add(gm_ccws_statistics *into, const gm_ccws_statistics *from);

/* into += from, counter by counter. */
void gm_tracker_statistics_add(gm_tracker_statistics *into, const gm_tracker_statistics *from);

/* into += from, counter by counter. */
void gm_coherence_statistics_add(gm_coherence_statistics *into,
                                 const gm_coherence_statistics *from);

/* into += from, counter by counter. */
void gm_time_statistics_add(gm_time_statistics *into, const gm_time_statistics *from);

/* into += from, counter by counter. */
void gm_l1i_statistics_add(gm_l1i_statistics *into, const gm_l1i_statistics *from);

/* into += from, counter by counter; the first closing of both. */
void gm_streaming_statistics_add(gm_streaming_statistics *into,
                                 const gm_streaming_statistics *from);

/* into += from, counter by counter (l2_dirty_sectors, unified, overlap and cta take from's
 * values). */
void gm_statistics_add(gm_statistics *into, const gm_statistics *from);

#ifdef __cplusplus
}
#endif

#endif
