/* goldmem sweep: which runs a file means, in which order; results against those of goldmem run;
 * going on after kill -9; failed runs; what is refused; what is submitted to Slurm. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs a shell command in the test's folder; $g is goldmem. */
static test_command in_folder(const char *line)
{
    return test_run("g=$(realpath $GOLDMEM); cd '%s' && { %s\n}", test_folder(), line);
}

/* Runs a command, whose output must be `expected`. */
static void prints(const char *line, const char *expected)
{
    test_command command = in_folder(line);
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, expected);
    assert_int_equal(command.status, 0);
    test_command_free(&command);
}

/* Runs a command, which must end with `status` and write `text`. */
static void expect(const char *line, int status, const char *text)
{
    test_command command = in_folder(line);
    test_expect(&command, status, text);
}

static void write_sweep(const char *text)
{
    test_file_write("s.yaml", text, strlen(text));
}

/* Inputs vary slowest, then lists, zips, the grid's last key fastest, whatever the order in the
 * file. */
static void order_by_hand(void **state)
{
    (void)state;
    write_sweep("grid: {l1.ways: [4, full], sm.scheduler: [gto, lrr]}\n"
                "zip: {l1.mshrs: [32, 64], l1.merges: [8, 16]}\n"
                "list:\n"
                "  base: {}\n"
                "  small gpu: {gpu.sms: 2, preset: singh-gpu}\n"
                "inputs: [workload:x, workload:y]\n");
    test_command command = in_folder("$g sweep --list s.yaml");
    test_expect(&command, 2, "s.yaml:6:");
    write_sweep("grid: {l1.ways: [4, full], l1.index: [sequential, xor]}\n"
                "zip: [{l1.mshrs: [32, 64], l1.merges: [8, 16]}]\n"
                "list:\n"
                "  base: {}\n"
                "  small gpu: {gpu.sms: 2, engine: order}\n"
                "set: {preset: gtx480, l1.miss_queue: 4}\n"
                "inputs: ['workload:vectoradd,n=32', 'workload:vectoradd,n=64']\n"
                "options: [--check]\n");
    prints("$g sweep --list s.yaml | wc -l", "32\n");
    prints(
        "$g sweep --list s.yaml | sed -n '1p;2p;3p;5p;9p;17p;32p'",
        "goldmem run --check --threads=1 --preset=gtx480 --set=l1.miss_queue=4 --set=l1.mshrs=32 "
        "--set=l1.merges=8 --set=l1.ways=4 --set=l1.index=sequential workload:vectoradd,n=32\n"
        "goldmem run --check --threads=1 --preset=gtx480 --set=l1.miss_queue=4 --set=l1.mshrs=32 "
        "--set=l1.merges=8 --set=l1.ways=4 --set=l1.index=xor workload:vectoradd,n=32\n"
        "goldmem run --check --threads=1 --preset=gtx480 --set=l1.miss_queue=4 --set=l1.mshrs=32 "
        "--set=l1.merges=8 --set=l1.ways=full --set=l1.index=sequential workload:vectoradd,n=32\n"
        "goldmem run --check --threads=1 --preset=gtx480 --set=l1.miss_queue=4 --set=l1.mshrs=64 "
        "--set=l1.merges=16 --set=l1.ways=4 --set=l1.index=sequential workload:vectoradd,n=32\n"
        "goldmem run --check --threads=1 --preset=gtx480 --set=l1.miss_queue=4 --set=gpu.sms=2 "
        "--engine=order --set=l1.mshrs=32 --set=l1.merges=8 --set=l1.ways=4 "
        "--set=l1.index=sequential workload:vectoradd,n=32\n"
        "goldmem run --check --threads=1 --preset=gtx480 --set=l1.miss_queue=4 --set=l1.mshrs=32 "
        "--set=l1.merges=8 --set=l1.ways=4 --set=l1.index=sequential workload:vectoradd,n=64\n"
        "goldmem run --check --threads=1 --preset=gtx480 --set=l1.miss_queue=4 --set=gpu.sms=2 "
        "--engine=order --set=l1.mshrs=64 --set=l1.merges=16 --set=l1.ways=full "
        "--set=l1.index=xor workload:vectoradd,n=64\n");
}

static const char small_sweep[] =
    "inputs: ['workload:vectoradd,n=96', 'workload:vectoradd,n=4096']\n"
    "set: {gpu.sms: 2}\n"
    "list: {base: {}, 'order, large': {engine: order, l1.size: 32K}}\n"
    "grid: {l1.ways: [4, full], l1.sectored: [yes, no]}\n";

