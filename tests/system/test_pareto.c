/* goldmem gates --pareto against second computations: polynomials by Moebius' formula, networks by
 * `goldmem gates` and Yosys, strides by division and counting, misses by runs of their own, and the
 * optimal points by comparing all pairs. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OSU018 "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"

/* Runs lines of Python in the test's folder, before them what they share. `python` is what they
 * print. */
static void expect(const char *lines, const char *python)
{
    test_command command =
        test_run("export g=$(realpath $GOLDMEM); cd '%s' && cat >shared.py <<'E'\n"
                 "import json, os, subprocess\n"
                 "def run(*words):\n"
                 "    return subprocess.run([os.environ['g'], *words], check=True, text=True,\n"
                 "                          stdout=subprocess.PIPE).stdout\n"
                 "def gates(*words): return json.loads(run('gates', '--json', *words))\n"
                 "def functions(study):\n"
                 "    return list(dict.fromkeys(p['function'] for p in study['points']))\n"
                 "E\n"
                 "python3 - <<'E'\nfrom shared import *\n%s\nE\n",
                 test_folder_make(), lines);
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, python);
    assert_int_equal(command.status, 0);
    test_command_free(&command);
    test_folder_remove();
}

/* Moebius' formula: degree m has 1/m * sum over d | m of mu(d) 2^(m / d) irreducible polynomials;
 * for m > 1 each has a constant term, and for m = 1 only x + 1 is an index function. */
static void every_irreducible_polynomial(void **state)
{
    (void)state;
    expect("def mu(n):\n"
           "    sign = 1\n"
           "    for p in range(2, n + 1):\n"
           "        if n % p == 0:\n"
           "            n //= p\n"
           "            if n % p == 0: return 0\n"
           "            sign = -sign\n"
           "    return sign\n"
           "counts = []\n"
           "for m in range(1, 9):\n"
           "    study = gates('--pareto', '--restarts=0', '--strides=1', '--set=l1.size=%d' % "
           "(128 << m), '--set=l1.ways=1', 'workload:vectoradd,n=64')\n"
           "    assert study['sets'] == 1 << m\n"
           "    counts.append(sum(f.startswith('ipoly:') for f in functions(study)))\n"
           "    formula = sum(mu(d) << m // d for d in range(1, m + 1) if m % d == 0) // m\n"
           "    assert counts[-1] == formula - (m == 1), (m, counts[-1], formula)\n"
           "print(counts)",
           "[1, 1, 2, 3, 6, 9, 18, 30]\n");
}

/* Each function's points are the frontier that `goldmem gates` prints of it alone; Yosys counts as
 * many XOR cells in the netlist, and finds nothing else in it. */
static void networks_of_gates(void **state)
{
    (void)state;
    expect(
        "study = gates('--pareto', '--restarts=5', '--seed=3', '--strides=8', "
        "'--set=l1.ways=2', '--also=ipoly:65:reducible', 'workload:vectoradd,n=64')\n"
        "points = {}\n"
        "for p in study['points']: points.setdefault(p['function'], []).append(p)\n"
        "script, expected = '', []\n"
        "for f, own in points.items():\n"
        "    if f in ('prime', 'skew'):\n"
        "        assert 'gates' not in own[0] and not own[0]['pareto'], own\n"
        "        continue\n"
        "    alone = gates('--restarts=5', '--seed=3', '--sets=64', f)\n"
        "    frontier = sorted((p['gates'], p['depth'], p['fanout']) for p in alone['frontier'])\n"
        "    assert sorted((p['gates'], p['depth'], p['fanout']) for p in own) == frontier, f\n"
        "    assert all(p['nand2_equivalents'] == 4 * p['gates'] for p in own)\n"
        "    name = 'f%d' % len(expected)\n"
        "    run('gates', '--restarts=5', '--seed=3', '--sets=64', '--emit', name + '.sv', "
        "'--module', name, f)\n"
        "    script += f'read_verilog -sv {name}.sv; synth -noabc -top {name}; '\\\n"
        "              f'tee -o {name}.json stat -json -top {name}; design -reset; '\n"
        "    expected.append((name, frontier[0][0]))\n"
        "subprocess.run(['yosys', '-q', '-p', script], check=True, stdout=subprocess.DEVNULL)\n"
        "for name, number in expected:\n"
        "    text = open(name + '.json').read()\n"
        "    cells = json.loads(text[text.index('{'):])['modules']['\\\\' + name]\n"
        "    assert cells['num_cells_by_type'] == ({'$_XOR_': number} if number else {}), name\n"
        "print(len(expected), max(n for _, n in expected))",
        "14 72\n");
}

