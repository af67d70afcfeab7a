/* Invariants of the cycle engine: each side of an equation is counted where it happens. */
#include "cycle/engine/cycle_invariants.h"

#include "goldmem/rates.h"
#include "stats/invariants.h"

#include <errno.h>
#include <stdio.h>

/* Checks that SMs, L1s, networks and tracker banks are empty and their counters agree. */
static int check_answered(const gm_cycle_machine *machine, gm_error *error)
{
    int code = gm_network_check(&machine->requests, error);
    code = code < 0 ? code : gm_network_check(&machine->replies, error);
    code = code < 0 || machine->trackers == 0 ? code : gm_network_check(&machine->peers, error);
    code = code < 0 || !machine->apart ? code : gm_network_check(&machine->acknowledgements, error);
    for (uint32_t i = 0; i < machine->trackers && code == 0; i++) {
        code = gm_tracker_bank_check(&machine->tracker[i], error);
    }
    for (uint32_t i = 0; i < machine->sms && code == 0; i++) {
        code = gm_cycle_sm_check(&machine->sm[i], error);
        code = code < 0 ? code : gm_load_store_check(&machine->load_store[i], error);
    }
    return code;
}

/* Checks that L2 banks and DRAM channels are empty and their counters agree. */
static int check_beyond(const gm_cycle_machine *machine, gm_error *error)
{
    int code = 0;
    for (uint32_t i = 0; i < machine->banks && code == 0; i++) {
        code = gm_l2_bank_check(&machine->bank[i], error);
    }
    for (uint32_t i = 0; i < machine->partitions && code == 0; i++) {
        code = gm_gddr5_check(&machine->channel[i], error);
    }
    return code;
}

int gm_cycle_check_running(const gm_cycle_machine *machine, gm_error *error)
{
    int code = gm_network_check_running(&machine->requests, error);
    code = code < 0 ? code : gm_network_check_running(&machine->replies, error);
    code = code < 0 || machine->trackers == 0 ? code
                                              : gm_network_check_running(&machine->peers, error);
    if (code == 0 && machine->apart) {
        code = gm_network_check_running(&machine->acknowledgements, error);
    }
    for (uint32_t i = 0; i < machine->sms && code == 0; i++) {
        char where[32];
        snprintf(where, sizeof where, "L1 of SM %u", i);
        code = gm_bypass_check(&machine->load_store[i].l1.bypass, where, error);
    }
    for (uint32_t i = 0; i < machine->partitions && code == 0; i++) {
        code = gm_gddr5_check_running(&machine->channel[i], error);
    }
    return code;
}

/* Checks that what the source delivered has run, and that every scheduler cycle is charged once. */
static int check_core(const gm_cycle_run_state *run, const gm_statistics *sum, gm_error *error)
{
    const gm_cycle_delivered *delivered = &run->position.delivered;
    const gm_time_statistics *time = &sum->time;
    GM_INVARIANT("SMs", "CTAs delivered = run", delivered->ctas, sum->core.ctas);
    GM_INVARIANT("SMs", "warps delivered = run", delivered->warps, sum->core.warps);
    GM_INVARIANT("SMs", "warp instructions delivered = counted", delivered->instructions,
                 sum->core.warp_instructions);
    GM_INVARIANT("SMs", "warp instructions counted = issued", sum->core.warp_instructions,
                 time->slots_issued);
    GM_INVARIANT("SMs", "active lanes delivered = thread instructions", delivered->lanes,
                 sum->core.thread_instructions);
    GM_INVARIANT("schedulers", "cycles in each state = core cycles * SMs * schedulers",
                 time->slots_issued + time->slots_memory + time->slots_fetch +
                     time->slots_dependence + time->slots_unit + time->slots_memory_unit +
                     time->slots_barrier + time->slots_fence + time->slots_idle +
                     time->slots_throttled,
                 run->position.cycles * run->machine.sms * run->machine.config->sm.schedulers);
    GM_INVARIANT("SMs", "cycles with resident warps <= core cycles * SMs",
                 time->occupied_cycles <= run->position.cycles * run->machine.sms, 1);
    GM_INVARIANT("SMs", "cycles with resident warps <= cycles of warps <= those * sm.warps",
                 time->occupied_cycles <= time->warp_cycles &&
                     time->warp_cycles <= time->occupied_cycles * run->machine.config->sm.warps,
                 1);
    return 0;
}

