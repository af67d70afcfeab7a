/* docs/configuration.md, from the tables that the program itself uses. */
#include "config/config_gpgpusim.h"
#include "config/dram_standard.h"

#include <string.h>

/* Writes a cell of a Markdown table; escapes '|', which ends a cell. */
static void write_cell(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|') {
            putc('\\', file);
        }
        putc(*text, file);
    }
}

/* Sections of keys by their prefix, for the headings of the page. */
static const struct {
    const char *prefix, *title;
} sections[] = {
    {"gpu", "the GPU"},
    {"clock", "clocks"},
    {"sm", "SMs"},
    {"unit", "latencies of an SM's units"},
    {"l1", "L1 data caches"},
    {"l1i", "L1 instruction caches"},
    {"tracker", "sharing trackers"},
    {"sharing", "sharing-aware caches"},
    {"l2", "L2"},
    {"memory", "address map"},
    {"dram", "DRAM channels"},
    {"noc", "interconnect"},
    {"coherence", "coherence of the L1s"},
    {"energy", "energy"},
};

/* Returns the length of a key's prefix. */
static size_t prefix_of(const gm_key *key)
{
    return strcspn(key->name, ".");
}

/* Writes the heading of the section that a key begins, and of the section's table. */
static void write_section(FILE *file, const gm_key *key)
{
    size_t length = prefix_of(key);
    const char *title = "further keys";
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (strlen(sections[i].prefix) == length &&
            strncmp(key->name, sections[i].prefix, length) == 0) {
            title = sections[i].title;
        }
    }
    fprintf(file, "\n### %.*s: %s\n\n", (int)length, key->name, title);
    fputs("| key | values | default | what |\n| --- | --- | --- | --- |\n", file);
}

/* True if both keys are in one section. */
static bool same_section(const gm_key *one, const gm_key *other)
{
    return strncmp(one->name, other->name, prefix_of(one) + 1) == 0;
}

static void write_keys(FILE *file)
{
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    fputs("\n## Keys\n", file);
    for (unsigned i = 0; i < count; i++) {
        char range[128];
        if (i == 0 || !same_section(&keys[i - 1], &keys[i])) {
            write_section(file, &keys[i]);
        }
        if (keys[i].type == GM_KEY_INDEX) {
            snprintf(range, sizeof range, "a [set-index function](#set-index-functions)");
        } else if (keys[i].type == GM_KEY_FILE) {
            snprintf(range, sizeof range, "a file's name, or %s", keys[i].special);
        } else {
            gm_config_range(&keys[i], range, sizeof range);
        }
        fprintf(file, "| `%s` | ", keys[i].name);
        write_cell(file, range);
        fprintf(file, " | %s | ", keys[i].initial);
        write_cell(file, keys[i].description);
        fputs(" |\n", file);
    }
}

