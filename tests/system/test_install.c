/* `make install` gives a user a command, headers, both libraries and a pkg-config file that work
 * outside the source tree; man pages, completions; `make uninstall`. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls a function of each block; members by name, so that parameters may be added. */
static const char PROGRAM[] =
    "#include <goldmem/goldmem.h>\n"
    "#include <stdio.h>\n"
    "static gm_set_index index_of;\n"
    "static gm_mshr mshr;\n"
    "static gm_sm_dueling dueling;\n"
    "static gm_lifetime_predictor predictor;\n"
    "static gm_lifetime_predictor_parameters lifetime;\n"
    "static gm_stream_gate gate;\n"
    "static gm_cores_sampling sampling;\n"
    "static gm_cores_sampling_parameters cores;\n"
    "static gm_atomic_buffer buffer;\n"
    "static gm_atomic_buffer_parameters atomics;\n"
    "static gm_contention_bypass contention;\n"
    "static gm_contention_bypass_parameters contended;\n"
    "static gm_warp_limiter limiter;\n"
    "static gm_warp_limiter_parameters limited;\n"
    "static gm_stream_gate_parameters streams;\n"
    "static gm_locality_score scores;\n"
    "static gm_locality_score_parameters scored;\n"
    "static gm_victim_tags victims;\n"
    "static gm_victim_tags_parameters lost;\n"
    "static gm_lease_store_parameters kept;\n"
    "static gm_gwct gwct;\n"
    "static gm_gwct_parameters warps;\n"
    "static gm_mshr_parameters small;\n"
    "static gm_mshr_request request;\n"
    "static gm_sm_dueling_parameters interval;\n"
    "static gm_replacement_parameters lru;\n"
    "static gm_cta_queues queues;\n"
    "static gm_cta_queues_parameters scheduling;\n"
    "static gm_sharing_lru sharing;\n"
    "static gm_sharing_lru_parameters shares;\n"
    "static gm_sharing_tracker_parameters tracker;\n"
    "static gm_tag_store_parameters store;\n"
    "static gm_tc_l1_parameters leases;\n"
    "static gm_tc_l2_parameters given;\n"
    "int main(void)\n"
    "{\n"
    "    gm_arena arena;\n"
    "    gm_error error;\n"
    "    small.entries = small.merges = 4;\n"
    "    small.line_bits = small.requester_bits = 42;\n"
    "    request.op = GM_MSHR_REQUEST_OP;\n"
    "    request.line = 5;\n"
    "    request.may_allocate = 1;\n"
    "    lru.policy = GM_REPLACEMENT_LRU;\n"
    "    lru.index_bits = 5;\n"
    "    lru.ways = 4;\n"
    "    tracker.index = store.index = &index_of;\n"
    "    tracker.ways = store.tag_ways = 8;\n"
    "    tracker.cus = 16;\n"
    "    store.data_ways = 4;\n"
    "    int code = gm_set_index_parse(&index_of, \"ipoly\", 32, 42, &error);\n"
    "    code |= gm_arena_create(&arena, gm_mshr_bytes(&small), &error);\n"
    "    code |= gm_mshr_init(&mshr, &small, &arena, &error);\n"
    "    code |= gm_mshr_access(&mshr, request).outcome != GM_MSHR_NEW;\n"
    "    code |= gm_set_index_of(&index_of, 5) != 5;\n"
    "    code |= gm_lifetime_predictor_init(&predictor, &lifetime, &error) == 0;\n"
    "    code |= gm_stream_gate_init(&gate, &streams, &error) == 0;\n"
    "    code |= gm_cores_sampling_init(&sampling, &cores, &error) == 0;\n"
    "    code |= gm_atomic_buffer_init(&buffer, &atomics, &error) == 0;\n"
    "    code |= gm_contention_bypass_init(&contention, &contended, &error) == 0;\n"
    "    code |= gm_warp_limiter_init(&limiter, &limited, &error) == 0;\n"
    "    code |= gm_locality_score_init(&scores, &scored, &error) == 0;\n"
    "    code |= gm_cta_queues_init(&queues, &scheduling, NULL, &error) == 0;\n"
    "    code |= gm_sharing_lru_init(&sharing, &shares, &arena, &error) == 0;\n"
    "    code |= gm_victim_tags_init(&victims, &lost, &arena, &error) == 0;\n"
    "    code |= gm_gwct_init(&gwct, &warps, &arena, &error) == 0;\n"
    "    code |= gm_sm_dueling_init(&dueling, &interval, &error) == 0;\n"
    "    code |= gm_replacement_bytes(&lru) == 0 || gm_lease_store_bytes(&kept) == 0 || "
    "gm_sharing_tracker_bytes(&tracker) == 0 ||\n"
    "            gm_tag_store_bytes(&store) == 0 || gm_tc_l1_bytes(&leases) == 0 ||\n"
    "            gm_tc_l2_bytes(&given) == 0;\n"
    "    gm_arena_free(&arena);\n"
    "    return code != 0 || puts(\"works\") < 0;\n"
    "}\n";

