/* The Python package: installed, under the system's Python, with nothing else; the examples of
 * docs/python.md; and what it refuses. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* Installs into the test's folder, once for the program, and runs lines of Python there; $root is
 * the installation, and no variable names its library or command. */
static void expect(const char *lines, const char *output)
{
    test_command command = test_run(
        "unset GOLDMEM_LIBRARY PYTHONPATH; export root='%s/root' repository=$PWD && "
        "{ [ -e $root ] || make -s install PREFIX=$root; } && g=$GOLDMEM && unset GOLDMEM && "
        "export PYTHONPATH=$root/lib/python3/dist-packages && cd $root && "
        "/usr/bin/python3 -W error - <<'E'\n%s\nE\n",
        test_folder(), lines);
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, output);
    assert_int_equal(command.status, 0);
    test_command_free(&command);
}

static int make_folder(void **state)
{
    (void)state;
    test_folder_make();
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    test_folder_remove();
    return 0;
}

/* Reports are the command's, with keys, preset, engine, options and a series. */
static void runs(void **state)
{
    (void)state;
    test_only_in_plain_build();
    expect(
        "import json, os, subprocess, goldmem\n"
        "def alone(*words):\n"
        "    return json.loads(subprocess.check_output([os.environ['root'] + '/bin/goldmem', "
        "'run', '-q', '--json', '-', *words]))\n"
        "one = goldmem.run('workload:bfs,nodes=300', preset='fermi-l1d', set={'l1.ways': 'full', "
        "'tracker.enabled': False}, options=['--check'], series=500)\n"
        "assert one.report == alone('--preset=fermi-l1d', '--set', 'l1.ways=full', "
        "'workload:bfs,nodes=300')\n"
        "assert one['l1d.load.hits'] == one.report['total']['l1d']['load']['hits'] > 0\n"
        "assert sum(one.series.column('cycles')) == one['cycles']\n"
        "assert one.series[0]['unit'] == 'total' and one.series[0]['ipc'] > 0\n"
        "two = goldmem.run('workload:bfs,nodes=300', engine='order')\n"
        "assert two.report == alone('--engine=order', 'workload:bfs,nodes=300')\n"
        "assert two.table().column('l1d.misses') == [k['l1d']['misses'] for k in two.kernels]\n"
        "assert len(two.kernels) > 3\n"
        "print('equal')",
        "equal\n");
}

static void sweeps_and_comparisons(void **state)
{
    (void)state;
    test_only_in_plain_build();
    expect("import goldmem\n"
           "folder = 'sweep'\n"
           "rows = goldmem.sweep(['workload:syrk,n=16', 'workload:vectoradd,n=256'], folder, "
           "grid={'l1.index': ['sequential', 'ipoly:37'], 'gpu.watchdog': [20, 1000000]}, "
           "set={'gpu.sms': 2}, jobs=1)\n"
           "assert len(rows) == 4 and len(rows.failures) == 4, rows\n"
           "assert {row['gpu.watchdog'] for row in rows} == {1000000}\n"
           "for row in rows:\n"
           "    run = goldmem.run(row['input'], set={'l1.index': row['l1.index'], 'gpu.sms': 2})\n"
           "    assert run['cycles'] == row['cycles'] and run['l2.load.hits'] == "
           "row['l2.load.hits']\n"
           "assert len(set(rows.column('cycles'))) > 2\n"
           "points = goldmem.sweep(['workload:vectoradd,n=64'], 'points', list={'small': "
           "{'gpu.sms': 1}, 'large': {'gpu.sms': 8}}, zip={'l1.mshrs': [4, 8], 'l1.merges': [2, "
           "4]})\n"
           "assert points.column('point') == ['small'] * 2 + ['large'] * 2, points\n"
           "assert points.column('l1.merges') == [2, 4] * 2\n"
           "a, b = (goldmem.run('workload:syrk,n=16', set={'l1.index': f}) for f in ('sequential', "
           "'ipoly:37'))\n"
           "change = goldmem.compare(a, b)['runs'][0]['cycles']\n"
           "print(change['a'] == a['cycles'], change['b'] == b['cycles'])\n"
           "part = goldmem.run('workload:syrk,n=16', options=['--max-cycles=900'])\n"
           "try: goldmem.compare(a, part)\n"
           "except goldmem.Error as error: print(error.code)\n"
           "print(goldmem.compare(a, part, different=['parts'])['runs'][0]['part']['b'])",
           "True True\n2\nstopped at max_cycles=900\n");
}