/* Checks the stalls of each L1: at most one request is stalled at a time, or one of each bank. */
static int check_stalls(const gm_cycle_run_state *run, gm_error *error)
{
    uint64_t waits = gm_config_l1_waits(run->machine.config);
    for (uint32_t i = 0; i < run->machine.sms; i++) {
        const gm_statistics own = {.l1d = run->machine.load_store[i].l1.statistics};
        GM_INVARIANT("L1s", "reservation fails of each <= core cycles * requests that may wait",
                     gm_stall_cycles(&own) <= run->position.cycles * waits, 1);
    }
    return 0;
}

/* Checks what L1s and tracker banks count for each SM, and of all what one sends and another
 * receives. */
static int check_tracked(const gm_cycle_machine *machine, const gm_statistics *sum, gm_error *error)
{
    for (uint32_t i = 0; i < machine->sms && machine->trackers != 0; i++) {
        gm_tracker_statistics own = *gm_cycle_l1_tracked_counts(&machine->load_store[i].l1);
        char where[32];
        for (uint32_t bank = 0; bank < machine->trackers; bank++) {
            gm_tracker_statistics_add(&own, &machine->tracker[bank].counts[i]);
        }
        snprintf(where, sizeof where, "L1 of SM %u", i);
        GM_INVARIANT(where, "hits of its tracker = refused + remote hits + remote misses", own.hits,
                     own.refused + own.remote_hits + own.remote_misses);
    }
    uint64_t parts = 0;
    for (uint32_t bank = 0; bank < machine->trackers; bank++) {
        parts += machine->tracker[bank].victim_parts;
    }
    GM_INVARIANT("sharing trackers", "victims sent to the L2 = received by L2 banks", parts,
                 sum->l2_victim.lines);
    GM_INVARIANT("sharing trackers", "sectors supplied by other L1s = to other L1s",
                 sum->tracker.remote_sectors, sum->tracker.supplied_sectors);
    return 0;
}

/* Checks that MESI's write-backs and UNBLOCKs were sent as such where they have networks of their
 * own. */
static int check_classes(const gm_cycle_machine *machine, gm_error *error)
{
    const gm_network *requests = &machine->requests;
    const uint64_t *flits = requests->fabric.statistics.class_flits;
    uint64_t write_backs = 0;
    uint64_t unblocks = 0;
    if (requests->parameters.classes < GM_NETWORK_CLASSES) {
        return 0;
    }
    for (uint32_t i = 0; i < machine->sms; i++) {
        const uint64_t *sent = machine->load_store[i].l1.sent.messages;
        write_backs += sent[GM_MESSAGE_WRITE_BACK];
        unblocks += sent[GM_MESSAGE_UNBLOCK];
    }
    GM_INVARIANT("request network", "flits of its UNBLOCKs = UNBLOCKs sent * flits of one",
                 flits[GM_CLASS_UNBLOCK], unblocks * requests->flits[0]);
    GM_INVARIANT("request network", "flits of its write-backs >= write-backs sent * flits of one",
                 flits[GM_CLASS_WRITE_BACK] >= write_backs * requests->flits[0], 1);
    return 0;
}

/* Makes *received what the SMs sent: tracker banks receive all of it; FILLs and EVICTs end there,
 * LOOKUPs and RETURNs become READs. Leaves what the L2 banks received from no SM. */
static void receive_by_trackers(const gm_cycle_machine *machine, gm_message_counts *received,
                                gm_tracker_reads *reads, uint64_t *supplies)
{
    received->messages[GM_MESSAGE_EVICT] = 0; /* parts of those that the tracker banks received */
    received->sectors[GM_MESSAGE_EVICT] = 0;
    for (uint32_t i = 0; i < machine->trackers; i++) {
        const gm_tracker_bank *bank = &machine->tracker[i];
        const gm_message_counts *own = &bank->received;
        for (unsigned kind = GM_MESSAGE_LOOKUP; kind <= GM_MESSAGE_RETURN; kind++) {
            received->messages[kind] += own->messages[kind];
            received->sectors[kind] += own->sectors[kind];
        }
        for (uint32_t sm = 0; sm < machine->sms; sm++) {
            reads->messages += bank->reads[sm].messages;
            reads->sectors += bank->reads[sm].sectors;
        }
        *supplies += bank->supplied;
    }
    received->messages[GM_MESSAGE_READ] -= reads->messages;
    received->sectors[GM_MESSAGE_READ] -= reads->sectors;
}