static void installed_library_serves_a_program(void **state)
{
    (void)state;
    const char *goldmem = getenv("GOLDMEM");
    if (goldmem == NULL || strstr(goldmem, "sanitize") != NULL) {
        print_message("skipped: GOLDMEM is not set, or the build is for a sanitizer\n");
        skip();
    }
    const char *folder = test_folder_make();
    test_file_write("user.c", PROGRAM, sizeof PROGRAM - 1);
    test_command command = test_run(
        "make -s install PREFIX=%s/root && cd %s && "
        "export PKG_CONFIG_PATH=$PWD/root/lib/pkgconfig && "
        "export LD_LIBRARY_PATH=$PWD/root/lib && strict='-Wall -Wextra -Wpedantic -Werror' && "
        "cc -std=c11 $strict user.c $(pkg-config --cflags --libs goldmem) -o shared && "
        "./shared && "
        "c++ -std=c++17 $strict -x c++ user.c $(pkg-config --cflags --libs goldmem) -o plus && "
        "./plus && "
        "cc -static-pie user.c $(pkg-config --cflags goldmem) root/lib/libgoldmem.a "
        "-o static && ./static && root/bin/goldmem --version",
        folder, folder);
    assert_string_equal(command.errors, "");
    assert_int_equal(command.status, 0);
    assert_string_equal(command.output, "works\nworks\nworks\ngoldmem " GM_VERSION "\n");
    test_command_free(&command);
    test_folder_remove();
}

/* The examples of docs/embedding.md, against the installed library. */
static void examples_of_embedding_run(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *folder = test_folder_make();
    test_command command = test_run(
        "make -s install PREFIX=%s/root && "
        "export PKG_CONFIG_PATH=%s/root/lib/pkgconfig LD_LIBRARY_PATH=%s/root/lib && "
        "strict='-Wall -Wextra -Wpedantic -Werror' && flags=$(pkg-config --cflags --libs goldmem) "
        "&& cd docs/examples/embedding && cc -std=c11 $strict embed.c $flags -o %s/c && %s/c && "
        "for p in embed gem5_main gpgpusim_main; do "
        "c++ -std=c++17 $strict $p.cpp $flags -o %s/$p && %s/$p || exit 1; done && "
        "c++ -std=c++17 $strict tlm.cpp $(pkg-config --cflags --libs goldmem systemc) -o %s/tlm && "
        "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 %s/tlm",
        folder, folder, folder, folder, folder, folder, folder, folder, folder);
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, "2751 cycles, mean latency 1002.0, 4000 sectors from DRAM\n"
                                        "33 stores done in 548 cycles of 1 GHz\n"
                                        "gem5 port: 200 packets answered, requests refused: yes\n"
                                        "GPGPU-Sim memory: 600 mem_fetches answered\n"
                                        "processor: 0 words wrong, 24940 ns\n"
                                        "DMA: 200 lines, mean latency 354 ns\n"
                                        "816 sectors from DRAM\n");
    test_command_free(&command);
    test_folder_remove();
}

