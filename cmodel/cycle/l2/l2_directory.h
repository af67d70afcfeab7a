/* Rounds of invalidations and recalls of a timed L2 bank with a directory [singh, 4]: a write of a
 * line of which other SMs have copies waits in an MSHR entry until they have acknowledged; so do
 * those of an evicted line, whose slot is free at once. A directory of its own [singh, 4.3] evicts
 * lines in place of the L2; a line that is fetched has its entry from the beginning, since the
 * recall that makes room for it needs an MSHR entry. Private to the bank. */
#ifndef GOLDMEM_CYCLE_L2_L2_DIRECTORY_H
#define GOLDMEM_CYCLE_L2_L2_DIRECTORY_H

#include "cycle/l2/l2_bank_tags.h"
#include "cycle/noc/network.h"

/* Bytes of arena that gm_l2_directory_make takes. */
size_t gm_l2_directory_bytes(const gm_l2_shared *shared);

/* Makes bank->coherent->directory. Returns 0 or -ENOMEM. */
int gm_l2_directory_make(gm_l2_bank *bank, gm_arena *arena, gm_error *error);

/* A write that hits waits for the SMs in directory->others. Changes nothing if it returns a fail.
 */
gm_l2_fail gm_l2_directory_begin(gm_l2_bank *bank, gm_l2_look_up it);

/* The next request of the entry that is answered is such a write: the others behind it wait too. */
void gm_l2_directory_suspend(gm_l2_bank *bank, gm_cycle now);

/* MESI, whose rounds are of all kinds. True if one more MSHR entry can be taken; begins a round,
 * whose entry has been taken, and its line waits: returns its number; the entry being answered
 * waits for a round, behind its next request or, `answered`, with it: returns the round's number.
 */
bool gm_l2_directory_has_entry(const gm_l2_bank *bank);
uint32_t gm_l2_directory_wait(gm_l2_bank *bank, gm_l2_round begun, gm_cycle now);
uint32_t gm_l2_directory_suspend_for(gm_l2_bank *bank, gm_l2_round begun, bool answered,
                                     gm_cycle now);

/* True if the line has been evicted, and is being recalled. */
bool gm_l2_directory_is_recalled(const gm_l2_bank *bank, uint64_t line);

/* True if `line` can be fetched and the line in slot `victim` evicted, if one is recalled for it;
 * false: to be looked up again when a round ends or an entry is free. `local`: of local memory,
 * which the directory does not know. */
bool gm_l2_directory_has_room(const gm_l2_bank *bank, uint64_t line, uint32_t victim, bool local);

/* Recalls the line in slot `victim`, which is evicted, if its sharers are kept there. Requires
 * gm_l2_directory_has_room. */
void gm_l2_directory_evict(gm_l2_bank *bank, uint32_t victim, gm_cycle now);

/* Gives `line`, for which an MSHR entry is taken, its entry of a directory of its own, and recalls
 * the line that gives way. Requires gm_l2_directory_has_room, or an entry. */
void gm_l2_directory_take(gm_l2_bank *bank, uint64_t line, gm_cycle now);

/* True if a request that hits may be done: its line is not being recalled, and a load has an entry
 * of a directory of its own; one that gives way is recalled now. False: as for has_room. */
bool gm_l2_directory_admits(gm_l2_bank *bank, const gm_packet *packet, gm_cycle now);

/* True if the directory has nothing to do in core cycle `now`, as most often: then its wake-up time
 * is lowered, and gm_l2_directory_step would do no more. */
static inline bool gm_l2_directory_rests(gm_l2_bank *bank, gm_cycle now)
{
    gm_l2_directory *directory = bank->coherent->directory;
    gm_cycle arrival = *directory->arrival;
    bool ends = directory->complete != 0 && bank->answering == 0;
    if (arrival <= now || ends ||
        (directory->unsent != 0 && !gm_network_refuses(bank->replies, directory->port))) {
        return false;
    }
    directory->answered = bank->answered;
    gm_wake(bank->wake, arrival);
    return true;
}

/* Does the directory's part of core cycle `now`, to which an L2 cycle belongs: sends an
 * invalidation or recall, takes an acknowledgement. Returns a round that has ended, or NULL: the
 * requests of its entry can be answered, or if it has none, a request that failed be looked up
 * again. */
const gm_l2_round *gm_l2_directory_step(gm_l2_bank *bank, gm_cycle now);

void gm_l2_directory_snapshot(gm_l2_bank *bank, gm_snapshot *snapshot);

#endif