/* embed.c of docs/embedding.md in Python prints what it prints (test_install.c). */
static void memory_system(void **state)
{
    (void)state;
    test_only_in_plain_build();
    expect(
        "import goldmem\n"
        "memory = goldmem.Memory('gtx480', level='below-l1')\n"
        "latency, sent = {}, []\n"
        "while len(latency) < 1000:\n"
        "    memory.tick()\n"
        "    for answer in memory.answers():\n"
        "        latency[answer.id] = answer.cycle - sent[answer.id]\n"
        "        assert answer.port == 3\n"
        "    if len(sent) < 1000 and memory.send(len(sent) * 128, 128, port=3, id=len(sent)):\n"
        "        sent.append(memory.now)\n"
        "reads = memory.statistics()['dram']['reads']\n"
        "print(f'{memory.now} cycles, mean latency {sum(latency.values()) / 1000:.1f}, {reads} "
        "sectors from DRAM')\n"
        "memory.drain(); memory.check(); assert memory.idle\n"
        /* the example in C++: stores of 4096 bytes at an odd address, by a clock of 1 GHz */
        "memory = goldmem.Memory('v100', clock=1000)\n"
        "at, end, stores = 0x10000010, 0x10000010 + 4096, 0\n"
        "while at < end:\n"
        "    size = min(end, at // 128 * 128 + 128) - at\n"
        "    while not memory.send(at, size, kind='store'): memory.tick()\n"
        "    at, stores = at + size, stores + 1\n"
        "assert len(memory.drain()) == stores\n"
        "print(stores, 'stores done in', memory.now, 'cycles of 1 GHz')\n"
        "memory.end_kernel(); before = memory.now; memory.tick(7)\n"
        "print(memory.now - before)\n"
        "before = memory.now; memory.tick(0); memory.drain()\n"
        "for bad in ({'cycles': -1}, {'cycles': 1.5}, {'cycles': 2**64 - 1}, {'cycles': 'a'}, "
        "{'id': -1}, {'id': 2**64}, {'port': 0.5}, {'size': 0}, {'address': -1}, {'warp': "
        "2**32}):\n"
        "    try: memory.tick(**bad) if 'cycles' in bad else memory.send(**{'address': 0, **bad})\n"
        "    except goldmem.Error as error: assert error.code == -22 and ': must be ' in "
        "str(error), error\n"
        "    else: print('taken', bad)\n"
        "assert memory.now == before\n",
        "2751 cycles, mean latency 1002.0, 4000 sectors from DRAM\n"
        "33 stores done in 548 cycles of 1 GHz\n7\n");
}

/* The index functions against the command; an MSHR table by the port list's own words. */
static void blocks(void **state)
{
    (void)state;
    test_only_in_plain_build();
    expect("import csv, os, subprocess, goldmem\n"
           "lines = [(i * 0x9e3779b97f4a7c15 >> 20) % (1 << 42) for i in range(300)]\n"
           "for text in ('sequential', 'xor', 'fold', 'fermi', 'ipoly:41', 'ipoly'):\n"
           "    printed = subprocess.run([os.environ['root'] + '/bin/goldmem', 'index', '--csv', "
           "text, '-'], input='\\n'.join(hex(l * 128) for l in lines), text=True, "
           "stdout=subprocess.PIPE, check=True).stdout\n"
           "    sets = [int(row['set']) for row in csv.DictReader(printed.splitlines())]\n"
           "    index = goldmem.SetIndex(text, sets=32)\n"
           "    assert index.map(lines) == sets == [index[l] for l in lines], text\n"
           "    assert all(index.line(l >> 5, s) == l for l, s in zip(lines, sets))\n"
           "mshr = goldmem.Block('mshr', Entries=2, Merges=2, LineW=8)\n"
           "ask = dict(op='REQUEST', may_allocate=1)\n"
           "words = {v: k for k, v in mshr.constants['outcome'].items()}\n"
           "answers = mshr.access_all([dict(ask, line=l, requester=r) for r, l in enumerate((5, 5, "
           "5, 6, 7))])\n"
           "print([words[a['outcome']] for a in answers])\n"
           "print([mshr.access(op='RESPONSE', id=0)['requester'] for _ in range(2)])\n"
           "mshr.check()\n"
           "print(goldmem.blocks())",
           "['NEW', 'MERGED', 'FAIL', 'NEW', 'FAIL']\n[0, 1]\n"
           "['mshr', 'replacement', 'set_index', 'sharing_tracker', 'tag_store']\n");
}