static int check_messages(const gm_cycle_machine *machine, const gm_statistics *sum,
                          gm_error *error)
{
    gm_message_counts sent = {0};
    gm_message_counts received = {0};
    uint64_t answered = 0;
    for (uint32_t i = 0; i < machine->sms; i++) {
        const gm_load_store *unit = &machine->load_store[i];
        gm_message_counts_add(&sent, &unit->l1.sent);
        for (unsigned kind = 0; kind < GM_ACCESS_KINDS; kind++) {
            GM_INVARIANT("load/store units", "line requests issued = L1 accesses",
                         unit->issued[kind], unit->l1.statistics.accesses[kind]);
        }
    }
    for (uint32_t i = 0; i < machine->banks; i++) {
        gm_message_counts_add(&received, &machine->bank[i].l2.received);
        answered += machine->bank[i].answered;
    }
    uint64_t requests = 0;
    for (unsigned kind = 0; kind < GM_MESSAGE_LOOKUP; kind++) {
        requests += received.messages[kind];
    }
    /* no SM sends host copies */
    for (unsigned kind = GM_MESSAGE_INSTALL; kind < GM_MESSAGE_KINDS; kind++) {
        received.messages[kind] = 0;
        received.sectors[kind] = 0;
    }
    GM_INVARIANT("L2 banks", "requests received = answered", requests, answered);
    GM_INVARIANT("L2 banks", "fetches of instructions received = accesses",
                 received.messages[GM_MESSAGE_INSTRUCTION], sum->l2.accesses[GM_INSTRUCTION]);
    GM_INVARIANT("L1Is", "sectors asked for = filled", sent.sectors[GM_MESSAGE_INSTRUCTION],
                 sum->l1i.sectors_filled);
    gm_tracker_reads reads = {0};
    uint64_t supplies = 0;
    uint64_t header = machine->config->noc.header;
    receive_by_trackers(machine, &received, &reads, &supplies);
    if (machine->trackers != 0) { /* from L1 to L1 */
        received.messages[GM_MESSAGE_SUPPLIED] = sum->tracker.remote_hits;
        received.sectors[GM_MESSAGE_SUPPLIED] = sum->tracker.remote_sectors;
    }
    int code = gm_invariants_check_strong(&sent, &sum->atomic_buffer, error);
    code = code < 0 ? code : gm_invariants_check_messages(&sent, &received, error);
    gm_traffic_statistics traffic = gm_traffic_of(&received, header);
    traffic.req += reads.messages * header; /* their answers */
    traffic.ld += reads.sectors * GM_SECTOR;
    traffic.trk += supplies * header;
    return code < 0 ? code : gm_invariants_check_traffic(&sum->traffic, &traffic, error);
}

static int check_dram(const gm_cycle_machine *machine, const gm_statistics *sum, gm_error *error)
{
    uint64_t written = gm_invariants_sum(sum->l2.sectors_written_back);
    for (uint32_t i = 0; i < machine->banks; i++) {
        written += machine->bank[i].l2.through;
    }
    GM_INVARIANT("DRAM", "sectors filled in the L2 = reads",
                 gm_invariants_sum(sum->l2.sectors_filled), sum->dram.reads);
    GM_INVARIANT("DRAM", "sectors written back and through by the L2 = writes", written,
                 sum->dram.writes);
    GM_INVARIANT("DRAM", "data bus in use <= cycles", sum->time.dram_busy <= sum->time.dram_cycles,
                 1);
    return 0;
}

/* Checks an L1's copy that may be used up to time `until` against the L2's lease on its line, and
 * its owner. */
