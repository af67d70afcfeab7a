/* The plug-ins of an installed command are built by its user, with the tools that are there, in
 * $XDG_CACHE_HOME/goldmem or ~/.cache/goldmem: a folder for each installed source. */
#include "cli/rtl_plugin.h"

#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Writes a path; returns false if it is too long. */
__attribute__((format(printf, 2, 3))) static bool spell(char path[PATH_MAX], const char *form, ...)
{
    va_list values;
    va_start(values, form);
    int length = vsnprintf(path, PATH_MAX, form, values);
    va_end(values);
    return length >= 0 && length < PATH_MAX;
}

/* Writes the folder of the program. */
static void program_folder(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    folder[length < 0 ? 0 : length] = '\0';
    char *slash = strrchr(folder, '/');
    *(slash == NULL ? folder : slash) = '\0';
}

/* Writes the folder that has the installed source's build, named after the source's size and time.
 */
static int cache_folder(char folder[PATH_MAX], const char *source, gm_error *error)
{
    struct stat of;
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    bool given = cache != NULL && cache[0] == '/';
    if (!given && (home == NULL || home[0] != '/')) {
        return gm_fail(error, -ENOENT, "--rtl: neither XDG_CACHE_HOME nor HOME names a folder");
    }
    if (stat(source, &of) != 0) {
        return gm_fail_errno(error, source);
    }
    return spell(folder, "%s%s/goldmem/%s-%llx-%llx", given ? cache : home, given ? "" : "/.cache",
                 GM_VERSION, (unsigned long long)of.st_size, (unsigned long long)of.st_mtime)
               ? 0
               : gm_fail(error, -ENAMETOOLONG, "--rtl: the cache's path is too long");
}

/* Builds the block's plug-in from the source. Standard output is the run's own. */
static int build(const char *source, const char *folder, const char *block, gm_error *error)
{
    char shell[] = "sh";
    char option[] = "-c";
    char script[] =
        "set -e; mkdir -p \"$2\"; exec 9>\"$2/lock\"; flock 9\n"
        "[ -f \"$2/Makefile\" ] || { tar -xJf \"$1\" -C \"$2\" || { rm -f \"$2/Makefile\"; exit 1; "
        "}; }\n"
        "unset MAKEFLAGS MAKELEVEL MFLAGS\n"
        "exec make -s -C \"$2\" -j\"$(nproc)\" \"build/goldmem-rtl-$3.so\"";
    char name[] = "goldmem";
    char *arguments[] = {shell,          option,         script,        name,
                         (char *)source, (char *)folder, (char *)block, NULL};
    fprintf(stderr, "goldmem: building what --rtl=%s needs in %s, once\n", block, folder);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    pid_t child = 0;
    int status = posix_spawnp(&child, shell, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (status != 0) {
        return gm_fail(error, -status, "sh: %s", strerror(status));
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0
               ? 0
               : gm_fail(error, -EIO,
                         "--rtl=%s: its plug-in cannot be built in %s; it needs make, g++, "
                         "Verilator and goldmem's libraries for development",
                         block, folder);
}

int gm_rtl_plugin_find(char path[PATH_MAX], const char *block, gm_error *error)
{
    char program[PATH_MAX];
    char source[PATH_MAX];
    char folder[PATH_MAX];
    program_folder(program);
    if (!spell(path, "%s/goldmem-rtl-%s.so", program, block) ||
        !spell(source, "%s/../share/goldmem/rtl-source.tar.xz", program)) {
        return gm_fail(error, -ENAMETOOLONG, "--rtl=%s: the program's path is too long", block);
    }
    if (access(path, R_OK) == 0) {
        return 0;
    }
    if (access(source, R_OK) != 0) {
        return gm_fail(error, -ENOENT,
                       "--rtl=%s: %s is not there; in the source folder, `make rtl` builds it for "
                       "each block that has RTL",
                       block, path);
    }
    int code = cache_folder(folder, source, error);
    if (code == 0 && !spell(path, "%s/build/goldmem-rtl-%s.so", folder, block)) {
        code = gm_fail(error, -ENAMETOOLONG, "--rtl=%s: the cache's path is too long", block);
    }
    bool there = code == 0 && access(path, R_OK) == 0;
    return code < 0 || there ? code : build(source, folder, block, error);
}