/* What keys require of each other: the checks of config_check.c and config_*.c. */
static const char *const requirements[] = {
    "Sets = size / (ways * line) is whole and a power of two from 1 to 65536; for the L2, in each "
    "of the `memory.partitions` * `memory.banks` banks.",
    "Changing `ways` or `line` alone keeps the size, so that the number of sets changes. To keep "
    "the sets, set the size as well.",
    "`ways=full`: one set that holds size / line lines. `size=unbounded`: one set that never "
    "evicts, whatever the ways. With one set the set-index function is not used.",
    "`l2.line` is at most `l1.line`, `memory.interleave`, `memory.bank_interleave` and `dram.row`.",
    "`dram.bank_groups` is at most `dram.banks`, and `dram.burst` at most `dram.row`.",
    "`dram.channels` * `dram.pseudo_channels` * `dram.banks` is at most 256.",
    "With `dram.refresh=all` or `bank`, `dram.tREFI` leaves each bank the time to serve requests "
    "between refreshes; the message has the least value.",
    "`sm.threads` is at most 32 * `sm.warps`.",
    "`l1.global_allocate` and `l1.local_allocate` are `no` where the policy of the hit is `evict`.",
    "`l1.bypass` is `none` with `l1.kind=decoupled`. `profiled` needs `l1.profile`; `pdp` needs a "
    "bounded `l1.size` and `l1.replacement=lru` or `fifo`.",
    "`l1.unified` other than 0 is a multiple of one way of all sets, `l1.size` / `l1.ways`; the "
    "largest of `l1.shared_options` is at least `sm.shared_bytes` and leaves a way to the L1. It "
    "needs `l1.kind=conventional`, a bounded `l1.size`, a number for `l1.ways`, "
    "`l1.replacement=lru` or `fifo`, an `l1.bypass` other than `pdp`, and "
    "`coherence.protocol=none`.",
    "`l2.fetch_on_write=lazy` needs `l2.sectored=yes` or `l2.line=32`, and a bounded `l2.size`; "
    "`l1.fetch_on_write=lazy` needs `l1.sectored=yes`, `l1.kind=conventional`, and that stores of "
    "the policy `back` do not allocate.",
    "`l2.dirty=byte` needs `l2.line=32`, `l2.fetch_on_write=lazy`, `l2.streaming=no`, and "
    "`l1.global_write` and `l1.local_write` other than `back`; `l2.dirty=parts` the same, "
    "`sm.coalesce=sector` and `l2.atomic_buffer=no` in place of `l2.line=32`.",
    "`l2.bypass=coalesced` needs a bounded `l2.size`, `l2.streaming=no` and "
    "`coherence.protocol=none`.",
    "`l2.victim=yes` needs `l2.bypass=coalesced`, `tracker.enabled=yes`, `tracker.trackers=1` or "
    "`tracker.ask=yes`, and `l1.global_write` and `l1.local_write` other than `back`.",
    "`l1.banks` other than 1 needs `l1.ports=1` and an `l1.bypass` other than `mrpb`; "
    "`l1.lookup=banks` needs such banks and `sm.coalesce=sector`.",
    "`sm.throttle=ccws` needs `l1.enabled=yes`, `l1.kind=conventional`, a bounded `l1.size`, "
    "`l1.bypass=none`, `l1.streaming=no`, `l1.merge_by=line`, `coherence.protocol=none`, at most "
    "64 `sm.warps`, and the cycle engine.",
    "`l2.merge_by=sector` needs packets of one sector: `l2.sectored=yes`, a bounded `l2.size`, "
    "`sm.coalesce=sector`, `coherence.protocol=none`, and of an L1 `l1.sectored=yes`, "
    "`l1.kind=conventional` and writes other than `back`.",
    "`l1.answers=request` needs `l1.merge_by=sector`.",
    "`l1.merge_by=sector` needs `l1.sectored=yes`, `l1.kind=conventional`, a bounded `l1.size`, at "
    "least as many `l1.mshrs` as a line has sectors, `coherence.protocol=none`, and, with an "
    "`l1.allocation` other than `on_miss`, that stores do not allocate.",
    "`l1.streaming=yes` needs `l1.enabled=yes`, `l1.kind=conventional`, a bounded `l1.size`, "
    "`l1.bypass=none`, `coherence.protocol=none` and `tracker.enabled=no`; `l2.streaming=yes` a "
    "bounded `l2.size` and `coherence.protocol=none`.",
    "`l2.atomic_buffer=yes` needs a bounded `l2.size`, `l2.streaming=no`, `l2.merge_by=line` and "
    "`coherence.protocol=none`.",
    "`sharing.enabled=yes` needs `l1.enabled=yes`, `l1.kind=conventional`, `l1.line` and `l2.line` "
    "equal, `l1.sectored=no`, `l2.sectored=no`, bounded `l1.size` and `l2.size` of at most 1024 "
    "sets of 32 ways (a bank's), `l1.replacement=lru`, `l2.replacement=lru`, "
    "`l1.allocation=on_fill`, `l1.global_write=through`, `l1.local_write=back`, "
    "`l1.local_allocate=yes`, `l1.bypass=none`, `l1.unified=0`, `l1.streaming=no`, "
    "`l2.streaming=no`, `l2.bypass=none`, `l2.dirty=sector`, an `l2.fetch_on_write` other than "
    "`lazy`, `l2.atomic_buffer=no`, an `sm.throttle` other than `ccws`, `tracker.enabled=no` and "
    "`coherence.protocol=none`.",
    "`coherence.protocol` other than `none` needs `l1.enabled=yes`, `l1.kind=conventional`, "
    "`l1.line` and `l2.line` equal, `l1.sectored=no`, `l2.sectored=no`, bounded `l1.size` and "
    "`l2.size`, `l1.bypass=none`, `l1.allocation=on_miss`, `l1.global_write` and `l1.local_write` "
    "other than `back`, `l1.global_allocate=no`, `l1.local_allocate=no`, "
    "`l2.fetch_on_write=always`, `tracker.enabled=no`, and the cycle engine.",
    "`coherence.lifetime` is below 2^`coherence.time_bits` - 1; `coherence.visible` needs `tcw`.",
};

