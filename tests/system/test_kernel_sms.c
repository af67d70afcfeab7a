/* goldmem run --per-sm: the SMs' counters of each kernel, in JSON and CSV. */
#include "support/report/report_python.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* Runs lines of Python in the test's folder. run(...) is a report, call(...) a finished command,
 * flat(tree) the counters of a report's part. */
static void expect(const char *lines, const char *output)
{
    report_python_expect(
        "def call(*words): return goldmem('run', '-q', *words)\n"
        "def flat(tree, prefix=''):\n"
        "    rows = {}\n"
        "    for name, value in tree.items():\n"
        "        if isinstance(value, dict): rows.update(flat(value, prefix + name + '.'))\n"
        "        elif isinstance(value, int): rows[prefix + name] = value\n"
        "    return rows\n"
        "def without(report):\n"
        "    return [{k: v for k, v in kernel.items() if k != 'per_sm'} for kernel in "
        "report['kernels']]\n"
        "bfs = 'workload:bfs,nodes=3000'\n",
        lines, output);
}

/* The SMs of a kernel sum up to the kernel, the kernels of an SM to the SM of the run; nothing else
 * of the report changes. */
static void sums(void **state)
{
    (void)state;
    expect(
        "cases = 0\n"
        "for words in ([], ['--engine=order'], ['--preset=v100', '--set=gpu.sms=4'], "
        "['--preset=kepler-hybrid-tracker'], ['--preset=fermi-tc', '--set=coherence=tcw']):\n"
        "    report = run('--check', '--per-sm', *words, bfs)\n"
        "    plain = run(*words, bfs)\n"
        "    assert without(report) == plain['kernels'] and report['total'] == plain['total']\n"
        "    assert len(report['kernels']) > 5\n"
        "    for kernel in report['kernels']:\n"
        "        assert [s['sm'] for s in kernel['per_sm']] == list(range(len(report['per_sm'])))\n"
        "        whole, sms = flat(kernel), [flat(s) for s in kernel['per_sm']]\n"
        "        names = [n for n in sms[0] if n in whole and (n.startswith('l1d.') or "
        "n.startswith('time.slots.') or n.endswith('instructions') or n in ('ctas', 'warps', "
        "'barriers', 'traffic_bytes.st'))]\n"
        "        assert len(names) > 40\n"
        "        for name in names:\n"
        "            assert sum(s[name] for s in sms) == whole[name], (words, name)\n"
        "        if 'cycles' in whole:\n"
        "            assert all(s.get('time.cycles', whole['cycles']) == whole['cycles'] for s in "
        "sms)\n"
        "    for sm, all_of in enumerate(report['per_sm']):\n"
        "        all_of = flat(all_of)\n"
        "        parts = [flat(k['per_sm'][sm]) for k in report['kernels']]\n"
        "        for name in ('ctas', 'warp_instructions', 'l1d.accesses', 'l1d.load.misses', "
        "'l1d.store.accesses', 'traffic_bytes.st'):\n"
        "            assert sum(p[name] for p in parts) == all_of[name], (words, sm, name)\n"
        "        busy = sum(p['ctas'] != 0 for p in parts)\n"
        "        cases += busy > 1 and len({p['warp_instructions'] for p in parts}) > 3\n"
        "assert cases > 20, cases\n"
        "print('sums')",
        "sums\n");
}

/* Bytes do not depend on threads and skipping, and go through checkpoints, which are of runs with
 * this option; a run that stops has the rows of what it has done. */
static void bytes(void **state)
{
    (void)state;
    expect("report = run('--per-sm', bfs)\n"
           "for words in ['--no-skip'], ['--threads=1'], ['--threads=4']:\n"
           "    assert run('--per-sm', *words, bfs) == report, words\n"
           "for stop in 3000, 30000, 60000:\n"
           "    half = run('--per-sm', '--checkpoint=state,every=1000000', f'--max-cycles={stop}', "
           "bfs)\n"
           "    last = half['kernels'][-1]\n"
           "    assert sum(s['warp_instructions'] for s in last['per_sm']) == "
           "last['warp_instructions']\n"
           "    assert run('--per-sm', '--resume=state', bfs) == report, stop\n"
           "    refused = call('--resume=state', bfs)\n"
           "    assert refused.returncode == 2 and refused.stderr == 'goldmem: state: made with "
           "--per-sm; this run is without it\\n', refused.stderr\n"
           "one = run('--per-sm', '--kernels=2', bfs)['kernels']\n"
           "assert len(one) == 1 and sum(s['ctas'] for s in one[0]['per_sm']) == one[0]['ctas']\n"
           "print('equal')",
           "equal\n");
}

/* Kernels that run beside others have no rows of SMs; one that has the machine to itself has. */
static void beside(void **state)
{
    (void)state;
    expect("report = run('--per-sm', '--check', '--set=gpu.kernels=4', 'workload:overlap')\n"
           "have = ['per_sm' in k for k in report['kernels']]\n"
           "ran = [k['overlap']['beside'] != 0 for k in report['kernels']]\n"
           "assert [not r for r in ran] == have and any(ran), (have, ran)\n"
           "alone = run('--per-sm', '--set=gpu.kernels=4', bfs)\n"
           "assert all('per_sm' in k for k in alone['kernels'])\n"
           "print('known')",
           "known\n");
}

/* CSV: behind each kernel's row one for each SM, with the JSON's counters. */
static void as_csv(void **state)
{
    (void)state;
    expect("done = call('--per-sm', '--csv', '-', bfs)\n"
           "assert done.returncode == 0\n"
           "rows = list(csv.DictReader(io.StringIO(done.stdout)))\n"
           "report = run('--per-sm', bfs)\n"
           "kernels, sms = len(report['kernels']), len(report['per_sm'])\n"
           "assert [r['row'] for r in rows] == (['kernel'] + ['kernel sm'] * sms) * kernels + "
           "['total'] + ['sm'] * sms\n"
           "for at, kernel in enumerate(report['kernels']):\n"
           "    for sm in range(sms):\n"
           "        row = rows[at * (sms + 1) + 1 + sm]\n"
           "        assert (int(row['number']), row['name']) == (sm, kernel['name'])\n"
           "        assert int(row['l1d.accesses']) == kernel['per_sm'][sm]['l1d']['accesses']\n"
           "        assert int(row['warp_instructions']) == "
           "kernel['per_sm'][sm]['warp_instructions']\n"
           "        assert row['l2.accesses'] == ''\n"
           "plain = call('--csv', '-', bfs).stdout\n"
           "assert plain == ''.join(l for l in done.stdout.splitlines(True) if not "
           "l.startswith(('kernel sm,', 'sm,')))\n"
           "print('rows')",
           "rows\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),
        cmocka_unit_test(bytes),
        cmocka_unit_test(beside),
        cmocka_unit_test(as_csv),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
