/* Workloads whose CTAs communicate, without time: each finds its own result right, and one that a
 * wrong machine would have left wrong. Their runs in time: test_cycle_live.c. */
#include "support/workload/workload_run.h"

static const struct {
    const char *specification, *array, *wrong;
    size_t word;
} cases[] = {
    {"wave3d,x=40,y=10,z=5,ctas=3,steps=3", "now", "wave3d: point ", 4 * 48 * 18 + 4 * 48 + 4},
    {"bhtree,bodies=200,ctas=2,threads=64", "child", "bhtree: cell ", 3},
    {"cloth,width=9,height=7,ctas=3", "z", "cloth: particle 30: coordinate 2", 30},
    {"placement,grid=6,moves=4,ctas=2", "lock", "placement: site 7 is locked: 1", 7},
    {"placement,grid=6,moves=4,ctas=2", "site", "placement: site ", 5},
    {"gridcut,width=9,height=7,limit=2", "west", "gridcut: pixel ", 30},
    {"gridcut,width=9,height=7,limit=2", "sink", "gridcut: pixel 0: ", 0},
    {"worksteal,n=300,leaf=8,ctas=3", "leaf", "worksteal: particle 0 begins leaf", 0},
    {"worksteal,n=300,leaf=8,ctas=3,queues=1", "leaf", "worksteal: particle 0 begins leaf", 0},
    {"worksteal,n=300,leaf=299,ctas=1,queues=1", "moved", "worksteal: place ", 300},
    {"worksteal,n=300,leaf=299,ctas=1", "moved", "worksteal: place ", 300},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static void results_are_right(void **state)
{
    (void)state;
    for (size_t c = 0; c < CASES; c++) {
        workload_run run = workload_run_whole(cases[c].specification);
        workload_run again = workload_run_whole(cases[c].specification);
        assert_true(run.hash == again.hash);
        assert_true(run.instructions > 100);
        gm_source_close(run.source);
        gm_source_close(again.source);
    }
}

/* Runs the next kernel, if there is one. Returns as gm_source_next_command. */
static int run_kernel(workload_run *run, gm_error *error)
{
    const gm_cta_sink sink = {run, workload_begin_cta, workload_begin_warp, workload_instruction,
                              workload_end_cta};
    gm_command command;
    int code = gm_source_next_command(run->source, &command, error);
    while (code == 1 && command.kind == GM_COMMAND_COPY) {
        code = gm_source_next_command(run->source, &command, error);
    }
    for (int more = code; more == 1;) {
        run->kernel = *command.kernel;
        more = gm_source_next_cta(run->source, &sink, error);
        test_ok(more, *error);
    }
    return code;
}

/* Changes a word of the result before the host looks at it. */
static void wrong_results_are_found(void **state)
{
    (void)state;
    for (size_t c = 0; c < CASES; c++) {
        gm_error error;
        workload_run run = workload_run_open(cases[c].specification);
        uint32_t *word = (uint32_t *)workload_data(&run, cases[c].array) + cases[c].word;
        int code = run_kernel(&run, &error);
        assert_int_equal(code, 1);
        while (code == 1) {
            *word ^= 1;
            code = run_kernel(&run, &error);
            *word ^= 1;
        }
        assert_int_equal(code, -EPROTO);
        if (strncmp(error.text, cases[c].wrong, strlen(cases[c].wrong)) != 0) {
            fail_msg("'%s' does not begin with '%s'", error.text, cases[c].wrong);
        }
        gm_source_close(run.source);
    }
}

/* Returns the sum of the half perimeters of all nets, found from the arrays alone. */
static uint64_t wires(const workload_run *run, uint32_t side)
{
    const uint32_t *first = workload_data(run, "net_first");
    const uint32_t *pin = workload_data(run, "pin");
    const uint32_t *site = workload_data(run, "site");
    uint64_t sum = 0;
    for (uint32_t net = 0; net < side * side; net++) {
        for (unsigned across = 0; across < 2; across++) {
            uint32_t least = UINT32_MAX;
            uint32_t most = 0;
            for (uint32_t k = first[net]; k < first[net + 1]; k++) {
                uint32_t at = across == 0 ? site[pin[k]] % side : site[pin[k]] / side;
                least = at < least ? at : least;
                most = at > most ? at : most;
            }
            sum += most - least;
        }
    }
    return sum;
}

/* At a low temperature nets shrink by a third and more, at a high one they do not. */
static void placement_shortens_wires(void **state)
{
    (void)state;
    static const struct {
        const char *specification;
        uint64_t least, most; /* percent left */
    } rows[] = {
        {"placement,grid=12,moves=300,ctas=4,temperature=1", 10, 66},
        {"placement,grid=12,moves=300,ctas=4,temperature=10000", 90, 110},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        workload_run run = workload_run_open(rows[i].specification);
        uint64_t before = wires(&run, 12);
        workload_run_drain(&run);
        assert_in_range(wires(&run, 12) * 100 / before, rows[i].least, rows[i].most);
        gm_source_close(run.source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_right),
        cmocka_unit_test(wrong_results_are_found),
        cmocka_unit_test(placement_shortens_wires),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
