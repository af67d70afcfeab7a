/* goldmem trace: real traces converted to every form and back, output of info and check, refusals.
 */
#include "goldmem/trace.h"
#include "support/support.h"
#include "support/trace/digest.h"

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char tiny[] = "-kernel name = _Z3addPf\n-kernel id = 7\n-grid dim = (2,1,1)\n"
                           "-block dim = (64,1,1)\n-shmem = 128\n-nregs = 8\n"
                           "-binary version = 80\n-cuda stream id = 0\n"
                           "-accelsim tracer version = 5\n\n#traces format = immediate\n\n"
                           "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 3\n"
                           "0000 ffffffff 1 R1 LDG.E 1 R2 4 1 0x7fb000000000 4 0 \n"
                           "0010 0000000f 0 STS 2 R2 R4 4 1 0x0 4 5 \n"
                           "0020 ffffffff 0 EXIT 0 0 0 \n\nwarp = 1\ninsts = 1\n"
                           "0020 ffffffff 0 EXIT 0 0 0 \n\n#END_TB\n";
static const char tiny_list[] = "MemcpyHtoD,0x00007fb000000000,256\nkernel-7.traceg\n";

/* Writes the tiny trace into the temporary folder. Returns its path. */
static const char *make_tiny(void)
{
    const char *folder = test_folder_make();
    test_file_write("kernel-7.traceg", tiny, sizeof tiny - 1);
    test_file_write("kernelslist.g", tiny_list, sizeof tiny_list - 1);
    return folder;
}

static void expect(test_command command, int status, const char *output, const char *errors)
{
    assert_string_equal(command.errors, errors);
    assert_string_equal(command.output, output);
    assert_int_equal(command.status, status);
    test_command_free(&command);
}

/* Forms, as options of convert, and the parts of a trace that each cannot hold. */
static const struct {
    const char *options;
    unsigned cannot;
} forms[] = {
    {"--version 1.2", TEST_NO_IMMEDIATE | TEST_ONLY_GENERAL | TEST_NO_VERSION},
    {"--version 3", TEST_NO_IMMEDIATE | TEST_ONLY_GENERAL | TEST_NO_VERSION},
    {"--version 4", TEST_NO_IMMEDIATE | TEST_ONLY_GENERAL | TEST_NO_VERSION},
    {"--version 4-immediate", TEST_ONLY_GENERAL | TEST_NO_VERSION},
    {"--version 5", TEST_ONLY_GENERAL | TEST_NO_VERSION},
    {"", TEST_ONLY_GENERAL | TEST_NO_VERSION},
    {"--version 5 --compress xz", TEST_ONLY_GENERAL | TEST_NO_VERSION},
    {"--version 3 --compress gz", TEST_NO_IMMEDIATE | TEST_ONLY_GENERAL | TEST_NO_VERSION},
    {"--version 4-immediate --compress zst", TEST_ONLY_GENERAL | TEST_NO_VERSION},
    {"--binary", 0},
};

static test_digest digest_of(const char *path, unsigned cannot)
{
    gm_error error;
    gm_source *source = NULL;
    test_digest digest;
    test_ok(gm_trace_open(&source, path, &error), error);
    test_ok(test_digest_source(&digest, source, cannot, &error), error);
    gm_source_close(source);
    return digest;
}

static void convert_every_way(const char *trace)
{
    const char *folder = test_folder_make();
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
        char output[128];
        snprintf(output, sizeof output, "%s/%zu", folder, k);
        expect(test_run("$GOLDMEM trace convert %s '%s' %s", forms[k].options, trace, output), 0,
               "", "");
        test_digest expected = digest_of(trace, forms[k].cannot);
        test_digest got = digest_of(output, forms[k].cannot);
        char what[1200];
        snprintf(what, sizeof what, "%s %s", trace, forms[k].options);
        test_digest_equal(&got, &expected, what);
        test_digest_free(&expected);
        test_digest_free(&got);
        test_command removed = test_run("rm -r '%s'", output);
        test_command_free(&removed);
    }
    test_folder_remove();
}

