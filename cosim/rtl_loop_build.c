/* Builds the instances for RTL in the loop, one for each set of parameters of a run: under
 * build/cosim/rtl, named after a hash of the parameters, and kept. Instances of a user's own file
 * are rebuilt for each run. */
#include "rtl_loop.h"

#include <dlfcn.h>
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, MOST_USER_BUILDS = 16 };

/* A user's instances that this run has built already: L1s and L2 banks may have the same. */
static uint64_t user_built[MOST_USER_BUILDS];
static unsigned user_builds;

/* Notes that this run built the user's instance of this key, or returns true if it had. */
static bool built_before(uint64_t key)
{
    for (unsigned i = 0; i < user_builds; i++) {
        if (user_built[i] == key) {
            return true;
        }
    }
    if (user_builds < MOST_USER_BUILDS) {
        user_built[user_builds++] = key;
    }
    return false;
}

/* Computes an FNV-1a hash. */
static uint64_t hash(uint64_t value, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; i++) {
        value = (value ^ byte[i]) * UINT64_C(0x100000001b3);
    }
    return value;
}

/* Finds the repository: two folders above this object, build/goldmem-rtl-NAME.so. */
static int find_root(char *root, gm_error *error)
{
    Dl_info here;
    if (dladdr((void *)&gm_cosim_block_here, &here) == 0 ||
        realpath(here.dli_fname, root) == NULL) {
        return gm_fail(error, -ENOENT, "the folder of the RTL plug-in cannot be found");
    }
    for (unsigned i = 0; i < 2; i++) {
        char *slash = strrchr(root, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
    }
    return 0;
}

/* Runs make with its standard output sent to stderr, since stdout belongs to the run. */
static int make(char *const arguments[], gm_error *error)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    unsetenv("MAKEFLAGS"); /* not those of a make that runs this command */
    unsetenv("MAKELEVEL");
    unsetenv("MFLAGS");
    pid_t child = 0;
    int status = posix_spawnp(&child, "make", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (status != 0) {
        return gm_fail(error, -status, "make: %s", strerror(status));
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0
               ? 0
               : gm_fail(error, -EINVAL, "the RTL cannot be built; its tools say why above");
}

static int load(const char *path, const gm_cosim_plugin_table **table, gm_error *error)
{
    const gm_cosim_plugin_table *(*plugin)(void) = NULL;
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object != NULL) {
        *(void **)&plugin = dlsym(object, "gm_cosim_plugin");
    }
    if (plugin == NULL) {
        return gm_fail(error, -EINVAL, "%s", dlerror());
    }
    *table = plugin();
    return 0;
}

int gm_rtl_build(const gm_cosim_plugin_table **table, const gm_cosim_configuration *configuration,
                 const char *file, gm_error *error)
{
    const char *block = gm_cosim_block_here.ports->block;
    char root[PATH_BYTES];
    char source[PATH_BYTES] = "";
    int code = find_root(root, error);
    if (code == 0 && file != NULL && realpath(file, source) == NULL) {
        code = gm_fail_errno(error, file);
    }
    if (code < 0) {
        return code;
    }
    uint64_t key = hash(UINT64_C(0xcbf29ce484222325), configuration->parameter,
                        sizeof configuration->parameter);
    char name[128];
    char set[GM_COSIM_OPTIONS + 16];
    char dut[PATH_BYTES + 16];
    char block_is[128];
    snprintf(name, sizeof name, "RTL_LOOP=%s-%s%016llx", block, file != NULL ? "user-" : "",
             (unsigned long long)key);
    snprintf(set, sizeof set, "SET=%s", configuration->options);
    snprintf(dut, sizeof dut, "DUT=%s", source);
    snprintf(block_is, sizeof block_is, "BLOCK=%s", block);
    char program[] = "make";
    char silent[] = "-s";
    char folder_is[] = "-C";
    char target[] = "rtl-loop";
    char *arguments[] = {program, silent, folder_is, root, target, name, block_is, set, dut, NULL};
    code = file != NULL && built_before(key) ? 0 : make(arguments, error);
    char path[PATH_BYTES + 256];
    snprintf(path, sizeof path, "%s/build/cosim/rtl/%s.so", root, strchr(name, '=') + 1);
    return code < 0 ? code : load(path, table, error);
}
