/* `make install` gives a user a command, headers, both libraries and a pkg-config file that work
 * outside the source tree. */
#include "support/support.h"

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
                                       cmocka_unit_test(installed_library_serves_a_program)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
