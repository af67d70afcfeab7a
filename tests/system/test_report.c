/* goldmem report: the page of small runs against calculations by hand; every table of a page of
 * real runs against their reports and series; well-formed HTML that loads nothing; what is refused.
 * In a browser: make regress-report. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* Runs a shell command in the test's folder; $g is goldmem. */
static void expect(const char *line, int status, const char *text)
{
    test_command command =
        test_run("g=$(realpath $GOLDMEM); cd '%s' && { %s\n}", test_folder(), line);
    test_expect(&command, status, text);
}

/* Two schedulers' slots: kernel k has 100 cycles, of which 25 issue; <m> has 300, of which 150. */
static const char run_a[] =
    "{\"schema\": 1, \"engine\": \"cycle\", \"input\": \"workload:x<y>&\\\"z\\\"\", "
    "\"preset\": \"p\", \"config\": {\"l1.index\": \"xor\", \"gpu.sms\": 2},\n"
    "\"kernels\": [{\"name\": \"k\", \"cycles\": 100, \"time\": {\"slots\": {\"issued\": 50, "
    "\"idle\": 150}}}, {\"name\": \"<m>\", \"cycles\": 300, \"time\": {\"slots\": {\"issued\": "
    "300, "
    "\"idle\": 300}}}],\n"
    "\"total\": {\"cycles\": 400, \"warp_instructions\": 350, \"thread_instructions\": 9000, "
    "\"l1d\": {\"accesses\": 200, \"hits\": 30, \"hits_pending\": 20}, \"dram\": {\"bytes\": "
    "123456},\n"
    "\"traffic_bytes\": {\"req\": 30, \"ld\": 70}, \"time\": {\"loads\": 4, \"load_cycles\": 100, "
    "\"slots\": {\"issued\": 350, \"idle\": 450}}}}\n";

/* 396 units of bar for the longest row: 480 less 84 for its number and 140 for the label leave 256.
 * Row <m>: 300 cycles, the longest; issued 150 of them: 128 units. Row k: 25 of 300: 21.33. */
static void by_hand(void **state)
{
    (void)state;
    test_file_write("a.json", run_a, sizeof run_a - 1);
    expect("$g report -o r.html a.json && grep -c . r.html >/dev/null && "
           "grep -o '<td><code>workload:x&lt;y&gt;&amp;&quot;z&quot;</code>' r.html | wc -l && "
           "grep -c '<m>' r.html",
           1, "1\n0\n");
    expect("grep -o 'class=\"c0\" x=\"140.00\" y=\"[0-9]*\" width=\"[0-9.]*\"' r.html | head -2 | "
           "sed 's/.*width=//' | tr '\\n' ' '; "
           "grep -o '1 &lt;m&gt;, issued: 150 (50.0%)' r.html | head -1",
           0, "\"21.33\" \"128.00\" 1 &lt;m&gt;, issued: 150 (50.0%)\n");
    expect("for row in 'core cycles</th><td>400' 'warp instructions a cycle</th><td>0.875' "
           "'thread instructions a cycle</th><td>22.5' 'L1 hit rate \\[%\\]</th><td>25' "
           "'L2 hit rate \\[%\\]</th><td>-' 'load latency \\[core cycles\\]</th><td>25' "
           "'DRAM \\[bytes\\]</th><td>123,456' 'energy \\[pJ\\]</th><td>-'; do "
           "grep -q \"<tr><th>$row</td></tr>\" r.html || { echo \"no $row\"; exit 1; }; done; echo "
           "looked",
           0, "looked\n");
    expect(
        "sed 's/\"xor\"/\"ipoly:37\"/' a.json >b.json; $g report -o - a.json b.json | "
        "grep -o '<tr><th>l1.index</th><td>&quot;xor&quot;</td><td>&quot;ipoly:37&quot;</td>' && "
        "$g report -o - a.json b.json | grep -c gpu.sms",
        1, "ipoly:37");
}

