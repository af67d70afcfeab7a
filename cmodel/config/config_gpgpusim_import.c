/* Settles the notes on a gpgpusim.config: which options are not modelled as given, not known, or
 * irrelevant. */
#include "config/config_gpgpusim.h"
#include "goldmem/nearest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* An unmodelled option with a value that means what goldmem does: dropped. */
static const gm_import_kind AS_GIVEN = (gm_import_kind)(GM_IMPORT_IRRELEVANT + 1);

static const char *complaint(const gm_import_note *note)
{
    return note->kind == GM_IMPORT_UNMODELLED ? "not modelled: "
           : note->text[0] != '\0'            ? "not an option of GPGPU-Sim; the nearest is "
                                              : "not an option of GPGPU-Sim";
}

int gm_import_refuse(const gm_import *import, const char *name, gm_error *error)
{
    const gm_import_note *first = NULL;
    size_t count = 0;
    for (size_t i = 0; i < import->count; i++) {
        const gm_import_note *note = &import->note[i];
        if (note->kind != GM_IMPORT_IRRELEVANT) {
            first = first == NULL ? note : first;
            count++;
        }
    }
    if (first == NULL) {
        return 0;
    }
    char more[48] = "";
    if (count > 1) {
        snprintf(more, sizeof more, " (and %zu more)", count - 1);
    }
    return gm_fail(error, -EINVAL, "%s:%zu: %s%s%s: %s%s%s", name, first->line, first->option,
                   first->value[0] != '\0' ? " " : "", first->value, complaint(first), first->text,
                   more);
}

/* True if the option's name is the name, or ends in '*' and begins the name. */
static bool names(const gm_gpgpusim_option *option, const char *name, size_t length)
{
    size_t own = strlen(option->name);
    return option->name[own - 1] == '*'
               ? length >= own - 1 && memcmp(option->name, name, own - 1) == 0
               : length == own && memcmp(option->name, name, own) == 0;
}

const gm_gpgpusim_option *gm_gpgpusim_find(const char *name, size_t length)
{
    unsigned count = 0;
    const gm_gpgpusim_option *options = gm_gpgpusim_options(&count);
    const gm_gpgpusim_option *found = NULL;
    for (unsigned i = 0; i < count; i++) {
        if (names(&options[i], name, length)) {
            if (strchr(options[i].name, '*') == NULL) {
                return &options[i];
            }
            found = &options[i];
        }
    }
    return found;
}

const char *gm_gpgpusim_nearest(const char *name)
{
    unsigned count = 0;
    const gm_gpgpusim_option *options = gm_gpgpusim_options(&count);
    const char *nearest = gm_nearest(name, &options[0].name, count, sizeof *options);
    return nearest != NULL && strchr(nearest, '*') == NULL ? nearest : "";
}

/* True if the value is one of `equal`, "0|1|=KEY"; "=KEY" is that key's value. */
static bool is_equal(const gm_config *config, const char *equal, const char *value)
{
    while (*equal != '\0') {
        size_t length = strcspn(equal, "|");
        if (*equal == '=') {
            char name[32];
            uint64_t number = 0;
            snprintf(name, sizeof name, "%.*s", (int)length - 1, equal + 1);
            const gm_key *key = gm_config_find(name);
            memcpy(&number, (const char *)config + key->offset, sizeof number);
            if (strtoull(value, NULL, 10) == number) {
                return true;
            }
        } else if (strlen(value) == length && memcmp(value, equal, length) == 0) {
            return true;
        }
        equal += length + (equal[length] == '|');
    }
    return false;
}

static bool is_there(const gm_import *import, const char *option, gm_import_kind kind)
{
    for (size_t i = 0; i < import->count; i++) {
        if (import->note[i].kind == kind && strcmp(import->note[i].option, option) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_told(const gm_import *import, const gm_import_note *note)
{
    const gm_gpgpusim_option *option = gm_gpgpusim_find(note->option, strlen(note->option));
    if (note->kind == AS_GIVEN) {
        return false;
    }
    return option == NULL || option->role != GM_OPTION_UNMODELLED ||
           ((option->only_with == NULL ||
             is_there(import, option->only_with, GM_IMPORT_UNMODELLED)) &&
            (option->unless == NULL || !is_there(import, option->unless, AS_GIVEN)));
}

/* Sorts the notes by line (stable insertion sort, since most are in order). */
static void sort_by_line(gm_import *import)
{
    for (size_t i = 1; i < import->count; i++) {
        gm_import_note note = import->note[i];
        size_t at = i;
        for (; at > 0 && import->note[at - 1].line > note.line; at--) {
            import->note[at] = import->note[at - 1];
        }
        import->note[at] = note;
    }
}

void gm_gpgpusim_settle(gm_gpgpusim_reader *reader)
{
    gm_import *import = reader->import;
    for (size_t i = 0; i < import->count; i++) {
        gm_import_note *note = &import->note[i];
        const gm_gpgpusim_option *option = gm_gpgpusim_find(note->option, strlen(note->option));
        if (option != NULL && option->role == GM_OPTION_UNMODELLED &&
            is_equal(reader->config, option->equal, note->value)) {
            note->kind = AS_GIVEN;
        }
    }
    bool told[GM_GPGPUSIM_NOTES];
    for (size_t i = 0; i < import->count; i++) {
        told[i] = is_told(import, &import->note[i]);
    }
    size_t kept = 0;
    for (size_t i = 0; i < import->count; i++) {
        if (told[i]) {
            import->note[kept++] = import->note[i];
        }
    }
    import->count = kept;
    sort_by_line(import);
}
