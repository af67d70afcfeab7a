/* GPGPU-Sim's cache descriptors: [N:|S:]SETS:LINE:WAYS,REPLACEMENT:WRITE:ALLOCATE:WRITE_ALLOCATE
 * [:INDEX][,MSHRS]. Version 3.2.0 has neither the first letter nor INDEX. */
#include "config/config_gpgpusim.h"
#include "config/config_l1.h"
#include "config/config_memory.h"
#include "goldmem/bits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The letters as the file has them. */
typedef struct descriptor {
    bool sectored;
    uint64_t sets, line, ways;
    char replacement;    /* L LRU, F FIFO */
    char write;          /* R read-only, B back, T through, E evict, L local back, global evict */
    char allocate;       /* m on miss, f on fill, s streaming */
    char write_allocate; /* N no, W fetches and writes through, F fetches on write, L fetches on a
                            later read */
    char index;          /* L linear, X xor, H Fermi hash, P ipoly, C custom */
    const char *mshrs;   /* what follows INDEX */
} descriptor;

/* Reads one letter of `letters`. Returns false for any other. */
static bool read_letter(const char **text, const char *letters, char *letter)
{
    if (**text == '\0' || strchr(letters, **text) == NULL) {
        return false;
    }
    *letter = *(*text)++;
    return true;
}

static bool read_mark(const char **text, char mark)
{
    if (**text != mark) {
        return false;
    }
    (*text)++;
    return true;
}

/* Reads a descriptor. Returns NULL, or the reason why it is refused. */
static const char *read_descriptor(const char *text, descriptor *cache)
{
    char sector = 'N';
    if ((text[0] == 'N' || text[0] == 'S') && text[1] == ':') {
        sector = text[0];
        text += 2;
    }
    *cache = (descriptor){.sectored = sector == 'S', .index = 'L'};
    if (!gm_gpgpusim_number(&text, &cache->sets) || !read_mark(&text, ':') ||
        !gm_gpgpusim_number(&text, &cache->line) || !read_mark(&text, ':') ||
        !gm_gpgpusim_number(&text, &cache->ways) || !read_mark(&text, ',')) {
        return "must begin with SETS:LINE:WAYS, after N: or S:";
    }
    if (!gm_is_power_of_two(cache->sets) || cache->sets > 65536) {
        return "the number of sets must be a power of two, 1 to 65536";
    }
    if (!read_letter(&text, "LF", &cache->replacement) || !read_mark(&text, ':')) {
        return "the replacement policy must be L or F";
    }
    if (!read_letter(&text, "RBTEL", &cache->write) || !read_mark(&text, ':')) {
        return "the write policy must be B, T, E or L";
    }
    if (!read_letter(&text, "mfs", &cache->allocate) || !read_mark(&text, ':')) {
        return "the allocation policy must be m, f or s";
    }
    if (!read_letter(&text, "NWFL", &cache->write_allocate)) {
        return "the write-allocation policy must be N, W, F or L";
    }
    if (read_mark(&text, ':') && !read_letter(&text, "LXHPC", &cache->index)) {
        return "the set-index function must be L, X, H or P";
    }
    cache->mshrs = text;
    return *text == '\0' || *text == ',' ? NULL : "must end, or go on with ',' and the MSHRs";
}

/* Returns goldmem's name of the index function, NULL if goldmem has no equal one. */
static const char *index_of(const descriptor *cache)
{
    switch (cache->index) {
    case 'L':
        return "sequential";
    case 'X':
        return "xor";
    case 'H':
        return (cache->sets == 32 || cache->sets == 64) && cache->line == 128 ? "fermi" : NULL;
    case 'P': /* GPGPU-Sim's polynomials are goldmem's, over fewer address bits */
        return cache->sets == 16   ? "ipoly:19"
               : cache->sets == 32 ? "ipoly:37"
               : cache->sets == 64 ? "ipoly:67"
                                   : NULL;
    default:
        return NULL;
    }
}

/* Returns the bytes of the port of the cache's data, which follow the third comma of the MSHRs; 0:
 * a line, or not given. */
static uint64_t port_of(const descriptor *cache)
{
    const char *text = cache->mshrs;
    uint64_t port = 0;
    for (unsigned comma = 0; comma < 3 && *text != '\0'; text++) {
        comma += *text == ',';
    }
    return gm_gpgpusim_number(&text, &port) && port < cache->line ? port : 0;
}

