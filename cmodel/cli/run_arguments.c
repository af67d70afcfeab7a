/* goldmem run: parses its arguments. */
#include "cli/run.h"

#include "cli/input_argument.h"
#include "cli/rtl_loop.h"
#include "cli/sample_argument.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RTL_BLOCK(number, name, runs) " " name runs
#define RTL_BLOCKS                    GM_RTL_BLOCK_LIST(RTL_BLOCK)

#define DEFAULT_ENGINE "cycle" /* without --engine and --analyze */

enum {
    KEY_PRESET = 'p',
    KEY_CONFIG = 'c',
    KEY_SET = 's',
    KEY_THREADS = 't',
    KEY_QUIET = 'q',
    KEY_ENGINE = 0x100, /* options without a letter from here on */
    KEY_JSON,
    KEY_CSV,
    KEY_CHECK,
    KEY_ANALYZE,
    KEY_SAMPLE_MRC,
    KEY_PER_SET,
    KEY_PER_SM,
    KEY_PER_BANK,
    KEY_RTL,
    KEY_CHECKPOINT,
    KEY_RESUME,
    KEY_SERIES,
    KEY_LATENCY,
    KEY_PER_PC,
    KEY_NO_SKIP,
    KEY_MAX_CYCLES,
    KEY_MAX_INSTRUCTIONS,
    KEY_WARM_UP,
    KEY_SAMPLE,
    KEY_SAMPLE_ERROR,
    KEY_KERNELS,
    KEY_WRITE_PROFILE,
    KEY_STRICT,
    KEY_STATS,
};

