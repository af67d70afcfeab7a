/* The link between the halves of an L2: its storage, and which SMs are far from a bank. */
#include "cycle/l2/l2_halves.h"

enum { ALIGNMENT = 64, ARRAYS = 4, MOST = 1 << 14 };

/* One for each L2 cycle that begins during l2.far_latency, and one that arrives; at most MOST to
 * bound the memory. */
uint32_t gm_l2_far_places(const gm_config *config)
{
    if (config->l2.halves == 1) {
        return 0;
    }
    gm_clock clock = gm_clock_make(config->clock.core, config->clock.l2);
    uint64_t places = 1 + (config->l2.far_latency * clock.own.divisor + clock.core.divisor - 1) /
                              clock.core.divisor;
    return places < MOST ? (uint32_t)places : MOST;
}

/* Returns the lines of a bank if the other half has copies of them; else 0. */
static uint32_t slots_of(const gm_config *config)
{
    uint64_t banks = config->memory.partitions * config->memory.banks;
    return config->l2.copies ? (uint32_t)(config->l2.size / banks / config->l2.line) : 0;
}

size_t gm_l2_far_bytes(const gm_config *config)
{
    uint32_t places = gm_l2_far_places(config);
    return places == 0 ? 0
                       : sizeof(gm_l2_far) + slots_of(config) * sizeof(uint32_t) +
                             gm_ring_places(places) * (sizeof(uint32_t) + sizeof(gm_cycle)) +
                             (size_t)ARRAYS * ALIGNMENT;
}

gm_l2_far *gm_l2_far_make(const gm_config *config, uint32_t bank, gm_arena *arena)
{
    uint32_t places = gm_ring_places(gm_l2_far_places(config));
    gm_l2_far *far = gm_arena_take(arena, 1, sizeof *far);
    uint32_t *item = gm_arena_take(arena, places, sizeof *item);
    gm_cycle *due = gm_arena_take(arena, places, sizeof *due);
    uint32_t slots = slots_of(config);
    uint32_t *copied = slots != 0 ? gm_arena_take(arena, slots, sizeof *copied) : NULL;
    if (far == NULL || item == NULL || due == NULL || (slots != 0 && copied == NULL)) {
        return NULL;
    }
    uint32_t sms = (uint32_t)config->gpu.sms;
    bool in_second = bank >= config->memory.partitions * config->memory.banks / 2;
    *far = (gm_l2_far){
        .first_sm = in_second ? 0 : (sms + 1) / 2,
        .end_sm = in_second ? (sms + 1) / 2 : sms,
        .latency = config->l2.far_latency,
        .ring = gm_ring_make(gm_l2_far_places(config)),
        .item = item,
        .due = due,
        .copied = copied,
        .slots = slots,
    };
    return far;
}

void gm_l2_far_note(gm_l2_far *far, const gm_packet *packet, uint32_t slot, bool absent)
{
    bool is_far = gm_l2_far_is(far, packet->sm);
    if (absent) {
        far->copied[slot] = 0;
    }
    gm_access_kind kind = gm_message_access((gm_message_kind)packet->kind);
    if (kind == GM_LOAD) {
        far->copied[slot] |= is_far ? packet->sectors : 0;
    } else if (!is_far || kind == GM_ATOMIC) {
        far->copied[slot] &= ~packet->sectors;
    }
}

void gm_l2_far_snapshot(gm_l2_far *far, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_VALUE(snapshot, far->ring);
    GM_SNAPSHOT_ARRAY(snapshot, far->item, far->ring.mask + 1);
    GM_SNAPSHOT_ARRAY(snapshot, far->due, far->ring.mask + 1);
    if (far->copied != NULL) {
        GM_SNAPSHOT_ARRAY(snapshot, far->linked, GM_L2_LINK_LINES);
        GM_SNAPSHOT_ARRAY(snapshot, far->copied, far->slots);
    }
}
