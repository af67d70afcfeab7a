/* Rounds of invalidations and recalls of a timed L2 bank. */
#include "cycle/l2/l2_directory.h"

#include "base/bitset.h"
#include "coherence/mesi.h"
#include "cycle/l2/l2_owner.h"
#include "goldmem/assert.h"

#include <errno.h>

enum { NONE = UINT32_MAX };

enum { SETS = 4 }; /* of rounds */

static uint32_t words_of(const gm_l2_shared *shared)
{
    return gm_bitset_words(shared->mshr.entries);
}

size_t gm_l2_directory_bytes(const gm_l2_shared *shared)
{
    enum { ALIGNMENT = 64, ARRAYS = 3 };
    return sizeof(gm_l2_directory) + shared->mshr.entries * sizeof(gm_l2_round) +
           words_of(shared) * SETS * sizeof(uint64_t) + (size_t)ARRAYS * ALIGNMENT;
}

int gm_l2_directory_make(gm_l2_bank *bank, gm_arena *arena, gm_error *error)
{
    gm_l2_directory *made = gm_arena_take(arena, 1, sizeof *made);
    gm_l2_round *round = gm_arena_take(arena, bank->shared->mshr.entries, sizeof *round);
    uint32_t words = words_of(bank->shared);
    uint64_t *sets = gm_arena_take(arena, (size_t)words * SETS, sizeof *sets);
    if (made == NULL || round == NULL || sets == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: the directory of L2 bank %u", bank->number);
    }
    made->round = round;
    made->words = words;
    made->used = sets;
    made->recalled = sets + words;
    made->ended = sets + 2 * (size_t)words;
    made->to_send = sets + 3 * (size_t)words;
    bank->coherent->directory = made;
    return 0;
}

/* Returns the bank's number as a receiver of acknowledgements. */
static uint32_t acknowledge_port(const gm_l2_bank *bank)
{
    return gm_network_output(bank->coherent->directory->acknowledgements, GM_CLASS_ACKNOWLEDGE,
                             bank->number);
}

void gm_l2_directory_connect(gm_l2_bank *bank, gm_network *acknowledgements)
{
    gm_l2_directory *directory = bank->coherent->directory;
    directory->acknowledgements = acknowledgements;
    directory->port = gm_network_input(bank->replies, GM_CLASS_FORWARD, bank->number);
    directory->arrival = gm_network_arrival_cell(acknowledgements, acknowledge_port(bank));
}

/* Begins a round: a free one exists, since each holds an MSHR entry of its own or is one. Returns
 * its number. */
static uint32_t begin(gm_l2_bank *bank, gm_l2_round begun, gm_cycle now)
{
    gm_l2_directory *directory = bank->coherent->directory;
    uint32_t number = gm_bitset_vacant(directory->used);
    begun.to_send = begun.what == GM_L2_UNBLOCK ? 0 : begun.due;
    directory->round[number] = begun;
    directory->rounds++;
    gm_bitset_add(directory->used, number);
    if (begun.entry == NONE) {
        gm_bitset_add(directory->recalled, number);
    }
    if (begun.to_send != 0) {
        gm_bitset_add(directory->to_send, number);
        directory->unsent++;
    }
    directory->recalls += begun.entry == NONE;
    gm_wake(bank->wake, now + 1);
    return number;
}

/* MSHR entries that are free for `entries` more, recalls counted. */
static bool has_entries(const gm_l2_bank *bank, uint32_t entries)
{
    return bank->entries + bank->coherent->directory->recalls + entries <=
           bank->shared->mshr.entries;
}

/* Begins the round of a write that waits in MSHR entry `entry`; its line waits as for data. */
static void invalidate(gm_l2_bank *bank, const gm_packet *packet, uint32_t entry, gm_l2_round begun,
                       gm_cycle now)
{
    const gm_l2_directory *directory = bank->coherent->directory;
    begun.line = packet->line;
    begun.in_bank = packet->in_bank;
    begun.entry = entry;
    begun.due = directory->others;
    gm_l2_directory_wait(bank, begun, now);
}

bool gm_l2_directory_has_entry(const gm_l2_bank *bank)
{
    return has_entries(bank, 1);
}

uint32_t gm_l2_directory_wait(gm_l2_bank *bank, gm_l2_round begun, gm_cycle now)
{
    gm_coherence_statistics *statistics = &bank->coherent->protocol.statistics;
    uint32_t entry = begun.entry;
    gm_assert(bank->fill[entry].coming == bank->l2.policy.all_sectors,
              "L2 bank %u: a line that SMs have is here in part", bank->number);
    bank->coherent->full = false; /* the oldest packet may be of this line, and wait, too */
    bank->fill[entry].reads = 1;  /* requests that come now need no data, and do not change it */
    gm_cache_wait(&bank->l2.cache, bank->fill[entry].slot);
    if (begun.what == GM_L2_INVALIDATE) {
        statistics->writes_shared++;
        statistics->invalidations += gm_count_ones(begun.due);
    } else if (begun.what != GM_L2_UNBLOCK) {
        statistics->forwards++;
    }
    return begin(bank, begun, now);
}