/* The references of each stride 1 to 200, mapped by each function as its definition says. */
static void strides_by_counting(void **state)
{
    (void)state;
    expect("study = gates('--pareto', '--restarts=0', '--strides=200', '--set=l1.ways=2', "
           "'--set=l1.size=4K', 'workload:vectoradd,n=64')\n"
           "M, m = study['sets'], 4\n"
           "def divide(line, p):\n"
           "    while line >= M: line ^= p << line.bit_length() - m - 1\n"
           "    return line\n"
           "def fold(line):\n"
           "    index = 0\n"
           "    while line: index, line = index ^ line % M, line // M\n"
           "    return index\n"
           "rules = {'sequential': lambda x: x % M, 'xor': lambda x: x % M ^ x // M % M, "
           "'fold': fold,\n"
           "         'prime': lambda x: x % 13, 'skew': lambda x: (x + x // M) % M}\n"
           "for p in (19, 25, 31): rules[f'ipoly:{p}'] = lambda x, p=p: divide(x, p)\n"
           "assert M == 16 and set(functions(study)) == set(rules), functions(study)\n"
           "for p in study['points']:\n"
           "    rule = rules[p['function']]\n"
           "    used = [len({rule(i * s) for i in range(M)}) for s in range(1, 201)]\n"
           "    assert p['free_strides'] == used.count(M), p\n"
           "    assert abs(p['mean_sets'] - sum(used) / 200) < 1e-9, p\n"
           "print(study['strides'])",
           "200\n");
}

/* Misses of both levels are those of `goldmem run` with the function, the mean is of the cache's
 * rates, and a point is optimal if and only if no other one dominates it. */
static void misses_of_runs(void **state)
{
    (void)state;
    expect("inputs = ['workload:bfs,nodes=600', 'workload:syrk,n=16']\n"
           "optimal = []\n"
           "for cache, machine in (('l1', ['--set=l1.ways=1']), ('l2', ['--preset=fermi-l1d', "
           "'--set=l2.size=24K', '--set=l2.ways=2'])):\n"
           "    study = gates('--pareto', '--restarts=1', '--strides=64', '--cache=' + cache, "
           "*machine, "
           "*inputs)\n"
           "    assert study['workloads'] == inputs and study['cache'] == cache\n"
           "    runs = {}\n"
           "    for f in functions(study):\n"
           "        for i in inputs:\n"
           "            total = json.loads(run('run', '-q', '--engine=order', '--json', '-', "
           "*machine, "
           "f'--set={cache}.index={f}', i))['total']\n"
           "            runs[f, i] = {'accesses': total['l1d' if cache == 'l1' else "
           "'l2']['accesses'], "
           "'l1d': total['l1d']['misses'], 'l2': total['l2']['misses']}\n"
           "    level = 'l1d' if cache == 'l1' else 'l2'\n"
           "    def worth(p): return [p['gates'], p['depth'], p['fanout'], p['miss_rate'], "
           "-p['free_strides']]\n"
           "    linear = [p for p in study['points'] if 'gates' in p]\n"
           "    for p in study['points']:\n"
           "        own = [runs[p['function'], i] for i in inputs]\n"
           "        assert p['misses'] == own, (p, own)\n"
           "        mean = sum(r[level] / r['accesses'] for r in own) / len(own)\n"
           "        assert abs(p['miss_rate'] - mean) < 1e-12, (p, mean)\n"
           "        beaten = any(worth(q) != worth(p) and all(a <= b for a, b in zip(worth(q), "
           "worth(p))) for q in linear) if 'gates' in p else True\n"
           "        assert p['pareto'] == (not beaten), p\n"
           "    assert len({tuple(r[level] for r in [runs[f, i] for i in inputs]) for f in "
           "functions(study)}) > 5\n"
           "    costs = [(p['gates'], p['depth']) for p in linear]\n"
           "    assert costs == sorted(costs) and study['points'][:len(linear)] == linear\n"
           "    optimal.append(sum(p['pareto'] for p in linear))\n"
           "    assert 2 < optimal[-1] < len(linear), optimal\n"
           "print('equal')",
           "equal\n");
}

/* Text and CSV say what JSON says; the picture is well-formed, has each point in each panel, and
 * names no other file. */