static const struct argp_option options[] = {
    {.name = "preset",
     .key = KEY_PRESET,
     .arg = "NAME",
     .doc = "configuration of a paper ('goldmem presets' lists them); default gtx480"},
    {.name = "config",
     .key = KEY_CONFIG,
     .arg = "FILE",
     .doc = "configuration from YAML or a gpgpusim.config; what it does not name is as in gtx480"},
    {.name = "strict",
     .key = KEY_STRICT,
     .doc = "refuse a gpgpusim.config with options that matter and are not modelled as given"},
    {.name = "set",
     .key = KEY_SET,
     .arg = "KEY=VALUE",
     .doc = "then set one key; may be given again"},
    {.name = "engine",
     .key = KEY_ENGINE,
     .arg = "ENGINE",
     .doc = "cycle: every cycle of every part; order: untimed, fast; default " DEFAULT_ENGINE
            ", with --analyze (but fills) order"},
    {.name = "json",
     .key = KEY_JSON,
     .arg = "FILE",
     .doc = "write every counter as JSON; - is standard output, without the text"},
    {.name = "csv",
     .key = KEY_CSV,
     .arg = "FILE",
     .doc = "write a row for each kernel and one for the total; - likewise"},
    {.name = "stats",
     .key = KEY_STATS,
     .arg = "gpgpusim",
     .doc = "write the text in the words of GPGPU-Sim, which Accel-Sim's get_stats.py reads"},
    {.name = "check",
     .key = KEY_CHECK,
     .arg = "values",
     .flags = OPTION_ARG_OPTIONAL,
     .doc = "verify every conservation law after each kernel; --check=values: and the value that "
            "every load returns"},
    {.name = "analyze",
     .key = KEY_ANALYZE,
     .arg = "LIST",
     .doc = "of locality, reuse, misses, sharing, mrc, and of the cycle engine fills, separated by "
            "commas, or all"},
    {.name = "sample-mrc",
     .key = KEY_SAMPLE_MRC,
     .arg = "rate=R|lines=N",
     .doc = "--analyze=mrc follows this share of the lines, or at most N at a time for each cache"},
    {.name = "write-profile",
     .key = KEY_WRITE_PROFILE,
     .arg = "FILE",
     .doc = "write how often each SM's loads referenced each line, for l1.bypass=profiled"},
    {.name = "threads",
     .key = KEY_THREADS,
     .arg = "N",
     .doc = "threads that work; results do not depend on it"},
    {.name = "per-set",
     .key = KEY_PER_SET,
     .doc = "report the lines of each set of the L2 at each kernel's end (JSON)"},
    {.name = "per-sm",
     .key = KEY_PER_SM,
     .doc = "report each SM by itself as well; in JSON and CSV also of each kernel"},
    {.name = "per-bank",
     .key = KEY_PER_BANK,
     .doc = "report each L2 bank and DRAM channel by itself as well"},
    {.name = "rtl",
     .key = KEY_RTL,
     .arg = "BLOCK[:FILE],...",
     .doc = "check each call of BLOCK against its RTL, or the RTL in FILE; blocks:" RTL_BLOCKS},
    {.name = "checkpoint",
     .key = KEY_CHECKPOINT,
     .arg = "FILE,every=N",
     .doc = "save the run's state to FILE every N core cycles, suffix K, M or G (cycle engine)"},
    {.name = "resume",
     .key = KEY_RESUME,
     .arg = "FILE",
     .doc = "go on from a checkpoint of the same input and configuration (cycle engine)"},
    {.name = "series",
     .key = KEY_SERIES,
     .arg = "FILE,every=N[,per=UNITS]",
     .doc = "write what counters gain every N core cycles, and how full queues are, as CSV, or as "
            "JSON lines if FILE ends in .jsonl; UNITS: of sm, bank, channel, separated by +, each "
            "by itself as well (cycle engine)"},
    {.name = "latency",
     .key = KEY_LATENCY,
     .doc = "report how long loads, stores and atomics take, by what served them: percentiles, and "
            "histograms in the JSON (cycle engine)"},
    {.name = "per-pc",
     .key = KEY_PER_PC,
     .doc = "report each instruction of the kernels' code: issues, cycles waited, requests and "
            "misses (cycle engine)"},
    {.name = "kernels",
     .key = KEY_KERNELS,
     .arg = "LIST",
     .doc =
         "run only these kernels of the input, numbered from 0: 3, 3-7, 5-, or several, separated "
         "by commas"},
    {.name = "max-cycles",
     .key = KEY_MAX_CYCLES,
     .arg = "N",
     .doc = "stop after N core cycles, suffix K, M or G (cycle engine)"},
    {.name = "max-instructions",
     .key = KEY_MAX_INSTRUCTIONS,
     .arg = "N",
     .doc = "stop with the cycle, or the warp instruction (order engine), in which N thread "
            "instructions have been issued; suffix K, M or G"},
    {.name = "warm-up",
     .key = KEY_WARM_UP,
     .arg = "UNIT=N",
     .doc =
         "count, but for kernels, only what is done after N kernels, ctas or instructions (thread "
         "instructions issued); suffix K, M or G"},
    {.name = "sample",
     .key = KEY_SAMPLE,
     .arg = "ctas:SHARE",
     .doc = "compute this share of each large kernel's CTAs, such as ctas:10%, and estimate all "
            "counters of the whole, with intervals; ,seed=N: other CTAs (cycle engine)"},
    {.name = "sample-error",
     .key = KEY_SAMPLE_ERROR,
     .arg = "PERCENT",
     .doc = "with --sample: exit with 1 if the cycles are not known to so many percent, and say "
            "which share would do"},
    {.name = "no-skip",
     .key = KEY_NO_SKIP,
     .doc = "visit every component in every cycle; same results, slower; for checking (cycle "
            "engine)"},
    GM_CLI_UNKNOWN_OPTION,
    {.name = "quiet",
     .key = KEY_QUIET,
     .doc = "print nothing but errors, and what of a gpgpusim.config is not modelled"},
    {0},
};