/* Python: reads all tables of r.html, by the caption of their figures, and checks tags. */
#define TABLES                                                                                     \
    "import csv, math, html.parser, json, re\n"                                                    \
    "class Page(html.parser.HTMLParser):\n"                                                        \
    "    def __init__(self):\n"                                                                    \
    "        super().__init__()\n"                                                                 \
    "        self.open, self.tables, self.caption, self.text = [], {}, '', None\n"                 \
    "    def handle_starttag(self, tag, attributes):\n"                                            \
    "        for name, value in attributes:\n"                                                     \
    "            assert name not in ('src', 'onclick', 'onload'), name\n"                          \
    "            assert name != 'href' or value.startswith('#'), value\n"                          \
    "        assert tag not in ('script', 'link', 'iframe', 'img'), tag\n"                         \
    "        if tag not in ('meta', 'br'): self.open.append(tag)\n"                                \
    "        if tag == 'tr' and self.caption: self.tables.setdefault(self.caption, "               \
    "[]).append([])\n"                                                                             \
    "        if tag in ('td', 'th', 'figcaption'): self.text = ''\n"                               \
    "        if tag == 'small' and self.text is not None: self.caption, self.text = self.text, "   \
    "None\n"                                                                                       \
    "    def handle_startendtag(self, tag, attributes): pass\n"                                    \
    "    def handle_endtag(self, tag):\n"                                                          \
    "        assert self.open.pop() == tag, (tag, self.getpos())\n"                                \
    "        if tag in ('td', 'th') and self.caption:\n"                                           \
    "            self.tables[self.caption][-1].append(self.text.strip())\n"                        \
    "        if tag == 'figcaption' and self.text: self.caption = self.text\n"                     \
    "        if tag == 'figure': self.caption = ''\n"                                              \
    "        if tag in ('td', 'th', 'figcaption'): self.text = None\n"                             \
    "    def handle_data(self, data):\n"                                                           \
    "        if self.text is not None: self.text += data\n"                                        \
    "page = Page()\n"                                                                              \
    "text = open('r.html').read()\n"                                                               \
    "page.feed(text)\n"                                                                            \
    "assert not page.open, page.open\n"                                                            \
    "assert 'http' not in text and '@import' not in text and 'url(' not in text\n"                 \
    "tables = {k.strip(): v for k, v in page.tables.items()}\n"                                    \
    "def close(shown, value):\n"                                                                   \
    "    shown = float(shown.replace(',', ''))\n"                                                  \
    "    return abs(shown - value) <= max(0.51 if abs(value) >= 1000 else 0.06, "                  \
    "0.006 * abs(value))\n"