gm_l2_fail gm_l2_directory_begin(gm_l2_bank *bank, gm_l2_look_up it)
{
    uint32_t entry = 0;
    uint32_t slot = it.place.slot;
    if (!has_entries(bank, 1)) {
        return GM_L2_FAIL_MSHR_ENTRY;
    }
    gm_l2_fail fail = gm_l2_take_entry(bank, it, true, &entry);
    if (fail != GM_L2_NO_FAIL) {
        return fail;
    }
    bank->fill[entry] =
        (gm_l2_fill){.slot = slot, .coming = gm_cache_state(&bank->l2.cache, slot)->valid};
    bank->held -= it.now;
    bank->entries++;
    bank->time.l2_mshr_entries++;
    gm_cache_touch(&bank->l2.cache, it.place);
    gm_l2_count_outcome(&bank->l2.statistics, it.kind, GM_L2_HIT, true);
    gm_l2_directory_take(bank, it.line, it.now);
    invalidate(bank, it.packet, entry, (gm_l2_round){.next = NONE}, it.now);
    return GM_L2_NO_FAIL;
}

/* The entry of the last request has been given back: takes one again. Returns its number. */
static uint32_t take_again(gm_l2_bank *bank, uint32_t entry, uint64_t line)
{
    gm_mshr_response response = gm_mshr_access(
        &bank->mshr,
        (gm_mshr_request){
            .op = GM_MSHR_REQUEST_OP, .line = line, .requester = bank->next, .may_allocate = 1});
    uint32_t taken = (uint32_t)response.id;
    gm_assert(response.outcome != GM_MSHR_FAIL, "L2 bank %u: no entry", bank->number);
    bank->fill[taken] = bank->fill[entry];
    return taken;
}

void gm_l2_directory_suspend(gm_l2_bank *bank, gm_cycle now)
{
    uint32_t entry = bank->answering - 1;
    const gm_packet *packet = &bank->item[bank->next].packet;
    gm_l2_round begun = {.next = bank->next, .left = bank->left};
    if (bank->left == 0) {
        entry = take_again(bank, entry, packet->in_bank);
        begun.next = NONE;
    }
    invalidate(bank, packet, entry, begun, now);
    bank->answering = 0;
    bank->answer_from = 0;
}

uint32_t gm_l2_directory_suspend_for(gm_l2_bank *bank, gm_l2_round begun, bool answered,
                                     gm_cycle now)
{
    begun.entry = bank->answering - 1;
    begun.next = bank->next;
    begun.left = bank->left;
    if (bank->left == 0) {
        begun.entry = take_again(bank, begun.entry, begun.in_bank);
        begun.ghost = answered;
        begun.next = NONE;
    } else if (answered) {
        begun.next = NONE;
        begun.left = 0;
    }
    bank->answering = 0;
    return gm_l2_directory_wait(bank, begun, now);
}

/* True if the line is being recalled. */
static bool is_recalled(const gm_l2_bank *bank, uint64_t line)
{
    const gm_l2_directory *directory = bank->coherent->directory;
    uint32_t number = GM_BITSET_NONE;
    if (directory->recalls != 0) {
        number = gm_bitset_from(directory->recalled, directory->words, 0);
    }
    while (number != GM_BITSET_NONE && directory->round[number].in_bank != line) {
        number = gm_bitset_from(directory->recalled, directory->words, number + 1);
    }
    return number != GM_BITSET_NONE;
}

bool gm_l2_directory_is_recalled(const gm_l2_bank *bank, uint64_t line)
{
    return is_recalled(bank, line);
}

/* Returns the SMs whose copies go when the line in slot `victim` is evicted: its sharers; none
 * where the directory has entries of its own. */
static uint64_t sharers_of(const gm_l2_bank *bank, uint32_t victim)
{
    const gm_coherence_l2 *protocol = &bank->coherent->protocol;
    const gm_coherence_sharers *sharers = protocol->ops->sharers;
    return sharers->entries != NULL || victim == GM_COHERENCE_NO_SLOT
               ? 0
               : sharers->of(protocol, 0, victim);
}

/* The line's entry of a directory of its own; without one, none is needed. */
static gm_coherence_entry entry_of(const gm_l2_bank *bank, uint64_t line)
{
    const gm_coherence_l2 *protocol = &bank->coherent->protocol;
    const gm_coherence_entries *entries = protocol->ops->sharers->entries;
    return entries == NULL ? (gm_coherence_entry){.found = true, .own = true}
                           : entries->find(protocol, line);
}

