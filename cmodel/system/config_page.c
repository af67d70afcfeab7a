/* docs/configuration.md, from the tables that the program itself uses. */
#include "system/config_internal.h"

#include <string.h>

/* Markdown's table cells end at '|'. */
static void write_cell(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '|') {
            putc('\\', file);
        }
        putc(*text, file);
    }
}

static void write_keys(FILE *file)
{
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    fputs("## Keys\n\n| key | values | default | what |\n| --- | --- | --- | --- |\n", file);
    for (unsigned i = 0; i < count; i++) {
        char range[128];
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

static void write_rules(FILE *file)
{
    fputs(
        "\nSizes are in bytes, or take the suffix B, KB or K, MB or M, GB or G (powers of 1024).\n"
        "\n## What keys require of each other\n\n"
        "`goldmem run` checks these before it reads its input; a message names the keys and their\n"
        "values.\n\n"
        "- Sets = size / (ways * line) is whole and a power of two from 1 to 65536; for the L2, "
        "in\n"
        "  each of the `memory.partitions` * `memory.banks` banks.\n"
        "- Changing `ways` or `line` alone keeps the size, so that the number of sets changes. To\n"
        "  keep the sets, set the size as well.\n"
        "- `ways=full`: one set that holds size / line lines. `size=unbounded`: one set that "
        "never\n"
        "  evicts, whatever the ways. With one set the set-index function is not used.\n"
        "- `l2.line` is at most `l1.line`, `memory.interleave` and `dram.row`.\n"
        "- `dram.bank_groups` is at most `dram.banks`, and `dram.burst` at most `dram.row`.\n"
        "- `sm.threads` is at most 32 * `sm.warps`.\n"
        "- `l1.global_allocate` and `l1.local_allocate` are `no` where the policy of the hit is\n"
        "  `evict`.\n"
        "- `l1.bypass` is `none` with `l1.kind=decoupled`. `profiled` needs `l1.profile`; `pdp` "
        "needs\n"
        "  a bounded `l1.size` and `l1.replacement=lru` or `fifo`.\n"
        "\n## Set-index functions\n\n"
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
    fputs("\n## Presets\n\n"
          "The papers' machines. `goldmem presets NAME` prints every key in force,\n"
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

static void write_gpgpusim(FILE *file)
{
    unsigned count = 0;
    const gm_gpgpusim_option *options = gm_gpgpusim_options(&count);
    fputs(
        "\n## gpgpusim.config\n\n"
        "`-c` takes a configuration of GPGPU-Sim 3.2 and later (and Accel-Sim's): it is told from\n"
        "YAML by its options, which begin with '-' and a letter. These options are understood; "
        "all\n"
        "others are listed as ignored. An understood option with a value that cannot be had here\n"
        "is an error. A trace.config with the units' latencies may be appended in the same "
        "file.\n\n"
        "| option | keys | how |\n| --- | --- | --- |\n",
        file);
    for (unsigned i = 0; i < count; i++) {
        fprintf(file, "| `%s` | %s | ", options[i].name, options[i].keys);
        write_cell(file, options[i].meaning);
        fputs(" |\n", file);
    }
    fputs(
        "\nThe letters of a cache descriptor\n"
        "(`[N:\\|S:]SETS:LINE:WAYS,REPLACEMENT:WRITE:ALLOCATE:WRITE_ALLOCATE[:INDEX],MSHRS`):\n\n"
        "| field | letters |\n| --- | --- |\n"
        "| first | `N` whole lines, `S` sectored; absent before version 4: `N` |\n"
        "| REPLACEMENT | `L` lru, `F` fifo |\n"
        "| WRITE | L1: `L` global evict and local back, `T` through, `E` evict, `B` back; L2: `B` "
        "|\n"
        "| ALLOCATE | `m` l1.allocation on_miss; `f`, `s` on_fill; no difference for the L2 |\n"
        "| WRITE_ALLOCATE | `N` no (L1 only); `W` yes, l2.fetch_on_write through; `F` yes, "
        "l2.fetch_on_write partial; `L` as `F`, which is listed among the ignored |\n"
        "| INDEX | `L` or absent sequential, `X` xor, `H` fermi (32 sets of 128 bytes; its other "
        "form "
        "for 64 sets is refused), `P` ipoly:19, ipoly:37 or ipoly:67 for 16, 32 or 64 sets "
        "(GPGPU-Sim "
        "takes the polynomial over fewer address bits) |\n"
        "| MSHRS | `A:ENTRIES:MERGES,MISS_QUEUE` or `S:...`; more than there can be is the most "
        "there can be, which is listed |\n",
        file);
}

void gm_config_write_page(FILE *file)
{
    fputs("# Configuration\n\n"
          "<!-- Generated by `make docs` from cmodel/system/config_*.c and presets/: edit those. "
          "-->\n\n"
          "One set of keys describes the whole memory system. Presets, YAML files, `--set` and\n"
          "GPGPU-Sim's configurations all end up in it, and a run's JSON lists every key in "
          "force.\n\n",
          file);
    write_keys(file);
    write_rules(file);
    write_ways_to_set(file);
    write_presets(file);
    write_gpgpusim(file);
}