static void tables_of_real_runs(void **state)
{
    (void)state;
    expect(
        "for r in a b; do set='--set l1.ways=4'; [ $r = b ] && set='--set l1.ways=full'; "
        "$g run -q --json $r.json --latency --series $r.csv,every=700,per=sm --per-sm --per-bank "
        "$set "
        "workload:bfs,nodes=512 || exit 1; done; "
        "$g run -q --json o.json --analyze=reuse,mrc workload:bfs,nodes=512 && "
        "$g report -o r.html --series a.csv --series b.csv a.json b.json o.json && "
        "python3 - <<'E'\n" TABLES "for r in 'ab':\n"
        "    R = r.upper() + ': '\n"
        "    report = json.load(open(r + '.json'))\n"
        "    rows = [x for x in csv.DictReader(open(r + '.csv')) if x['unit'] == 'total']\n"
        "    kernels = tables[R + 'What the schedulers did, by kernel']\n"
        "    assert len(kernels) == len(report['kernels']) + 1\n"
        "    for i, (row, kernel) in enumerate(zip(kernels[1:], report['kernels'])):\n"
        "        assert row[0] == f\"{i} {kernel['name']}\", row\n"
        "        slots = kernel['time']['slots']\n"
        "        for name, shown in zip(kernels[0][1:-1], row[1:-1]):\n"
        "            assert close(shown, slots[name] / 30), (name, shown)\n"
        "        assert close(row[-1], kernel['cycles']), row\n"
        "    for title, columns in (('Warp instructions', ['ipc']), ('Rates', ['l1d_hit_rate',\n"
        "            'l2_hit_rate', 'dram_row_hit_rate', 'dram_bus_use']), ('Load latency',\n"
        "            ['load_latency']), ('DRAM', ['dram_bytes_per_cycle'])):\n"
        "        table = tables[R + title]\n"
        "        assert len(table) == len(rows) + 1, title\n"
        "        for shown, row in zip(table[1:], rows):\n"
        "            assert close(shown[0], int(row['cycle']))\n"
        "            for cell, column in zip(shown[1:], columns):\n"
        "                assert cell == '-' if not row[column] else close(cell, "
        "float(row[column])), (title, cell)\n"
        "    over = tables[R + 'What the schedulers did, over time']\n"
        "    for shown, row in zip(over[1:], rows):\n"
        "        for name, cell in zip(over[0][1:], shown[1:]):\n"
        "            share = 100 * int(row['time.slots.' + name]) / (30 * int(row['cycles']))\n"
        "            assert close(cell, share), (name, cell, share)\n"
        "    units = tables[R + 'SMs']\n"
        "    assert len(units) == 16\n"
        "    for shown, sm in zip(units[1:], report['per_sm']):\n"
        "        assert close(shown[1], sm['time']['slots']['issued'])\n"
        "        assert close(shown[4], sm['l1d']['misses'])\n"
        "    banks = tables[R + 'L2 banks']\n"
        "    for shown, bank in zip(banks[1:], report['per_bank']):\n"
        "        assert close(shown[1], bank['l2']['accesses'])\n"
        "    channels = tables[R + 'DRAM channels']\n"
        "    for shown, channel in zip(channels[1:], report['per_partition']):\n"
        "        assert close(shown[3], channel['dram']['row_hits'])\n"
        "    for kind, title in (('requests', 'Load requests, by what served them'),\n"
        "            ('loads', 'Loads, from issue to the last data'), ('stores',\n"
        "            'Stores, from issue to the last answer')):\n"
        "        latency, shown = report['latency'][kind], tables[R + title]\n"
        "        ends = [float(row[0].replace(',', '')) for row in shown[1:]]\n"
        "        assert ends[-1] >= latency['all']['longest'] > ends[-1] / 2, ends\n"
        "        for at, source in enumerate(shown[0][1:]):\n"
        "            cells = [float(row[1 + at]) for row in shown[1:]]\n"
        "            whole = latency[source]\n"
        "            assert abs(sum(cells) - 100 * whole['count'] / latency['all']['count']) < 1\n"
        "            for end, cell in zip(ends, cells):\n"
        "                end = 2 ** (round(8 * math.log2(end)) / 8)\n"
        "                low = end / 2 ** 0.125\n"
        "                share = sum(b['count'] for b in whole['histogram']\n"
        "                            if low <= b['low'] < end)\n"
        "                exact = 100 * share / latency['all']['count']\n"
        "                assert abs(cell - exact) <= 0.06 + 0.006 * exact, (end, cell, exact)\n"
        "        assert shown[0][1:] == [s for s in ('l1', 'l2', 'dram') if s in latency]\n"
        "mrc = json.load(open('o.json'))['analysis']['mrc']\n"
        "for level, title in (('l1d', 'Misses of L1s by the size of each'), ('l2',\n"
        "        'Misses of the L2 by its size')):\n"
        "    shown = tables[title]\n"
        "    assert len(shown) == 1 + len(mrc[level]['curve']) > 10\n"
        "    for row, point in zip(shown[1:], mrc[level]['curve']):\n"
        "        assert close(row[0], point['bytes']), row\n"
        "        assert close(row[1], 100 * point['misses'] / mrc[level]['accesses']), row\n"
        "assert text.count('class=\"mark\"') == 4 * 6 + 1\n"
        "bins = json.load(open('o.json'))['analysis']['reuse']['distances']\n"
        "shown = tables['C: Accesses by how many came since the last to their line']\n"
        "assert [float(x[1].replace(',', '')) for x in shown[1:]] == [b['count'] for b in bins]\n"
        "traffic = tables['Interconnect']\n"
        "for name, shown in zip(traffic[0][1:-1], traffic[1][1:-1]):\n"
        "    assert close(shown, json.load(open('a.json'))['total']['traffic_bytes'][name])\n"
        "assert len(tables) == 32, sorted(tables)\n"
        "print('equal')\nE",
        0, "equal");
    expect("$g report -o again.html --series a.csv --series b.csv a.json b.json o.json && "
           "cmp r.html again.html",
           0, "");
}

/* A sweep: a panel for each input, a bar for each run that is done. */
static void panels_of_a_sweep(void **state)
{
    (void)state;
    static const char sweep[] = "inputs: ['workload:vectoradd,n=96', 'workload:vectoradd,n=64']\n"
                                "grid: {l1.size: [16K, 17K], l1.index: [sequential, xor]}\n";
    test_file_write("s.yaml", sweep, sizeof sweep - 1);
    expect(
        "$g sweep -q s.yaml; $g report -o r.html s.sweep/results.jsonl && python3 - <<'E'\n" TABLES
        "lines = [json.loads(line) for line in open('s.sweep/results.jsonl')]\n"
        "assert '8 runs, 4 without a result' in text\n"
        "for input in {line['input'] for line in lines}:\n"
        "    done = [l for l in lines if l['input'] == input and l['status'] == 'done']\n"
        "    table = tables[input]\n"
        "    assert [row[0] for row in table[1:]] == ['16384 sequential', '16384 xor'], table\n"
        "    for row, line in zip(table[1:], done): assert close(row[1], "
        "line['total']['cycles'])\n"
        "print('equal')\nE",
        0, "equal");
}