/* Pictures are well-formed, and have each value. */
static void pictures(void **state)
{
    (void)state;
    test_only_in_plain_build();
    expect("import goldmem, xml.etree.ElementTree as tree\n"
           "def titles(picture): return [t.text for t in tree.fromstring(picture).iter("
           "'{http://www.w3.org/2000/svg}title')]\n"
           "print(titles(goldmem.plot.bars(['a<b', 'c'], [1500, 2], 'A & B')))\n"
           "line = goldmem.plot.lines([0, 10, 20], {'x>y': [1, None, 3], 'z': [0, 0, 4.5]})\n"
           "print(titles(line), line.count('M'), line._repr_svg_() == line)\n"
           "run = goldmem.run('workload:vectoradd,n=64')\n"
           "stack = goldmem.plot.slots({'base': run, 'again': run})\n"
           "kinds = [k for k, v in run['time.slots'].items() if v]\n"
           "assert [t.split(':')[0] for t in titles(stack)] == kinds * 2\n"
           "assert goldmem.plot.bars([], []) and goldmem.plot.lines([], {})\n"
           "stack.save('p.svg'); import pathlib; print(pathlib.Path('p.svg').read_text() == stack)",
           "['a<b: 1,500', 'c: 2']\n['x>y', 'z'] 4 True\nTrue\n");
}

/* One Error each, with the message of command or library. */
static void refuses(void **state)
{
    (void)state;
    test_only_in_plain_build();
    expect(
        "import os, goldmem\n"
        "m = goldmem.Memory()\n"
        "r = goldmem.run('workload:vectoradd,n=96', engine='order')\n"
        "rows = [\n"
        "  (lambda: goldmem.run('workload:nix'), 2, \"no workload 'nix'; did you mean 'nw'?\"),\n"
        "  (lambda: goldmem.run('workload:syrk', set={'l1.wayz': 1}), 2, 'l1.wayz: no such key; "
        "did "
        "you mean l1.ways?'),\n"
        "  (lambda: goldmem.run('--help'), 2, '--help: No such file or directory'),\n"
        "  (lambda: goldmem.sweep(['workload:nix'], 'bad'), 2, \"bad/sweep.yaml:3: no workload "
        "'nix'; did you mean 'nw'?\"),\n"
        "  (lambda: goldmem.Memory(set={'l1.ways': 3}), -22, 'l1.size=16384: must be a multiple of "
        "l1.ways=3 times l1.line=128'),\n"
        "  (lambda: goldmem.Memory('gtx'), -2, 'gtx: no such preset'),\n"
        "  (lambda: goldmem.Memory(level='l1'), -22, \"level 'l1': must be below-sm or "
        "below-l1\"),\n"
        "  (lambda: m.send(0, 200), -22, 'address=0x0 size=200: more than one line of 128 "
        "bytes'),\n"
        "  (lambda: m.send(0, port=99), -22, 'request: port: 99: below 15 are possible'),\n"
        "  (lambda: m.send(-1), -22, 'address=-1: must be 0 to 18446744073709551615'),\n"
        "  (lambda: m.send(0, kind='read'), -22, \"kind 'read': must be one of load, \"),\n"
        "  (lambda: goldmem.Block('cache'), -22, \"no block 'cache'; there are mshr, \"),\n"
        "  (lambda: goldmem.Block('mshr', entries=4), -22, 'mshr: no parameter entries; there are "
        "Entries, '),\n"
        "  (lambda: goldmem.Block('mshr', Entries=-1), -22, 'mshr: Entries=-1: must be a whole "
        "number'),\n"
        "  (lambda: goldmem.Block('mshr', Entries=0), -22, 'mshr: entries 0: must be 1 to 1024'),\n"
        "  (lambda: goldmem.Block('mshr').access(op='ASK'), -22, \"mshr: op='ASK': must be a whole "
        "number\"),\n"
        "  (lambda: goldmem.Block('mshr').access(tag=1), -22, 'mshr: no field tag; there are op, "
        "'),\n"
        "  (lambda: goldmem.Block('mshr').access(op=8), -22, 'mshr: op=8: must be 0 to 7'),\n"
        "  (lambda: goldmem.Block('mshr').access_all([1]), -22, 'mshr: request 1: must be a "
        "dictionary'),\n"
        "  (lambda: r.table().column('foo'), -22, \"no column 'foo'\"),\n"
        "  (lambda: goldmem.run('workload:vectoradd,n=96', options='--check'), -22, "
        "\"options='--check': must be a list of words\"),\n"
        "  (lambda: goldmem.plot.slots({'a': r}), -22, 'a: has no slots, which are of the cycle "
        "engine'),\n"
        "  (lambda: goldmem.SetIndex('xor', sets=5), -22, 'sets=5: must be a power of two'),\n"
        "  (lambda: goldmem.SetIndex('ipoly:33'), -22, \"set-index function 'ipoly:33': \"),\n"
        "]\n"
        "for call, code, text in rows:\n"
        "    try:\n"
        "        call()\n"
        "        print('taken:', text)\n"
        "    except goldmem.Error as error:\n"
        "        assert error.code == code and str(error).startswith(text), (error.code, error)\n"
        "os.environ['GOLDMEM'] = '/nonexistent'\n"
        "try: goldmem.presets()\n"
        "except goldmem.Error as error: print(error)",
        "/nonexistent: No such file or directory; GOLDMEM may name the command\n");
}

