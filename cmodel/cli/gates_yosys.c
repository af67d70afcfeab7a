/* goldmem gates --yosys, --liberty: synthesis of a set-index function. Runs the yosys program in a
 * temporary folder. */
#include "cli/gates.h"
#include "cli/interrupt.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FOLDER = 64, PATH = 96 };

static const char *const files[] = {"design.sv", "script.ys",  "log",
                                    "mapping",   "statistics", "cells.lib"};

static void remove_folder(const char *folder)
{
    for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[PATH];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    rmdir(folder);
}

static FILE *open_in(const char *folder, const char *name, const char *mode)
{
    char path[PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, mode);
}

/* Writes one XOR expression for each row, as a designer would. */
static void write_equations(const gm_xor_matrix *matrix, FILE *file)
{
    fprintf(file, "module design (input logic [%u:0] line_i, output logic [%u:0] index_o);\n",
            matrix->inputs - 1, matrix->outputs - 1);
    for (unsigned i = 0; i < matrix->outputs; i++) {
        fprintf(file, "  assign index_o[%u] = ", i);
        const char *separator = "";
        for (unsigned column = matrix->inputs; column-- > 0;) {
            if ((matrix->row[i] >> column & 1) != 0) {
                fprintf(file, "%sline_i[%u]", separator, column);
                separator = " ^ ";
            }
        }
        fputs(";\n", file);
    }
    fputs("endmodule\n", file);
}

/* Yosys's own script for a library, then ABC's timing of the result. */
#define TIMED_MAP                                                                                  \
    "abc -liberty cells.lib -script "                                                              \
    "+strash;ifraig;scorr;dc2;dretime;strash;&get,-n;&dch,-f;&nf;&put;topo;stime"

/* True if the library has timing, without which ABC's command for it crashes. */
static bool has_timing(const char *liberty)
{
    char line[1024];
    bool found = false;
    FILE *file = fopen(liberty, "r");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        found = strncmp(line + strspn(line, " \t"), "timing", 6) == 0;
    }
    if (file != NULL) {
        fclose(file);
    }
    return found;
}

static int write_inputs(const char *folder, const gm_xor_matrix *matrix,
                        const gm_xor_network *network, const char *liberty, gm_error *error)
{
    FILE *design = open_in(folder, "design.sv", "w");
    FILE *script = open_in(folder, "script.ys", "w");
    int failed = design == NULL || script == NULL;
    if (!failed && network != NULL) {
        gm_xor_network_write_verilog(network, "design", "", design);
    } else if (!failed) {
        write_equations(matrix, design);
    }
    if (!failed) {
        const char *map = liberty == NULL       ? "abc -g AND,XOR"
                          : has_timing(liberty) ? TIMED_MAP
                                                : "abc -liberty cells.lib";
        const char *count = liberty != NULL ? "stat -liberty cells.lib" : "stat";
        fprintf(script,
                "read_verilog -sv design.sv\nsynth -flatten -top design -noabc\n"
                "tee -q -o mapping %s\nopt_clean\n"
                "tee -q -o statistics %s\n",
                map, count);
    }
    failed |= design != NULL && fclose(design) != 0;
    failed |= script != NULL && fclose(script) != 0;
    char link[PATH];
    snprintf(link, sizeof link, "%s/cells.lib", folder);
    char *target = liberty != NULL ? realpath(liberty, NULL) : NULL;
    if (liberty != NULL && (target == NULL || symlink(target, link) != 0)) {
        free(target);
        return gm_fail_errno(error, liberty);
    }
    free(target);
    return failed ? gm_fail_errno(error, folder) : 0;
}

/* Fails with the first line of Yosys's log that names an error, or with its last line. */
static int explain(const char *folder, gm_error *error)
{
    char line[300] = "";
    char shown[300] = "it said nothing";
    FILE *log = open_in(folder, "log", "r");
    while (log != NULL && fgets(line, sizeof line, log) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] != '\0') {
            memcpy(shown, line, sizeof shown);
        }
        if (strncmp(line, "ERROR", 5) == 0) {
            break;
        }
    }
    if (log != NULL) {
        fclose(log);
    }
    return gm_fail(error, -EIO, "yosys failed: %s", shown);
}

static int run_yosys(const char *folder, gm_error *error)
{
    char yosys[] = "yosys";
    char quiet[] = "-q";
    char script[] = "script.ys";
    char *arguments[] = {yosys, quiet, script, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    int status = 0;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        return gm_fail(error, -ENOMEM, "out of memory");
    }
    int code = posix_spawn_file_actions_addchdir_np(&actions, folder);
    code = code != 0 ? code
                     : posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "log",
                                                        O_WRONLY | O_CREAT | O_TRUNC, 0600);
    code =
        code != 0 ? code : posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    code = code != 0 ? code : posix_spawnp(&child, yosys, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code != 0) {
        return gm_fail(error, -code, "yosys: %s (Debian's package yosys has it)", strerror(code));
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return gm_fail_errno(error, "yosys");
        }
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : explain(folder, error);
}