/* Notes what of the descriptor is not modelled as given. */
static void note_cache(gm_gpgpusim_reader *reader, const char *section, const descriptor *cache)
{
    char text[sizeof reader->import->note->text];
    uint64_t port = port_of(cache);
    if (strcmp(section, "l1") == 0 && port != 0) {
        snprintf(text, sizeof text, "l1 data have no port of %u bytes: tags alone limit a cycle",
                 (unsigned)port);
        gm_gpgpusim_note(reader, text);
    }
    bool lazy = cache->sectored && (strcmp(section, "l2") == 0 || cache->write == 'T');
    if (cache->write_allocate == 'L' && !lazy) {
        gm_gpgpusim_note(reader, "a store miss fetches at once, not at a later read");
    }
}

/* Sets the keys that L1 and L2 share. `section`: "l1" or "l2". */
static int put_cache(gm_gpgpusim_reader *reader, const char *section, const descriptor *cache)
{
    const char *index = cache->sets == 1 ? "sequential" : index_of(cache);
    if (index == NULL) {
        return gm_gpgpusim_fail(reader, cache->index == 'H' ? "the hash H is offered for 32 and 64 "
                                                              "sets of 128-byte lines only"
                                        : cache->index == 'P'
                                            ? "the hash P is offered for 16, 32 and 64 sets only"
                                            : "a custom set-index function is not offered");
    }
    note_cache(reader, section, cache);
    const struct {
        const char *key, *value;
    } texts[] = {{"index", index},
                 {"replacement", cache->replacement == 'F' ? "fifo" : "lru"},
                 {"sectored", cache->sectored ? "yes" : "no"}};
    char key[32];
    int code = 0;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && code == 0; i++) {
        snprintf(key, sizeof key, "%s.%s", section, texts[i].key);
        code = gm_gpgpusim_put(reader, key, texts[i].value);
    }
    snprintf(key, sizeof key, "%s.ways", section);
    code = code == 0 ? gm_gpgpusim_put_number(reader, key, cache->ways) : code;
    snprintf(key, sizeof key, "%s.line", section);
    code = code == 0 ? gm_gpgpusim_put_number(reader, key, cache->line) : code;
    return code == 0 ? gm_gpgpusim_put_mshrs(reader, section, cache->mshrs) : code;
}

static const char *write_policy(char letter)
{
    return letter == 'B' ? "back" : letter == 'T' ? "through" : "evict";
}

int gm_gpgpusim_apply_dl1(gm_gpgpusim_reader *reader)
{
    reader->l1_given = true;
    reader->l1_none = strcmp(reader->value, "none") == 0;
    if (reader->l1_none) {
        return 0;
    }
    descriptor cache;
    const char *wrong = read_descriptor(reader->value, &cache);
    if (wrong != NULL) {
        return gm_gpgpusim_fail(reader, wrong);
    }
    if (cache.write == 'R') {
        return gm_gpgpusim_fail(reader, "a data cache cannot be read-only (R)");
    }
    bool allocate = cache.write_allocate != 'N';
    if (allocate && (cache.write == 'E' || cache.write == 'L')) {
        return gm_gpgpusim_fail(reader, "write-evict (E, L) with write-allocate is not offered");
    }
    const char *yes_no = allocate ? "yes" : "no";
    bool by_sector = cache.sectored && (cache.allocate == 'm' || !allocate);
    int code = put_cache(reader, "l1", &cache);
    code = code == 0
               ? gm_gpgpusim_put_number(reader, "l1.size", cache.sets * cache.line * cache.ways)
               : code;
    code = code == 0 ? gm_gpgpusim_put(reader, "l1.allocation",
                                       cache.allocate == 'm'   ? "on_miss"
                                       : cache.allocate == 'f' ? "on_fill"
                                                               : "streaming")
                     : code;
    code = code == 0 ? gm_gpgpusim_put(reader, "l1.global_write", write_policy(cache.write)) : code;
    code = code == 0 ? gm_gpgpusim_put(reader, "l1.local_write",
                                       cache.write == 'L' ? "back" : write_policy(cache.write))
                     : code;
    code = code == 0 ? gm_gpgpusim_put(reader, "l1.global_allocate", yes_no) : code;
    code = code == 0 ? gm_gpgpusim_put(reader, "l1.local_allocate", yes_no) : code;
    bool lazy = cache.write_allocate == 'L' && cache.sectored && cache.write == 'T';
    code =
        code == 0 ? gm_gpgpusim_put(reader, "l1.fetch_on_write", lazy ? "lazy" : "partial") : code;
    return code == 0 ? gm_gpgpusim_put(reader, "l1.merge_by", by_sector ? "sector" : "line") : code;
}

