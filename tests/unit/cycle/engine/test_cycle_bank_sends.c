/* An L2 bank has one port to the interconnect: in a core cycle it sends responses, one in each of
 * its L2 cycles, or an invalidation, recall or forward of its directory, not both. The test's
 * gm_network_offer takes the library's place and looks at what banks send. */
#include "cycle/noc/network.h"
#include "support/config/coherent.h"
#include "support/config/mixture.h"
#include "support/cycle/engine/cycle_run.h"

#include <string.h>

enum { MACHINES = 40, BANKS = 64 };

static gm_cycle last[BANKS];  /* cycle of each bank's last packet, plus 1 */
static bool directory[BANKS]; /* it was of the directory */
static uint64_t responses, invalidations, together;

static void look_at(const gm_packet *packet, gm_cycle now)
{
    bool invalidates = packet->kind == GM_MESSAGE_INVALIDATE || packet->kind == GM_MESSAGE_RECALL ||
                       packet->kind == GM_MESSAGE_FORWARD;
    assert_in_range(packet->bank, 0, BANKS - 1);
    together += last[packet->bank] == now + 1 && (invalidates || directory[packet->bank]);
    last[packet->bank] = now + 1;
    directory[packet->bank] = invalidates;
    responses += !invalidates;
    invalidations += invalidates;
}

bool gm_network_offer(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now)
{
    gm_fabric *fabric = &network->fabric;
    uint32_t receiver = gm_network_output_from(network, input, packet);
    uint32_t flits = gm_network_flits(network, packet);
    bool room = gm_fabric_has_room(fabric, input, receiver, flits);
    if (room) {
        gm_fabric_send(fabric, input, receiver, flits, packet, now);
        if (network->parameters.direction == GM_NETWORK_REPLIES) {
            look_at(packet, now);
        }
    }
    return room;
}

static void one_packet_a_cycle(void **state)
{
    (void)state;
    static const gm_coherence_protocol protocols[] = {GM_COHERENCE_VI, GM_COHERENCE_VINI,
                                                      GM_COHERENCE_MESI};
    test_random random = test_random_start(305);
    for (unsigned number = 0; number < test_rounds(MACHINES); number++) {
        gm_config config = timed_variant(number % POLICY_VARIANTS);
        gm_error error;
        config.gpu.sms = 3;
        config.memory.partitions = 2;
        config.l2.size = 16384;
        config.l2.ways = 4;
        config.coherence.protocol = GM_COHERENCE_NONE;
        while (config.coherence.protocol != protocols[number % 3]) {
            make_coherent(&config, &random);
        }
        config.l2.mshrs = config.l2.mshrs == 1 ? 2 : config.l2.mshrs;
        test_ok(gm_config_check(&config, &error), error);
        memory_source *source = mixture_of(test_random_next(&random), 2, 14);
        memset(last, 0, sizeof last);
        gm_results results = cycle_results(&config, source, 1, false);
        gm_results_free(&results);
        gm_source_close(&source->source);
    }
    assert_int_equal(together, 0);
    assert_true(responses > 1000 && invalidations > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_packet_a_cycle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
