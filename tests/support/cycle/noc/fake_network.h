/* Stands in for both networks and everything beyond them, for tests of one SM's memory unit: the
 * functions of cycle/noc/network.h, with answers after delays that the test chooses. Packets for
 * odd and for even L2 lines wait in two queues, so that replies overtake each other as the message
 * contract allows. Include it in one file of a test program; the library's networks are then not
 * linked. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_NOC_FAKE_NETWORK_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_NOC_FAKE_NETWORK_H

#include "cycle/l1/l1.h"
#include "cycle/noc/network.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAKE_PACKETS = 4096, FAKE_BANKS = 2 };

typedef struct fake_bank {
    gm_packet packet[FAKE_PACKETS];
    gm_cycle ready[FAKE_PACKETS];
    uint32_t first, end; /* not yet answered; they only grow, modulo FAKE_PACKETS */
} fake_bank;

struct fake_memory;

typedef struct fake_network {
    gm_network network; /* first: what the code under test has a pointer to */
    struct fake_memory *memory;
} fake_network;

typedef struct fake_memory {
    fake_network requests, replies;
    bool open;              /* requests have room */
    bool silent;            /* nothing is answered */
    uint64_t delay, spread; /* answers come delay to delay + spread cycles after a request */
    uint64_t random;
    gm_cycle *wake; /* of the SM */
    fake_bank bank[FAKE_BANKS];
    uint64_t answered;
    char sent[512]; /* since the test last emptied it: "R4:f W5:1" */
} fake_memory;

static inline void fake_memory_init(fake_memory *memory, uint64_t delay, uint64_t spread)
{
    memset(memory, 0, sizeof *memory);
    memory->requests.memory = memory->replies.memory = memory;
    memory->open = true;
    memory->delay = delay;
    memory->spread = spread;
    memory->random = 1;
}

/* A memory (freed by the caller) whose answers come `delay` cycles after a request, and what the
 * L1s above it share. */
static inline fake_memory *fake_memory_make(gm_cycle_l1_shared *above, const gm_config *config,
                                            uint64_t delay)
{
    gm_error error;
    fake_memory *memory = malloc(sizeof *memory);
    assert_non_null(memory);
    fake_memory_init(memory, delay, 0);
    test_ok(gm_config_check(config, &error), error);
    test_ok(gm_cycle_l1_shared_init(above, config, &memory->requests.network,
                                    &memory->replies.network, &error),
            error);
    return memory;
}

static inline void fake_wake(const fake_memory *memory, gm_cycle at)
{
    if (memory->wake != NULL) {
        gm_wake(memory->wake, at);
    }
}

/* The bank whose oldest answer is the first to be ready, or NULL. */
static inline fake_bank *fake_first(fake_memory *memory)
{
    fake_bank *first = NULL;
    for (unsigned i = 0; i < FAKE_BANKS && !memory->silent; i++) {
        fake_bank *bank = &memory->bank[i];
        if (bank->first != bank->end &&
            (first == NULL ||
             bank->ready[bank->first % FAKE_PACKETS] < first->ready[first->first % FAKE_PACKETS])) {
            first = bank;
        }
    }
    return first;
}

bool gm_network_has_room(const gm_network *network, uint32_t input, const gm_packet *packet)
{
    (void)input;
    (void)packet;
    return ((const fake_network *)network)->memory->open;
}

bool gm_network_fits(const gm_network *network, uint32_t input, const gm_packet *packet)
{
    return gm_network_has_room(network, input, packet);
}

bool gm_network_refuses(const gm_network *network, uint32_t input)
{
    (void)input;
    return !((const fake_network *)network)->memory->open;
}

void gm_network_send(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now)
{
    static const char letters[] = "RWBADI";
    fake_memory *memory = ((fake_network *)network)->memory;
    fake_bank *bank = &memory->bank[packet->line % FAKE_BANKS];
    assert_int_equal(input, packet->sm);
    assert_true(bank->end - bank->first < FAKE_PACKETS);
    memory->random = memory->random * UINT64_C(6364136223846793005) + 1442695040888963407;
    gm_cycle ready =
        now + memory->delay + (memory->spread == 0 ? 0 : (memory->random >> 33) % memory->spread);
    if (bank->end != bank->first && bank->ready[(bank->end - 1) % FAKE_PACKETS] > ready) {
        ready = bank->ready[(bank->end - 1) % FAKE_PACKETS]; /* of one line in the order sent */
    }
    bank->packet[bank->end % FAKE_PACKETS] = *packet;
    bank->packet[bank->end % FAKE_PACKETS].response = 1;
    bank->ready[bank->end++ % FAKE_PACKETS] = ready;
    fake_wake(memory, ready > now ? ready : now + 1);
    size_t used = strlen(memory->sent);
    if (used + 64 < sizeof memory->sent) {
        (void)snprintf(memory->sent + used, sizeof memory->sent - used, "%s%c%llu:%x",
                       used == 0 ? "" : " ", letters[packet->kind],
                       (unsigned long long)packet->line, packet->sectors);
    }
}

bool gm_network_offer(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now)
{
    bool room = gm_network_has_room(network, input, packet);
    if (room) {
        gm_network_send(network, input, packet, now);
    }
    return room;
}

const gm_packet *gm_network_peek(const gm_network *network, uint32_t output, gm_cycle now)
{
    (void)output;
    fake_memory *memory = ((const fake_network *)network)->memory;
    const fake_bank *bank = fake_first(memory);
    if (bank == NULL) {
        return NULL;
    }
    uint32_t at = bank->first % FAKE_PACKETS;
    return bank->ready[at] <= now ? &bank->packet[at] : NULL;
}

gm_cycle gm_network_arrival(const gm_network *network, uint32_t output)
{
    (void)output;
    const fake_bank *bank = fake_first(((const fake_network *)network)->memory);
    return bank == NULL ? GM_NEVER : bank->ready[bank->first % FAKE_PACKETS];
}

void gm_network_pop(gm_network *network, uint32_t output, gm_cycle now)
{
    (void)output;
    fake_memory *memory = ((fake_network *)network)->memory;
    fake_bank *bank = fake_first(memory);
    assert_non_null(bank);
    bank->first++;
    memory->answered++;
    bank = fake_first(memory);
    if (bank != NULL) {
        gm_cycle ready = bank->ready[bank->first % FAKE_PACKETS];
        fake_wake(memory, ready > now ? ready : now + 1);
    }
}

#endif