static void real_traces_survive_every_form(void **state)
{
    (void)state;
    const char *root = test_shared_data("GOLDMEM_TRACES");
    DIR *folder = opendir(root);
    assert_non_null(folder);
    unsigned traces = 0;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", root, entry->d_name);
        if (entry->d_type == DT_DIR && entry->d_name[0] != '.') {
            convert_every_way(path);
            traces++;
        }
    }
    closedir(folder);
    assert_in_range(traces, 6, 100);
}

/* A trace of Accel-Sim's tracer written in its own version has equal bytes: list and kernels. */
static void real_traces_keep_their_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *name, *version;
    } traces[] = {{"vectoradd-sm80-v5", "5"},
                  {"simpletorch-sm70-v3", "3"},
                  {"matrixmul-sm61-v4", "4"},
                  {"vectoradd-sm61-v4", "4"}};
    const char *root = test_shared_data("GOLDMEM_TRACES");
    const char *folder = test_folder_make();
    for (size_t k = 0; k < sizeof traces / sizeof traces[0]; k++) {
        expect(test_run("$GOLDMEM trace convert --version %s %s/%s %s/%s", traces[k].version, root,
                        traces[k].name, folder, traces[k].name),
               0, "", "");
        expect(test_run("diff -r -x LICENSE -x stats.csv %s/%s %s/%s", root, traces[k].name, folder,
                        traces[k].name),
               0, "", "");
    }
    test_folder_remove();
}

static void check_counts(void **state)
{
    (void)state;
    const char *folder = make_tiny();
    const char *ok = "ok: 1 kernels, 1 copies, 1 CTAs, 2 warps, 4 instructions; CTAs of the grids "
                     "that are not there: 1\n";
    expect(test_run("$GOLDMEM trace check %s", folder), 0, ok, "");
    expect(test_run("$GOLDMEM trace convert --binary %s %s/b && $GOLDMEM trace check %s/b", folder,
                    folder, folder),
           0, ok, "");
    /* a folder without its list: kernel files by id */
    expect(
        test_run("rm %s/b/kernelslist.g && $GOLDMEM trace check %s/b", folder, folder), 0,
        "ok: 1 kernels, 0 copies, 1 CTAs, 2 warps, 4 instructions; CTAs of the grids that are not "
        "there: 1\n",
        "");
    /* a file that is cut between its second and its third CTA, of four */
    expect(test_run("$GOLDMEM trace convert workload:vectoradd,n=1000 %s/v && "
                    "sed -i '190,$d' %s/v/kernel-1.traceg && $GOLDMEM trace check %s/v",
                    folder, folder, folder),
           0,
           "ok: 1 kernels, 2 copies, 2 CTAs, 16 warps, 112 instructions; CTAs of the grids that "
           "are not there: 2\n",
           "");
    test_folder_remove();
}

static void info_tells_what_is_there(void **state)
{
    (void)state;
    const char *folder = make_tiny();
    test_command command = test_run("$GOLDMEM trace info --opcodes %s", folder);
    assert_string_equal(command.errors, "");
    assert_int_equal(command.status, 0);
    assert_non_null(strstr(command.output, "       5  _Z3addPf\n"));
    /* 32 + 4 + 32 + 32 active lanes */
    assert_non_null(
        strstr(command.output, "kernels 1, copies 1, copied bytes 256, thread instructions 100\n"));
    assert_non_null(strstr(command.output, "             2  EXIT\n             1  LDG.E\n"
                                           "             1  STS\n"));
    test_command_free(&command);
    expect(test_run("$GOLDMEM trace info --opcodes --json %s/info.json %s", folder, folder), 0, "",
           "");
    char path[128];
    snprintf(path, sizeof path, "%s/info.json", folder);
    json_error_t reason;
    json_t *all = json_load_file(path, 0, &reason);
    assert_non_null(all);
    json_int_t instructions;
    json_int_t shared;
    json_int_t exits;
    json_int_t grid;
    const char *name;
    assert_int_equal(json_unpack_ex(all, &reason, 0,
                                    "{s:{s:I, s:{s:I}}, s:{s:I}, s:[{s:s, s:[I,i,i]}]}", "total",
                                    "instructions", &instructions, "memory_instructions", "shared",
                                    &shared, "opcodes", "EXIT", &exits, "kernels", "name", &name,
                                    "grid", &grid, &(int){0}, &(int){0}),
                     0);
    assert_int_equal(instructions, 4);
    assert_int_equal(shared, 1);
    assert_int_equal(exits, 2);
    assert_int_equal(grid, 2);
    assert_string_equal(name, "_Z3addPf");
    json_decref(all);
    test_folder_remove();
}