/* Each subcommand has a page with each option and each word of its --help. */
static void man_pages_say_what_help_says(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command = test_run(
        "make -s man && python3 - <<'E'\n"
        "import os, re, subprocess\n"
        "def words(text): return re.findall(r'[A-Za-z0-9_=<>:.,-]+', text)\n"
        "def of(page):\n"
        "    text = open(f'build/man/{page}.1').read()\n"
        "    text = text[text.index('.SH SYNOPSIS'):text.index('.SH \"SEE' if '.SH \"SEE' in text "
        "else '.SH SEE')]\n"
        "    text = re.sub(r'^\\.(SH|TP|PP|nf|fi|RS|RE|br).*$', '', text, flags=re.M)\n"
        "    text = re.sub(r'^\\.B ', '', text, flags=re.M)\n"
        "    return text.replace('\\\\-', '-').replace('\\\\&', '').replace('\\\\e', '\\\\')\n"
        "pages = sorted(os.listdir('build/man'))\n"
        "for page in pages:\n"
        "    page = page[:-2]\n"
        "    sub = page.split('-')[1:]\n"
        "    help = subprocess.run([os.environ['GOLDMEM'], *sub, '--help'], capture_output=True,\n"
        "                          text=True).stdout\n"
        "    want = words(re.sub(r'^Usage: ', '', help))\n"
        "    got = words(of(page))\n"
        "    assert got == want, (page, [p for p in zip(want, got) if p[0] != p[1]][:2])\n"
        "print(len(pages), 'pages')\nE");
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, "12 pages\n");
    test_command_free(&command);
}

/* What bash completes, with its own words of a line; a choice for each line. */
static void bash_completes(void **state)
{
    (void)state;
    test_only_in_plain_build();
    static const char *const rows[][2] = {
        {"r", "report run"},
        {"run --pre", "--preset="},
        {"run --preset = v", "v100"},
        {"run -p h", "h100"},
        {"run workl", "workload:"},
        {"run workload : syr", "syrk"},
        {"run --set l1.ind", "l1.index="},
        {"run --engine = o", "order"},
        {"trace c", "check convert"},
        {"compare --fa", "--fail-above="},
        {"gates --y", "--yosys"},
        {"help comp", "compare"},
        {"run READ", "README.md"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        test_command command = test_run(
            "make -s completions && bash -c 'source build/completions/goldmem.bash; "
            "COMP_WORDS=(goldmem %s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
            "_goldmem \"$GOLDMEM\"; printf \"%%s\\n\" \"${COMPREPLY[@]}\" | sort | paste -sd\" \"'",
            rows[i][0]);
        char expected[64];
        snprintf(expected, sizeof expected, "%s\n", rows[i][1]);
        assert_string_equal(command.output, expected);
        test_command_free(&command);
    }
}

/* Installed beside another file and removed, that file is left. */
static void uninstall_leaves_nothing(void **state)
{
    (void)state;
    test_only_in_plain_build();
    const char *folder = test_folder_make();
    test_command command =
        test_run("mkdir -p %s/lib && touch %s/lib/other && make -s install PREFIX=%s && "
                 "find %s -type f | wc -l && tar -tJf %s/share/goldmem/rtl-source.tar.xz | "
                 "grep -cx -e Makefile -e rtl/tag_store.sv -e cosim/rtl_loop.c && "
                 "make -s uninstall PREFIX=%s && find %s ! -type d -printf '%%P\\n'",
                 folder, folder, folder, folder, folder, folder, folder);
    assert_string_equal(command.errors, "");
    char *rest = NULL;
    assert_true(strtoul(command.output, &rest, 10) > 80);
    assert_string_equal(rest, "\n3\nlib/other\n");
    test_command_free(&command);
    test_folder_remove();
}

/* A link that drops optimisation at link time says nothing, and costs the engines 6%. Code that was
 * made there says so in its debug information. */
static void command_is_optimised_at_link_time(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command command =
        test_run("readelf --debug-dump=info $GOLDMEM 2>/dev/null | grep -c 'GNU GIMPLE'");
    assert_int_not_equal(strtoul(command.output, NULL, 10), 0);
    test_command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(command_is_optimised_at_link_time),
                                       cmocka_unit_test(installed_library_serves_a_program),
                                       cmocka_unit_test(examples_of_embedding_run),
                                       cmocka_unit_test(man_pages_say_what_help_says),
                                       cmocka_unit_test(bash_completes),
                                       cmocka_unit_test(uninstall_leaves_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