static void forms_and_picture(void **state)
{
    (void)state;
    expect(
        "import csv, re, xml.etree.ElementTree as tree\n"
        "words = ['--pareto', '--restarts=2', '--strides=64', '--svg=p.svg', "
        "'workload:bfs,nodes=256', 'workload:syrk,n=16']\n"
        "study = gates(*words)\n"
        "rows = list(csv.DictReader(run('gates', '--csv', *words).splitlines()))\n"
        "text = run('gates', *words)\n"
        "lines = re.findall(r'^[* ] ((?:[a-z]+)(?::\\d+)?) +(.*)$', "
        "text.split('Pareto-optimal')[1], "
        "re.M)\n"
        "assert len(rows) == len(study['points']) == len(lines), lines\n"
        "for row, p, line in zip(rows, study['points'], lines):\n"
        "    assert row['function'] == p['function'] == line[0]\n"
        "    assert row['gates'] == str(p.get('gates', '')) and row['depth'] == str(p.get('depth', "
        "''))\n"
        "    assert row['nand2'] == str(p.get('nand2_equivalents', ''))\n"
        "    assert line[1].split()[0] == (row['gates'] or '-')\n"
        "    assert row['free_strides'] == str(p['free_strides']) and row['strides'] == '64'\n"
        "    assert bool(int(row['pareto'])) == p['pareto']\n"
        "    counts = [m['l1d'] for m in p['misses']]\n"
        "    assert [int(row['l1d.misses ' + w]) for w in study['workloads']] == counts\n"
        "    assert [int(row['l2.misses ' + w]) for w in study['workloads']] == [m['l2'] for m in "
        "p['misses']]\n"
        "    assert [int(x) for x in line[1].split()[-2:]] == counts\n"
        "starred = re.findall(r'^\\* ([a-z]\\S+) ', text.split('Pareto-optimal')[1], re.M)\n"
        "assert starred == [p['function'] for p in study['points'] if p['pareto']]\n"
        "picture = tree.parse('p.svg').getroot()\n"
        "name = '{http://www.w3.org/2000/svg}'\n"
        "circles = [c for c in picture.iter(name + 'circle') if c.find(name + 'title') is not "
        "None]\n"
        "linear = [p for p in study['points'] if 'gates' in p]\n"
        "assert len(circles) == 3 * len(linear)\n"
        "assert sum(c.get('class') == 'best' for c in circles) == 3 * len(starred)\n"
        "width, height = (float(x) for x in picture.get('viewBox').split()[2:])\n"
        "for c in circles:\n"
        "    assert 0 < float(c.get('cx')) < width and 0 < float(c.get('cy')) < height\n"
        "for p in linear:\n"
        "    title = f\"{p['function']}: {p['gates']} gates, depth {p['depth']}, fan-out "
        "{p['fanout']}; \"\n"
        "    found = [c.find(name + 'title').text for c in circles]\n"
        "    assert sum(t.startswith(title) for t in found) >= 3, title\n"
        "data = open('p.svg').read()\n"
        "assert not re.search(r'href|url\\(|<script|@import', data)\n"
        "assert data.count('http') == 1 # the name space\n"
        "print(len(starred) > 1)",
        "True\n");
}

/* A library of XOR cells of area 5 and a NAND2 of area 2. */
static void areas_of_a_library(void **state)
{
    (void)state;
    expect("def cell(name, area, function, pins='AB'):\n"
           "    return f'cell ({name}) {{ area : {area}; ' + ''.join(f'pin ({p}) {{ direction : "
           "input; "
           "}} ' for p in pins) + f'pin (Y) {{ direction : output; function : \"{function}\"; }} "
           "}}\\n'\n"
           "open('tiny.lib', 'w').write('library (tiny) {\\n' + cell('BUF', 1.5, 'A', 'A') + "
           "cell('INV', 1, \"A'\", 'A') + cell('NAND2', 2, \"(A*B)'\") + cell('XOR2', 5, 'A^B') + "
           "'}\\n')\n"
           "study = gates('--pareto', '--liberty=tiny.lib', '--restarts=2', '--strides=8', "
           "'--set=l1.ways=32', 'workload:vectoradd,n=64')\n"
           "of = {p['function']: p for p in study['points']}\n"
           "assert of['xor']['area'] == 5 * of['xor']['gates'] == 10, of['xor']\n"
           "assert of['xor']['nand2_equivalents'] == 5 and of['sequential']['area'] == 0\n"
           "print(study['sets'])",
           "4\n");
}

/* [khairy, figure 7] in cells of 0.18 micrometres, where Debian's package is installed: areas are
 * those of the library's XOR2X1 and XNOR2X1, both 56, over 24 of its NAND2X1. */