/* The rows have the counters that their own commands give, and values in force: sizes in bytes, of
 * `base` the preset's. */
static void results_are_those_of_run(void **state)
{
    (void)state;
    write_sweep(small_sweep);
    test_command command = in_folder("$g sweep -j 2 s.yaml");
    test_expect(&command, 0, "16 runs: 16 done, 0 failed, 0 without a result");
    prints("head -1 s.sweep/results.csv | cut -d, -f1-10",
           "run,status,input,point,engine,l1.size,l1.ways,l1.sectored,cycles,ctas\n");
    prints(
        "python3 -c \"import csv\nfor row in list(csv.reader(open('s.sweep/results.csv')))[4:7]: "
        "print(row[:8])\"",
        "['3', 'done', 'workload:vectoradd,n=96', 'base', '', '16384', 'full', 'false']\n"
        "['4', 'done', 'workload:vectoradd,n=96', 'order, large', 'order', '32768', '4', "
        "'true']\n"
        "['5', 'done', 'workload:vectoradd,n=96', 'order, large', 'order', '32768', '4', "
        "'false']\n");
    /* Each row of both tables against its command's own report. */
    prints("PATH=$(dirname $g):$PATH python3 - <<'E'\n"
           "import csv, json, shlex, subprocess\n"
           "def flat(value, path=''):\n"
           "    for key, inner in value.items():\n"
           "        if isinstance(inner, dict): yield from flat(inner, path + key + '.')\n"
           "        elif isinstance(inner, int): yield path + key, inner\n"
           "lines = [json.loads(line) for line in open('s.sweep/results.jsonl')]\n"
           "rows = list(csv.DictReader(open('s.sweep/results.csv')))\n"
           "assert len(lines) == len(rows) == 16\n"
           "for line, row in zip(lines, rows):\n"
           "    out = subprocess.run(shlex.split(line['command']) + ['--json=-'], check=True,\n"
           "                         capture_output=True).stdout\n"
           "    report = json.loads(out)\n"
           "    total = dict(flat(report['total']))\n"
           "    assert total == line['total'], line['run']\n"
           "    assert {k: str(v) for k, v in total.items()} == \\\n"
           "        {k: row[k] for k in row if k in total}, line['run']\n"
           "    assert not [k for k in row if '.' in k and row[k] and k not in total and\n"
           "                not k.startswith('l1.')]\n"
           "    for key, value in line['keys'].items():\n"
           "        if '.' in key: assert report['config'][key] == value, key\n"
           "    assert json.load(open('s.sweep/' + line['report'])) == report\n"
           "print('equal')\nE",
           "equal\n");
}

/* The examples of --help, all sections together, and of the page. */
static void examples_are_sweeps(void **state)
{
    (void)state;
    expect("$g sweep --help | sed -n '/^ *inputs:/,/^ *options:/p' >s.yaml; $g sweep --list s.yaml "
           "| wc -l",
           0, "32\n");
    test_command command =
        test_run("{ echo 'inputs: [workload:spmv]'; sed -n 's/^| `\\(set\\|list\\|zip\\|grid\\)` "
                 "|[^`]*`\\({[^`]*}\\)`.*/\\1: \\2/p' docs/sweeping.md; } >%s/s.yaml; $GOLDMEM "
                 "sweep --list %s/s.yaml | wc -l",
                 test_folder(), test_folder());
    test_expect(&command, 0, "16\n");
}

/* Shell: waits until the folder has at least $2 reports. */
#define REPORTS "reports() { ls $1/runs 2>/dev/null | grep -c '^[0-9a-f]*\\.json$'; }; "
#define AT_LEAST                                                                                   \
    "at_least() { i=0; while [ $i -lt 6000 ] && [ $(reports $1) -lt $2 ]; do sleep 0.01; "         \
    "i=$((i + 1)); done; [ $(reports $1) -ge $2 ]; }; "

/* 40 runs of some 50 ms each; kill -9 in the middle: the rest is made, what was done is not, no
 * process stays behind, and the tables are those of a sweep that nothing interrupted. */