static void workloads_are_inputs(void **state)
{
    (void)state;
    const char *folder = test_folder_make();
    test_command direct = test_run("$GOLDMEM trace info --json - workload:vectoradd,n=1000 | "
                                   "sed -n '/\"total\"/,/^  }/p'");
    test_command written = test_run("$GOLDMEM trace convert workload:vectoradd,n=1000 %s/t && "
                                    "$GOLDMEM trace info --json - %s/t | "
                                    "sed -n '/\"total\"/,/^  }/p'",
                                    folder, folder);
    assert_string_equal(written.errors, "");
    assert_non_null(strstr(direct.output, "\"instructions\""));
    assert_string_equal(written.output, direct.output);
    test_command_free(&direct);
    test_command_free(&written);
    test_folder_remove();
}

static void refuses_bad_arguments(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *errors;
    } cases[] = {
        {"", "goldmem: no subcommand; try 'goldmem trace --help'\n"},
        {"chek x", "goldmem: no subcommand 'chek'; did you mean 'check'?\n"},
        {"check", "goldmem: no INPUT; try 'goldmem trace check --help'\n"},
        {"info a b", "goldmem: unexpected argument 'b'; try 'goldmem trace info --help'\n"},
        {"convert a", "goldmem: no OUTPUT_FOLDER; try 'goldmem trace convert --help'\n"},
        {"convert a b --version 6", "goldmem: --version: '6' is none of 1.2, 3, 4, 4-immediate, 5; "
                                    "try 'goldmem trace convert --help'\n"},
        {"convert a b --compress zip", "goldmem: --compress: 'zip' is none of none, xz, gz, zst; "
                                       "try 'goldmem trace convert --help'\n"},
        {"convert a b --binary --version 5", "goldmem: --binary excludes --version and --compress; "
                                             "try 'goldmem trace convert --help'\n"},
        {"check /nonexistent", "goldmem: /nonexistent: No such file or directory\n"},
        {"convert /nonexistent b", "goldmem: /nonexistent: No such file or directory\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        expect(test_run("$GOLDMEM trace %s", cases[k].arguments), 2, "", cases[k].errors);
    }
}

/* Bad input ends with FILE:LINE and exit code 2; nothing is written. */
static void refuses_bad_input(void **state)
{
    (void)state;
    const char *folder = make_tiny();
    char changed[sizeof tiny];
    memcpy(changed, tiny, sizeof tiny);
    char *line = strstr(changed, "0010 0000000f");
    line[5] = 'x';
    test_file_write("kernel-7.traceg", changed, sizeof tiny - 1);
    static const char *const commands[] = {"check %s", "info %s", "info --json %s/j %s",
                                           "convert %s %s/t", "convert --binary %s %s/t"};
    for (size_t k = 0; k < sizeof commands / sizeof commands[0]; k++) {
        char arguments[512];
        snprintf(arguments, sizeof arguments, "$GOLDMEM trace %s", commands[k]);
        for (char *at; (at = strstr(arguments, "%s")) != NULL;) { /* each %s is the folder */
            memmove(at + strlen(folder), at + 2, strlen(at + 2) + 1);
            memcpy(at, folder, strlen(folder));
        }
        test_command command = test_run("%s", arguments);
        char place[128];
        snprintf(place, sizeof place, "goldmem: %s/kernel-7.traceg:20: ", folder);
        assert_memory_equal(command.errors, place, strlen(place));
        assert_ptr_equal(strchr(command.errors, '\n'), command.errors + command.errors_length - 1);
        assert_string_equal(command.output, "");
        assert_int_equal(command.status, 2);
        test_command_free(&command);
    }
    expect(test_run("ls -A %s", folder), 0, "kernel-7.traceg\nkernelslist.g\n", "");
    test_folder_remove();
}