/* Reads lines such as "Number of cells: 37", "$_XOR_ 37", "Chip area for module '\design': 92.5".
 */
static int read_statistics(gm_gates_synthesis *synthesis, const char *folder, gm_error *error)
{
    char line[300];
    bool found = false;
    FILE *file = open_in(folder, "statistics", "r");
    if (file == NULL) {
        return explain(folder, error);
    }
    *synthesis = (gm_gates_synthesis){0};
    while (fgets(line, sizeof line, file) != NULL) {
        const char *cells = strstr(line, "Number of cells:");
        const char *area = strstr(line, "Chip area");
        const char *colon = strrchr(line, ':');
        if (cells != NULL) {
            synthesis->cells = strtoull(colon + 1, NULL, 10);
            found = true;
        }
        if (area != NULL && colon != NULL) {
            synthesis->area = strtod(colon + 1, NULL);
        }
        const char *generic = strstr(line, "$_X");
        if (generic != NULL) { /* $_XOR_ and $_XNOR_ */
            synthesis->xor_cells += strtoull(generic + strcspn(generic, " "), NULL, 10);
        }
    }
    fclose(file);
    return found ? 0 : explain(folder, error);
}

/* Reads ABC's line "... Area = 1680.00 (100.0 %) Delay = 714.14 ps ...", if there is one: a library
 * without timing has no delay. */
static void read_delay(gm_gates_synthesis *synthesis, const char *folder)
{
    static const char label[] = "Delay =";
    char line[300];
    FILE *file = open_in(folder, "mapping", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *delay = strstr(line, label);
        synthesis->delay = delay != NULL ? strtod(delay + strlen(label), NULL) : synthesis->delay;
    }
    if (file != NULL) {
        fclose(file);
    }
}

/* True if the name after "cell (" is one of a two-input NAND ("NAND2_X1",
 * "sky130_fd_sc_hd__nand2_1"). */
static bool is_nand2(const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        if (strncasecmp(at, "nand2", 5) == 0 && !isalnum((unsigned char)at[5])) {
            return true;
        }
        if (strncasecmp(at, "nand", 4) == 0 && !isalnum((unsigned char)at[4])) {
            return true;
        }
        if (strncasecmp(at, "nand2x", 6) == 0) {
            return true;
        }
    }
    return false;
}

int gm_gates_nand2_area(double *area, const char *liberty, gm_error *error)
{
    char line[1024];
    bool inside = false;
    *area = 0;
    FILE *file = fopen(liberty, "r");
    if (file == NULL) {
        return gm_fail_errno(error, liberty);
    }
    while (fgets(line, sizeof line, file) != NULL) {
        const char *text = line + strspn(line, " \t");
        size_t word = strcspn(text, " \t(:");
        if (word == 4 && strncmp(text, "cell", 4) == 0) {
            char name[128] = "";
            const char *start = text + word + strspn(text + word, " \t(\"");
            size_t length = strcspn(start, " \t)\"");
            length = length < sizeof name - 1 ? length : sizeof name - 1;
            memcpy(name, start, length);
            inside = is_nand2(name);
            const char *brace = strchr(text, '{');
            text = brace != NULL ? brace + 1 + strspn(brace + 1, " \t") : text;
            word = strcspn(text, " \t(:");
        }
        if (inside && word == 4 && strncmp(text, "area", 4) == 0) {
            double value = strtod(text + word + strspn(text + word, " \t:"), NULL);
            *area = value > 0 && (*area == 0 || value < *area) ? value : *area;
        }
    }
    fclose(file);
    return *area > 0
               ? 0
               : gm_fail(error, -EINVAL, "%s: no cell called like NAND2 with an area", liberty);
}

int gm_gates_synthesise(gm_gates_synthesis *synthesis, const gm_xor_matrix *matrix,
                        const gm_xor_network *network, const char *liberty, gm_error *error)
{
    double nand2 = 0;
    int code = liberty != NULL ? gm_gates_nand2_area(&nand2, liberty, error) : 0;
    if (code != 0) {
        return code;
    }
    const char *parent = getenv("TMPDIR");
    char folder[FOLDER];
    int length = snprintf(folder, sizeof folder, "%s/goldmem-XXXXXX",
                          parent != NULL && parent[0] != '\0' ? parent : "/tmp");
    if (length >= FOLDER) {
        return gm_fail(error, -ENAMETOOLONG, "TMPDIR is longer than %d characters", FOLDER - 16);
    }
    gm_interrupt_watch(); /* after a signal too, waits for yosys and removes the folder */
    if (mkdtemp(folder) == NULL) {
        return gm_fail_errno(error, folder);
    }
    code = write_inputs(folder, matrix, network, liberty, error);
    code = code == 0 ? run_yosys(folder, error) : code;
    code = code == 0 ? read_statistics(synthesis, folder, error) : code;
    if (code == 0) {
        synthesis->nand2 = liberty != NULL ? synthesis->area / nand2 : 0;
        read_delay(synthesis, folder);
    }
    remove_folder(folder);
    return gm_interrupt_check(error) != 0 ? -EINTR : code;
}
