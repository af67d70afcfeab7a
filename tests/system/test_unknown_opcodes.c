/* Unknown opcodes with addresses, in every form of trace and every command that reads one, are
 * refused by name or, with --unknown=ignore, counted. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static const char text[] = "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n"
                           "-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n"
                           "-binary version = 70\n-cuda stream id = 0\n"
                           "-accelsim tracer version = 5\n\n#traces format = immediate\n\n"
                           "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 5\n"
                           "0000 ffffffff 1 R1 LDG.E.CG 1 R2 4 1 0x1000 4 0 \n" /* line 19 */
                           "0010 ffffffff 1 R1 FROB.E.CG 1 R2 4 1 0x2000 4 0 \n"
                           "0020 ffffffff 1 R1 TEX.SCR 1 R2 0 0 \n"
                           "0010 00000003 1 R1 FROB.E.CG 1 R2 4 1 0x3000 4 0 \n"
                           "0030 ffffffff 0 EXIT 0 0 0 \n\n#END_TB\n";

static const char raw[] = "-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n"
                          "-block dim = (32,1,1)\n-shmem = 0\n-nregs = 8\n"
                          "-binary version = 70\n-cuda stream id = 0\n"
                          "-accelsim tracer version = 5\n\n#traces format = immediate\n\n"
                          "0 0 0 0 0000 ffffffff 1 R1 LDG.E.CG 1 R2 4 1 0x1000 4 0 \n"
                          "0 0 0 0 0010 ffffffff 1 R1 FROB.E.CG 1 R2 4 1 0x2000 4 0 \n";

static void refuse(const char *command, const char *errors)
{
    test_command done = test_run("cd '%s' && %s", test_folder(), command);
    assert_string_equal(done.errors, errors);
    assert_string_equal(done.output, "");
    assert_int_equal(done.status, 2);
    test_command_free(&done);
}

static void print(const char *command, const char *output)
{
    test_command done = test_run("cd '%s' && %s", test_folder(), command);
    assert_string_equal(done.errors, "");
    assert_string_equal(done.output, output);
    assert_int_equal(done.status, 0);
    test_command_free(&done);
}

#define REASON                                                                                     \
    "opcode: 'FROB.E.CG' is not known to carry addresses; --unknown=ignore goes on without them\n"

static void refused_by_name(void **state)
{
    (void)state;
    test_file_write("k.traceg", text, sizeof text - 1);
    test_file_write("kernel-1.trace", raw, sizeof raw - 1);
    refuse("$GOLDMEM run k.traceg", "goldmem: k.traceg:20: " REASON);
    refuse("$GOLDMEM run --engine=order k.traceg", "goldmem: k.traceg:20: " REASON);
    refuse("$GOLDMEM trace check k.traceg", "goldmem: k.traceg:20: " REASON);
    refuse("$GOLDMEM trace info k.traceg", "goldmem: k.traceg:20: " REASON);
    refuse("$GOLDMEM trace convert k.traceg out; code=$?; ls out 2>/dev/null; exit $code",
           "goldmem: k.traceg:20: " REASON);
    refuse("xz -k k.traceg && $GOLDMEM trace check k.traceg.xz",
           "goldmem: k.traceg.xz:20: " REASON);
    refuse("$GOLDMEM trace check kernel-1.trace", "goldmem: kernel-1.trace:14: " REASON);
    refuse("$GOLDMEM trace convert --unknown=ignore --binary k.traceg bin && "
           "$GOLDMEM trace check bin/kernel-1.gmt 2>errors; code=$?; "
           "sed 's/gmt:[0-9]*:/gmt:N:/' errors >&2; exit $code",
           "goldmem: bin/kernel-1.gmt:N: " REASON);
    refuse("$GOLDMEM run --unknown=no k.traceg",
           "goldmem: --unknown: 'no' is neither refuse nor ignore; try 'goldmem run --help'\n");
}

static void counted_when_ignored(void **state)
{
    (void)state;
    test_file_write("k.traceg", text, sizeof text - 1);
    static const char *const engines[] = {"cycle", "order"};
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        char command[256];
        snprintf(command, sizeof command,
                 "$GOLDMEM run --check --unknown=ignore --engine=%s --json - k.traceg | jq -c "
                 "'.unknown, .unmodelled, .total.l1d.load.accesses, .total.memory_instructions'",
                 engines[i]);
        print(command, "{\"FROB.E.CG\":2}\n{\"TEX.SCR\":1}\n1\n3\n");
        snprintf(command, sizeof command,
                 "$GOLDMEM run --unknown=ignore --engine=%s k.traceg | grep -A2 'without a model'",
                 engines[i]);
        print(command, "Instructions without a model, whose accesses are not made\n"
                       "  FROB.E.CG                            2   unknown opcode with addresses\n"
                       "  TEX.SCR                              1\n");
    }
    print("$GOLDMEM trace check --unknown=ignore k.traceg",
          "ok: 1 kernels, 0 copies, 1 CTAs, 1 warps, 5 instructions\n"
          "unknown opcode with addresses: FROB.E.CG, instructions: 2\n");
    print("$GOLDMEM trace info --unknown=ignore --json - k.traceg | jq -c .unknown",
          "{\"FROB.E.CG\":2}\n");
    print("$GOLDMEM trace info --unknown=ignore k.traceg | tail -n 1",
          "unknown opcode with addresses: FROB.E.CG, instructions: 2\n");
    /* A conversion keeps the opcodes. */
    print("$GOLDMEM trace convert --unknown=ignore --binary k.traceg b && $GOLDMEM trace convert "
          "--unknown=ignore b t && grep FROB t/kernel-1.traceg",
          "0010 ffffffff 1 R1 FROB.E.CG 1 R2 4 1 0x2000 4 0 \n"
          "0010 00000003 1 R1 FROB.E.CG 1 R2 4 1 0x3000 4 0 \n");
}

/* A trace without unknown opcodes has no message. */
static void silent_otherwise(void **state)
{
    (void)state;
    print("$GOLDMEM run --unknown=ignore --json - workload:vectoradd,n=64 | jq -c '.unknown, "
          ".unmodelled'; $GOLDMEM run workload:vectoradd,n=64 | grep -c 'without a model' || true",
          "null\nnull\n0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(refused_by_name, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(counted_when_ignored, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(silent_otherwise, test_folder_setup, test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