bool gm_l2_directory_has_room(const gm_l2_bank *bank, uint64_t line, uint32_t victim, bool local)
{
    gm_coherence_entry entry = {.found = true, .own = true};
    if (!local) {
        entry = entry_of(bank, line);
    }
    uint32_t recalls = sharers_of(bank, victim) != 0 || entry.sharers != 0;
    return entry.found && has_entries(bank, 1 + recalls) && !is_recalled(bank, line);
}

/* Recalls a line of the bank from its sharers. */
static void recall(gm_l2_bank *bank, uint64_t in_bank, uint64_t sharers, gm_l2_round_kind what,
                   gm_cycle now)
{
    gm_coherence_statistics *statistics = &bank->coherent->protocol.statistics;
    const gm_location at = {bank->partition, bank->bank, in_bank};
    uint64_t line = gm_address_map_line(&bank->shared->map, at);
    statistics->recalled_lines++;
    statistics->recalls += gm_count_ones(sharers);
    statistics->recalls_owned += what == GM_L2_FORWARD_GETX;
    begin(bank,
          (gm_l2_round){
              .line = line, .in_bank = in_bank, .due = sharers, .entry = NONE, .what = what},
          now);
}

void gm_l2_directory_evict(gm_l2_bank *bank, uint32_t victim, gm_cycle now)
{
    const gm_coherence_l2 *protocol = &bank->coherent->protocol;
    uint64_t sharers = sharers_of(bank, victim);
    if (sharers != 0) {
        bool owned = protocol->ops->owner(protocol, victim) != GM_COHERENCE_NO_SLOT;
        recall(bank, gm_cache_line(&bank->l2.cache, victim), sharers,
               owned ? GM_L2_FORWARD_GETX : GM_L2_INVALIDATE, now);
    }
}

void gm_l2_directory_take(gm_l2_bank *bank, uint64_t line, gm_cycle now)
{
    gm_coherence_l2 *protocol = &bank->coherent->protocol;
    const gm_coherence_entries *entries = protocol->ops->sharers->entries;
    gm_coherence_entry entry = entry_of(bank, line);
    if (entry.sharers != 0) {
        recall(bank, entry.line, entry.sharers, GM_L2_INVALIDATE, now);
    }
    if (entries != NULL) {
        entries->take(protocol, line);
    }
}

bool gm_l2_directory_admits(gm_l2_bank *bank, const gm_packet *packet, gm_cycle now)
{
    const gm_coherence_l2 *protocol = &bank->coherent->protocol;
    bool shares = packet->kind == GM_MESSAGE_READ && (packet->flags & GM_COHERENCE_NO_LEASE) == 0;
    if (protocol->ops->sharers->entries == NULL) {
        return true;
    }
    if (is_recalled(bank, packet->in_bank)) {
        return false;
    }
    gm_coherence_entry entry = entry_of(bank, packet->in_bank);
    if (!shares || entry.own) {
        return true;
    }
    if (!entry.found || (entry.sharers != 0 && !has_entries(bank, 1))) {
        return false;
    }
    if (entry.sharers != 0) {
        recall(bank, entry.line, entry.sharers, GM_L2_INVALIDATE, now);
    }
    return true;
}

/* Sends the next message of a round, if the network has room. */
static void send(gm_l2_bank *bank, gm_cycle now)
{
    gm_l2_directory *directory = bank->coherent->directory;
    directory->sending = gm_bitset_next(directory->to_send, directory->words, directory->sending);
    gm_l2_round *round = &directory->round[directory->sending];
    const gm_packet packet = {
        .line = round->line,
        .in_bank = round->in_bank,
        .id = directory->sending,
        .sm = (uint16_t)gm_lowest_one(round->to_send),
        .bank = (uint16_t)bank->number,
        .kind = round->entry == NONE              ? GM_MESSAGE_RECALL
                : round->what == GM_L2_INVALIDATE ? GM_MESSAGE_INVALIDATE
                                                  : GM_MESSAGE_FORWARD,
        .response = GM_RESPONSE_OF_L2,
        .flags = round->what == GM_L2_FORWARD_GETS   ? GM_MESI_GETS
                 : round->what == GM_L2_FORWARD_GETX ? GM_MESI_GETX
                                                     : 0,
    };
    if (gm_network_offer(bank->replies, directory->port, &packet, now)) {
        bank->coherent->protocol.statistics.forward_flits +=
            gm_network_flits(bank->replies, &packet);
        round->to_send &= round->to_send - 1;
        if (round->to_send == 0) {
            gm_bitset_remove(directory->to_send, directory->sending);
            directory->unsent--;
        }
    }
}