static void write_requirements(FILE *file)
{
    fputs(
        "\nSizes are in bytes, or take the suffix B, KB or K, MB or M, GB or G (powers of 1024).\n"
        "\n## What keys require of each other\n\n"
        "`goldmem run` checks these before it reads its input; a message names the keys and their\n"
        "values.\n\n",
        file);
    for (size_t i = 0; i < sizeof requirements / sizeof *requirements; i++) {
        fprintf(file, "- %s\n", requirements[i]);
    }
}

static void write_set_index_functions(FILE *file)
{
    fputs(
        "\n## Set-index functions\n"
        "\n"
        "`sequential`, `xor`, `fold`, `fermi` (32 or 64 sets of 128-byte lines), `ipoly` (the "
        "smallest\n"
        "irreducible polynomial), `ipoly:37` (a polynomial, whose degree fits the sets),\n"
        "`ipoly:33:reducible`, `matrix:FILE`, `prime`, `skew`. [khairy, 4.3] describes them; the\n"
        "paper's own is `ipoly:37`, for 32 sets.\n",
        file);
}

static void write_ways_to_set(FILE *file)
{
    fputs("\n## Setting keys\n\n"
          "In this order, later ones over earlier ones: the defaults, `--preset NAME` or\n"
          "`-c FILE`, each `--set`.\n\n"
          "```\n"
          "goldmem run --preset gtx480 --set l1.ways=16 --set l1.index=ipoly workload:syrk\n"
          "goldmem run --set l1.ways=full workload:syrk\n"
          "goldmem run --set l1.size=unbounded workload:syrk\n"
          "goldmem run -c my.yaml workload:syrk\n"
          "goldmem run -c gpgpusim.config workload:syrk\n"
          "```\n"
          "\n## YAML\n\n"
          "A file is one mapping of sections, each a mapping of keys to values. Keys that it does\n"
          "not name keep their defaults. A key or section given twice, an unknown one, a list, an\n"
          "anchor, an alias or a tag is refused, with file and line.\n\n"
          "```yaml\n"
          "l1:\n"
          "  size: 48KB   # comments are welcome\n"
          "  ways: 6\n"
          "l2: {size: 1536KB, sectored: yes}\n"
          "```\n",
          file);
}

static void write_presets(FILE *file)
{
    unsigned count = 0;
    const gm_preset *presets = gm_presets(&count);
    fputs(
        "\n## Presets\n\n"
        "The papers' machines, and modern GPUs ([beside measurements](reproduction/silicon.md)).\n"
        "`goldmem presets NAME` prints every key in force,\n"
        "`goldmem presets --cited NAME` the file `presets/NAME.yaml`, which cites where each\n"
        "value comes from.\n\n"
        "| preset | what |\n| --- | --- |\n",
        file);
    for (unsigned i = 0; i < count; i++) {
        fprintf(file, "| `%s` | ", presets[i].name);
        write_cell(file, presets[i].description);
        fputs(" |\n", file);
    }
}

/* Writes the table of the options of one role. */
static void write_options(FILE *file, gm_gpgpusim_role role)
{
    unsigned count = 0;
    const gm_gpgpusim_option *options = gm_gpgpusim_options(&count);
    for (unsigned i = 0; i < count; i++) {
        const gm_gpgpusim_option *option = &options[i];
        if (option->role != role) {
            continue;
        }
        fprintf(file, "| `%s` | ", option->name);
        if (role == GM_OPTION_TAKEN) {
            fprintf(file, "%s | ", option->keys);
        } else if (role == GM_OPTION_UNMODELLED) {
            write_cell(file, option->equal);
            fputs(" | ", file);
        }
        write_cell(file, option->meaning);
        if (option->only_with != NULL) {
            fprintf(file, "; told beside `%s` only", option->only_with);
        }
        if (option->unless != NULL) {
            fprintf(file, "; not told where `%s` is as here", option->unless);
        }
        fputs(" |\n", file);
    }
}

