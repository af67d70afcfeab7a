/* Each conservation law of the cycle engine fails when one of its sides is changed, and names
 * itself. The changes are made where a kernel has ended: checkpoints are left out here, so that
 * what keeps a kernel's statistics for them is this test. */
#include "cycle/engine/checkpoint.h"
#include "cycle/engine/cycle_invariants.h"
#include "cycle/l1/l1_tracker.h"
#include "cycle/sm/l1i.h"
#include "support/config/mixture.h"
#include "support/cycle/engine/cycle_run.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

static unsigned kernels;

static int check(gm_cycle_run_state *run, gm_error *error)
{
    gm_statistics sum;
    gm_cycle_machine_sum(&run->machine, &sum);
    sum.time.cycles = run->position.cycles;
    gm_accounting_add_copies(&run->accounting, &sum);
    return gm_cycle_check(run, &sum, error);
}

typedef struct change {
    void *counter; /* of `bytes` bytes */
    size_t bytes;
    const char *law;
} change;

#define CHANGE(counter, law)                                                                       \
    {                                                                                              \
        &(counter), sizeof(counter), law                                                           \
    }

static void add(const change *what, int number)
{
    if (what->bytes == sizeof(uint64_t)) {
        *(uint64_t *)what->counter += (uint64_t)number;
    } else {
        assert_int_equal(what->bytes, sizeof(uint32_t));
        *(uint32_t *)what->counter += (uint32_t)number;
    }
}

typedef int check_function(gm_cycle_run_state *run, gm_error *error);

static void each_fails_in(check_function *check, gm_cycle_run_state *run, const change *changes,
                          size_t count)
{
    gm_error error;
    for (size_t i = 0; i < count; i++) {
        add(&changes[i], 1);
        assert_true(check(run, &error) < 0);
        if (strstr(error.text, changes[i].law) == NULL) {
            fail_msg("row %zu: \"%s\" does not say \"%s\"", i, error.text, changes[i].law);
        }
        add(&changes[i], -1); /* or the next row would name this law */
    }
    test_ok(check(run, &error), error);
}

static void each_fails(gm_cycle_run_state *run, const change *changes, size_t count)
{
    each_fails_in(check, run, changes, count);
}

static int check_running(gm_cycle_run_state *run, gm_error *error)
{
    return gm_cycle_check_running(&run->machine, error);
}

/* What debug builds check now and then while a kernel runs. */
static void between_two_cycles(gm_cycle_run_state *run)
{
    gm_gddr5 *channel = &run->machine.channel[1];
    const change changes[] = {
        CHANGE(run->machine.requests.fabric.statistics.sent,
               "request network: packets sent = taken + in buffers"),
        CHANGE(run->machine.replies.fabric.statistics.taken,
               "reply network: packets sent = taken + in buffers"),
        CHANGE(channel->time.dram_precharges, "dram_activates = dram_precharges + open rows"),
        CHANGE(channel->time.dram_bursts, "dram_busy = dram_bursts * dram.burst_cycles"),
        CHANGE(channel->statistics.bytes, "bytes = (reads + writes) * 32"),
    };
    each_fails_in(check_running, run, changes, sizeof changes / sizeof changes[0]);
}