/* All SMs of a round have acknowledged. */
static void end(gm_l2_bank *bank, uint32_t number, gm_cycle now)
{
    gm_l2_directory *directory = bank->coherent->directory;
    const gm_l2_round *round = &directory->round[number];
    gm_bitset_remove(directory->used, number);
    gm_bitset_remove(directory->ended, number);
    directory->rounds--;
    directory->complete--;
    if (round->entry == NONE) {
        gm_bitset_remove(directory->recalled, number);
        directory->recalls--;
        gm_l2_owner_end_recall(bank, round, now);
    } else {
        bank->fill[round->entry].reads = 0;
        gm_cache_arrive(&bank->l2.cache, bank->fill[round->entry].slot);
    }
}

static void take(gm_l2_bank *bank, gm_cycle now)
{
    gm_l2_directory *directory = bank->coherent->directory;
    gm_coherence_l2 *protocol = &bank->coherent->protocol;
    uint32_t port = acknowledge_port(bank);
    const gm_packet packet = *gm_network_peek(directory->acknowledgements, port, now);
    gm_l2_round *round = &directory->round[packet.id];
    gm_network_pop(directory->acknowledgements, port, now);
    bank->l2.received.messages[packet.kind]++;
    protocol->statistics.acknowledgement_flits +=
        gm_network_flits(directory->acknowledgements, &packet);
    bank->l2.received.sectors[packet.kind] += gm_count_ones(packet.sectors);
    round->due &= ~(UINT64_C(1) << packet.sm);
    if (round->what == GM_L2_FORWARD_GETS || round->what == GM_L2_FORWARD_GETX) {
        gm_l2_owner_take_data(bank, round, &packet, now);
    } else if (round->entry != NONE && round->what == GM_L2_INVALIDATE) {
        protocol->ops->sharers->unshare(protocol, round->in_bank, bank->fill[round->entry].slot,
                                        packet.sm);
    }
    if (round->due == 0) {
        gm_bitset_add(directory->ended, (uint32_t)packet.id);
        directory->complete++;
    }
}

/* Ends a round in which all SMs have acknowledged. Requires one. Returns it; NULL: none can end
 * now. */
static const gm_l2_round *end_next(gm_l2_bank *bank, gm_cycle now)
{
    const gm_l2_directory *directory = bank->coherent->directory;
    uint32_t number = gm_bitset_from(directory->ended, directory->words, 0);
    while (number != GM_BITSET_NONE && !gm_l2_owner_can_end(bank, &directory->round[number])) {
        number = gm_bitset_from(directory->ended, directory->words, number + 1);
    }
    if (number == GM_BITSET_NONE) {
        return NULL;
    }
    end(bank, number, now);
    return &directory->round[number];
}

/* Lowers the bank's wake-up time to the directory's next work; `ended`: a round has ended, for
 * which the bank has work as soon as possible. */
static void sleep(gm_l2_bank *bank, gm_cycle now, bool ended)
{
    const gm_l2_directory *directory = bank->coherent->directory;
    bool sends = directory->unsent != 0 && !gm_network_refuses(bank->replies, directory->port);
    bool ends = directory->complete != 0 && bank->answering == 0;
    gm_wake(bank->wake, sends || ends || ended ? now + 1 : *directory->arrival);
}

/* Acknowledgements are always taken, so that an SM can always send its own, and take the responses
 * that are behind an invalidation. A round ends when no other line's requests are answered. */
const gm_l2_round *gm_l2_directory_step(gm_l2_bank *bank, gm_cycle now)
{
    gm_l2_directory *directory = bank->coherent->directory;
    const gm_l2_round *ended = NULL;
    bool refused = gm_network_refuses(bank->replies, directory->port);
    if (directory->unsent != 0 && bank->answered == directory->answered && !refused) {
        send(bank, now);
    }
    directory->answered = bank->answered;
    if (*directory->arrival <= now) {
        take(bank, now);
    }
    if (directory->complete != 0 && bank->answering == 0) {
        ended = end_next(bank, now);
    }
    sleep(bank, now, ended != NULL);
    return ended;
}

void gm_l2_directory_snapshot(gm_l2_bank *bank, gm_snapshot *snapshot)
{
    gm_l2_directory *directory = bank->coherent->directory;
    GM_SNAPSHOT_ARRAY(snapshot, directory->round, bank->shared->mshr.entries);
    GM_SNAPSHOT_ARRAY(snapshot, directory->used, (size_t)directory->words * SETS);
    GM_SNAPSHOT_VALUE(snapshot, directory->rounds);
    GM_SNAPSHOT_VALUE(snapshot, directory->unsent);
    GM_SNAPSHOT_VALUE(snapshot, directory->complete);
    GM_SNAPSHOT_VALUE(snapshot, directory->recalls);
    GM_SNAPSHOT_VALUE(snapshot, directory->sending);
    GM_SNAPSHOT_VALUE(snapshot, directory->answered);
}