int gm_gpgpusim_apply_dl2(gm_gpgpusim_reader *reader)
{
    if (strcmp(reader->value, "none") == 0) {
        return gm_gpgpusim_fail(reader, "there is no memory system without L2 here");
    }
    descriptor cache;
    const char *wrong = read_descriptor(reader->value, &cache);
    if (wrong != NULL) {
        return gm_gpgpusim_fail(reader, wrong);
    }
    if (cache.write != 'B' || cache.write_allocate == 'N') {
        return gm_gpgpusim_fail(reader,
                                "the L2 must be write-back (B) and write-allocate (W, F or L)");
    }
    int code = put_cache(reader, "l2", &cache);
    code = code == 0 ? gm_gpgpusim_put_at_most(reader, "l2.port", port_of(&cache), false) : code;
    if (code < 0) {
        return code;
    }
    reader->l2_bank.bytes = cache.sets * cache.line * cache.ways;
    reader->l2_bank.line = reader->line;
    reader->l2_bank.by_sector = cache.sectored && cache.mshrs[0] == ',';
    return gm_gpgpusim_put(reader, "l2.fetch_on_write",
                           cache.write_allocate == 'W'                     ? "through"
                           : cache.write_allocate == 'L' && cache.sectored ? "lazy"
                                                                           : "partial");
}

/* Returns the note on an option that the file gives, or NULL. */
static const gm_import_note *note_on(const gm_gpgpusim_reader *reader, const char *option)
{
    const gm_import *import = reader->import;
    for (size_t i = 0; i < import->count; i++) {
        if (strcmp(import->note[i].option, option) == 0) {
            return &import->note[i];
        }
    }
    return NULL;
}

/* Sets the keys of an instruction cache, which has whole lines and LRU, and keeps a line when it
 * has arrived. */
static int put_l1i(gm_gpgpusim_reader *reader)
{
    descriptor cache;
    const char *wrong = read_descriptor(reader->value, &cache);
    if (wrong != NULL) {
        return gm_gpgpusim_fail(reader, wrong);
    }
    if (cache.sectored || cache.replacement != 'L' || cache.allocate != 'f' || cache.index != 'L') {
        return gm_gpgpusim_fail(reader, "an instruction cache must be N:...,L:R:f:N:L");
    }
    int code = gm_gpgpusim_put_number(reader, "l1i.size", cache.sets * cache.line * cache.ways);
    code = code == 0 ? gm_gpgpusim_put_number(reader, "l1i.ways", cache.ways) : code;
    code = code == 0 ? gm_gpgpusim_put_number(reader, "l1i.line", cache.line) : code;
    code = code == 0 ? gm_gpgpusim_put(reader, "l1i.fetch", "behind") : code;
    code = code == 0 ? gm_gpgpusim_put(reader, "l1i.shared_code", "yes") : code;
    return code == 0 ? gm_gpgpusim_put_mshrs(reader, "l1i", cache.mshrs) : code;
}

int gm_gpgpusim_put_l1i(gm_gpgpusim_reader *reader)
{
    const gm_import_note *perfect = note_on(reader, "-gpgpu_perfect_inst_const_cache");
    const gm_import_note *found = note_on(reader, "-gpgpu_cache:il1");
    bool always_there = perfect != NULL && strcmp(perfect->value, "0") != 0; /* 0: its default */
    if (found == NULL || always_there || strcmp(found->value, "none") == 0 ||
        reader->config->sm.fetch == 0) {
        return 0;
    }
    const gm_import_note note = *found;
    reader->option = "-gpgpu_cache:il1";
    reader->line = note.line;
    reader->value = note.value;
    gm_gpgpusim_forget(reader, reader->option);
    int code = put_l1i(reader);
    reader->value = "";
    return code;
}

/* Puts a key that the option of the L2's banks asks for. Where the machine lacks what the key needs
 * (`lacks`, or NULL), notes `instead`, what the run does without it. */
static int put_from_l2_bank(gm_gpgpusim_reader *reader, const char *key, const char *value,
                            const char *lacks, const char *instead)
{
    reader->option = "-gpgpu_cache:dl2";
    reader->line = reader->l2_bank.line;
    reader->value = "";
    if (lacks != NULL) {
        char text[sizeof reader->import->note->text];
        snprintf(text, sizeof text, "%s: %s=%s needs %s", instead, key, value, lacks);
        gm_gpgpusim_note(reader, text);
        return reader->failed;
    }
    return gm_gpgpusim_put(reader, key, value);
}