/* A library of another version: a member moved, a member of another size, a longer struct, a
 * function that is not there, no library. */
static void other_libraries_are_refused(void **state)
{
    (void)state;
    test_only_in_plain_build();
    expect(
        "import ctypes, goldmem\n"
        "from goldmem import _library as l\n"
        "lib = l.library()\n"
        "R = l.MemoryRequest._fields_\n"
        "def swap(a, b): return [R[b] if i == a else R[a] if i == b else f for i, f in "
        "enumerate(R)]\n"
        "wrong = [swap(0, 1), swap(4, 5), [(n, ctypes.c_uint64 if n == 'warp' else t) for n, t "
        "in R], R + [('more', ctypes.c_uint64)], [(n + '_' * (n == 'kind'), t) for n, t in R]]\n"
        "for fields in wrong:\n"
        "    made = type('Wrong', (ctypes.Structure,), {'_name_': 'gm_memory_request', '_fields_': "
        "fields})\n"
        "    try:\n"
        "        l.check_layouts(lib, [made])\n"
        "        print('taken', fields)\n"
        "    except goldmem.Error as error:\n"
        "        assert 'gm_memory_request' in str(error) and 'another version' in str(error)\n"
        "short = type('Short', (ctypes.Structure,), {'_name_': 'gm_memory_answer', '_fields_': "
        "l.MemoryAnswer._fields_[:-1]})\n"
        "try: l.check_layouts(lib, [short])\n"
        "except goldmem.Error as error: print(str(error).split(': ')[1][:16])\n"
        "l.check_layouts(lib)\n"
        "for path in ('/nonexistent.so', ctypes.util.find_library('c')):\n"
        "    try:\n"
        "        l.load(path)\n"
        "        print('taken', path)\n"
        "    except goldmem.Error as error: print(str(error).split(':')[1])\n"
        "import os, subprocess\n"
        "for call in 'Memory()', 'Block(\"mshr\")', 'SetIndex(\"xor\")', 'blocks()':\n"
        "    text = f'import goldmem\\ntry: goldmem.{call}\\nexcept goldmem.Error as e: print(e)'\n"
        "    done = subprocess.run(['/usr/bin/python3', '-c', text], text=True, "
        "env=dict(os.environ, "
        "GOLDMEM_LIBRARY='/nonexistent.so'), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)\n"
        "    assert done.stdout.count('\\n') == 1 and 'cannot open' in done.stdout, done.stdout",
        "gm_memory_answer\n cannot open shared object file\n no function gm_abi_size\n");
}

/* DataFrames, where Debian's python3-pandas is installed. */
static void data_frames(void **state)
{
    (void)state;
    test_only_in_plain_build();
    test_command has = test_run("/usr/bin/python3 -c 'import pandas' 2>/dev/null");
    bool missing = has.status != 0;
    test_command_free(&has);
    if (missing) {
        print_message("skipped: no python3-pandas; setup.sh regress installs it\n");
        skip();
    }
    test_command command =
        test_run("PYTHONPATH=python GOLDMEM_LIBRARY=$(dirname $GOLDMEM)/libgoldmem.so "
                 "/usr/bin/python3 -c \"import goldmem\n"
                 "run = goldmem.run('workload:bfs,nodes=300', series=1000)\n"
                 "frame = run.frame()\n"
                 "assert frame['l1d.misses'].sum() == run['l1d.misses']\n"
                 "assert len(frame) == len(run.kernels)\n"
                 "assert run.series.frame()['cycles'].sum() == run['cycles']\n"
                 "print('frames')\"");
    assert_string_equal(command.output, "frames\n");
    test_command_free(&command);
}

/* The examples of docs/python.md print what the page shows. */
static void page(void **state)
{
    (void)state;
    test_only_in_plain_build();
    expect(
        "import doctest, os, pathlib\n"
        "text = pathlib.Path(os.environ['repository'] + "
        "'/docs/python.md').read_text().replace('```', '\\n')\n"
        "test = doctest.DocTestParser().get_doctest(text, {}, 'python.md', 'docs/python.md', 0)\n"
        "result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)\n"
        "print(result.failed, result.attempted > 12)",
        "0 True\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs),          cmocka_unit_test(sweeps_and_comparisons),
        cmocka_unit_test(memory_system), cmocka_unit_test(blocks),
        cmocka_unit_test(pictures),      cmocka_unit_test(refuses),
        cmocka_unit_test(data_frames),   cmocka_unit_test(other_libraries_are_refused),
        cmocka_unit_test(page),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