static void in_the_sms(gm_cycle_run_state *run)
{
    gm_cycle_sm *sm = &run->machine.sm[1];
    gm_load_store *unit = &run->machine.load_store[2];
    gm_cycle_l1 *l1 = &unit->l1;
    gm_cache_statistics *counts = &l1->statistics;
    const change changes[] = {
        CHANGE(run->position.delivered.ctas, "CTAs delivered = run"),
        CHANGE(run->position.delivered.warps, "warps delivered = run"),
        CHANGE(run->position.delivered.instructions, "warp instructions delivered = counted"),
        CHANGE(run->position.delivered.lanes, "active lanes delivered = thread instructions"),
        CHANGE(run->position.cycles, "cycles in each state = core cycles * SMs * schedulers"),
        CHANGE(run->window.core.ctas, "kernels: their CTAs = those of the SMs"),
        CHANGE(run->window.core.warp_instructions, "kernels: their warp instructions = those of"),
        CHANGE(run->window.core.thread_instructions, "kernels: their thread instructions = those"),
        CHANGE(sm->slot[GM_SLOT_IDLE], "cycles in each state = core cycles * SMs * schedulers"),
        CHANGE(sm->slot[GM_SLOT_ISSUED], "instructions issued, and delivered"),
        CHANGE(sm->core.ctas, "CTAs delivered = run"),
        CHANGE(sm->core.warps, "warps delivered = run"),
        CHANGE(sm->core.thread_instructions, "active lanes delivered = thread instructions"),
        CHANGE(sm->core.barriers, "core barriers: sum of kernels = sum of SMs"),
        CHANGE(sm->occupancy.resident, "warps at a kernel's end"),
        CHANGE(sm->free_tickets, "free tickets at a kernel's end"),
        CHANGE(sm->waiting[0], "masks of waiting warps at a kernel's end"),
        CHANGE(unit->queue.span.count, "memory instructions in the queue at the end = 0"),
        CHANGE(unit->tickets_waiting, "memory instructions not answered at the end = 0"),
        CHANGE(unit->issued[GM_LOAD], "load requests of the coalescer = accesses"),
        CHANGE(unit->issued[GM_STORE], "store requests of the coalescer = accesses"),
        CHANGE(unit->issued[GM_ATOMIC], "atomic requests of the coalescer = accesses"),
        CHANGE(unit->reorder.count, "requests in MRPB's FIFOs at the end = 0"),
        CHANGE(l1->entries, "L1 of SM 2: MSHR entries in use at the end = 0"),
        CHANGE(l1->queue.span.count, "packets in the miss queue at the end = 0"),
        CHANGE(l1->from_bypass, "packets of the bypass path at the end = 0"),
        CHANGE(l1->write_backs, "write-backs not acknowledged at the end = 0"),
        CHANGE(l1->bypassed_free, "loads that bypass and wait at the end = 0"),
        CHANGE(counts->hits[GM_LOAD], "L1 of SM 2 load: accesses = hits + hits_pending"),
        CHANGE(counts->hits_pending[GM_LOAD], "L1 of SM 2 load: accesses = hits + hits_pending"),
        CHANGE(counts->misses[GM_STORE], "L1 of SM 2 store: accesses = hits + hits_pending"),
        CHANGE(counts->bypasses[GM_ATOMIC], "L1 of SM 2 atomic: accesses = hits + hits_pending"),
        CHANGE(counts->sectors_filled[GM_LOAD], "= sectors asked for"),
        CHANGE(counts->sectors_stored[GM_LOAD], "sectors stored by loads and atomics = 0"),
        CHANGE(counts->sectors_stored[GM_ATOMIC], "sectors stored by loads and atomics = 0"),
        CHANGE(counts->sectors_written_back[GM_STORE], "= sectors of write-back messages"),
        CHANGE(counts->evictions[GM_LOAD], "L1 of SM 2: "),
        CHANGE(counts->fails_line[GM_LOAD], "l1d fails_line: sum of kernels = sum of SMs"),
        CHANGE(l1->bypassed_sectors, "= sectors asked for"),
        CHANGE(l1->dirtied, "sectors made dirty = written back + dirty"),
        CHANGE(l1->time.loads, "load requests = those answered"),
        CHANGE(l1->sent.messages[GM_MESSAGE_READ], "READ: messages sent by SMs = received"),
        CHANGE(l1->sent.strong, "atomic buffers: strong loads sent by SMs = performed"),
        CHANGE(l1->sent.strong_sectors, "sectors of strong loads sent by SMs = read"),
        CHANGE(l1->sent.messages[GM_MESSAGE_WRITE], "WRITE: messages sent by SMs = received"),
        CHANGE(l1->sent.messages[GM_MESSAGE_ATOMIC], "ATOMIC: messages sent by SMs = received"),
        CHANGE(l1->sent.sectors[GM_MESSAGE_WRITE], "WRITE: sectors sent by SMs = received"),
    };
    each_fails(run, changes, sizeof changes / sizeof changes[0]);
}