static int check_copy(const gm_cycle_machine *machine, uint32_t sm, uint64_t line, uint64_t until,
                      gm_error *error)
{
    gm_location at = gm_address_map_locate(&machine->l2_shared.map, line);
    const gm_l2_bank *bank =
        &machine->bank[(at.partition << machine->l2_shared.map.bank_bits) + at.bank];
    const gm_coherence_l2 *protocol = &bank->coherent->protocol;
    uint32_t slot = gm_cache_find(&bank->l2.cache, at.line).slot;
    slot = slot == GM_NO_SLOT ? GM_COHERENCE_NO_SLOT : slot;
    char where[64];
    snprintf(where, sizeof where, "L1 of SM %u, line 0x%llx", sm, (unsigned long long)line);
    GM_INVARIANT(where, "its lease <= the L2's",
                 until <= protocol->ops->line_until(protocol, slot, at.line), 1);
    uint32_t owner = slot == GM_COHERENCE_NO_SLOT ? slot : protocol->ops->owner(protocol, slot);
    GM_INVARIANT(where, "SMs with an unexpired copy beside the line's owner = 0",
                 owner != GM_COHERENCE_NO_SLOT && owner != sm, 0);
    return 0;
}

/* Checks that the directory knows an L1's copy; `owned`: that no other L1 has one. */
static int check_sharer(const gm_cycle_machine *machine, uint32_t sm, uint64_t line, bool owned,
                        gm_error *error)
{
    gm_location at = gm_address_map_locate(&machine->l2_shared.map, line);
    const gm_l2_bank *bank =
        &machine->bank[(at.partition << machine->l2_shared.map.bank_bits) + at.bank];
    const gm_coherence_l2 *protocol = &bank->coherent->protocol;
    uint32_t slot = gm_cache_find(&bank->l2.cache, at.line).slot;
    uint64_t sharers = protocol->ops->sharers->of(protocol, at.line, slot);
    char where[64];
    snprintf(where, sizeof where, "L1 of SM %u, line 0x%llx", sm, (unsigned long long)line);
    GM_INVARIANT(where, "its copy is known to the directory", sharers >> sm & 1, 1);
    GM_INVARIANT(where, "owned here = owned by the directory", owned,
                 protocol->ops->sharers->is_owner != NULL &&
                     protocol->ops->owner(protocol, slot) == sm);
    return 0;
}

static int check_sharers(const gm_cycle_machine *machine, gm_error *error)
{
    int code = 0;
    for (uint32_t i = 0; i < machine->sms && machine->directory; i++) {
        const gm_cycle_l1 *l1 = &machine->load_store[i].l1;
        const gm_coherence_l1 *protocol = &l1->coherent->protocol;
        for (uint32_t slot = 0; code == 0 && slot < gm_cache_slots(&l1->cache); slot++) {
            if (protocol->ops->sharers->has_copy(protocol, slot)) {
                bool owned = protocol->ops->sharers->is_owner != NULL &&
                             protocol->ops->sharers->is_owner(protocol, slot);
                code = check_sharer(machine, i, gm_cache_line(&l1->cache, slot), owned, error);
            }
        }
    }
    return code;
}

/* Checks that the L2 knows the lease of every copy that an L1 may use: leases are only given by
 * it. Not with the printed table, which forgets some. */
static int check_leases(const gm_cycle_machine *machine, gm_error *error)
{
    const gm_coherence_ops *ops = machine->l1_shared.coherence;
    int code = 0;
    if (ops == NULL || machine->config->coherence.table == GM_TC_TABLE_PRINTED) {
        return 0;
    }
    for (uint32_t i = 0; i < machine->sms; i++) {
        const gm_cycle_l1 *l1 = &machine->load_store[i].l1;
        for (uint32_t slot = 0; code == 0 && slot < gm_cache_slots(&l1->cache); slot++) {
            uint64_t until = ops->copy_until(&l1->coherent->protocol, slot);
            if (until != 0 && until >= gm_coherence_now(&machine->time, machine->now)) {
                code = check_copy(machine, i, gm_cache_line(&l1->cache, slot), until, error);
            }
        }
    }
    return code;
}

/* Checks that the kernels have run what the SMs counted. */
static int check_kernels(const gm_cycle_run_state *run, gm_error *error)
{
    const gm_core_statistics *kernels = &run->window.core;
    const gm_core_statistics *sms = &run->accounting.total.core;
    GM_INVARIANT("kernels", "their CTAs = those of the SMs", kernels->ctas, sms->ctas);
    GM_INVARIANT("kernels", "their warp instructions = those of the SMs",
                 kernels->warp_instructions, sms->warp_instructions);
    GM_INVARIANT("kernels", "their thread instructions = those of the SMs",
                 kernels->thread_instructions, sms->thread_instructions);
    for (uint32_t i = 0; i < run->window.count; i++) {
        const gm_kernel_state *kernel = &run->window.kernel[i].state;
        const gm_cta_statistics *ctas = &kernel->ctas;
        GM_INVARIANT("kernels", "CTAs dispatched = ended", kernel->dispatched, ctas->ended);
        GM_INVARIANT(
            "kernels", "SMs with a CTA <= SMs, CTAs; kernels one after the other",
            run->window.most > 1 || (ctas->sms <= run->machine.sms && ctas->sms <= ctas->ended), 1);
        GM_INVARIANT("kernels", "least <= mean <= most cycles of a CTA",
                     ctas->least * ctas->ended <= ctas->cycles &&
                         ctas->cycles <= ctas->most * ctas->ended,
                     1);
    }
    return 0;
}