static void goes_on_after_a_kill(void **state)
{
    (void)state;
    write_sweep(
        "inputs: ['workload:syrk,n=16']\n"
        "grid: {l1.ways: [1, 2, 4, full], l1.mshrs: [2, 4, 6, 8, 10, 12, 14, 16, 24, 32]}\n");
    expect("$g sweep -q -o whole s.yaml", 0, "40 done");
    expect(REPORTS AT_LEAST
           "processes() { grep -lsa \"$PWD/killed/run[s]\" /proc/[0-9]*/cmdline; }; "
           "$g sweep -q -j 2 -o $PWD/killed s.yaml & p=$!; at_least killed 5 || exit 1; "
           "i=0; while [ $i -lt 500 ] && ! processes >/dev/null; do i=$((i + 1)); done; "
           "kill -9 $p; wait $p; before=$(reports killed); "
           "[ $before -lt 40 ] || echo all done before; [ -e killed/results.csv ] && exit 1; i=0; "
           "while [ $i -lt 500 ] && processes >/dev/null; do sleep 0.01; i=$((i + 1)); done; "
           "processes && exit 1; touch mark; ls killed/runs/*.json | grep -v running >kept; "
           "$g sweep -o killed s.yaml 2>lines || exit 1; "
           "[ $(grep -c ': done' lines) -eq $((40 - before)) ] || exit 1; "
           "for f in $(cat kept); do [ $f -ot mark ] || exit 1; done; "
           "ls killed/runs | grep -v '^[0-9a-f]*\\.json$'; cmp killed/results.csv "
           "whole/results.csv && cmp killed/results.jsonl whole/results.jsonl",
           0, "40 runs: 40 done, 0 failed");
}

/* SIGTERM ends the runs too, and is no failure of theirs. */
static void signals_end_it(void **state)
{
    (void)state;
    write_sweep("inputs: ['workload:syrk,n=48', 'workload:syrk,n=56', 'workload:syrk,n=64']\n");
    expect(TEST_WAIT "$g sweep -j 2 s.yaml & p=$!; catches $p 0x4000; sleep 0.3; kill $p; wait $p; "
                     "status=$?; ls s.sweep/runs; exit $status",
           130, "interrupted by SIGTERM: ");
    prints("ls s.sweep/runs | grep -E 'failed|json'; ls s.sweep", "lock\nruns\n");
    /* A killed sweep takes its runs with it. */
    expect(
        "processes() { grep -lsa \"$PWD/killed/run[s]\" /proc/[0-9]*/cmdline; }; "
        "$g sweep -q -o $PWD/killed s.yaml & p=$!; "
        "i=0; while [ $i -lt 500 ] && ! processes >/dev/null; do sleep 0.01; i=$((i + 1)); done; "
        "kill -9 $p; wait $p; sleep 0.2; processes && exit 1; echo none left",
        0, "none left");
    expect(TEST_WAIT "$g sweep -j 1 s.yaml & p=$!; catches $p 0x4000; sleep 0.3; "
                     "$g sweep s.yaml; echo exit $?; kill $p; wait $p; exit 0",
           0, "exit 2");
}

/* A checkpoint in the folder is where a run begins; one that is none makes it fail. */
static void goes_on_from_checkpoints(void **state)
{
    (void)state;
    write_sweep("inputs: ['workload:syrk,n=16']\n");
    expect("$g sweep -q -o whole s.yaml", 0, "1 done");
    expect("id=$(basename whole/runs/*.json .json); mkdir -p s.sweep/runs; "
           "$g run -q --max-cycles=20K --checkpoint=s.sweep/runs/$id.checkpoint,every=10000000 "
           "workload:syrk,n=16 && $g sweep -q --checkpoint-every=1M s.yaml && "
           "cmp whole/results.csv s.sweep/results.csv && ls s.sweep/runs/*.checkpoint",
           2, "1 runs: 1 done");
    expect("id=$(basename whole/runs/*.json .json); rm -r s.sweep/*; mkdir s.sweep/runs; "
           "echo no checkpoint >s.sweep/runs/$id.checkpoint; "
           "$g sweep -q --checkpoint-every=1000000 s.yaml",
           1, ".checkpoint");
}

/* Failed runs: their message and the command that repeats it; the others are done. */
static void failures_are_gathered(void **state)
{
    (void)state;
    write_sweep("inputs: ['workload:vectoradd,n=96']\n"
                "grid: {l1.size: [16K, 17K], gpu.watchdog: [1, 100000]}\n");
    expect("$g sweep -q s.yaml", 1, "4 runs: 1 done, 3 failed, 0 without a result");
    expect("$g sweep -q s.yaml | grep -c '^failed, run'", 0, "3\n");
    /* The commands repeat the messages. */
    expect("$g sweep -q s.yaml >told; PATH=$(dirname $g):$PATH; "
           "grep '^  goldmem run' told | while read -r line; do eval \"$line\" 2>&1; done | "
           "sed 's/^goldmem: //' >again; sed -n 's/^failed, run [0-9]*: //p' told | cmp - again",
           0, "");
    prints("sed 's/\"[^\"]*\"/input/' s.sweep/results.csv | cut -d, -f1,2,4,5",
           "run,status,l1.size,gpu.watchdog\n0,failed,16384,1\n1,done,16384,100000\n"
           "2,failed,17408,1\n3,failed,17408,100000\n");
    prints("jq -c '[.status, .failure.exit]' s.sweep/results.jsonl",
           "[\"failed\",1]\n[\"done\",null]\n[\"failed\",2]\n[\"failed\",2]\n");
}