static void beyond_the_sms(gm_cycle_run_state *run)
{
    gm_l2_bank *bank = &run->machine.bank[2];
    gm_cache_statistics *counts = &bank->l2.statistics;
    gm_gddr5 *channel = &run->machine.channel[1];
    gm_fabric_statistics *requests = &run->machine.requests.fabric.statistics;
    gm_fabric_statistics *replies = &run->machine.replies.fabric.statistics;
    const change changes[] = {
        CHANGE(requests->sent, "packets sent = taken"),
        CHANGE(requests->taken_flits, "flits sent = taken"),
        CHANGE(replies->taken, "packets sent = taken"),
        CHANGE(replies->sent_flits, "flits sent = taken"),
        CHANGE(run->machine.requests.fabric.requests[0], "inputs that wait for an output"),
        CHANGE(run->machine.replies.fabric.requests[0], "inputs that wait for an output"),
        CHANGE(bank->dram.span.count, "not empty at the end of a kernel: L2 bank 2"),
        CHANGE(bank->entries, "L2 bank 2: MSHR entries in use = 0"),
        CHANGE(bank->vacancies, "L2 bank 2: places of requests and responses = vacant"),
        CHANGE(bank->answered, "L2 bank 2: requests received = responses sent"),
        CHANGE(bank->fetched, "L2 bank 2: sectors asked of DRAM = filled"),
        CHANGE(bank->l2.received.messages[GM_MESSAGE_READ], "requests received = accesses"),
        CHANGE(bank->l2.received.sectors[GM_MESSAGE_READ], "READ: sectors sent by SMs = received"),
        CHANGE(bank->l2.dirty_sectors, "dirty sectors counted = found"),
        CHANGE(bank->l2.dirtied, "sectors made dirty = written back + overwritten + dirty"),
        CHANGE(counts->accesses[GM_LOAD], "requests received = accesses"),
        CHANGE(counts->hits[GM_LOAD], "L2 bank 2 load: accesses = hits + hits_pending"),
        CHANGE(counts->misses[GM_STORE], "L2 bank 2 store: accesses = hits + hits_pending"),
        CHANGE(counts->hits_pending[GM_ATOMIC], "L2 bank 2 atomic: accesses = hits"),
        CHANGE(counts->sectors_filled[GM_LOAD], "sectors asked of DRAM = filled"),
        CHANGE(counts->sectors_written_back[GM_STORE], "sectors made dirty = written back"),
        CHANGE(counts->evictions[GM_LOAD], "L2 bank 2: "),
        CHANGE(counts->fails_line[GM_LOAD], "l2 fails_line: sum of kernels = sum of banks"),
        CHANGE(channel->state.in_flight.span.count, "requests in flight = 0"),
        CHANGE(channel->state.queued, "requests in the queue = 0"),
        CHANGE(channel->state.reserved, "reads that their L2 bank has not taken = 0"),
        CHANGE(channel->state.copied, "row_hits + dram_activates + host copies' = requests"),
        CHANGE(channel->statistics.row_hits, "row_hits + dram_activates + host copies' = requests"),
        CHANGE(channel->statistics.requests, "row_hits + dram_activates + host copies' = requests"),
        CHANGE(channel->time.dram_precharges, "dram_activates = dram_precharges + open rows"),
        CHANGE(channel->time.dram_busy, "dram_busy = dram_bursts * dram.burst_cycles"),
        CHANGE(channel->statistics.bytes, "bytes = (reads + writes) * 32"),
        CHANGE(run->accounting.total.traffic.ld, "traffic ld: sum of kernels = sum of SMs"),
        CHANGE(run->accounting.total.dram.row_hits,
               "dram row_hits: sum of kernels = sum of channels"),
        CHANGE(run->accounting.total.l2.hits[GM_LOAD], "l2 hits: sum of kernels = sum of banks"),
    };
    each_fails(run, changes, sizeof changes / sizeof changes[0]);
}

static void in_a_decoupled_l1(gm_cycle_run_state *run)
{
    gm_cycle_l1 *l1 = &run->machine.load_store[2].l1;
    gm_decoupled_l1 *decoupled = l1->decoupled;
    const change changes[] = {
        CHANGE(l1->from_bypass, "packets of the bypass path at the end = 0"),
        CHANGE(decoupled->references, "L1 of SM 2: accesses = references of the tag store"),
        CHANGE(run->machine.dueling.statistics.intervals_sampled,
               "dueling intervals_sampled: sum of kernels = counted"),
        CHANGE(run->machine.dueling.statistics.loads_conventional,
               "dueling loads_conventional: sum of kernels = counted"),
        CHANGE(decoupled->died, "lines that died while they waited = FILLs dropped"),
        CHANGE(decoupled->filled, "data lines allocated = filled + FILLs dropped"),
        CHANGE(l1->statistics.invalidations[GM_LOAD],
               "data lines allocated = evicted + invalidated + died + there"),
    };
    each_fails(run, changes, sizeof changes / sizeof changes[0]);
}