/* Checks that the counts by instruction add up to those of the run. */
static int check_pcs(const gm_cycle_machine *machine, const gm_statistics *sum, gm_error *error)
{
    gm_pc_counts all = {0};
    uint64_t slot = 0;
    for (const gm_pc_counts *row;
         (row = gm_line_table_next(&machine->pcs.counts, &slot)) != NULL;) {
#define COUNTER(name, unit, meaning) all.name += row->name;
        GM_PC_COUNTERS(COUNTER)
#undef COUNTER
    }
    GM_INVARIANT("instructions", "their issues = warp instructions", all.issues,
                 sum->core.warp_instructions);
    GM_INVARIANT("instructions", "their requests = accesses of the L1s", all.requests,
                 gm_invariants_sum(sum->l1d.accesses));
    GM_INVARIANT("instructions", "their hits = hits of the L1s", all.hits,
                 gm_invariants_sum(sum->l1d.hits));
    GM_INVARIANT("instructions", "their pending hits = those of the L1s", all.hits_pending,
                 gm_invariants_sum(sum->l1d.hits_pending));
    GM_INVARIANT("instructions", "their misses = misses of the L1s", all.misses,
                 gm_invariants_sum(sum->l1d.misses));
    GM_INVARIANT("instructions", "their bypasses = bypasses of the L1s", all.bypasses,
                 gm_invariants_sum(sum->l1d.bypasses));
    return 0;
}

int gm_cycle_check_machine(const gm_cycle_machine *machine, const gm_statistics *sum,
                           gm_error *error)
{
    bool goes_on = machine->config->gpu.kernel_end == GM_END_ANSWERED &&
                   !gm_cycle_machine_idle(machine); /* L2 banks and channels */
    int code = check_answered(machine, error);
    code = code < 0 || goes_on ? code : check_beyond(machine, error);
    code = code < 0 ? code : gm_invariants_check_cache(&sum->l1d, "L1s", error);
    code = code < 0 ? code : gm_invariants_check_cache(&sum->l2, "L2 banks", error);
    code = code < 0 || !machine->config->l1.dueling ? code
                                                    : gm_dueling_check(&machine->dueling, error);
    code = code < 0 ? code : check_messages(machine, sum, error);
    code = code < 0 ? code : check_tracked(machine, sum, error);
    code = code < 0 ? code : check_classes(machine, error);
    code = code < 0 || goes_on ? code : check_dram(machine, sum, error);
    code = code < 0 ? code : check_leases(machine, error);
    code = code < 0 ? code : check_sharers(machine, error);
    return code < 0 || machine->latencies == NULL
               ? code
               : gm_latency_check(machine->latencies, sum, error);
}

int gm_cycle_check(const gm_cycle_run_state *run, const gm_statistics *sum, gm_error *error)
{
    int code = gm_cycle_check_machine(&run->machine, sum, error);
    code = code < 0 ? code : check_core(run, sum, error);
    code = code < 0 ? code : check_stalls(run, error);
    code = code < 0 || run->machine.config->sm.throttle != GM_THROTTLE_SAMPLING
               ? code
               : gm_sampling_check(&run->machine.sampling, error);
    code = code < 0 ? code : check_kernels(run, error);
    code = code < 0 || run->machine.pc_flight == NULL ? code : check_pcs(&run->machine, sum, error);
    code = code < 0 ? code : gm_invariants_check_coalesced(sum, run->machine.config, error);
    code = code < 0 ? code : gm_invariants_check_victims(sum, run->machine.config, error);
    return code < 0 ? code : gm_invariants_check_totals(&run->accounting.total, sum, error);
}
