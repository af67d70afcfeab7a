/* Every JSON output fits its schema in docs/schema/, and outputs that are changed in one place do
 * not. */
#include "support/support.h"

/* Runs a shell command in the test's folder; $g is goldmem, $s the folder of schemas; `fits NAME
 * FILE` checks each line of a .jsonl file, or a file, and prints how many documents there were. */
static void expect(const char *line, int status, const char *text)
{
    test_command command = test_run(
        "g=$(realpath $GOLDMEM); export s=$(realpath docs/schema); cd '%s' && cat >fits.py <<'E'\n"
        "import json, os, sys\n"
        "import jsonschema\n"
        "folder = os.environ['s']\n"
        "def load(name):\n"
        "    schema = json.load(open(f'{folder}/{name}.schema.json'))\n"
        "    jsonschema.Draft202012Validator.check_schema(schema)\n"
        "    return schema\n"
        "def validator(name):\n"
        "    text = json.dumps(load(name)).replace('run.schema.json#', '#')\n"
        "    schema = json.loads(text)\n"
        "    if name == 'sweep': schema['$defs'] = load('run')['$defs']\n"
        "    return jsonschema.Draft202012Validator(schema)\n"
        "def documents(path):\n"
        "    text = open(path).read()\n"
        "    if path.endswith('.jsonl'): return [json.loads(x) for x in text.splitlines()]\n"
        "    return [json.loads(text)]\n"
        "def check(name, *paths):\n"
        "    count = 0\n"
        "    for path in paths:\n"
        "        for document in documents(path):\n"
        "            count += 1\n"
        "            for error in list(validator(name).iter_errors(document))[:1]:\n"
        "                sys.exit(f'{path}: {list(error.absolute_path)}: {error.message[:200]}')\n"
        "    print(name, count)\n"
        "if __name__ == '__main__': check(*sys.argv[1:])\n"
        "E\n"
        "{ %s\n}",
        test_folder(), line);
    test_expect(&command, status, text);
}

/* Reports of machines that have each part, stopped, with units, analyses, latencies and imports. */
static void reports_fit(void **state)
{
    (void)state;
    expect("n=0; run() { n=$((n + 1)); $g run -q --json r$n.json \"$@\" || exit 1; }\n"
           "for p in $($g presets | cut -d' ' -f1); do run --preset $p --per-sm --per-bank "
           "workload:vectoradd,n=2048; done\n"
           "run --engine=order --analyze=all workload:bfs,nodes=256\n"
           "run --latency --max-cycles=900 workload:bfs,nodes=256\n"
           "run --kernels=1-2 workload:bfs,nodes=256\n"
           "run --set gpu.kernels=4 workload:overlap\n"
           "run --set l1.enabled=no workload:vectoradd,n=64\n"
           "run --set l1.ways=full --set l2.size=unbounded workload:vectoradd,n=64\n"
           "run --preset kepler-hybrid-tracker --set tracker.ask=yes --engine=order "
           "workload:bfs,nodes=256\n"
           "echo '-gpgpu_n_clusters 4 -gpgpu_n_cores_per_cluster 1 -gpgpu_flush_l1_cache 1 "
           "-gpgpu_nonsense 1 "
           "-gpgpu_ptx_force_max_capability 70' | tr ' ' '\\n' | paste - - >gpgpusim.config\n"
           "run -c gpgpusim.config workload:vectoradd,n=64 2>import.txt\n"
           "python3 fits.py run r*.json | grep -x \"run $n\" && echo all fit; jq -e "
           ".import.unknown r$n.json >/dev/null && echo import",
           0, "all fit\nimport\n");
}

static void other_outputs_fit(void **state)
{
    (void)state;
    expect("$g run -q --json a.json --series s.jsonl,every=200,per=sm+bank+channel "
           "workload:bfs,nodes=256 && $g run -q --json b.json --set l1.mshrs=4 "
           "workload:bfs,nodes=256 && $g compare --json a.json b.json >c.json\n"
           "printf 'inputs: [\"workload:vectoradd,n=64\"]\\n"
           "list: {first: {l1.ways: 4}, second: {l1.index: xor, gpu.sms: 2}, third: {gpu.watchdog: "
           "20}}\\n' >w.yaml\n"
           "$g sweep -q w.yaml >/dev/null 2>&1; grep -c failure w.sweep/results.jsonl\n"
           "$g index --json ipoly:37 prime >i1.json; $g index --json ipoly:37 0x1000 >i2.json\n"
           "$g index --json --strides=8 xor >i3.json\n"
           "$g index --json --histogram workload:vectoradd,n=64 xor ipoly:37 >i4.json\n"
           "$g gates --json ipoly:37 >g1.json; $g gates --json --sets 16 --sweep --restarts 2 "
           ">g2.json\n"
           "$g gates --json --pareto --restarts 2 workload:vectoradd,n=64 workload:bfs,nodes=64 "
           ">g3.json\n"
           "python3 fits.py series s.jsonl | grep -c '[0-9][0-9]'; python3 fits.py compare c.json\n"
           "python3 fits.py sweep w.sweep/results.jsonl\n"
           "python3 fits.py index i?.json; python3 fits.py gates g?.json",
           0, "1\n1\ncompare 1\nsweep 3\nindex 4\ngates 3\n");
}

/* A schema that fits everything shows nothing: documents with a change in one place do not fit. */
static void changes_do_not_fit(void **state)
{
    (void)state;
    expect(
        "$g run -q --json a.json --per-sm --max-cycles=900 --latency workload:bfs,nodes=256 && "
        "python3 - <<'E'\n"
        "import copy, json, fits\n"
        "report = json.load(open('a.json'))\n"
        "check = fits.validator('run')\n"
        "assert check.is_valid(report)\n"
        "def change(edit):\n"
        "    other = copy.deepcopy(report)\n"
        "    edit(other)\n"
        "    assert not check.is_valid(other), edit\n"
        "def put(path, value):\n"
        "    def edit(r):\n"
        "        *way, last = path\n"
        "        for key in way: r = r[key]\n"
        "        if value is None: del r[last]\n"
        "        else: r[last] = value\n"
        "    change(edit)\n"
        "put(['schema'], 2); put(['total'], None); put(['engine'], 'fast')\n"
        "put(['total', 'cycles'], -1); put(['total', 'cycles'], 1.5); put(['total', 'more'], 1)\n"
        "put(['total', 'l1d', 'load', 'hits'], '7'); put(['total', 'l1d', 'load', 'more'], 7)\n"
        "put(['kernels', 0, 'grid'], [1, 1]); put(['kernels', 0, 'name'], None)\n"
        "put(['kernels', 0, 'time', 'slots', 'issue'], 1); put(['config', 'l1.ways'], 'most')\n"
        "put(['config', 'l1.index'], 5); put(['config', 'gpu.sms'], None)\n"
        "put(['config', 'sm.scheduler'], 'best'); put(['per_sm', 1, 'sm'], None)\n"
        "put(['stopped', 'reason'], 'tired'); put(['latency', 'loads'], 'long')\n"
        "put(['extra'], 1)\n"
        "print('none fits')\nE",
        0, "none fits\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reports_fit, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(other_outputs_fit, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(changes_do_not_fit, test_folder_setup,
                                        test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