static void in_an_instruction_cache(gm_cycle_run_state *run)
{
    gm_cycle_sm *sm = &run->machine.sm[1];
    gm_l1i *l1i = sm->l1i;
    gm_cycle_l1 *l1 = &run->machine.load_store[1].l1;
    gm_l2_bank *bank = &run->machine.bank[2];
    gm_cache_statistics *counts = &bank->l2.statistics;
    const change changes[] = {
        CHANGE(sm->slot[GM_SLOT_FETCH], "cycles in each state = core cycles * SMs * schedulers"),
        CHANGE(l1i->statistics.accesses, "L1I of SM 1: accesses = hits + hits_pending + misses"),
        CHANGE(l1i->statistics.fails, "L1I of SM 1: accesses = hits + hits_pending + misses"),
        CHANGE(l1i->served, "warps that missed = those served by lines that arrived"),
        CHANGE(l1i->statistics.sectors_filled, "sectors of lines missed = filled"),
        CHANGE(l1i->statistics.evictions, "L1I of SM 1: "),
        CHANGE(l1i->statistics.fill_cycles, "l1i fill_cycles: sum of kernels = sum of SMs"),
        CHANGE(l1i->arrived.span.count, "lines that have arrived and are waited for = 0"),
        CHANGE(l1i->missing[0], "mask of warps that wait for a line = 0"),
        CHANGE(l1i->refused[0], "mask of warps that wait for a line = 0"),
        CHANGE(l1i->mshr.valid[0], "L1I of SM 1: MSHR entries in use at the end = 0"),
        CHANGE(l1->from_fetch, "fetches of instructions in the miss queue at the end = 0"),
        CHANGE(l1->sent.messages[GM_MESSAGE_INSTRUCTION], "INSTRUCTION: messages sent by SMs ="),
        CHANGE(l1->sent.sectors[GM_MESSAGE_INSTRUCTION], "L1Is: sectors asked for = filled"),
        CHANGE(bank->l2.received.sectors[GM_MESSAGE_INSTRUCTION], "INSTRUCTION: sectors sent by"),
        CHANGE(counts->hits[GM_INSTRUCTION], "L2 bank 2 instruction: accesses = hits"),
        CHANGE(run->accounting.total.traffic.ins, "traffic ins: sum of kernels = sum of SMs"),
    };
    each_fails(run, changes, sizeof changes / sizeof changes[0]);
    counts->accesses[GM_INSTRUCTION]--; /* a fetch that is counted as a load */
    counts->hits[GM_INSTRUCTION]--;
    counts->accesses[GM_LOAD]++;
    counts->hits[GM_LOAD]++;
    gm_error error;
    assert_int_equal(check(run, &error), -EPROTO);
    assert_non_null(strstr(error.text, "fetches of instructions received = accesses"));
    counts->accesses[GM_INSTRUCTION]++;
    counts->hits[GM_INSTRUCTION]++;
    counts->accesses[GM_LOAD]--;
    counts->hits[GM_LOAD]--;
}