static void cells_of_osu018(void **state)
{
    (void)state;
    if (access(OSU018, R_OK) != 0) {
        print_message("no %s: setup.sh regress installs it\n", OSU018);
        skip();
    }
    expect(
        "of = gates('--liberty=" OSU018 "', '--address-bits=27', 'ipoly:37')\n"
        "best, written = of['best'], of['as_written']\n"
        "assert best['area'] == 30 * 56 and best['nand2_equivalents'] == 30 * 56 / 24, best\n"
        "assert written['area'] == 37 * 56 and 500 < best['delay_ps'] < written['delay_ps'] < "
        "900\n"
        "study = gates('--pareto', '--liberty=" OSU018 "', '--restarts=1', '--strides=8', "
        "'--set=l1.ways=16', 'workload:vectoradd,n=64')\n"
        "point = {p['function']: p for p in study['points']}['xor']\n"
        "alone = gates('--liberty=" OSU018 "', '--sets=8', 'xor')['best']\n"
        "print(point['area'] == alone['area'] == 3 * 56, point['delay_ps'] == alone['delay_ps'])",
        "True True\n");
}

typedef struct refusal {
    const char *command;
    int status;
    const char *errors; /* its beginning */
} refusal;

static const refusal refusals[] = {
    {"gates --pareto", 2, "goldmem: --pareto: no workload named, such as workload:syrk,n=32; try"},
    {"gates --pareto --sets 64 workload:syrk", 2,
     "goldmem: --pareto: sets and lines are the machine's: --set l1.ways=...; try"},
    {"gates --pareto --sweep workload:syrk", 2,
     "goldmem: --pareto does not go with --sweep, --emit and --yosys; try"},
    {"gates --pareto --yosys workload:syrk", 2, "goldmem: --pareto does not go with"},
    {"gates --svg p.svg xor", 2,
     "goldmem: --cache, --also, --svg, --preset and --set need --pareto; try"},
    {"gates --pareto --cache l3 workload:syrk", 2, "goldmem: --cache l3: must be l1 or l2; try"},
    {"gates --pareto --preset gtx workload:syrk", 2, "goldmem: gtx: no such preset; there are"},
    {"gates --pareto --set l1.wayz=2 workload:syrk", 2,
     "goldmem: l1.wayz: no such key; did you mean l1.ways?\n"},
    {"gates --pareto --set l1.ways=full workload:syrk", 2,
     "goldmem: --pareto: the l1 has one set, which takes no index\n"},
    {"gates --pareto --set l1.line=64 --set l2.line=64 --also fermi workload:syrk", 2,
     "goldmem: set-index function 'fermi': it is defined for lines of 128 bytes, not 64\n"},
    {"gates --pareto --set l1.enabled=no workload:syrk", 2,
     "goldmem: --pareto: the l1 is off (l1.enabled=no)\n"},
    {"gates --pareto --also ipoly:33 workload:syrk", 2,
     "goldmem: set-index function 'ipoly:33': polynomial 33 is reducible: 3 divides it"},
    {"gates --pareto --address-bits 7 workload:syrk", 2,
     "goldmem: 7 address bits are none for this cache\n"},
    {"gates --pareto --depth 1 --restarts 0 workload:syrk", 2,
     "goldmem: --depth 1: ipoly:37 needs 5\n"},
    {"gates --pareto --svg p.svg --restarts 0 workload:nothing", 2,
     "goldmem: no workload 'nothing'"},
    {"gates --pareto --svg p.svg --restarts 0 workload:bfs,nodes=64 nowhere.traceg", 2,
     "goldmem: nowhere.traceg: No such file"},
    {"gates --pareto --svg /nonexistent/p.svg workload:vectoradd,n=64", 2,
     "goldmem: /nonexistent/p.svg: No such file"},
    {"gates --pareto --set sm.throttle=static --restarts 0 workload:vectoradd,n=64", 2,
     "goldmem: sm.throttle: needs the cycle engine\n"},
    {"gates --pareto a b c d e f g h i j k l m n o p q", 2,
     "goldmem: 'q' is one too many: 16 at most; try"},
};

/* One line, its exit code, and no picture. */
static void refuses(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        test_command ran = test_run("g=$(realpath $GOLDMEM); cd '%s' && $g %s; status=$?; ls -A; "
                                    "exit $status",
                                    test_folder_make(), refusals[i].command);
        print_message("%s\n", refusals[i].command);
        assert_string_equal(ran.output, "");
        assert_ptr_equal(strstr(ran.errors, refusals[i].errors), ran.errors);
        assert_ptr_equal(strchr(ran.errors, '\n'), ran.errors + strlen(ran.errors) - 1);
        assert_int_equal(ran.status, refusals[i].status);
        test_command_free(&ran);
        test_folder_remove();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_irreducible_polynomial),
        cmocka_unit_test(networks_of_gates),
        cmocka_unit_test(strides_by_counting),
        cmocka_unit_test(misses_of_runs),
        cmocka_unit_test(forms_and_picture),
        cmocka_unit_test(areas_of_a_library),
        cmocka_unit_test(cells_of_osu018),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
