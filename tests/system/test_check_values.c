/* goldmem run --check=values: built-in workloads in both engines, and what is refused. */
#include "support/support.h"

#include <stddef.h>

static void workloads(void **state)
{
    (void)state;
    static const char *const runs[] = {
        "--engine=order workload:spmv,rows=2048",
        "--engine=order --preset kepler-hybrid --set tracker.enabled=yes workload:bfs,nodes=4096",
        "--engine=cycle workload:histo",
        "--engine=order workload:libor,paths=600,rates=20,steps=8", /* local memory */
        "--engine=cycle --preset fermi-sharing --set sharing.enabled=yes workload:weather,levels=3",
        "--engine=cycle --preset fermi-sharing workload:gather,n=16384",
        "--engine=cycle --preset fermi-l1d --set l1.kind=decoupled workload:kmeans,points=1024",
        "--engine=cycle --set l1.global_write=back --set l1.sectored=yes workload:bfs,nodes=4096",
    };
    test_only_in_plain_build();
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        test_command run = test_run("$GOLDMEM run --quiet --check=values %s", runs[i]);
        test_expect(&run, 0, "");
    }
}

static void refusals(void **state)
{
    (void)state;
    test_command run = test_run("$GOLDMEM run --check=vales workload:vectoradd");
    test_expect(&run, 2, "--check: no check 'vales'; there is values");
    run = test_run("$GOLDMEM run --check=values --resume x workload:vectoradd");
    test_expect(&run, 2, "--check=values and --resume exclude each other");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(workloads), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
