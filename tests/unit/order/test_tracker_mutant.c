/* Wrong designs of what L1s tell their sharing tracker, and of who supplies. Values must find each;
 * they find nothing in the right designs. */
#include "cache/values.h"
#include "order/order_machine.h"
#include "order/order_sm.h"
#include "order/trackers.h"

#include "support/config/mixture.h"
#include "support/order/order_run.h"

#include <errno.h>
#include <string.h>

typedef enum design {
    RIGHT,
    LATE_FILL,       /* right: FILL comes with the SM's next message, as in a machine with time */
    UNMARKED_FILL,   /* FILL registers without a mark [anssari, 3.2] */
    SECTOR_FILL,     /* a fetch of further sectors registers the line as well */
    NO_WRITE,        /* stores are not told */
    NO_COHERENT,     /* atomics and strong loads are not told */
    LATE_WRITE,      /* a WRITE comes behind the SM's next LOOKUP */
    STRAY_WRITE,     /* each WRITE goes to the first tracker */
    ABSENT_SUPPLIES, /* a supplier that lacks sectors supplies all the same */
} design;

enum { SMS = 64 };

static design planted;
static struct {
    uint64_t fill, write; /* line + 1 of a message that waits; 0: none */
    uint32_t sectors;     /* of the line that FILL registers */
} late[SMS];

static gm_sharing_tracker *tracker_of(const gm_order_l1 *l1, uint32_t sm, uint64_t line)
{
    const gm_tracker_map *map = &l1->trackers->map;
    uint32_t partition = gm_tracker_map_locate(map, line).partition;
    return &l1->trackers->tracker[gm_tracker_map_instance(map, sm, partition)];
}

/* Transacts with the tracker of SM `sm`. */
static gm_sharing_tracker_response transact(uint32_t sm, const gm_order_l1 *l1, uint64_t operation,
                                            uint64_t line, bool will_fill)
{
    const gm_tracker_map *map = &l1->trackers->map;
    const gm_sharing_tracker_request request = {.op = operation,
                                                .line = gm_tracker_map_locate(map, line).line,
                                                .cu = l1->port->sm % map->cus,
                                                .will_fill = will_fill};
    return gm_sharing_tracker_access(tracker_of(l1, sm, line), request);
}

static void fill(gm_order_l1 *l1, uint64_t line, uint32_t sectors)
{
    if (planted == UNMARKED_FILL || planted == SECTOR_FILL) { /* marks the line, whoever wrote it */
        transact(l1->port->sm, l1, GM_SHARING_TRACKER_LOOKUP, line, true);
    }
    if (transact(l1->port->sm, l1, GM_SHARING_TRACKER_FILL, line, false).filled != 0) {
        gm_values_register(l1->values, l1->port->sm, line, sectors & gm_order_l1_held(l1, line));
    }
}

static void wait_with_fill(const gm_order_l1 *l1, uint64_t line, uint32_t sectors)
{
    late[l1->port->sm].fill = line + 1;
    late[l1->port->sm].sectors = sectors;
}

static void send_late_fill(gm_order_l1 *l1)
{
    uint64_t *line = &late[l1->port->sm].fill;
    if (*line != 0) {
        fill(l1, *line - 1, late[l1->port->sm].sectors);
    }
    *line = 0;
}

static void send_late_write(gm_order_l1 *l1)
{
    uint64_t *line = &late[l1->port->sm].write;
    if (*line != 0) {
        transact(l1->port->sm, l1, GM_SHARING_TRACKER_WRITE, *line - 1, false);
    }
    *line = 0;
}

/* These five replace the library's. The four others keep no counts, so that the laws of the counts
 * do not hold: a debug build would stop at them. */
int gm_order_machine_check(const gm_order_machine *machine, gm_error *error)
{
    (void)machine;
    (void)error;
    return 0;
}

