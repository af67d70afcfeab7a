/* Unified memory of L1 and shared memory: kernels of one run get L1s of different sizes in both
 * engines, equal bytes whatever the way of running. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* Tiles in shared memory, and fewer CTAs from launch to launch: 1 to 5 in an SM. */
#define LUD     "workload:lud,n=256"
#define UNIFIED "--set l1.unified=64KB --set l1.shared_options=0,4KB,8KB,16KB,32KB,48KB "

/* Sizes of the L1 that kernels get: 60, 56 and 48 KB beside 4, 8 and 16 KB; a way is 4 KB. */
static void kernels_choose(void **state)
{
    (void)state;
    static const char *const options[] = {"--engine=order", "--engine=order --set l1.flush=no",
                                          "--engine=order --threads 3 --set l1.flush=no "
                                          "--set l1.global_write=back",
                                          "--engine=cycle",
                                          "--engine=cycle --set l1.flush=no "
                                          "--set l1.global_write=back "
                                          "--set l1.allocation=streaming"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        test_command command = test_run(
            "$GOLDMEM run --quiet --check %s " UNIFIED "--json - " LUD " | "
            "jq -c '([.kernels[] | .unified | select(.l1_bytes + .shared_bytes != 65536 or "
            ".l1_ways != .l1_bytes / 4096)] | length), ([.kernels[].unified.l1_bytes] | unique)'",
            options[i]);
        assert_string_equal(command.errors, "");
        assert_string_equal(command.output, "0\n[49152,57344,61440]\n");
        test_command_free(&command);
    }
}

/* Writes a kernel of one warp that stores one word, or loads it: kernel-NUMBER.traceg. */
static void write_kernel(unsigned number, unsigned shared, bool stores)
{
    char text[1024];
    char name[32];
    int length = snprintf(
        text, sizeof text,
        "-kernel name = k\n-kernel id = %u\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
        "-shmem = %u\n-nregs = 8\n-shmem base_addr = 0x00007fb139000000\n"
        "-accelsim tracer version = 5\n\n#traces format = immediate\n\n#BEGIN_TB\n"
        "thread block = 0,0,0\nwarp = 0\ninsts = 2\n"
        "0400 ffffffff %s R3 4 1 0x7f0000000000 4 0\n1400 ffffffff 0 EXIT 0 0 0\n#END_TB\n",
        number, shared, stores ? "0 STG.E 2 R8" : "1 R8 LDG.E 1");
    assert_in_range(length, 1, sizeof text - 1);
    snprintf(name, sizeof name, "kernel-%u.traceg", number);
    test_file_write(name, text, (size_t)length);
}

/* Without l1.flush an L1 keeps its contents while it keeps its size, and is emptied before a kernel
 * that gives it another one: a dirty line is written back, a later load misses. By hand, one line:
 * loaded (miss), loaded (hit), stored (hit: dirty), loaded beside shared memory (written back,
 * miss), loaded (hit), and loaded without shared memory (dropped, miss). */
static void contents(void **state)
{
    (void)state;
    static const struct {
        unsigned shared;
        bool stores;
    } kernels[] = {{0, false}, {0, false}, {0, true}, {8192, false}, {8000, false}, {0, false}};
    static const char list[] = "kernel-1.traceg\nkernel-2.traceg\nkernel-3.traceg\n"
                               "kernel-4.traceg\nkernel-5.traceg\nkernel-6.traceg\n";
    const char *folder = test_folder_make();
    for (unsigned i = 0; i < 6; i++) {
        write_kernel(i + 1, kernels[i].shared, kernels[i].stores);
    }
    test_file_write("kernelslist.g", list, sizeof list - 1);
    static const char *const options[] = {"--engine=order", "--engine=cycle",
                                          "--engine=cycle --set l1.allocation=streaming"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        test_command command =
            test_run("$GOLDMEM run --quiet --check %s " UNIFIED "--set l1.flush=no "
                     "--set l1.global_write=back --json - %s/kernelslist.g | jq -c "
                     "'[.kernels[].l1d | [.hits, .misses, .write_backs, .invalidations]], "
                     "[.kernels[].unified.on_fill]'",
                     options[i], folder);
        assert_string_equal(command.errors, "");
        char expected[160];
        snprintf(expected, sizeof expected,
                 "[[0,1,0,0],[1,0,0,0],[1,0,0,0],[0,1,1,1],[1,0,0,0],[0,1,0,1]]\n%s\n",
                 i == 2 ? "[0,0,0,1,1,0]" : "[0,0,0,0,0,0]");
        assert_string_equal(command.output, expected);
        test_command_free(&command);
    }
    test_folder_remove();
}

/* Neither --no-skip, threads nor resuming in the middle changes a byte. */
static void same_bytes(void **state)
{
    (void)state;
    static const char *const machines[] = {
        "--set l1.allocation=streaming",
        /* all of a modern L1 and L2 */
        "--set sm.coalesce=sector --set l1.sectored=yes --set l1.merge_by=sector --set l1.banks=4 "
        "--set l1.lookup=last --set l1.global_write=through --set l1.global_allocate=yes "
        "--set l1.fetch_on_write=lazy --set l2.sectored=yes --set l2.fetch_on_write=lazy"};
    for (size_t i = 0; i < 2; i++) {
        test_command command = test_run(
            "cd '%s' && run() { $GOLDMEM run --engine=cycle --quiet --check --per-sm --set "
            "gpu.sms=6 "
            "--set l1.flush=no %s " UNIFIED "\"$@\" " LUD "; } && "
            "run --json whole.json && run --no-skip --json a.json && cmp a.json whole.json && "
            "run --threads 2 --json b.json && cmp b.json whole.json && "
            "run --checkpoint c,every=90000 --json d.json && cmp d.json whole.json && "
            "for at in 50000 150000 300000; do run --max-cycles $at --checkpoint e,every=999999999 "
            "--json f.json && run --resume e --json g.json && cmp g.json whole.json && echo same; "
            "done",
            test_folder_make(), machines[i]);
        assert_string_equal(command.errors, "");
        assert_string_equal(command.output, "same\nsame\nsame\n");
        test_command_free(&command);
        test_folder_remove();
    }
}

/* The report names the memory and each kernel's L1; classes of misses follow its size. */
static void told(void **state)
{
    (void)state;
    test_command command = test_run("$GOLDMEM run --engine=order " UNIFIED LUD
                                    " | grep -c -e '64KB with shared memory, up to 16 ways, "
                                    "128-byte lines, sequential index' -e ' L1D bytes$' "
                                    "-e 'lud_internal.* 49,152$'");
    assert_string_equal(command.output, "10\n");
    test_command_free(&command);
    /* 48 KB for shared memory leave the 4 ways of the default L1: equal classes of misses */
    command = test_run("for e in order cycle; do for o in '' '--set l1.unified=64KB --set "
                       "l1.shared_options=0,48KB'; do "
                       "$GOLDMEM run -q --check --engine=$e --analyze=misses $o --json - " LUD
                       " | jq -c .analysis.misses; done | uniq | grep -c compulsory; done && "
                       "$GOLDMEM run -q --check --engine=order --analyze=misses " UNIFIED LUD);
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, "1\n1\n");
    test_command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_choose),
        cmocka_unit_test(contents),
        cmocka_unit_test(same_bytes),
        cmocka_unit_test(told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