static const char doc[] =
    "Run GPU kernels through a memory system and report what each part of it did."
    "\v"
    "INPUT is a kernelslist.g, a folder that holds one, a kernel's trace file, or a built-in "
    "workload.\n\n"
    "Examples:\n"
    "  goldmem run workload:syrk\n"
    "  goldmem run --preset fermi-l1d --analyze=reuse,misses workload:syrk,n=64\n"
    "  goldmem run --set l1.ways=full --json out.json traces/kernelslist.g\n"
    "  goldmem run --checkpoint run.state,every=10000000 workload:syrk\n"
    "  goldmem run -c gpgpusim.config --check --csv - kernel-1.traceg.xz\n\n"
    "SIGINT, SIGTERM and SIGHUP stop a run with partial statistics, and a last checkpoint where\n"
    "--checkpoint is given; SIGUSR1 prints how far it is.\n\n"
    "Exit status: 0 done, or stopped at a limit; 1 failed, or a law is broken; 2 bad input or "
    "usage;\n"
    "130 interrupted.";

static error_t parse_analyses(gm_run_arguments *arguments, const char *list,
                              const struct argp_state *state)
{
    static const struct {
        const char *name;
        unsigned kind;
    } kinds[] = {
        {"locality", GM_ANALYZE_LOCALITY}, {"reuse", GM_ANALYZE_REUSE},
        {"misses", GM_ANALYZE_MISSES},     {"sharing", GM_ANALYZE_SHARING},
        {"mrc", GM_ANALYZE_MRC},           {"fills", GM_ANALYZE_FILLS},
        {"all", GM_ANALYZE_ALL},
    };
    for (;;) {
        size_t length = strcspn(list, ",");
        unsigned kind = 0;
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            if (strlen(kinds[i].name) == length && memcmp(list, kinds[i].name, length) == 0) {
                kind = kinds[i].kind;
            }
        }
        if (kind == 0) {
            return gm_cli_refuse(state,
                                 "--analyze: no analysis '%.*s'; there are locality, reuse, "
                                 "misses, sharing, mrc, fills and all",
                                 (int)length, list);
        }
        arguments->analyses |= kind;
        if (list[length] == '\0') {
            return 0;
        }
        list += length + 1;
    }
}

/* Parses "rate=R", in steps of 2^-24, or "lines=N". */
static error_t parse_sample_mrc(gm_run_arguments *arguments, const char *text,
                                const struct argp_state *state)
{
    char *end = NULL;
    if (arguments->mrc.rate != 0 || arguments->mrc.lines != 0) {
        return gm_cli_refuse(state, "--sample-mrc is given twice");
    }
    if (strncmp(text, "rate=", 5) == 0) {
        double rate = strtod(text + 5, &end) * GM_MRC_HASHES;
        bool good = end != text + 5 && *end == '\0' && rate >= 1 && rate <= GM_MRC_HASHES;
        arguments->mrc.rate = good ? (uint32_t)(rate + 0.5) : 0;
        return good
                   ? 0
                   : gm_cli_refuse(state, "--sample-mrc: rate='%s' is not a number from 2^-24 to 1",
                                   text + 5);
    }
    if (strncmp(text, "lines=", 6) == 0) {
        unsigned long lines = strtoul(text + 6, &end, 10);
        bool good = text[6] >= '0' && text[6] <= '9' && *end == '\0' && lines >= 1 &&
                    lines <= GM_MRC_MOST_LINES;
        arguments->mrc.lines = good ? (uint32_t)lines : 0;
        return good ? 0
                    : gm_cli_refuse(state, "--sample-mrc: lines='%s' is not a number from 1 to %d",
                                    text + 6, GM_MRC_MOST_LINES);
    }
    return gm_cli_refuse(state, "--sample-mrc: '%s' is not rate=R or lines=N", text);
}

