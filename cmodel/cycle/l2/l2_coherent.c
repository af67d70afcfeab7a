/* Coherent requests of the timed L2 bank. */
#include "cycle/l2/l2_coherent.h"

#include "cycle/l2/l2_directory.h"
#include "stats/invariants.h"

#include <errno.h>

size_t gm_l2_coherent_bytes(const gm_l2_shared *shared)
{
    enum { ALIGNMENT = 64, ARRAYS = 2 };
    return sizeof(gm_l2_coherent) + shared->mshr.entries * sizeof(gm_l2_kept) +
           shared->coherence->l2_bytes(shared->config) + (size_t)ARRAYS * ALIGNMENT +
           (shared->coherence->sharers != NULL ? gm_l2_directory_bytes(shared) : 0);
}

int gm_l2_coherent_init(gm_l2_bank *bank, gm_arena *arena, gm_error *error)
{
    const gm_l2_shared *shared = bank->shared;
    gm_l2_coherent *own = gm_arena_take(arena, 1, sizeof *own);
    gm_l2_kept *kept = gm_arena_take(arena, shared->mshr.entries, sizeof *kept);
    if (own == NULL || kept == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory: L2 bank %u", bank->number);
    }
    *own = (gm_l2_coherent){.protocol = {.ops = shared->coherence, .time = shared->time},
                            .kept = kept};
    bank->coherent = own;
    int code = shared->coherence->l2_init(&own->protocol, shared->config, arena, error);
    bool directory = shared->coherence->sharers != NULL;
    return code < 0 || !directory ? code : gm_l2_directory_make(bank, arena, error);
}

static bool is_local(const gm_packet *packet)
{
    return (packet->flags & GM_COHERENCE_LOCAL) != 0;
}

static gm_coherence_message message_of(const gm_packet *packet)
{
    return (gm_coherence_message){.timestamp = packet->timestamp, .flags = packet->flags};
}

void gm_l2_coherent_arrive(gm_l2_bank *bank, const gm_packet *packet, uint32_t slot, gm_cycle now)
{
    gm_l2_coherent *own = bank->coherent;
    if (!is_local(packet) && !own->arrived) {
        gm_coherence_message message = message_of(packet);
        own->arrived = true;
        own->protocol.ops->arrive(&own->protocol, slot,
                                  gm_message_access((gm_message_kind)packet->kind), &message, now);
    }
}

/* Makes the packet the response that the message says. A store that is answered with the line has
 * the response of a read: it carries all sectors. */
static void put_message(gm_l2_bank *bank, gm_packet *packet, const gm_coherence_message *message)
{
    packet->flags = (uint8_t)message->flags;
    packet->timestamp = message->timestamp;
    packet->whole = message->visible;
    if ((message->flags & GM_COHERENCE_LINE) != 0) {
        packet->kind = GM_MESSAGE_READ;
        packet->sectors = bank->l2.policy.all_sectors;
        bank->l2.received.answered += gm_count_ones(packet->sectors);
    }
}

bool gm_l2_coherent_admits(gm_l2_bank *bank, const gm_packet *packet, gm_cycle now)
{
    return bank->coherent->protocol.ops->sharers == NULL || is_local(packet) ||
           gm_l2_directory_admits(bank, packet, now);
}

void gm_l2_coherent_answered(gm_l2_bank *bank, uint32_t slot)
{
    gm_coherence_l2 *protocol = &bank->coherent->protocol;
    const gm_coherence_sharers *sharers = protocol->ops->sharers;
    if (sharers != NULL && sharers->entries != NULL) {
        sharers->entries->release(protocol, gm_cache_line(&bank->l2.cache, slot));
    }
}

gm_cycle gm_l2_coherent_perform(gm_l2_bank *bank, gm_packet *packet, uint32_t slot, gm_cycle now)
{
    gm_l2_coherent *own = bank->coherent;
    if (is_local(packet)) {
        return 0;
    }
    gm_coherence_message message = message_of(packet);
    gm_coherence_answer answer =
        own->protocol.ops->perform(&own->protocol, packet->in_bank, slot,
                                   (gm_message_kind)packet->kind, packet->sm, &message, now);
    if (answer.wait != 0) {
        return answer.wait;
    }
    if (answer.invalidates != 0) {
        own->directory->others = answer.invalidates;
        return GM_NEVER;
    }
    if (answer.drops_copies) {
        own->drop_copies(own->context, packet->sm, packet->line);
    }
    put_message(bank, packet, &message);
    return 0;
}