int gm_gpgpusim_put_l2_merge(gm_gpgpusim_reader *reader)
{
    const char *lacks = gm_config_l2_merge_lacks(reader->config);
    if (!reader->l2_bank.by_sector) {
        return 0;
    }
    return put_from_l2_bank(reader, "l2.merge_by", "sector", lacks, "MSHRs merge by line");
}

int gm_gpgpusim_put_l2_dirty(gm_gpgpusim_reader *reader)
{
    const char *lacks = gm_config_l2_dirty_lacks(reader->config, GM_DIRTY_PARTS);
    if (reader->l2_bank.line == 0 || reader->config->l2.fetch_on_write != GM_FETCH_LAZY) {
        return 0;
    }
    int code =
        put_from_l2_bank(reader, "l2.dirty", "parts", lacks, "several stores make no sector whole");
    return code == 0 && reader->config->l1.enabled &&
                   gm_config_l1_parts_lacks(reader->config) == NULL
               ? put_from_l2_bank(reader, "l1.parts", "yes", NULL, "")
               : code;
}

int gm_gpgpusim_put_l2_answers(gm_gpgpusim_reader *reader)
{
    const char *lacks = gm_config_l2_beside_lacks(reader->config);
    return reader->l2_bank.line == 0 ? 0
                                     : put_from_l2_bank(reader, "l2.answer_beside", "yes", lacks,
                                                        "answers to misses take look-ups' turns");
}

int gm_gpgpusim_put_atomics(gm_gpgpusim_reader *reader)
{
    if (reader->l2_bank.line == 0 || reader->config->coherence.protocol != GM_COHERENCE_NONE) {
        return 0;
    }
    int code = put_from_l2_bank(reader, "sm.atomic_passes", "yes", NULL, "");
    code = code == 0 ? put_from_l2_bank(reader, "sm.atomic_wait", "yes", NULL, "") : code;
    code = code == 0 && reader->config->sm.coalesce == GM_COALESCE_LINE
               ? put_from_l2_bank(reader, "sm.coalesce_bypassed", "sector", NULL, "")
               : code;
    code = code == 0 && reader->config->sm.coalesce == GM_COALESCE_LINE
               ? put_from_l2_bank(reader, "sm.coalesce_narrow", "yes", NULL, "")
               : code;
    if (code < 0 || !reader->config->l1.enabled) {
        return code;
    }
    code =
        put_from_l2_bank(reader, "l1.keep_bypassed", "yes", gm_config_l1_keep_lacks(reader->config),
                         "atomics drop their line of the L1");
    if (code == 0 && reader->config->l1.miss_queue > 1 &&
        gm_config_load_places_lacks(reader->config) == NULL) {
        code = put_from_l2_bank(reader, "l1.load_places", "2", NULL, "");
    }
    return code == 0 && reader->config->l1.keep_bypassed
               ? put_from_l2_bank(reader, "l1.bypass_early", "yes", NULL, "")
               : code;
}

int gm_gpgpusim_put_fences(gm_gpgpusim_reader *reader)
{
    const gm_config *config = reader->config;
    if (reader->l2_bank.line == 0 || config->coherence.protocol != GM_COHERENCE_NONE) {
        return 0;
    }
    int code = put_from_l2_bank(reader, "sm.fence", "registers", NULL, "");
    return code < 0 || !config->l1.enabled || !config->l1.flush
               ? code
               : put_from_l2_bank(reader, "l1.fence_drops", "yes", gm_config_l1_drops_lacks(config),
                                  "fences leave the L1 as it is");
}

/* With the port the cycles of that simulator's registers are where they are there: at the SM, which
 * takes two of a crossbar's, and in front of the L2's look-up, which takes one. */
int gm_gpgpusim_put_write_port(gm_gpgpusim_reader *reader)
{
    enum { AT_SM = 2, AT_L2 = 1 };
    const gm_config *config = reader->config;
    if (reader->l2_bank.line == 0 || gm_config_write_port_lacks(config) != NULL) {
        return 0;
    }
    int code = put_from_l2_bank(reader, "sm.write_port", "yes", NULL, "");
    code = code == 0 ? gm_gpgpusim_put_number(reader, "l1.hit_delay", 0) : code;
    code =
        code == 0 ? gm_gpgpusim_put_number(reader, "unit.shared", config->unit.shared - 1) : code;
    if (code != 0 || !reader->network.crossbar) {
        return code;
    }
    code = gm_gpgpusim_put_number(reader, "noc.latency", config->noc.latency - AT_SM);
    return code == 0 ? gm_gpgpusim_put_number(reader, "l2.latency", config->l2.latency + AT_L2)
                     : code;
}