static error_t parse_threads(gm_run_arguments *arguments, const char *text,
                             const struct argp_state *state)
{
    char *end = NULL;
    unsigned long threads = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || threads < 1 || threads > GM_RUN_THREADS) {
        return gm_cli_refuse(state, "--threads: '%s' is not a number from 1 to %d", text,
                             GM_RUN_THREADS);
    }
    arguments->threads = (unsigned)threads;
    return 0;
}

/* Parses "UNIT=N". */
static error_t parse_warm_up(gm_warm_up *warm_up, const char *text, const struct argp_state *state)
{
    static const char *const units[] = {"", "kernels", "ctas", "instructions"};
    size_t length = strcspn(text, "=");
    for (unsigned i = GM_WARM_UP_KERNELS; i <= GM_WARM_UP_INSTRUCTIONS && text[length] == '=';
         i++) {
        if (strlen(units[i]) == length && strncmp(units[i], text, length) == 0) {
            warm_up->kind = (gm_warm_up_kind)i;
            return gm_cli_parse_count(&warm_up->count, "--warm-up", text + length + 1, state);
        }
    }
    return gm_cli_refuse(state, "--warm-up: '%s' is not kernels=N, ctas=N or instructions=N", text);
}

static error_t parse_engine(gm_run_arguments *arguments, const char *name,
                            const struct argp_state *state)
{
    for (gm_engine engine = GM_ENGINE_ORDER; engine <= GM_ENGINE_CYCLE; engine++) {
        if (strcmp(name, gm_engine_name(engine)) == 0) {
            arguments->engine = engine;
            arguments->engine_given = true;
            return 0;
        }
    }
    return gm_cli_refuse(state, "--engine: no engine '%s'; there are cycle and order", name);
}

/* Takes a value that may be given once. */
static error_t once(const char **into, const char *value, const char *option,
                    const struct argp_state *state)
{
    if (*into != NULL) {
        return gm_cli_refuse(state, "%s is given twice: '%s' and '%s'", option, *into, value);
    }
    *into = value;
    return 0;
}

/* Returns the last ",every=" of "FILE,every=N"; FILE may contain the text, but for a further
 * ",every=N" at its end. Returns NULL after a refusal. */
static char *find_every(char *value, const char *option, const char *form,
                        const struct argp_state *state)
{
    static const char every[] = ",every=";
    char *before = NULL;
    char *cut = NULL;
    for (char *at = strstr(value, every); at != NULL; at = strstr(at + 1, every)) {
        before = cut;
        cut = at;
    }
    if (cut == NULL || cut == value) {
        gm_cli_refuse(state, "%s: '%s' is not %s", option, value, form);
        return NULL;
    }
    const char *number = before != NULL ? before + strlen(every) : "";
    if (before != NULL && number + strspn(number, "0123456789KMG") == cut) {
        gm_cli_refuse(state, "%s: '%s': every= is given twice", option, value);
        return NULL;
    }
    return cut;
}

/* Parses "FILE,every=N". */
static error_t parse_checkpoint(gm_run_arguments *arguments, char *value,
                                const struct argp_state *state)
{
    char *cut = find_every(value, "--checkpoint", "FILE,every=N", state);
    if (cut == NULL) {
        return ECANCELED;
    }
    error_t refused = gm_cli_parse_count(&arguments->checkpoint_every, "--checkpoint: every",
                                         cut + strlen(",every="), state);
    *cut = '\0';
    return refused != 0 ? refused : once(&arguments->checkpoint, value, "--checkpoint", state);
}

/* Parses "sm+bank+channel". */
static bool read_units(unsigned *units, const char *list)
{
    static const char *const names[] = {"sm", "bank", "channel"};
    static const gm_series_units values[] = {GM_SERIES_SMS, GM_SERIES_BANKS, GM_SERIES_PARTITIONS};
    for (;; list++) {
        size_t length = strcspn(list, "+");
        unsigned i = 0;
        while (i < 3 && (strlen(names[i]) != length || memcmp(names[i], list, length) != 0)) {
            i++;
        }
        if (i == 3) {
            return false;
        }
        *units |= values[i];
        list += length;
        if (*list == '\0') {
            return true;
        }
    }
}