bool gm_l2_coherent_has_room(gm_l2_bank *bank, const gm_packet *packet, uint64_t line,
                             uint32_t victim, gm_cycle now)
{
    gm_coherence_l2 *protocol = &bank->coherent->protocol;
    uint64_t again;
    if (bank->coherent->directory != NULL) {
        return gm_l2_directory_has_room(bank, line, victim, is_local(packet));
    }
    if (protocol->ops->has_room(protocol, line, victim, bank->entries, now, &again)) {
        return true;
    }
    bank->retry_from = gm_clock_first(bank->shared->clock, again);
    return false;
}

void gm_l2_coherent_fetch(gm_l2_bank *bank, const gm_packet *packet, uint64_t line, uint32_t entry,
                          uint32_t victim, gm_cycle now)
{
    gm_coherence_l2 *protocol = &bank->coherent->protocol;
    gm_l2_kept *kept = &bank->coherent->kept[entry];
    *kept = (gm_l2_kept){.write = packet->kind != GM_MESSAGE_READ};
    if (!is_local(packet)) {
        kept->lease = protocol->ops->fetch(protocol, line, now);
    }
    if (bank->coherent->directory != NULL && !is_local(packet)) {
        gm_l2_directory_take(bank, line, now);
    }
    if (victim != GM_COHERENCE_NO_SLOT) {
        if (bank->coherent->directory != NULL) {
            gm_l2_directory_evict(bank, victim, now);
        }
        protocol->ops->l2_evict(protocol, gm_cache_line(&bank->l2.cache, victim), victim, now);
    }
}

void gm_l2_coherent_install(gm_l2_bank *bank, uint32_t entry, uint32_t slot)
{
    gm_coherence_l2 *protocol = &bank->coherent->protocol;
    const gm_l2_kept *kept = &bank->coherent->kept[entry];
    protocol->ops->install(protocol, slot, kept->lease, kept->write != 0);
}

void gm_l2_coherent_copied(gm_l2_bank *bank, uint64_t line, bool present, gm_cycle now)
{
    gm_coherence_l2 *protocol = &bank->coherent->protocol;
    uint32_t slot = gm_cache_find(&bank->l2.cache, line).slot;
    bool anew = !present && slot != GM_NO_SLOT;
    if (bank->coherent->directory != NULL) { /* the L1s are empty */
        protocol->ops->sharers->forget(protocol, line, slot);
    }
    protocol->ops->copied(protocol, line, anew ? slot : GM_COHERENCE_NO_SLOT, now);
}

void gm_l2_bank_roll_over(gm_l2_bank *bank)
{
    gm_coherence_l2 *protocol = &bank->coherent->protocol;
    protocol->ops->l2_roll_over(protocol);
    for (uint32_t i = 0; i < bank->shared->mshr.entries; i++) {
        bank->coherent->kept[i].lease = (gm_coherence_kept){0};
    }
}

int gm_l2_coherent_check(const gm_l2_bank *bank, const char *where, gm_error *error)
{
    const gm_coherence_l2 *protocol = &bank->coherent->protocol;
    const gm_l2_directory *directory = bank->coherent->directory;
    if (directory != NULL) {
        GM_INVARIANT(where, "invalidations and recalls in progress at the end = 0",
                     directory->rounds, 0);
    }
    if (directory != NULL && !protocol->ops->owns) { /* whose acknowledgements may have data */
        GM_INVARIANT(where, "flits of invalidations and recalls = of acknowledgements",
                     protocol->statistics.forward_flits,
                     protocol->statistics.acknowledgement_flits);
    }
    return protocol->ops->l2_check(protocol, where, error);
}

void gm_l2_coherent_snapshot(gm_l2_bank *bank, gm_snapshot *snapshot)
{
    gm_l2_coherent *own = bank->coherent;
    GM_SNAPSHOT_VALUE(snapshot, own->arrived);
    GM_SNAPSHOT_VALUE(snapshot, own->resumes);
    GM_SNAPSHOT_ARRAY(snapshot, own->kept, bank->shared->mshr.entries);
    GM_SNAPSHOT_VALUE(snapshot, own->protocol.statistics);
    GM_SNAPSHOT_VALUE(snapshot, bank->retry_from);
    GM_SNAPSHOT_VALUE(snapshot, bank->answer_from);
    own->protocol.ops->l2_snapshot(&own->protocol, snapshot);
    if (own->directory != NULL) {
        gm_l2_directory_snapshot(bank, snapshot);
    }
}