int gm_gpgpusim_put_ctas(gm_gpgpusim_reader *reader)
{
    return reader->l2_bank.line == 0 || reader->config->gpu.cta != GM_CTA_RR
               ? 0
               : put_from_l2_bank(reader, "gpu.cta_paced", "yes", NULL, "");
}

int gm_gpgpusim_put_kernel_end(gm_gpgpusim_reader *reader)
{
    return reader->l2_bank.line == 0 || gm_config_kernel_end_lacks(reader->config) != NULL
               ? 0
               : put_from_l2_bank(reader, "gpu.kernel_end", "answered", NULL, "");
}

int gm_gpgpusim_put_local_map(gm_gpgpusim_reader *reader)
{
    return reader->l2_bank.line == 0 || reader->local_slots
               ? 0
               : put_from_l2_bank(reader, "memory.local_map", "ctas", NULL, "");
}

/* The hash's equations there, of 16, 32 or 64 banks, have so many address bits. */
int gm_gpgpusim_put_partition_bits(gm_gpgpusim_reader *reader)
{
    const gm_config *config = reader->config;
    uint64_t banks = config->memory.partitions * config->memory.banks;
    uint64_t bits = banks > 32 ? 19 : banks > 16 ? 15 : 13;
    if (config->memory.partition_index != GM_PARTITION_IPOLY || banks > 64 || banks <= 8) {
        return 0;
    }
    return gm_gpgpusim_put_number(reader, "memory.partition_bits", bits);
}

int gm_gpgpusim_apply_adaptive(gm_gpgpusim_reader *reader)
{
    uint64_t value = 0;
    int code = gm_gpgpusim_read_number(reader, &value);
    if (code == 0 && value > 1) {
        return gm_gpgpusim_fail(reader, "must be 0 or 1");
    }
    reader->unified.line = value == 1 ? reader->line : 0;
    return code;
}

int gm_gpgpusim_apply_unified_size(gm_gpgpusim_reader *reader)
{
    return gm_gpgpusim_read_number(reader, &reader->unified.kilobytes);
}

static int compare_sizes(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

/* Keeps "0,8,16" as l1.shared_options has them: ascending, each once. */
int gm_gpgpusim_apply_shared_options(gm_gpgpusim_reader *reader)
{
    uint64_t size[GM_CONFIG_SIZES];
    unsigned count = 0;
    const char *text = reader->value;
    do {
        if (count == GM_CONFIG_SIZES || !gm_gpgpusim_number(&text, &size[count])) {
            return gm_gpgpusim_fail(reader, "must be up to 16 numbers, separated by ','");
        }
        count++;
    } while (read_mark(&text, ','));
    if (*text != '\0') {
        return gm_gpgpusim_fail(reader, "must be up to 16 numbers, separated by ','");
    }
    qsort(size, count, sizeof size[0], compare_sizes);
    size_t used = 0;
    for (unsigned i = 0; i < count; i++) {
        if (i == 0 || size[i] != size[i - 1]) {
            snprintf(reader->unified.options + used, sizeof reader->unified.options - used,
                     "%s%" PRIu64 "KB", i == 0 ? "" : ",", size[i]);
            used += strlen(reader->unified.options + used);
        }
    }
    return 0;
}

int gm_gpgpusim_put_unified(gm_gpgpusim_reader *reader)
{
    if (reader->unified.line == 0 || !reader->l1_given || reader->l1_none) {
        return 0;
    }
    reader->line = reader->unified.line;
    reader->option = "-gpgpu_adaptive_cache_config";
    reader->value = "1";
    if (reader->unified.kilobytes == 0) {
        gm_gpgpusim_note(reader, "the L1 keeps the size of -gpgpu_cache:dl1: there is no "
                                 "-gpgpu_unified_l1d_size");
        return reader->failed;
    }
    bool given = reader->unified.options[0] != '\0';
    int code = gm_gpgpusim_put_number(reader, "l1.unified", reader->unified.kilobytes << 10);
    code = code == 0
               ? gm_gpgpusim_put(reader, "l1.shared_options", given ? reader->unified.options : "0")
               : code;
    reader->value = "";
    return code;
}
