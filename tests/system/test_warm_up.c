/* goldmem run --warm-up: laws that hold it to runs without one, checkpoints, and what is refused.
 */
#include "support/report/report_python.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* Runs lines of Python in the test's folder. run(...) is a report; flat(total) its counters,
 * without those that are computed from others or are states. */
static void expect(const char *lines, const char *output)
{
    report_python_expect(
        "def call(*words): return goldmem('run', '-q', '--json', '-', *words)\n"
        "def flat(tree, prefix=''):\n"
        "    rows = {}\n"
        "    for name, value in tree.items():\n"
        "        if isinstance(value, dict): rows.update(flat(value, prefix + name + '.'))\n"
        "        else: rows[prefix + name] = value\n"
        "    return {n: v for n, v in rows.items() if not n.startswith(('energy', 'rates', "
        "'milli', "
        "'unified')) and n not in ('l2_dirty_sectors', 'sm', 'bank', 'partition') and "
        "isinstance(v, "
        "int) and 'first_closed' not in n}\n"
        "def less(a, b): return {n: a[n] - b[n] for n in a}\n"
        "def same(a, b):\n"
        "    assert a == b, {n: (a[n], b[n]) for n in a if a[n] != b[n]}\n",
        lines, output);
}

/* After N instructions: the whole run less the run that --max-instructions N stops, of all, of each
 * SM, bank and channel; rows of kernels as without. */
static void instructions(void **state)
{
    (void)state;
    expect(
        "cases = 0\n"
        "for engine, machine in (('order', []), ('cycle', []), ('cycle', ['--preset=v100', "
        "'--set=gpu.sms=4']), ('cycle', ['--preset=kepler-hybrid-tracker']), ('order', "
        "['--preset=kepler-hybrid']), ('cycle', ['--set=gpu.kernels=4', "
        "'--set=l1.streaming=yes'])):\n"
        "    for number, text in (1, 'bfs,nodes=300'), (9000, 'bfs,nodes=300'), (30958, "
        "'bfs,nodes=300'), (20000, 'vectoradd,n=4096'):\n"
        "        words = ['--engine=' + engine, *machine, '--per-sm', '--per-bank', 'workload:' + "
        "text]\n"
        "        whole = run(*words)\n"
        "        stopped = run('--max-instructions', str(number), *words)\n"
        "        warm = run('--warm-up', f'instructions={number}', *words)\n"
        "        assert warm['warm_up'] == {'instructions': number} and warm['kernels'] == "
        "whole['kernels']\n"
        "        same(flat(warm['total']), less(flat(whole['total']), flat(stopped['total'])))\n"
        "        for part in 'per_sm', 'per_bank', 'per_partition':\n"
        "            for w, f, s in zip(warm[part], whole[part], stopped[part], strict=True):\n"
        "                same(flat(w), less(flat(f), flat(s)))\n"
        "        assert 0 <= warm['total']['thread_instructions'] < "
        "whole['total']['thread_instructions']\n"
        "        cases += 1\n"
        "print(cases)",
        "24\n");
}

/* After N kernels: the sum of the other kernels' rows. After N CTAs, which run one after the other:
 * the run less that which stops at their instructions. */
static void kernels_and_ctas(void **state)
{
    (void)state;
    expect(
        "for engine in 'order', 'cycle':\n"
        "    words = ['--engine=' + engine, 'workload:bfs,nodes=300']\n"
        "    for number in 1, 5, len(run(*words)['kernels']) - 1:\n"
        "        warm = run('--warm-up', f'kernels={number}', *words)\n"
        "        rows = [flat(k) for k in warm['kernels'][number:]]\n"
        "        total = flat(warm['total'])\n"
        "        for name in ('ctas', 'warps', 'thread_instructions', 'l1d.accesses', "
        "'l1d.misses', 'l2.load.hits', 'dram.reads', 'traffic_bytes.ld') + (('cycles', "
        "'time.slots.memory', 'time.load_cycles') if engine == 'cycle' else ()):\n"
        "            assert total[name] == sum(r[name] for r in rows), (name, number)\n"
        "    one = ['--engine=' + engine, '--set=gpu.sms=1', '--set=sm.ctas=1', "
        "'workload:vectoradd,n=4096']\n"
        "    whole = run(*one)\n"
        "    ctas = whole['total']['ctas']\n"
        "    each = whole['total']['thread_instructions'] // ctas\n"
        "    assert each * ctas == whole['total']['thread_instructions'] and ctas > 8\n"
        "    for number in 1, 3, ctas - 1:\n"
        "        warm = run('--warm-up', f'ctas={number}', *one)\n"
        "        assert warm['total']['thread_instructions'] == (ctas - number) * each\n"
        "        assert warm['total']['l1d']['accesses'] == whole['total']['l1d']['accesses'] // "
        "ctas * (ctas - number)\n"
        "    if engine == 'order':\n"
        "        stopped = run('--max-instructions', str(3 * each), *one)\n"
        "        same(flat(run('--warm-up=ctas=3', *one)['total']), less(flat(whole['total']), "
        "flat(stopped['total'])))\n"
        "print('equal')",
        "equal\n");
}