/* A program in Slurm's place, which notes how it is called. Real Slurm: make regress-slurm. */
static const char false_sbatch[] = "#!/bin/bash\n"
                                   "echo \"$@\" | sed \"s,$PWD/,,g\" >>calls\n"
                                   "echo $(($(wc -l <calls) + 6))\n";

/* Of equal points one is run; the others have its results. Slurm gets one as well. */
static void equal_points_are_run_once(void **state)
{
    (void)state;
    test_file_write("sbatch", false_sbatch, sizeof false_sbatch - 1);
    write_sweep("inputs: ['workload:vectoradd,n=96']\n"
                "grid: {l1.ways: [4, '4', 8, 4, '04']}\n");
    expect("chmod +x sbatch; PATH=$PWD:$PATH; $g sweep --slurm s.yaml && grep -o array=... calls",
           0, "array=0-2");
    expect("$g sweep -j 4 s.yaml 2>lines", 0, "5 runs: 5 done, 0 failed");
    prints("grep -c ': done' lines", "3\n");
    prints("cut -d, -f1,2,5 s.sweep/results.csv; ls s.sweep/runs | wc -l",
           "run,status,cycles\n0,done,4\n1,done,4\n2,done,8\n3,done,4\n4,done,4\n3\n");
    expect("rm -r s.sweep; $g sweep --run=1 s.yaml; ls s.sweep/runs | wc -l", 0, "1\n");
}

/* A run is made again when a file that it names has changed, and only then. */
static void changed_inputs_are_run_again(void **state)
{
    (void)state;
    const char yaml[] = "l1: {ways: 4}\n";
    test_file_write("machine.yaml", yaml, sizeof yaml - 1);
    write_sweep("inputs: ['workload:vectoradd,n=96']\nset: {config: machine.yaml}\n");
    expect("$g sweep s.yaml", 0, "0: done");
    expect("$g sweep s.yaml 2>&1 | grep -c ': done'", 1, "0\n");
    expect("echo '# changed' >>machine.yaml; $g sweep s.yaml", 0, "0: done");
}

/* Files that no argument names: the interconnect file of a gpgpusim.config, the profile of a
 * configuration, the kernels of a raw trace's list. */
static void changed_files_behind_inputs_are_run_again(void **state)
{
    (void)state;
    write_sweep("inputs: ['workload:vectoradd,n=96']\nset: {config: gpgpusim.config}\n");
    expect("printf '%s\\n' '-network_mode 1' '-inter_config_file net.icnt' >gpgpusim.config; "
           "echo 'flit_size = 32;' >net.icnt; $g sweep s.yaml",
           0, "0: done");
    expect("$g sweep s.yaml 2>&1 | grep -c ': done'", 1, "0\n");
    expect("echo 'flit_size = 16;' >net.icnt; $g sweep s.yaml", 0, "0: done");
    write_sweep("inputs: ['workload:vectoradd,n=96']\nset: {config: machine.yaml}\n");
    expect("$g run -q --write-profile=profile workload:vectoradd,n=96 && "
           "echo 'l1: {bypass: profiled, profile: profile}' >machine.yaml; $g sweep s.yaml",
           0, "0: done");
    expect("$g sweep s.yaml 2>&1 | grep -c ': done'", 1, "0\n");
    expect("touch -d 2001-01-01 profile; $g sweep s.yaml", 0, "0: done");
    write_sweep("inputs: [raw/kernelslist]\n");
    expect(
        "$g trace convert workload:vectoradd,n=96 raw && mv raw/kernelslist.g raw/kernelslist && "
        "$g sweep s.yaml",
        0, "0: done");
    expect("$g sweep s.yaml 2>&1 | grep -c ': done'", 1, "0\n");
    expect("touch -d 2001-01-01 raw/kernel-1.traceg; $g sweep s.yaml", 0, "0: done");
}