/* Laws with more than one counter to change. */
static void the_others_too(gm_cycle_run_state *run)
{
    gm_error error;
    gm_l2_bank *bank = &run->machine.bank[1];
    gm_gddr5 *channel = &run->machine.channel[0];
    channel->statistics.reads++;
    channel->statistics.bytes += 32;
    assert_int_equal(check(run, &error), -EPROTO);
    assert_non_null(strstr(error.text, "sectors filled in the L2 = reads"));
    channel->statistics.reads--;
    channel->statistics.writes++;
    assert_int_equal(check(run, &error), -EPROTO);
    assert_non_null(strstr(error.text, "sectors written back and through by the L2 = writes"));
    channel->statistics.writes--;
    channel->statistics.bytes -= 32;

    uint64_t *fails = run->machine.load_store[1].l1.statistics.fails_mshr_merge;
    fails[GM_LOAD] += run->position.cycles; /* and the others' besides */
    fails[GM_STORE]++;
    assert_int_equal(check(run, &error), -EPROTO);
    assert_non_null(strstr(error.text, "reservation fails of each <= core cycles"));
    fails[GM_LOAD] -= run->position.cycles;
    fails[GM_STORE]--;

    gm_cache_statistics *counts = &bank->l2.statistics;
    uint64_t sector_misses = counts->sector_misses[GM_LOAD];
    counts->sector_misses[GM_LOAD] = counts->misses[GM_LOAD] + 1;
    assert_int_equal(check(run, &error), -EPROTO);
    assert_non_null(strstr(error.text, "L2 bank 1 load: sector_misses <= misses"));
    counts->sector_misses[GM_LOAD] = sector_misses;

    counts->accesses[GM_LOAD]++; /* a request that nobody sent */
    counts->hits[GM_LOAD]++;
    bank->answered++;
    bank->l2.received.messages[GM_MESSAGE_READ]++;
    assert_int_equal(check(run, &error), -EPROTO);
    assert_non_null(strstr(error.text, "READ: messages sent by SMs = received by L2 banks"));
    counts->accesses[GM_LOAD]--;
    counts->hits[GM_LOAD]--;
    bank->answered--;
    bank->l2.received.messages[GM_MESSAGE_READ]--;

    uint64_t busy = channel->time.dram_busy; /* with bursts that took as long */
    uint64_t bursts = channel->time.dram_bursts;
    channel->time.dram_bursts += UINT64_C(1) << 40;
    channel->time.dram_busy += channel->timing.burst << 40;
    assert_int_equal(check(run, &error), -EPROTO);
    assert_non_null(strstr(error.text, "data bus in use <= cycles"));
    channel->time.dram_busy = busy;
    channel->time.dram_bursts = bursts;
    test_ok(check(run, &error), error);
}

static void says(gm_cycle_run_state *run, const char *law)
{
    gm_error error;
    assert_true(check(run, &error) < 0);
    if (strstr(error.text, law) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error.text, law);
    }
}

/* A line that L1 `sm` holds and the L2 too. Sets the bank and the slot there. */
static uint32_t slot_in_both(gm_cycle_machine *machine, uint32_t sm, gm_l2_bank **bank,
                             uint32_t *at_l2)
{
    const gm_cache *cache = &machine->load_store[sm].l1.cache;
    for (uint32_t slot = 0; slot < gm_cache_slots(cache); slot++) {
        gm_location at = gm_address_map_locate(&machine->l2_shared.map, gm_cache_line(cache, slot));
        *bank = &machine->bank[(at.partition << machine->l2_shared.map.bank_bits) + at.bank];
        *at_l2 = gm_cache_find(&(*bank)->l2.cache, at.line).slot;
        if (cache->way[slot].state.valid != 0 && *at_l2 != GM_NO_SLOT) {
            return slot;
        }
    }
    fail_msg("no line is in both");
    return 0;
}

/* The copy is made by the protocol itself, as if the L2 had given a lease that it has not. */
static void in_coherent_l1s(gm_cycle_run_state *run)
{
    enum { SM = 1, OTHER = 0 };
    gm_cycle_machine *machine = &run->machine;
    gm_coherence_l1 *l1 = &machine->load_store[SM].l1.coherent->protocol;
    gm_l2_bank *bank;
    uint32_t at_l2;
    gm_error error;
    uint32_t slot = slot_in_both(machine, SM, &bank, &at_l2);
    const gm_coherence_message lent = {.timestamp = UINT32_MAX - 1, .flags = GM_COHERENCE_LEASE};
    l1->ops->evict(l1, slot);
    assert_true(l1->ops->fill(l1, slot, true, &lent, machine->now));
    says(run, "its lease <= the L2's");
    l1->ops->evict(l1, slot);

    gm_coherence_message message = {0};
    gm_coherence_l2 *l2 = &bank->coherent->protocol;
    const gm_coherence_statistics before = l2->statistics;
    l2->ops->install(l2, at_l2, (gm_coherence_kept){0}, false);
    l2->ops->perform(l2, 0, at_l2, GM_MESSAGE_READ, OTHER, &message, machine->now);
    l2->statistics = before;
    assert_true(l1->ops->fill(l1, slot, true, &message, machine->now));
    says(run, "SMs with an unexpired copy beside the line's owner = 0");
    l1->ops->evict(l1, slot);

    machine->load_store[SM].l1.coherent->busy[slot]++;
    says(run, "fills and upgrades without an answer at the end = 0");
    machine->load_store[SM].l1.coherent->busy[slot]--;
    l1->ops->issue(l1, 0, true);
    says(run, "operations of the GWCT table without an answer at the end = 0");
    l1->ops->acknowledge(l1, 0, true, &(gm_coherence_message){0});
    const change changes[] = {
        CHANGE(machine->load_store[SM].l1.sent.answered,
               "sectors with which L2 banks answered = received by SMs"),
        CHANGE(bank->l2.received.answered,
               "sectors with which L2 banks answered = received by SMs"),
        CHANGE(l1->statistics.expired, "coherence expired: sum of kernels = counted"),
    };
    each_fails(run, changes, sizeof changes / sizeof changes[0]);
    test_ok(check(run, &error), error);
}

