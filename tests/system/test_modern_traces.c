/* What newer traces carry: asynchronous and bulk copies, clusters of CTAs; modelled, or said not to
 * be, never left out in silence. */
#include "support/support.h"

#include <stdio.h>

/* Two CTAs of a cluster; an LDGSTS, a bulk copy with two addresses, a bulk store without one. */
#define TRACE                                                                                      \
    "cd '%s' && mkdir -p t && python3 - <<'END'\n"                                                 \
    "def trace(name, version, header, copies):\n"                                                  \
    "    with open('t/' + name, 'w') as f:\n"                                                      \
    "        f.write('-kernel name = k\\n-kernel id = 1\\n-grid dim = (2,1,1)\\n'\n"               \
    "                '-block dim = (32,1,1)\\n-shmem = 0\\n-nregs = 16\\n-binary version = "       \
    "90\\n'\n"                                                                                     \
    "                '-cuda stream id = 3\\n-accelsim tracer version = %%d\\n%%s'\n"               \
    "                '#traces format = x\\n' %% (version, header))\n"                              \
    "        for cta in range(2):\n"                                                               \
    "            f.write('#BEGIN_TB\\nthread block = %%d,0,0\\n' %% cta)\n"                        \
    "            if version == 6:\n"                                                               \
    "                f.write('cluster id = 0,0,0\\ncluster cta = %%d,0,0\\n'\n"                    \
    "                        'cluster rank = %%d\\n' %% (cta, cta))\n"                             \
    "            f.write('warp = 0\\ninsts = %%d\\n' %% (len(copies) + 1))\n"                      \
    "            tail = ' 0 NoVal\\n' if version == 6 else ' \\n'\n"                               \
    "            for line in copies + ['0090 ffffffff 0 EXIT 0 0']:\n"                             \
    "                f.write(line + tail)\n"                                                       \
    "            f.write('#END_TB\\n')\n"                                                          \
    "lane = '0000 0000ffff 0 LDGSTS.E.128 2 R2 R4 16 1 0x7f2000000000 16'\n"                       \
    "bulk = '0010 00000001 0 UTMALDG.2D 1 UR4 4 0x3000 0 4096 0 3 2 0x7f3000001000 "               \
    "0x7f3000002000 0'\n"                                                                          \
    "none = '0020 00000001 0 UTMASTG.2D 0 4 0x0 0 4096 0 3 0 0'\n"                                 \
    "trace('kernel-6.traceg', 6, '', [lane, bulk, none])\n"                                        \
    "trace('kernel-5.traceg', 5, '', [lane, '0010 00000001 0 UTMALDG.2D 1 R4 4 1 0x40 0'])\n"      \
    "trace('kernel-c.traceg', 5, '-cluster dim = (2,1,1)\\n', [lane])\n"                           \
    "trace('kernel-d.traceg', 5, '-cluster dim = (1,1,1)\\n', [lane])\n"                           \
    "END\n"

static void expect(const char *script, const char *output)
{
    char text[6000];
    snprintf(text, sizeof text, TRACE "%s", test_folder(), script);
    test_command command = test_run("%s", text);
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, output);
    assert_int_equal(command.status, 0);
    test_command_free(&command);
}

#define RUN(engine, trace, fields)                                                                 \
    "$GOLDMEM run -q --engine=" engine " --check --json - " trace " | jq -c '" fields "'"

/* Each CTA: 16 lanes of 16 bytes in 2 lines, and two words in two lines. */
static void copies(void **state)
{
    (void)state;
    static const char *const engines[] = {"order", "cycle"};
    for (unsigned i = 0; i < 2; i++) {
        char script[400];
        snprintf(script, sizeof script,
                 "$GOLDMEM run -q --engine=%s --check --json - t/kernel-6.traceg | jq -c "
                 "'.total.copies_to_shared, .total.copied_to_shared, .total.memory_instructions, "
                 ".total.l1d.load.accesses, .unmodelled, .clusters'",
                 engines[i]);
        expect(script, "4\n512\n6\n8\n{\"UTMASTG.2D\":2}\ntrue\n");
    }
}

/* Before version 6 the address of a bulk copy is none of the copied data; it is written back. */
static void without_addresses(void **state)
{
    (void)state;
    expect(RUN("order", "t/kernel-5.traceg",
               ".total.copies_to_shared, .total.l1d.load.accesses, .unmodelled, .clusters"),
           "2\n4\n{\"UTMALDG.2D\":2}\nnull\n");
    expect("$GOLDMEM trace convert t/kernel-5.traceg a && $GOLDMEM trace convert --binary "
           "t/kernel-5.traceg b && $GOLDMEM trace convert b c && diff -r a c && "
           "grep -c 'UTMALDG.2D 1 R4 4 2 0x40 0' c/kernel-*.traceg && " RUN("cycle", "b",
                                                                            ".unmodelled"),
           "2\n{\"UTMALDG.2D\":2}\n");
}

static void clusters_are_named(void **state)
{
    (void)state;
    expect("for k in 6 c d; do $GOLDMEM trace info t/kernel-$k.traceg | grep -c '^clusters: '; "
           "$GOLDMEM trace info --json - t/kernel-$k.traceg | jq .clusters; "
           "$GOLDMEM run t/kernel-$k.traceg | grep -c '^Clusters of CTAs are not modelled'; done; "
           "true",
           "1\ntrue\n1\n1\ntrue\n1\n0\nnull\n0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(copies, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(without_addresses, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(clusters_are_named, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