static void leaves_nothing_half_written(void **state)
{
    (void)state;
    const char *folder = make_tiny();
    char expected[256];
    expect(test_run("mkdir %s/there", folder), 0, "", "");
    snprintf(expected, sizeof expected, "goldmem: %s/there: File exists\n", folder);
    expect(test_run("$GOLDMEM trace convert %s %s/there", folder, folder), 2, "", expected);
    /* a limit on file sizes stands for a full disk: 512 bytes a block */
    snprintf(expected, sizeof expected, "goldmem: %s/t/kernel-1.traceg: File too large\n", folder);
    expect(test_run("ulimit -f 1; $GOLDMEM trace convert workload:vectoradd,n=1000 %s/t", folder),
           1, "", expected);
    expect(test_run("$GOLDMEM trace info %s >/dev/full", folder), 1, "",
           "goldmem: standard output: No space left on device\n");
    snprintf(expected, sizeof expected, "goldmem: /dev/full: No space left on device\n");
    expect(test_run("$GOLDMEM trace info --json /dev/full %s", folder), 1, "", expected);
    expect(test_run("ls -A %s", folder), 0, "kernel-7.traceg\nkernelslist.g\nthere\n", "");
    test_folder_remove();
}

/* A signal during conversion: one line, and neither the folder nor its temporary one is left. */
static void interrupt_leaves_nothing(void **state)
{
    (void)state;
    static const char *const signals[] = {"INT", "TERM", "HUP"};
    for (size_t k = 0; k < sizeof signals / sizeof signals[0]; k++) {
        const char *folder = test_folder_make();
        /* A test that nohup(1) started ignores HUP, and so would the command. */
        expect(
            test_run("cd %s; " TEST_WAIT
                     "env --default-signal=HUP $GOLDMEM trace convert workload:mm,n=4096 t 2>log & "
                     "answers $! log; kill -%s $!; wait $!; echo $?; tail -n 1 log; ls -A",
                     folder, signals[k]),
            0, "130\ngoldmem: interrupted\nlog\n", "");
        test_folder_remove();
    }
}

/* Also within a warp that does not end: a pipe that yes(1) writes into. */
static void interrupt_ends_a_long_warp(void **state)
{
    (void)state;
    const char *folder = test_folder_make();
    expect(test_run("cd %s && mkfifo kernel-1.traceg && echo kernel-1.traceg >kernelslist.g && "
                    "$GOLDMEM trace convert workload:vectoradd,n=32 some && "
                    "sed '/^insts/,$d' some/kernel-1.traceg >head && "
                    "echo 'insts = 4000000000' >>head; "
                    "sh -c '{ cat head; exec yes \"0000 ffffffff 0 EXIT 0 0 0 \"; } "
                    ">kernel-1.traceg 2>&1' & " TEST_WAIT "$GOLDMEM trace convert . out 2>log & "
                    "answers $! log; kill -TERM $!; wait $!; echo $?; tail -n 1 log; ls",
                    folder),
           0, "130\ngoldmem: interrupted\nhead\nkernel-1.traceg\nkernelslist.g\nlog\nsome\n", "");
    test_folder_remove();
}

static void helps(void **state)
{
    (void)state;
    static const char *const commands[] = {"info", "check", "convert"};
    for (size_t k = 0; k < sizeof commands / sizeof commands[0]; k++) {
        test_command command = test_run("$GOLDMEM trace %s --help", commands[k]);
        assert_int_equal(command.status, 0);
        assert_string_equal(command.errors, "");
        char usage[64];
        snprintf(usage, sizeof usage, "Usage: goldmem trace %s [OPTION...] INPUT", commands[k]);
        assert_memory_equal(command.output, usage, strlen(usage));
        test_command_free(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_traces_survive_every_form),
        cmocka_unit_test(real_traces_keep_their_bytes),
        cmocka_unit_test(check_counts),
        cmocka_unit_test(info_tells_what_is_there),
        cmocka_unit_test(workloads_are_inputs),
        cmocka_unit_test(refuses_bad_arguments),
        cmocka_unit_test(refuses_bad_input),
        cmocka_unit_test(leaves_nothing_half_written),
        cmocka_unit_test(interrupt_leaves_nothing),
        cmocka_unit_test(interrupt_ends_a_long_warp),
        cmocka_unit_test(helps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