/* Parses "FILE,every=N[,per=UNITS]". */
static error_t parse_series(gm_run_arguments *arguments, char *value,
                            const struct argp_state *state)
{
    static const char every[] = ",every=";
    static const char per[] = ",per=";
    char *cut = find_every(value, "--series", "FILE,every=N[,per=UNITS]", state);
    if (cut == NULL) {
        return ECANCELED;
    }
    char *units = strstr(cut + strlen(every), per);
    if (units != NULL && !read_units(&arguments->series_units, units + strlen(per))) {
        return gm_cli_refuse(state,
                             "--series: per='%s': must be sm, bank, channel, or several, "
                             "separated by +",
                             units + strlen(per));
    }
    if (units != NULL) {
        *units = '\0';
    }
    error_t refused =
        gm_cli_parse_count(&arguments->series_every, "--series: every", cut + strlen(every), state);
    *cut = '\0';
    return refused != 0 ? refused : once(&arguments->series, value, "--series", state);
}

/* Chooses the engine where none is given. Refuses options of the cycle engine with the order
 * engine. */
static error_t choose_engine(gm_run_arguments *arguments, const struct argp_state *state)
{
    const bool given = arguments->engine_given;
    if (!given) {
        const unsigned analyses = arguments->analyses;
        bool untimed =
            analyses != 0 && (analyses == GM_ANALYZE_ALL || !(analyses & GM_ANALYZE_FILLS));
        (void)parse_engine(arguments, untimed ? "order" : DEFAULT_ENGINE, state);
    }
    if (arguments->engine == GM_ENGINE_ORDER && arguments->analyses == GM_ANALYZE_ALL) {
        arguments->analyses = GM_ANALYZE_UNTIMED;
    }
    const char *option = arguments->checkpoint != NULL              ? "--checkpoint"
                         : arguments->resume != NULL                ? "--resume"
                         : arguments->series != NULL                ? "--series"
                         : arguments->latencies                     ? "--latency"
                         : arguments->per_pc                        ? "--per-pc"
                         : arguments->no_skip                       ? "--no-skip"
                         : arguments->max_cycles != 0               ? "--max-cycles"
                         : (arguments->analyses & GM_ANALYZE_FILLS) ? "--analyze=fills"
                                                                    : NULL;
    if (option != NULL && arguments->engine != GM_ENGINE_CYCLE) {
        return gm_cli_refuse(state, "%s needs --engine=cycle, not %s%s", option,
                             gm_engine_name(arguments->engine),
                             given ? "" : ", the default with --analyze");
    }
    return 0;
}

gm_cli_outputs gm_run_outputs(const gm_run_arguments *arguments)
{
    return (gm_cli_outputs){.output =
                                {
                                    {"--json", arguments->json},
                                    {"--csv", arguments->csv},
                                    {"--write-profile", arguments->write_profile},
                                    {"--series", arguments->series},
                                    {"--stats", arguments->as_gpgpusim ? "-" : NULL},
                                    {"--checkpoint", arguments->checkpoint},
                                },
                            .count = 6};
}

/* Refuses two outputs to one file. */
static error_t check_outputs(const gm_run_arguments *arguments, const struct argp_state *state)
{
    const gm_cli_outputs outputs = gm_run_outputs(arguments);
    for (size_t i = 1; i < outputs.count; i++) {
        for (size_t k = 0; k < i; k++) {
            const gm_cli_output *one = &outputs.output[k];
            const gm_cli_output *other = &outputs.output[i];
            if (gm_cli_same_output(one, other)) {
                return gm_cli_refuse(state, "%s and %s both write to '%s'", one->option,
                                     other->option, other->path);
            }
        }
    }
    return 0;
}

