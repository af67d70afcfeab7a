/* Planted faults of loads that bypass the timed L1 (l1.bypass=contention) and return old data.
 * Values must find each: a load does not see what its SM has stored. */
#include "cycle/l1/l1_lookup.h"

typedef enum fault {
    RIGHT,
    PAST_DIRTY,   /* a load bypasses a line of the L1, whose data the L2 does not have yet */
    PAST_WAITING, /* it bypasses data in flight that stores wait for */
    OVERTAKES,    /* its READ overtakes stores in the L1's queue */
    FAULTS
} fault;

static fault planted;
static unsigned done; /* times that the fault has had its effect */

static gm_l1_effect faulty_effect(const gm_cycle_l1 *l1, const gm_line_request *request,
                                  gm_request_kind kind, const gm_l1_line *line)
{
    gm_l1_effect effect = gm_cycle_l1_effect_of(l1, request, kind, line);
    bool past = (planted == PAST_DIRTY && line->place == GM_L1_PRESENT && line->in_flight == 0) ||
                (planted == PAST_WAITING && line->written != 0);
    if (kind == GM_REQUEST_LOAD && request->chosen && past && effect.outcome != GM_L1_WAIT) {
        effect = (gm_l1_effect){.outcome = GM_L1_BYPASS};
        done++;
    }
    return effect;
}

/* Compiles the L1's accesses and its queue with the faults, in place of the library's: so source
 * files are included. */
/* NOLINTBEGIN(bugprone-suspicious-include) */
#define gm_cycle_l1_effect_of faulty_effect
#include "cycle/l1/l1_access.c"
#undef gm_cycle_l1_effect_of
#define gm_cycle_l1_send right_send
#include "cycle/l1/l1_queue.c"
#undef gm_cycle_l1_send
/* NOLINTEND(bugprone-suspicious-include) */

#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

bool gm_cycle_l1_send(gm_cycle_l1 *l1, gm_cycle now)
{
    gm_packet *oldest = &l1->packet[gm_ring_first(&l1->queue)];
    for (uint32_t i = 1; planted == OVERTAKES && i < gm_ring_count(&l1->queue); i++) {
        gm_packet *packet = &l1->packet[gm_ring_place(&l1->queue, i)];
        if (oldest->kind == GM_MESSAGE_WRITE && packet->kind == GM_MESSAGE_READ &&
            took_bypass_path(packet->id)) {
            gm_packet first = *oldest;
            *oldest = *packet;
            *packet = first;
            done++;
        }
    }
    return right_send(l1, now);
}

/* Runs a mixture. Returns the first wrong value, or an empty text. */
static gm_error run(unsigned number)
{
    gm_config config = order_preset("kepler-hybrid");
    config.gpu.sms = 4;
    config.sm.ctas = 4;
    config.l1.size = 64 * config.l1.line;
    config.l1.bypass = GM_BYPASS_CONTENTION;
    config.l1.sectored = number % 2 != 0;
    if (planted != OVERTAKES && number / 2 % 2 == 0) {
        config.l1.global_write = GM_WRITE_BACK;
        config.l1.global_allocate = true;
    }
    memory_source *source = mixture_of(number, 2, 16);
    const gm_run_options options = {.threads = 1, .check_values = true};
    gm_results results;
    gm_error error = {.text = ""};
    int code = gm_cycle_run(&config, &source->source, &options, &results, &error);
    if (code == 0) {
        assert_true(results.total.l1d.bypasses[GM_LOAD] > 100);
        gm_results_free(&results);
        error = (gm_error){.text = ""};
    } else {
        assert_int_equal(code, -EPROTO);
    }
    gm_source_close(&source->source);
    return error;
}

static void the_right_bypass_passes(void **state)
{
    (void)state;
    planted = RIGHT;
    for (unsigned number = 0; number < 8; number++) {
        assert_string_equal(run(number).text, "");
    }
}

static void values_find_old_data(void **state)
{
    (void)state;
    for (planted = RIGHT + 1; planted < FAULTS; planted++) {
        gm_error error = {.text = ""};
        unsigned number = 0;
        done = 0;
        while (error.text[0] == '\0' && number < 40) {
            error = run(number++);
        }
        print_message("fault %d, run %u, %u times: %s\n", (int)planted, number, done, error.text);
        assert_non_null(strstr(error.text, "which is older than its SM's store"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_right_bypass_passes),
        cmocka_unit_test(values_find_old_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
