/* Notes on the options of a gpgpusim.config while it is read: one for each option that does not
 * become keys. */
#include "config/config_gpgpusim.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void gm_import_free(gm_import *import)
{
    free(import->note);
    *import = (gm_import){0};
}

void gm_gpgpusim_forget(gm_gpgpusim_reader *reader, const char *option)
{
    gm_import *import = reader->import;
    size_t kept = 0;
    for (size_t i = 0; i < import->count; i++) {
        if (strcmp(import->note[i].option, option) != 0) {
            if (kept != i) {
                import->note[kept] = import->note[i];
            }
            kept++;
        }
    }
    import->count = kept;
}

/* Copies into text[size], truncated, with '?' for unprintable characters. */
static void copy(char *text, size_t size, const char *from)
{
    size_t length = strnlen(from, size - 1);
    for (size_t i = 0; i < length; i++) {
        text[i] = (char)(isprint((unsigned char)from[i]) ? from[i] : '?');
    }
    text[length] = '\0';
}

int gm_gpgpusim_keep(gm_gpgpusim_reader *reader, gm_import_kind kind, const char *option,
                     const char *value, const char *text)
{
    gm_import *import = reader->import;
    if (import->note == NULL) {
        import->note = malloc(GM_GPGPUSIM_NOTES * sizeof *import->note);
    }
    if (import->note == NULL) {
        return gm_fail(reader->error, -ENOMEM, "%s: out of memory", reader->name);
    }
    if (import->count == GM_GPGPUSIM_NOTES) {
        return gm_fail(reader->error, -EINVAL, "%s:%zu: more than %d options are not known",
                       reader->name, reader->line, GM_GPGPUSIM_NOTES);
    }
    gm_import_note *note = &import->note[import->count++];
    *note = (gm_import_note){.kind = kind, .line = reader->line};
    copy(note->option, sizeof note->option, option);
    copy(note->value, sizeof note->value, value);
    copy(note->text, sizeof note->text, text);
    return 0;
}

void gm_gpgpusim_note(gm_gpgpusim_reader *reader, const char *instead)
{
    reader->failed = reader->failed < 0 ? reader->failed
                                        : gm_gpgpusim_keep(reader, GM_IMPORT_UNMODELLED,
                                                           reader->option, reader->value, instead);
}
