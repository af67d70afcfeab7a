/* Virtual networks of a directory's message classes in whole machines with one place in each queue:
 * 3 and 4 run to the end; acknowledgements among requests deadlock, which the watchdog names. The
 * explored tables say the same (docs/directory-protocols.md). */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* Lines are recalled all the time. */
static const char small[] =
    "--preset fermi-tc --set gpu.watchdog=20000 --set l2.mshrs=2 --set noc.ejection=1 "
    "--set noc.buffer=1 --set l2.size=16KB --set l2.ways=2 --set l2.queue=1 --quiet";
static const char *const protocols[] = {"vi", "vini"};

static test_command run_of(const char *workload, const char *protocol, unsigned networks,
                           const char *options, const char *shown)
{
    return test_run(
        "timeout 60 \"$GOLDMEM\" run %s --set coherence=%s --set coherence.directory_size=1 "
        "--set coherence.directory_ways=1 --set l1.size=1KB "
        "--set noc.virtual_networks=%u --check %s --json %s/run.json "
        "workload:%s && jq -c '%s' %s/run.json",
        small, protocol, networks, options, test_folder(), workload, shown, test_folder());
}

static test_command run(const char *protocol, unsigned networks, const char *options,
                        const char *shown)
{
    return run_of("srad,rows=32,columns=32", protocol, networks, options, shown);
}

static void three_and_more_end(void **state)
{
    (void)state;
    static const struct {
        const char *protocol;
        unsigned most;
        const char *law;
    } rows[] = {
        {"vi", 4, ".recalls > 100 and .forward_flits == .recalls + .invalidations"},
        {"vini", 4, ".recalls > 100 and .forward_flits == .recalls + .invalidations"},
        {"mesi", 5,
         ".puts > 1000 and .recalls > 10 and .forward_flits == .recalls + .invalidations + "
         ".forwards"},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (unsigned networks = 3; networks <= rows[i].most; networks++) {
            const char *protocol = rows[i].protocol;
            char law[256];
            snprintf(law, sizeof law, ".total.coherence | %s", rows[i].law);
            test_command all = run(protocol, networks, "", "del(.input, .version)");
            test_command every = run(protocol, networks, "--no-skip", "del(.input, .version)");
            test_command recalls = run(protocol, networks, "", law);
            assert_string_equal(all.errors, "");
            assert_int_equal(all.status, 0);
            assert_string_equal(all.output, every.output);
            assert_string_equal(recalls.output, "true\n");
            test_command_free(&all);
            test_command_free(&every);
            test_command_free(&recalls);
        }
    }
}

static void acknowledgements_among_requests_deadlock(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        test_command stuck = run(protocols[i], 2, "", ".");
        assert_int_equal(stuck.status, 1);
        assert_non_null(strstr(stuck.errors, "no progress since cycle"));
        assert_non_null(strstr(stuck.errors, "L2 bank"));
        test_command_free(&stuck);
    }
}

/* CTAs that wait for others' work look for it again and again, and hit in their L1s: these loads
 * are progress. */
static void a_deadlock_of_some_is_named_while_others_poll(void **state)
{
    (void)state;
    test_command stuck = run_of("cloth,width=20,height=12,ctas=6", "vini", 2, "", ".");
    assert_int_equal(stuck.status, 1);
    assert_non_null(strstr(stuck.errors, ": a request is there since cycle "));
    assert_non_null(strstr(stuck.errors, ", while others go on: SM "));
    test_command_free(&stuck);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(three_and_more_end, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(acknowledgements_among_requests_deadlock, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(a_deadlock_of_some_is_named_while_others_poll,
                                        test_folder_setup, test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
