/* Every built-in workload runs in both engines with --check. Order engine: under half of the
 * presets with every analysis, and with a decoupled L1 under fermi-l1d. Cycle engine: under the
 * presets in turn, with SM dueling under fermi-l1d and bypass policies under two others. Long
 * workloads have a smaller size; `make regress` runs all at their defaults. */
#include "support/support.h"
#include "support/workload/small_workloads.h"

#include <stdio.h>
#include <string.h>

static void run(const char *options, const char *preset, const char *workload)
{
    test_command command = test_run("$GOLDMEM run --quiet --check %s --preset %s workload:%s",
                                    options, preset, small_workload(workload));
    if (command.status != 0 || command.errors_length != 0) {
        fail_msg("%s %s under %s: exit %d: %s", workload, options, preset, command.status,
                 command.errors);
    }
    test_command_free(&command);
}

/* Keys that no preset sets. */
static const char *cycle_options(const char *preset)
{
    static const struct {
        const char *preset, *options;
    } rows[] = {
        {"fermi-l1d", "--engine=cycle --set=l1.kind=decoupled --set=l1.dueling=yes"},
        {"fermi-sharing", "--engine=cycle --set=l1.bypass=mrpb"},
        {"kepler-hybrid", "--engine=cycle --set=l1.bypass=pdp"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].preset, preset) == 0) {
            return rows[i].options;
        }
    }
    return "--engine=cycle";
}

/* The modern GPUs are large: they run few workloads, in the order engine too. */
static bool is_large(const char *preset)
{
    static const char *const modern[] = {"a100", "h100", "rtx3070", "v100"};
    for (size_t i = 0; i < sizeof modern / sizeof modern[0]; i++) {
        if (strcmp(preset, modern[i]) == 0) {
            return true;
        }
    }
    return false;
}

static void every_workload_under_every_preset(void **state)
{
    (void)state;
    test_command presets = test_run("$GOLDMEM presets | cut -d' ' -f1");
    test_command workloads = test_run("$GOLDMEM workloads | cut -d' ' -f1");
    char *next_preset = NULL;
    unsigned machine = 0;
    unsigned runs = 0;
    for (char *preset = strtok_r(presets.output, "\n", &next_preset); preset != NULL;
         preset = strtok_r(NULL, "\n", &next_preset), machine++) {
        /* In turn: in the cycle engine, and under sanitizers, a workload runs under every fifth
         * preset, in the order engine under every second one too; `make regress` takes them all. */
        unsigned number = machine;
        for (char *name = workloads.output; *name != '\0'; name += strlen(name) + 1) {
            name[strcspn(name, "\n")] = '\0'; /* at the first preset */
            bool chosen = number++ % (is_large(preset) ? 20 : 5) == 0;
            if (chosen || (number % 2 == 0 && test_is_plain_build() && !is_large(preset))) {
                /* The analysis of misses needs an L1 of one size; throttling needs time. */
                run("--engine=order --set l1.unified=0 --set sm.throttle=none "
                    "--analyze=locality,reuse,misses,sharing",
                    preset, name);
            }
            if (strcmp(preset, "fermi-l1d") == 0) {
                run("--engine=order --set=l1.kind=decoupled --analyze=misses", preset, name);
            }
            if (chosen) {
                run(cycle_options(preset), preset, name);
            }
            runs++;
        }
    }
    assert_true(runs > 5 * 20);
    test_command_free(&presets);
    test_command_free(&workloads);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_workload_under_every_preset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