static void write_descriptor(FILE *file)
{
    fputs(
        "\nThe letters of a cache descriptor\n"
        "(`[N:\\|S:]SETS:LINE:WAYS,REPLACEMENT:WRITE:ALLOCATE:WRITE_ALLOCATE[:INDEX],MSHRS`):\n\n"
        "| field | letters |\n| --- | --- |\n"
        "| first | `N` whole lines, `S` sectored; absent before version 4: `N` |\n"
        "| REPLACEMENT | `L` lru, `F` fifo |\n"
        "| WRITE | L1: `L` global evict and local back, `T` through, `E` evict, `B` back; L2: `B` "
        "|\n"
        "| ALLOCATE | `m` l1.allocation on_miss; `f` on_fill; `s` streaming; no difference "
        "for the L2 |\n"
        "| WRITE_ALLOCATE | `N` no (L1 only); `W` yes, l2.fetch_on_write through; `F` yes, "
        "l2.fetch_on_write partial; `L` yes, of a sectored L2 l2.fetch_on_write lazy and "
        "l2.dirty parts, of a "
        "sectored L1 with `T` l1.fetch_on_write lazy; of others as `F`, which is told |\n"
        "| INDEX | `L` or absent sequential, `X` xor, `H` fermi (32 or 64 sets of 128 bytes), `P` "
        "ipoly:19, ipoly:37 or ipoly:67 for 16, 32 or 64 sets (GPGPU-Sim "
        "takes the polynomial over fewer address bits) |\n"
        "| MSHRS | `A:ENTRIES:MERGES,MISS_QUEUE` or `S:...`; more than there can be is the most "
        "there can be, which is told. Of sectored caches they merge by sector there: l1.merge_by "
        "and, where it can be, l2.merge_by sector; what this lacks is told, as is a data port "
        "narrower than a line |\n"
        "\nAn L2 with longer lines than `l1.line` needs a file without L1: `l1.line` then is the "
        "L2's.\n",
        file);
}

static void write_gpgpusim(FILE *file)
{
    fputs("\n## gpgpusim.config\n\n"
          "`-c` takes a configuration of GPGPU-Sim 3.2 and later (and Accel-Sim's): it is told "
          "from\n"
          "YAML by its options, which begin with '-' and a letter. A trace.config with the units'\n"
          "latencies may be appended in the same file, behind a newline: an option that begins "
          "within a\n"
          "word is refused. Each option is in one of three lists, and the last of several counts.\n"
          "\n### Taken\n\n"
          "A value that cannot be had here is an error, where its row does not say otherwise.\n\n"
          "| option | keys | how |\n| --- | --- | --- |\n",
          file);
    write_options(file, GM_OPTION_TAKEN);
    write_descriptor(file);
    fputs("\n### Matters, and is not modelled\n\n"
          "That simulator then does something that changes a count or a time, and goldmem does "
          "what the row\n"
          "says. The value is compared: one under \"as here\" is no difference (`=KEY`: the value "
          "of that key; none:\n"
          "every value is told). Each other one is told on standard error, with `--quiet` too, "
          "with what goldmem does\n"
          "instead; `import.not_modelled` of the JSON lists them; and `--strict` refuses the "
          "file.\n\n"
          "| option | as here | what goldmem does |\n| --- | --- | --- |\n",
          file);
    write_options(file, GM_OPTION_UNMODELLED);
    fputs("\nAn option that is in no list is told likewise, with the nearest name "
          "(`import.unknown`), and refused by `--strict`.\n"
          "\n### Irrelevant\n\n"
          "They are counted on standard error, and `import.irrelevant` lists them.\n\n"
          "| option | why |\n| --- | --- |\n",
          file);
    write_options(file, GM_OPTION_IRRELEVANT);
}

void gm_config_write_page(FILE *file)
{
    fputs("# Configuration\n\n"
          "<!-- Generated by `make docs` from cmodel/config/config_*.c and presets/: edit those. "
          "-->\n\n"
          "One set of keys describes the whole memory system. Presets, YAML files, `--set` and\n"
          "GPGPU-Sim's configurations all end up in it, and a run's JSON lists every key in "
          "force.\n",
          file);
    write_ways_to_set(file);
    write_presets(file);
    write_keys(file);
    write_requirements(file);
    write_set_index_functions(file);
    gm_dram_standard_write(file);
    write_gpgpusim(file);
}