/* Tracker banks, and what L1s count for them. */
static void in_sharing_trackers(gm_cycle_run_state *run)
{
    gm_tracker_bank *bank = &run->machine.tracker[1];
    gm_tracker_statistics *counts = &bank->counts[2];
    gm_cycle_l1 *l1 = &run->machine.load_store[2].l1;
    gm_cycle_l1_tracked *tracked = l1->tracked;
    const change changes[] = {
        CHANGE(run->machine.peers.fabric.statistics.sent, "network of peers: packets sent = taken"),
        CHANGE(bank->credits[2], "tracker bank 1: credits, returned and on their wire = all"),
        CHANGE(counts->evicts, "tracker bank 1: transactions of SMs = of its trackers"),
        CHANGE(bank->transactions, "tracker bank 1: transactions of SMs = of its trackers"),
        CHANGE(counts->changes, "tracker bank 1: changes counted by SMs = by its trackers"),
        CHANGE(bank->changed, "tracker bank 1: changes counted by SMs = by its trackers"),
        CHANGE(bank->received.messages[GM_MESSAGE_LOOKUP],
               "tracker bank 1: LOOKUPs received = look-ups"),
        CHANGE(counts->hits, "tracker bank 1: hits = refused + SUPPLYs sent"),
        CHANGE(counts->refused, "tracker bank 1: hits = refused + SUPPLYs sent"),
        CHANGE(bank->supplied, "tracker bank 1: hits = refused + SUPPLYs sent"),
        CHANGE(bank->asked, "sectors of LOOKUPs and RETURNs = of READs and SUPPLYs"),
        CHANGE(bank->reads[2].sectors, "sectors of LOOKUPs and RETURNs = of READs and SUPPLYs"),
        CHANGE(counts->entries_taken, "entries taken = freed + dropped + flushed + there"),
        CHANGE(counts->entries_freed, "entries taken = freed + dropped + flushed + there"),
        CHANGE(counts->dropped, "entries taken = freed + dropped + flushed + there"),
        CHANGE(bank->flushed, "entries taken = freed + dropped + flushed + there"),
        CHANGE(bank->reads[2].messages, "READ: messages sent by SMs = received by L2 banks"),
        CHANGE(bank->received.messages[GM_MESSAGE_FILL], "FILL: messages sent by SMs ="),
        CHANGE(bank->received.messages[GM_MESSAGE_EVICT], "EVICT: messages sent by SMs ="),
        CHANGE(bank->received.messages[GM_MESSAGE_RETURN], "RETURN: messages sent by SMs ="),
        CHANGE(bank->received.sectors[GM_MESSAGE_EVICT], "sectors of EVICTs received = counted"),
        CHANGE(counts->evict_sectors, "sectors of EVICTs received = counted"),
        CHANGE(bank->victim_parts, "victims sent to the L2 = received by L2 banks"),
        CHANGE(counts->remote_misses, "hits of its tracker = refused + remote hits + remote"),
        CHANGE(tracked->unanswered, "look-ups of its tracker not answered at the end = 0"),
        CHANGE(tracked->ring.span.count, "data that leave for other L1s at the end = 0"),
        CHANGE(tracked->came, "requests of other L1s = data sent + returns"),
        CHANGE(tracked->missed, "requests of other L1s that missed = returns"),
        CHANGE(tracked->strong, "load misses and bypasses = look-ups + strong loads"),
        CHANGE(tracked->marks_left, "load misses of lines not held = fills told its tracker"),
        CHANGE(l1->sent.messages[GM_MESSAGE_SUPPLIED], "requests of other L1s = data sent"),
        CHANGE(l1->sent.sectors[GM_MESSAGE_LOOKUP], "of bypassing loads = sectors asked for"),
        CHANGE(tracked->counts.remote_hits, "SUPPLIED: messages sent by SMs ="),
        CHANGE(tracked->counts.remote_sectors, "SUPPLIED: sectors sent by SMs ="),
        CHANGE(tracked->counts.supplied_sectors, "sectors supplied by other L1s = to other L1s"),
        CHANGE(tracked->counts.held, "tracker held: sum of kernels = "),
    };
    each_fails(run, changes, sizeof changes / sizeof changes[0]);
    bank->outlet.arrival = 0;
    says(run, "tracker bank 1: packets at the end = 0");
    bank->outlet.arrival = GM_NEVER;
    tracked->marks_left++; /* a line that died, and sent no FILL */
    l1->sent.messages[GM_MESSAGE_FILL]--;
    says(run, "lines that died with data in flight, which held stores prevent = 0");
    tracked->marks_left--;
    l1->sent.messages[GM_MESSAGE_FILL]++;
}