/* Refuses what a sampled run does not report. */
static error_t check_sample(const gm_run_arguments *arguments, const struct argp_state *state)
{
    const char *other = arguments->per_sm        ? "--per-sm"
                        : arguments->per_bank    ? "--per-bank"
                        : arguments->rtl != NULL ? "--rtl"
                        : arguments->as_gpgpusim ? "--stats=gpgpusim"
                                                 : NULL;
    if (arguments->sample_error != 0 && arguments->sample.share == 0) {
        return gm_cli_refuse(state, "--sample-error needs --sample");
    }
    return arguments->sample.share == 0 || other == NULL
               ? 0
               : gm_cli_refuse(state, "--sample does not go with %s", other);
}

static error_t finish(gm_run_arguments *arguments, const struct argp_state *state)
{
    if (arguments->input == NULL) {
        return gm_cli_refuse(state, "no INPUT");
    }
    if (arguments->preset != NULL && arguments->config != NULL) {
        return gm_cli_refuse(state, "--preset and --config exclude each other");
    }
    if (arguments->write_profile != NULL && arguments->resume != NULL) {
        return gm_cli_refuse(state, "--write-profile and --resume exclude each other: a profile "
                                    "needs the run from its beginning");
    }
    if (arguments->series != NULL && arguments->resume != NULL) {
        return gm_cli_refuse(state, "--series and --resume exclude each other: a series needs the "
                                    "run from its beginning");
    }
    if (arguments->check_values && arguments->resume != NULL) {
        return gm_cli_refuse(state,
                             "--check=values and --resume exclude each other: values need the "
                             "run from its beginning");
    }
    bool sampled = arguments->mrc.rate != 0 || arguments->mrc.lines != 0;
    if (sampled && !(arguments->analyses & GM_ANALYZE_MRC)) {
        return gm_cli_refuse(state, "--sample-mrc needs --analyze=mrc");
    }
    if (arguments->per_set && (arguments->json == NULL || arguments->resume != NULL)) {
        return gm_cli_refuse(state, arguments->json == NULL
                                        ? "--per-set needs --json"
                                        : "--per-set and --resume exclude each other: it needs the "
                                          "run from its beginning");
    }
    if (arguments->as_gpgpusim && arguments->quiet) {
        return gm_cli_refuse(state, "--stats and --quiet exclude each other");
    }
    error_t refused = check_sample(arguments, state);
    refused = refused != 0 ? refused : check_outputs(arguments, state);
    return refused != 0 ? refused : choose_engine(arguments, state);
}

/* Returns the flag that an option without a value sets, or NULL. */
static bool *flag_of(gm_run_arguments *arguments, int key)
{
    switch (key) {
    case KEY_STRICT:
        return &arguments->strict;
    case KEY_NO_SKIP:
        return &arguments->no_skip;
    case KEY_LATENCY:
        return &arguments->latencies;
    case KEY_PER_PC:
        return &arguments->per_pc;
    case KEY_PER_SET:
        return &arguments->per_set;
    case KEY_PER_SM:
        return &arguments->per_sm;
    case KEY_PER_BANK:
        return &arguments->per_bank;
    case KEY_QUIET:
        return &arguments->quiet;
    default:
        return NULL;
    }
}

/* Takes a value that is kept as it is and may be given once. Returns ARGP_ERR_UNKNOWN for other
 * keys. */