/* A file-size limit stands for a full disk: the reports cannot be written, nothing half-written
 * stays. */
static void full_disk(void **state)
{
    (void)state;
    write_sweep("inputs: ['workload:vectoradd,n=96']\n");
    expect("ulimit -f 4; $g sweep -q s.yaml", 1, "1 failed");
    expect("ls s.sweep/runs | grep json", 1, "");
    expect("$g sweep -q s.yaml && ls s.sweep/runs | grep -v json", 1, "1 done");
    prints("ls s.sweep/runs | grep -c failed; true", "0\n");
    expect("$g sweep -q s.yaml && (ulimit -f 1; $g sweep -q s.yaml; status=$?; "
           "ls s.sweep/results.csv; exit $status)",
           1, "File too large");
}

/* A text of a file, and what it is refused with. */
typedef struct refused {
    const char *yaml, *message;
} refused;

static void bad_files(void **state)
{
    (void)state;
    static const refused cases[] = {
        {"", "s.yaml:1: must be a mapping"},
        {"[1, 2]\n", "s.yaml:1: must be a mapping"},
        {"inputs: [a\n", "s.yaml:"},
        {"set: {l1.ways: 4}\n", "s.yaml: inputs: lacks"},
        {"inputs: []\n", "s.yaml:1: inputs: must be a list"},
        {"inputs: [workload:nothing]\n", "s.yaml:1: "},
        {"inputs: [no/such/trace]\n", "s.yaml:1: no/such/trace: No such file or directory"},
        {"inputs: [workload:spmv]\nrun: {}\n", "s.yaml:2: run: no such section; there are inputs"},
        {"inputs: [workload:spmv]\ninputs: [workload:spmv]\n", "s.yaml:2: inputs: given twice"},
        {"inputs: [workload:spmv]\ngrid:\n  l1.way: [4]\n", "s.yaml:3: l1.way: no such key"},
        {"inputs: [workload:spmv]\ngrid:\n  l1.ways:\n    - 4\n    - many\n",
         "s.yaml:5: l1.ways=many: must be"},
        {"inputs: [workload:spmv]\ngrid: {l1.ways: 4}\n", "l1.ways: must be a list of values"},
        {"inputs: [workload:spmv]\ngrid: {l1.ways: []}\n", "l1.ways: must be a list of values"},
        {"inputs: [workload:spmv]\ngrid: {}\n", "s.yaml:2: grid: must be a mapping of keys"},
        {"inputs: [workload:spmv]\nset: {l1.ways: [4]}\n", "s.yaml:2: l1.ways: must be one value"},
        {"inputs: [workload:spmv]\nset: {l1.ways: 4}\ngrid: {l1.ways: [4]}\n",
         "s.yaml:3: l1.ways: given before, in line 2"},
        {"inputs: [workload:spmv]\nlist: {a: {l1.ways: 4}}\nzip: {l1.ways: [4]}\n",
         "s.yaml:3: l1.ways: given before, in line 2"},
        {"inputs: [workload:spmv]\nzip:\n  l1.ways: [4, 8]\n  l1.mshrs: [4, 8, 16]\n",
         "s.yaml:4: l1.mshrs: 3 values: must be 2"},
        {"inputs: [workload:spmv]\nlist: {a: {}, a: {}}\n", "s.yaml:2: list: a: given twice"},
        {"inputs: [workload:spmv]\nlist: [1]\n", "s.yaml:2: list: must be a mapping of names"},
        {"inputs: [workload:spmv]\ngrid: {preset: [gtx480, gtx481]}\n", "s.yaml:2: "},
        {"inputs: [workload:spmv]\nset: {engine: fast}\n",
         "s.yaml:2: engine=fast: must be cycle or order"},
        {"inputs: [workload:spmv]\nset: {config: none.yaml}\n", "s.yaml:2: none.yaml: No such"},
        {"inputs: [workload:spmv]\noptions: [--json=x]\n",
         "s.yaml:2: options: --json: the sweep gives it"},
        {"inputs: [workload:spmv]\noptions: ['--series=s.csv,every=1K']\n",
         "s.yaml:2: options: --series: every run would write the same file"},
        {"inputs: [workload:spmv]\noptions: [--set=l1.ways=4]\n",
         "s.yaml:2: options: --set: belongs under set"},
        {"inputs: [workload:spmv]\noptions: [check]\n", "s.yaml:2: check: must be an option"},
        {"inputs: [workload:spmv]\ngrid: {l1.size: [1K, 2K, 4K, 8K, 16K, 32K, 64K, 1M, 2M, 4M],\n"
         " l2.size: [1K, 2K, 4K, 8K, 16K, 32K, 64K, 1M, 2M, 4M], l1.mshrs: [1, 2, 3, 4, 5, 6, 7, "
         "8, "
         "9, 10],\n l2.mshrs: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], l1.merges: [1, 2, 3, 4, 5, 6, 7, 8, "
         "9, 10],\n l2.merges: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], gpu.sms: [1, 2]}\n",
         "s.yaml: more than 1000000 runs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_sweep(cases[i].yaml);
        test_command command = in_folder("$g sweep s.yaml");
        if (strstr(command.errors, cases[i].message) == NULL ||
            strchr(command.errors, '\n') != command.errors + strlen(command.errors) - 1) {
            fail_msg("%s: got: %s", cases[i].yaml, command.errors);
        }
        assert_int_equal(command.status, 2);
        test_command_free(&command);
    }
    expect("ls", 0, "s.yaml\n");
    expect("$g sweep none.yaml", 2, "none.yaml: No such file");
    expect("$g sweep", 2, "no FILE");
    expect("$g sweep -j 0 s.yaml", 2, "--jobs 0: must be 1 to 4096");
    expect("$g sweep --wait s.yaml", 2, "belong to --slurm");
    expect("$g sweep --list --collect s.yaml", 2, "one of them");
    write_sweep(small_sweep);
    expect("$g sweep --run=16 s.yaml", 2, "--run 16: s.yaml has 16 runs");
    expect("$g sweep -o /proc/none s.yaml", 2, "/proc/none");
}

static void submits_to_slurm(void **state)
{
    (void)state;
    test_file_write("sbatch", false_sbatch, sizeof false_sbatch - 1);
    write_sweep(small_sweep);
    expect("chmod +x sbatch; PATH=$PWD:$PATH; $g sweep --run=3 s.yaml && "
           "$g sweep -j 4 --slurm=long --slurm-option=--time=9 --checkpoint-every=90000 s.yaml",
           0, "job 7: 15 runs\njob 8: gathers the results in s.sweep\n");
    prints("cat calls",
           "--parsable --open-mode=append --partition=long --job-name=goldmem-sweep --requeue "
           "--array=0-14%4 --output=s.sweep/slurm/%A_%a.out --time=9 s.sweep/slurm/runs-0.sh\n"
           "--parsable --open-mode=append --partition=long --job-name=goldmem-collect --requeue "
           "--output=s.sweep/slurm/collect.out --dependency=afterany:7 --time=9 "
           "s.sweep/slurm/collect.sh\n");
    /* What the jobs do, after the file has changed. */
    expect("echo 'inputs: [workload:spmv]' >s.yaml; "
           "SLURM_ARRAY_TASK_ID=14 bash s.sweep/slurm/runs-0.sh && bash s.sweep/slurm/collect.sh",
           1, "16 runs: 2 done, 0 failed, 14 without a result");
    prints("grep -c '' s.sweep/slurm/runs-0.txt; grep done s.sweep/results.csv | cut -d, -f1",
           "15\n3\n15\n");
    /* 1001 runs are two arrays; sbatch's own failure is told. */
    expect("rm -r s.sweep calls; { echo 'inputs:'; "
           "for i in $(seq 1001); do echo \"  - workload:vectoradd,n=$i\"; done; } >s.yaml; "
           "PATH=$PWD:$PATH; $g sweep --slurm s.yaml && cat calls",
           0, "job 7: 1000 runs\njob 8: 1 runs\njob 9: gathers");
    expect("grep -c 'array=0-999 ' calls; grep 'afterany:7:8 ' calls", 0, "1\n");
    expect("printf '#!/bin/sh\\necho no partition >&2\\nexit 3\\n' >sbatch; PATH=$PWD:$PATH; "
           "$g sweep --slurm s.yaml",
           1, "sbatch: failed with exit code 3");
    expect("rm sbatch; PATH=/nowhere $g sweep --slurm s.yaml", 2, "sbatch: No such file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(order_by_hand, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(results_are_those_of_run, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(examples_are_sweeps, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(goes_on_after_a_kill, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(signals_end_it, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(goes_on_from_checkpoints, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(failures_are_gathered, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(equal_points_are_run_once, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(changed_inputs_are_run_again, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(changed_files_behind_inputs_are_run_again,
                                        test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(full_disk, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(bad_files, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(submits_to_slurm, test_folder_setup, test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