/* MESI with a network for each of its classes. */
static void in_five_networks(gm_cycle_run_state *run)
{
    uint64_t *flits = run->machine.requests.fabric.statistics.class_flits;
    uint64_t kept = flits[GM_CLASS_WRITE_BACK];
    const change changes[] = {CHANGE(flits[GM_CLASS_UNBLOCK], "flits of its UNBLOCKs")};
    each_fails(run, changes, sizeof changes / sizeof *changes);
    flits[GM_CLASS_WRITE_BACK] = 0;
    says(run, "flits of its write-backs");
    flits[GM_CLASS_WRITE_BACK] = kept;
}

int gm_checkpoint_keep_kernel(gm_cycle_run_state *run, const gm_statistics *own, uint64_t content,
                              gm_error *error)
{
    (void)own;
    (void)content;
    test_ok(check(run, error), *error);
    if (run->machine.l1_shared.decoupled) {
        in_a_decoupled_l1(run);
        kernels++;
        return 0;
    }
    if (run->machine.requests.parameters.classes == GM_NETWORK_CLASSES) {
        in_five_networks(run);
        kernels++;
        return 0;
    }
    if (run->machine.l1_shared.coherence != NULL) {
        in_coherent_l1s(run);
        kernels++;
        return 0;
    }
    if (run->machine.trackers != 0) {
        in_sharing_trackers(run);
        kernels++;
        return 0;
    }
    if (run->machine.sm[0].l1i != NULL) {
        in_an_instruction_cache(run);
        kernels++;
        return 0;
    }
    in_the_sms(run);
    beyond_the_sms(run);
    the_others_too(run);
    between_two_cycles(run);
    kernels++;
    return 0;
}

int gm_checkpoint_save(gm_cycle_run_state *run, gm_error *error)
{
    (void)run;
    (void)error;
    return 0;
}

int gm_checkpoint_begin(gm_cycle_run_state *run, gm_error *error)
{
    return gm_checkpoint_save(run, error);
}

int gm_checkpoint_resume(gm_cycle_run_state *run, gm_error *error)
{
    return gm_checkpoint_save(run, error);
}

static void each_law_can_fail(void **state)
{
    (void)state;
    gm_config config = order_preset("gtx480");
    config.l1.size = 1024;
    config.l2.size = UINT64_C(6) * 2048; /* one set a bank: evicts, with dirty sectors */
    memory_source *source = mixture(95, 2);
    cycle_run(&config, source);
    assert_int_equal(kernels, 2);
    config.sm.fetch = 2;
    config.l1i.size = 1024;
    cycle_run(&config, source);
    assert_int_equal(kernels, 4);
    config.l1i.size = 0;
    config.l1.kind = GM_L1_DECOUPLED;
    config.l1.size = 2048;
    config.l1.dueling = true;
    cycle_run(&config, source);
    assert_int_equal(kernels, 6);
    config = order_preset("fermi-tc");
    config.coherence.protocol = GM_COHERENCE_TCW;
    cycle_run(&config, source);
    assert_int_equal(kernels, 8);
    config = order_preset("fermi-tc");
    config.coherence.protocol = GM_COHERENCE_MESI;
    config.noc.networks = GM_MESI_NETWORKS;
    cycle_run(&config, source);
    assert_int_equal(kernels, 10);
    config = order_preset("kepler-hybrid");
    config.tracker.enabled = true;
    cycle_run(&config, source);
    assert_int_equal(kernels, 12);
    gm_source_close(&source->source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_law_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