static error_t parse_once(gm_run_arguments *arguments, int key, const char *value,
                          const struct argp_state *state)
{
    switch (key) {
    case KEY_PRESET:
        return once(&arguments->preset, value, "--preset", state);
    case KEY_CONFIG:
        return once(&arguments->config, value, "--config", state);
    case KEY_JSON:
        return once(&arguments->json, value, "--json", state);
    case KEY_CSV:
        return once(&arguments->csv, value, "--csv", state);
    case KEY_RTL:
        return once(&arguments->rtl, value, "--rtl", state);
    case KEY_WRITE_PROFILE:
        return once(&arguments->write_profile, value, "--write-profile", state);
    case KEY_RESUME:
        return once(&arguments->resume, value, "--resume", state);
    case ARGP_KEY_ARG:
        return once(&arguments->input, value, "INPUT", state);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* "--check" or "--check=values". */
static error_t parse_check(gm_run_arguments *arguments, const char *value,
                           const struct argp_state *state)
{
    arguments->check = true;
    arguments->check_values = value != NULL || arguments->check_values;
    return value == NULL || strcmp(value, "values") == 0
               ? 0
               : gm_cli_refuse(state, "--check: no check '%s'; there is values", value);
}

static error_t parse_stats(gm_run_arguments *arguments, const char *value,
                           const struct argp_state *state)
{
    arguments->as_gpgpusim = true;
    return strcmp(value, "gpgpusim") == 0
               ? 0
               : gm_cli_refuse(state, "--stats: no form '%s'; there is gpgpusim", value);
}

static error_t parse_kernels(gm_run_arguments *arguments, const char *list,
                             const struct argp_state *state)
{
    return gm_kernel_ranges_read(&arguments->kernels, list)
               ? 0
               : gm_cli_refuse(
                     state, "--kernels: '%s' is not a list of numbers and ranges, as 1,3-7", list);
}

static error_t parse_set(gm_run_arguments *arguments, const char *text,
                         const struct argp_state *state)
{
    if (arguments->set_count == GM_RUN_SETS) {
        return gm_cli_refuse(state, "--set is given more than %d times", GM_RUN_SETS);
    }
    arguments->sets[arguments->set_count++] = text;
    return 0;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
    gm_run_arguments *arguments = state->input;
    bool *flag = flag_of(arguments, key);
    if (flag != NULL) {
        *flag = true;
        return 0;
    }
    switch (key) {
    case KEY_WARM_UP:
        return parse_warm_up(&arguments->warm_up, value, state);
    case KEY_SAMPLE:
        return gm_sample_parse(&arguments->sample, value, state);
    case KEY_SAMPLE_ERROR:
        return gm_sample_parse_error(&arguments->sample_error, value, state);
    case KEY_KERNELS:
        return parse_kernels(arguments, value, state);
    case KEY_MAX_CYCLES:
        return gm_cli_parse_count(&arguments->max_cycles, "--max-cycles", value, state);
    case KEY_MAX_INSTRUCTIONS:
        return gm_cli_parse_count(&arguments->max_instructions, "--max-instructions", value, state);
    case KEY_CHECKPOINT:
        return parse_checkpoint(arguments, value, state);
    case KEY_SERIES:
        return parse_series(arguments, value, state);
    case KEY_SET:
        return parse_set(arguments, value, state);
    case KEY_ENGINE:
        return parse_engine(arguments, value, state);
    case KEY_ANALYZE:
        return parse_analyses(arguments, value, state);
    case KEY_SAMPLE_MRC:
        return parse_sample_mrc(arguments, value, state);
    case KEY_THREADS:
        return parse_threads(arguments, value, state);
    case KEY_CHECK:
        return parse_check(arguments, value, state);
    case KEY_STATS:
        return parse_stats(arguments, value, state);
    case GM_CLI_KEY_UNKNOWN:
        return gm_cli_parse_unknown(&arguments->ignore_unknown, value, state);
    case ARGP_KEY_END:
        return finish(arguments, state);
    default:
        return parse_once(arguments, key, value, state);
    }
}

static unsigned default_threads(void)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors > 4 ? 4 : (unsigned)processors;
}

int gm_run_parse(gm_run_arguments *arguments, int argc, char **argv)
{
    static const struct argp argp = {
        .options = options, .parser = parse, .args_doc = "INPUT", .doc = doc};
    *arguments = (gm_run_arguments){.threads = default_threads()};
    return gm_cli_parse(&argp, argc, argv, arguments);
}