/* Bytes do not depend on --threads, --no-skip, or on checkpoints before and after the point; a
 * checkpoint is of a run with this warm-up. */
static void threads_skips_and_checkpoints(void **state)
{
    (void)state;
    expect(
        "words = ['--check', '--per-sm', '--per-bank', 'workload:bfs,nodes=300']\n"
        "for warm in '--warm-up=instructions=12000', '--warm-up=ctas=9', '--warm-up=kernels=6':\n"
        "    order = run('--engine=order', warm, *words)\n"
        "    assert all(run('--engine=order', f'--threads={t}', warm, *words) == order for t in "
        "(2, 4))\n"
        "    whole = run(warm, *words)\n"
        "    assert run('--no-skip', warm, *words) == whole == run('--threads=2', warm, *words)\n"
        "    codes = []\n"
        "    for stop in 1500, 8000:\n"
        "        done = call('--checkpoint=state,every=1000000', f'--max-cycles={stop}', warm, "
        "*words)\n"
        "        codes.append(done.returncode)\n"
        "        assert done.returncode == 0 or 'ends before its warm-up' in done.stderr\n"
        "        assert run('--resume=state', warm, *words) == whole, (warm, stop)\n"
        "    assert codes == [2, 0], codes\n"
        "    for other in [], ['--warm-up=ctas=8'], ['--warm-up=kernels=9']:\n"
        "        refused = call('--resume=state', *other, *words)\n"
        "        assert refused.returncode == 2, refused\n"
        "        assert refused.stderr == 'goldmem: state: made with another --warm-up\\n', "
        "refused.stderr\n"
        "print(len(words))",
        "4\n");
}

typedef struct refusal {
    const char *arguments, *errors; /* its beginning */
} refusal;

static const refusal refusals[] = {
    {"--warm-up 5", "--warm-up: '5' is not kernels=N, ctas=N or instructions=N; try"},
    {"--warm-up cycles=5", "--warm-up: 'cycles=5' is not kernels=N, ctas=N or instructions=N; try"},
    {"--warm-up ctas=0", "--warm-up: '0' is not a number, 1 or more"},
    {"--warm-up kernels=2", "the run ends before its warm-up of 2 kernels\n"},
    {"--warm-up ctas=1000", "the run ends before its warm-up of 1000 CTAs\n"},
    {"--warm-up instructions=1M",
     "the run ends before its warm-up of 1000000 thread instructions\n"},
    {"--engine=order --warm-up instructions=1M",
     "the run ends before its warm-up of 1000000 thread instructions\n"},
    {"--warm-up ctas=1 --latency",
     "a warm-up does not go with --latency, which counts whole runs\n"},
    {"--warm-up ctas=1 --per-pc", "a warm-up does not go with --per-pc, which counts whole runs\n"},
    {"--warm-up ctas=1 --analyze=reuse",
     "a warm-up does not go with --analyze, which counts whole runs\n"},
};

static void refuses(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        char expected[160];
        test_command ran = test_run("g=$(realpath $GOLDMEM); cd '%s' && $g run -q --json r.json %s "
                                    "workload:vectoradd,n=64; status=$?; ls -A; exit $status",
                                    test_folder_make(), refusals[i].arguments);
        print_message("%s\n", refusals[i].arguments);
        snprintf(expected, sizeof expected, "goldmem: %s", refusals[i].errors);
        assert_string_equal(ran.output, "");
        assert_ptr_equal(strstr(ran.errors, expected), ran.errors);
        assert_int_equal(ran.status, 2);
        test_command_free(&ran);
        test_folder_remove();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions),
        cmocka_unit_test(kernels_and_ctas),
        cmocka_unit_test(threads_skips_and_checkpoints),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