bool gm_trackers_supply(struct gm_order_l1 *l1, uint64_t line, uint32_t sectors, bool installs)
{
    send_late_fill(l1);
    gm_sharing_tracker_response found =
        transact(l1->port->sm, l1, GM_SHARING_TRACKER_LOOKUP, line, installs);
    send_late_write(l1);
    if (planted == SECTOR_FILL && !installs) {
        wait_with_fill(l1, line, gm_order_l1_held(l1, line));
    }
    if (found.hit == 0) {
        return false;
    }
    uint32_t supplier =
        l1->port->sm / l1->trackers->map.cus * l1->trackers->map.cus + (uint32_t)found.supplier;
    uint32_t lacks = sectors & ~gm_order_l1_held(&l1->trackers->sm[supplier].l1, line);
    bool supplied = lacks == 0 || planted == ABSENT_SUPPLIES;
    if (supplied) {
        gm_values_supply(l1->values, l1->port->sm, supplier, line, sectors, GM_MESSAGE_READ);
    }
    return supplied;
}

void gm_trackers_fill(struct gm_order_l1 *l1, uint64_t line, uint32_t sectors)
{
    if (planted == LATE_FILL || planted == UNMARKED_FILL) {
        wait_with_fill(l1, line, sectors);
    } else {
        fill(l1, line, sectors);
    }
}

void gm_trackers_tell(struct gm_order_l1 *l1, uint64_t operation, uint64_t line)
{
    bool write = operation == GM_SHARING_TRACKER_WRITE;
    send_late_fill(l1);
    send_late_write(l1);
    if ((planted == NO_WRITE && write) ||
        (planted == NO_COHERENT && operation == GM_SHARING_TRACKER_COHERENT)) {
        return;
    }
    if (planted == LATE_WRITE && write) {
        late[l1->port->sm].write = line + 1;
        return;
    }
    transact(planted == STRAY_WRITE && write ? 0 : l1->port->sm, l1, operation, line, false);
}

void gm_trackers_evict(struct gm_order_l1 *l1, uint64_t line, uint32_t sectors)
{
    (void)sectors;
    gm_trackers_tell(l1, GM_SHARING_TRACKER_EVICT, line);
}

/* Runs a mixture in a machine of whole lines or of sectors, with each write policy. Returns the
 * first wrong value, or an empty text. */
static gm_error run(unsigned number)
{
    gm_config config = order_preset("kepler-hybrid");
    config.tracker.enabled = true;
    config.tracker.trackers = 2;
    config.l1.sectored = number % 2 != 0;
    config.l1.global_write = (gm_write_policy)(number / 2 % 3);
    memset(late, 0, sizeof late);
    memory_source *source = mixture(number, 3);
    const gm_run_options options = {.threads = 1, .check_values = true};
    gm_results results;
    gm_error error = {.text = ""};
    if (gm_order_run(&config, &source->source, &options, &results, &error) == 0) {
        gm_results_free(&results);
        error = (gm_error){.text = ""};
    } else {
        assert_int_equal(error.code, -EPROTO);
    }
    gm_source_close(&source->source);
    return error;
}

enum { MACHINES = 6 };

static void right_designs_pass(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * MACHINES; i++) {
        planted = i % 2 == 0 ? RIGHT : LATE_FILL;
        assert_string_equal(run(i / 2).text, "");
    }
}

/* Every machine that can show a design's fault finds it. */
static void values_find_wrong_designs(void **state)
{
    (void)state;
    enum { WHOLE = 1, SECTORS = 2, ALL = 3 };
    static const struct {
        design design;
        unsigned machines;
        const char *text;
    } rows[] = {
        {UNMARKED_FILL, ALL, ": registered copy of 0x"},
        {SECTOR_FILL, SECTORS, ": registered copy of 0x"},
        {NO_WRITE, ALL, ": supply by SM "},
        {NO_COHERENT, ALL, ": supply by SM "},
        {LATE_WRITE, WHOLE, ": supply by SM "},
        {STRAY_WRITE, ALL, ": supply by SM "},
        {ABSENT_SUPPLIES, SECTORS, ": supply by SM "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        planted = rows[i].design;
        for (unsigned number = 0; number < MACHINES; number++) {
            gm_error error = {.text = ""};
            bool shows = (rows[i].machines >> number % 2 & 1) != 0;
            if (shows) {
                error = run(number);
            }
            if (shows && (strstr(error.text, rows[i].text) == NULL ||
                          strstr(error.text, "older than its tracker's store") == NULL)) {
                fail_msg("design %d in machine %u: \"%s\"", (int)planted, number, error.text);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_designs_pass),
        cmocka_unit_test(values_find_wrong_designs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