/* A series ends with its run: also of a run that stops, of some kernels, after a warm-up. */
static void series_of_other_runs(void **state)
{
    (void)state;
    expect(
        "r() { n=$1; shift; $g run -q --json $n.json --series $n.csv,every=700 \"$@\" "
        "workload:bfs,nodes=256; }; r whole && r other --preset v100 && r stop --max-cycles 2K "
        "&& r some --kernels 3-5 && r warm --warm-up kernels=2 && r both --warm-up "
        "instructions=3K --max-cycles 3K && $g run -q --engine=order --json order.json "
        "workload:bfs,nodes=256; for n in whole other stop some warm both; do $g report -o r.html "
        "--series $n.csv $n.json || exit 1; done; echo all drawn",
        0, "all drawn");
    expect("rm r.html; $g report -o r.html --series other.csv whole.json", 2,
           "goldmem: other.csv: ends with cycle ");
    expect("$g report -o r.html --series stop.csv whole.json", 2,
           "goldmem: stop.csv: ends with cycle 2000: whole.json ends with ");
    expect("$g report -o r.html --series whole.csv stop.json", 2, ": stop.json ends with 2000\n");
    expect("$g report -o r.html --series some.csv warm.json", 2, "some.csv: ends with cycle ");
    expect("$g report -o r.html --series stop.csv both.json", 2, ": both.json ends with 3000");
    expect("$g report -o r.html --series whole.csv order.json", 2,
           "goldmem: whole.csv: order.json has no cycles\n");
    expect("$g report -o r.html --series - --series whole.csv other.json whole.json", 0, "");
    expect("$g report -o r.html .", 2, "goldmem: .: Is a directory\n");
}

static void refused(void **state)
{
    (void)state;
    test_file_write("a.json", run_a, sizeof run_a - 1);
    expect("$g report a.json", 2, "no -o FILE");
    expect("$g report -o r.html", 2, "no RUN.json");
    expect("$g report -o r.html --series a --series b a.json", 2, "--series b: has no run");
    expect("$g report -o r.html none.json", 2, "none.json: No such file");
    expect("head -c 300 a.json >cut.json; $g report -o r.html cut.json", 2, "cut.json:");
    expect("echo a,b >s.csv; $g report -o r.html --series s.csv a.json", 2,
           "s.csv:1: no CSV of goldmem run --series");
    expect(": >s.csv; $g report -o r.html --series s.csv a.json", 2, "s.csv:1: no CSV");
    expect("printf 'cycle,cycles,kernel,unit,number,ipc\\n9,9,0,total,0,1\\n9,9,0,total,0\\n' "
           ">s.csv; $g report -o r.html --series s.csv a.json",
           2, "s.csv:3: another number of cells");
    expect("printf 'cycle,cycles,kernel,unit,number,ipc\\n9,9,0,total,0,x\\n' >s.csv; "
           "$g report -o r.html --series s.csv a.json",
           2, "s.csv:2: ipc='x': must be a number");
    expect("printf 'cycle,cycles,kernel,unit,number,ipc\\n9,9,0,sm,0,1\\n' >s.csv; "
           "$g report -o r.html --series s.csv a.json",
           2, "s.csv:3: no interval of the whole machine");
    expect("echo '{}' >x.jsonl; $g report -o r.html x.jsonl", 2, "x.jsonl:1: no run of a sweep");
    expect("echo '{' >x.jsonl; $g report -o r.html x.jsonl", 2, "x.jsonl:1: ");
    expect("$g report -o r.html a.json a.json a.json a.json a.json a.json a.json a.json a.json", 2,
           "at most 8 runs");
    expect("$g report -o /no/r.html a.json", 2, "/no/r.html");
    expect("ulimit -f 2; $g report -o r.html a.json", 1, "r.html: File too large");
    expect("ls *.html", 2, "");
}

/* The five commands of docs/reporting.md, as they stand there, from a trace to the page of a
 * report.
 */
static void walk_of_the_page(void **state)
{
    (void)state;
    test_command ran = test_run(
        "g=$(realpath $GOLDMEM) page=$(realpath docs/reporting.md); cd '%s'; goldmem() { $g "
        "\"$@\"; "
        "}; "
        "sed -n '/in five commands/,/^```$/p' $page | sed '1,/^```sh$/d;$d' >walk; wc -l <walk; "
        "goldmem trace convert workload:vectoradd,n=4096 trace >convert 2>&1 || exit 3; set -e; . "
        "./walk >out; grep -c 'CTAs' out; grep -o '<h2 id=\"[a-z]*\"' report.html | wc -l; grep -c "
        "'B against A' out",
        test_folder_make());
    assert_string_equal(ran.errors, "");
    assert_string_equal(ran.output, "5\n5\n6\n1\n");
    assert_int_equal(ran.status, 0);
    test_command_free(&ran);
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(by_hand, test_folder_setup, test_folder_teardown),
        cmocka_unit_test_setup_teardown(tables_of_real_runs, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(panels_of_a_sweep, test_folder_setup, test_folder_teardown),
        cmocka_unit_test(walk_of_the_page),
        cmocka_unit_test_setup_teardown(series_of_other_runs, test_folder_setup,
                                        test_folder_teardown),
        cmocka_unit_test_setup_teardown(refused, test_folder_setup, test_folder_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
