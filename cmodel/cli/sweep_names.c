/* goldmem sweep: names of the runs' files, by what decides their results; their commands. */
#include "base/content_hash.h"
#include "cli/sweep.h"
#include "goldmem/config.h"
#include "trace/list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void gm_sweep_path(const gm_sweep *sweep, const gm_sweep_run *run, const char *suffix,
                   char path[GM_SWEEP_PATH])
{
    snprintf(path, GM_SWEEP_PATH, "%s/runs/%s.%s", sweep->folder, run->id, suffix);
}

bool gm_sweep_is_done(const gm_sweep *sweep, const gm_sweep_run *run)
{
    char path[GM_SWEEP_PATH];
    gm_sweep_path(sweep, run, "json", path);
    return access(path, R_OK) == 0;
}

json_t *gm_sweep_failure(const gm_sweep *sweep, const gm_sweep_run *run)
{
    char path[GM_SWEEP_PATH];
    gm_sweep_path(sweep, run, "failed", path);
    return json_load_file(path, 0, NULL);
}

void gm_sweep_write_word(FILE *file, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=:,./@%";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, file);
        return;
    }
    fputc('\'', file);
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            fputs("'\\''", file);
        } else {
            fputc(*word, file);
        }
    }
    fputc('\'', file);
}

char *gm_sweep_command(const gm_sweep_run *run)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL) {
        return NULL;
    }
    fputs("goldmem run", file);
    for (size_t i = 0; i < json_array_size(run->argument); i++) {
        fputc(' ', file);
        gm_sweep_write_word(file, json_string_value(json_array_get(run->argument, i)));
    }
    if (fclose(file) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

/* Returns `hash` followed by what identifies a file's content: its size and time. */
static uint64_t add_stamp(uint64_t hash, const struct stat *file)
{
    hash = gm_content_word(hash, (uint64_t)file->st_size);
    hash = gm_content_word(hash, (uint64_t)file->st_mtim.tv_sec);
    return gm_content_word(hash, (uint64_t)file->st_mtim.tv_nsec);
}

/* Adds the files of a folder, in whatever order: their stamps are summed. */
static uint64_t add_folder(uint64_t hash, const char *path)
{
    DIR *folder = opendir(path);
    uint64_t sum = 0;
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        struct stat file;
        if (fstatat(dirfd(folder), entry->d_name, &file, 0) == 0 && S_ISREG(file.st_mode)) {
            sum += add_stamp(gm_content_bytes(0, entry->d_name, strlen(entry->d_name)), &file);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return gm_content_word(hash, sum);
}

/* Adds the file or folder of this name, if there is one. */
static uint64_t add_file(uint64_t hash, const char *name)
{
    struct stat file;
    if (name[0] == '\0' || stat(name, &file) != 0) {
        return hash;
    }
    return S_ISDIR(file.st_mode) ? add_folder(hash, name) : add_stamp(hash, &file);
}

/* Adds the kernels' files of an input, if it is a trace. */
static uint64_t add_kernels(uint64_t hash, const char *input)
{
    gm_list *list = NULL;
    gm_list_entry entry;
    gm_error ignored;
    uint64_t bytes = 0;
    if (gm_list_open(&list, input, &bytes, &ignored) < 0) {
        return hash;
    }
    while (gm_list_next(list, &entry, &ignored) > 0) {
        hash = entry.kind == GM_COMMAND_KERNEL ? add_file(hash, entry.path) : hash;
    }
    gm_list_close(list);
    return hash;
}

uint64_t gm_sweep_hash_machine(const gm_config *config)
{
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    uint64_t hash = 0;
    for (unsigned i = 0; i < count; i++) {
        char value[GM_CONFIG_TEXT];
        gm_config_get(config, &keys[i], value, sizeof value);
        hash = gm_content_bytes(hash, value, strlen(value));
        hash = keys[i].type == GM_KEY_FILE ? add_file(hash, value) : hash;
    }
    return hash;
}

/* Adds an argument and the files that it names: all of it, or behind a '=' or ':' up to a ','. */
static uint64_t add_argument(uint64_t hash, const char *argument)
{
    hash = gm_content_bytes(hash, argument, strlen(argument));
    hash = add_file(hash, argument);
    for (const char *at = strpbrk(argument, "=:"); at != NULL; at = strpbrk(at + 1, "=:")) {
        char name[GM_SWEEP_PATH];
        size_t length = strcspn(at + 1, ",");
        if (length < sizeof name) {
            memcpy(name, at + 1, length);
            name[length] = '\0';
            hash = add_file(hash, name);
        }
    }
    return hash;
}

/* Hashes the program's own file. */
static int hash_program(const char *path, uint64_t *hash, gm_error *error)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat file;
    if (descriptor < 0 || fstat(descriptor, &file) != 0) {
        return gm_fail_errno(error, path);
    }
    void *text = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    if (text == MAP_FAILED) {
        return gm_fail_errno(error, path);
    }
    *hash = gm_content_bytes(0, text, (size_t)file.st_size);
    munmap(text, (size_t)file.st_size);
    return 0;
}

/* By id, then in the order of the runs. */
static int by_id(const void *left, const void *right)
{
    const gm_sweep_run *one = *(gm_sweep_run *const *)left;
    const gm_sweep_run *other = *(gm_sweep_run *const *)right;
    int order = strcmp(one->id, other->id);
    return order != 0 ? order : one < other ? -1 : 1;
}

/* Marks the runs with the id of an earlier one: two processes would write one report. */
static int mark_repeats(gm_sweep *sweep, gm_error *error)
{
    gm_sweep_run **sorted = calloc(sweep->runs + 1, sizeof(gm_sweep_run *));
    if (sorted == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", sweep->file);
    }
    for (size_t i = 0; i < sweep->runs; i++) {
        sorted[i] = &sweep->run[i];
    }
    qsort(sorted, sweep->runs, sizeof(gm_sweep_run *), by_id);
    for (size_t i = 1; i < sweep->runs; i++) {
        sorted[i]->repeats = strcmp(sorted[i - 1]->id, sorted[i]->id) == 0;
    }
    free(sorted);
    return 0;
}

int gm_sweep_name_runs(gm_sweep *sweep, gm_error *error)
{
    uint64_t program = 0;
    int code = hash_program(sweep->program, &program, error);
    for (size_t i = 0; code == 0 && i < sweep->runs; i++) {
        gm_sweep_run *run = &sweep->run[i];
        uint64_t hash = gm_content_word(program, run->machine);
        const char *argument = "";
        for (size_t k = 0; k < json_array_size(run->argument); k++) {
            argument = json_string_value(json_array_get(run->argument, k));
            hash = add_argument(hash, argument);
        }
        hash = add_kernels(hash, argument); /* the last is the input */
        snprintf(run->id, sizeof run->id, "%016" PRIx64, hash);
    }
    return code < 0 ? code : mark_repeats(sweep, error);
}
