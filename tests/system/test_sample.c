/* goldmem run --sample: held to full runs, laws of its reports, what is refused, and what compare
 * makes of it. */
#include "support/report/report_python.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* Runs lines of Python in the test's folder. run(...) is a report, call(...) a finished command. */
static void expect(const char *lines, const char *output)
{
    report_python_expect(
        "call = goldmem\n"
        "def whole(report):\n"
        "    report = dict(report)\n"
        "    report.pop('sample', None)\n"
        "    report['kernels'] = [{k: v for k, v in kernel.items() if k != 'sample'} for kernel in "
        "report['kernels']]\n"
        "    return report\n"
        "stencil = 'workload:stencil3d,x=512,y=128,z=12,iterations=1'\n",
        lines, output);
}

/* A share of 100%, and kernels too small to be sampled: the bytes of a full run, with intervals of
 * no width. */
static void all_is_a_full_run(void **state)
{
    (void)state;
    expect("for words in (['--sample=ctas:100%', 'workload:bfs,nodes=300'], ['--sample=ctas:10%', "
           "'workload:bfs,nodes=300'], ['--sample=ctas:1', '--preset=v100', "
           "'workload:vectoradd,n=65536']):\n"
           "    sampled = run('--check', *words)\n"
           "    assert whole(sampled) == run(*words[1:]), words\n"
           "    sample = sampled['sample']\n"
           "    assert sample['units'] == sample['kernels'] == 0 and sample['ctas'] == "
           "sample['simulated'] == sampled['total']['ctas']\n"
           "    for interval in sample['intervals'].values():\n"
           "        assert interval['low'] == interval['value'] == interval['high'] or "
           "abs(interval['high'] - interval['low']) < 1e-9\n"
           "    assert sample['intervals']['cycles']['value'] == sampled['total']['cycles']\n"
           "print('equal')",
           "equal\n");
}

/* Known of all CTAs: instructions. Estimated: the full run's value in the interval for nearly all
 * seeds, and near it for every one. */
static void near_the_full_run(void **state)
{
    (void)state;
    expect(
        "for words, most in (([stencil], 0.1), (['--preset=v100', '--set=gpu.sms=4', "
        "'workload:vectoradd,n=524288'], 0.1), (['--set=l2.replacement=srrip', "
        "'workload:vectoradd,n=1048576'], 0.06)):\n"
        "    full = run(*words)\n"
        "    inside = 0\n"
        "    for seed in range(6):\n"
        "        sampled = run('--check', f'--sample=ctas:15%,seed={seed}', *words)\n"
        "        sample = sampled['sample']\n"
        "        for name in ('ctas', 'warps', 'warp_instructions', 'thread_instructions', "
        "'memory_instructions', 'barriers'):\n"
        "            assert sampled['total'][name] == full['total'][name], name\n"
        "        assert sample['simulated'] < 0.6 * sample['ctas'] and sample['units'] >= 5\n"
        "        slots = sampled['total']['time']['slots']['issued']\n"
        "        assert slots == full['total']['time']['slots']['issued']\n"
        "        for name in 'cycles', 'l1d.misses', 'l2.misses', 'dram.reads':\n"
        "            a, b = full['total'], sampled['total']\n"
        "            for part in name.split('.'): a, b = a[part], b[part]\n"
        "            assert abs(b - a) <= most * a, (words, seed, name, a, b)\n"
        "            interval = sample['intervals'][name]\n"
        "            assert interval['value'] == b and interval['low'] <= b <= interval['high']\n"
        "            inside += interval['low'] <= a <= interval['high']\n"
        "    assert inside >= 21, (words, inside)\n"
        "print('near')",
        "near\n");
}

/* Kernels sum up to the total, with what happens between kernels; accesses are what became of them,
 * but for rounding; the text and the CSV say that the run is sampled. */
static void reports(void **state)
{
    (void)state;
    expect(
        "two = 'workload:stencil3d,x=512,y=128,z=12,iterations=2'\n"
        "done = call('run', '--json', 'r.json', '--csv', 'r.csv', '--sample=ctas:10%,seed=7', "
        "two)\n"
        "assert done.returncode == 0, done.stderr\n"
        "report = json.load(open('r.json'))\n"
        "sample, kernels = report['sample'], report['kernels']\n"
        "assert (sample['share'], sample['seed'], sample['confidence'], sample['kernels']) == "
        "(0.1, "
        "7, 0.95, 2)\n"
        "for name in 'ctas', 'simulated', 'units':\n"
        "    assert sample[name] == sum(k['sample'][name] for k in kernels)\n"
        "for name in 'cycles', 'warp_instructions':\n"
        "    assert report['total'][name] == sum(k[name] for k in kernels)\n"
        "for part in [report['total'], *kernels]:\n"
        "    for cache in part['l1d'], part['l2']:\n"
        "        assert abs(cache['accesses'] - cache['hits'] - cache['hits_pending'] - "
        "cache['misses'] - cache['bypasses']) <= 4, cache\n"
        "width = lambda of: of['intervals']['cycles']['high'] - of['intervals']['cycles']['low']\n"
        "assert 0 < width(sample) < sum(width(k['sample']) for k in kernels)\n"
        "assert 'sampled        10% of the CTAs of large kernels: all numbers are estimates' in "
        "done.stdout\n"
        "assert 'Sampled: estimates and their intervals of 95% confidence' in done.stdout\n"
        "rows = list(csv.DictReader(open('r.csv')))\n"
        "assert [r['row'] for r in rows] == ['kernel', 'kernel', 'total']\n"
        "assert int(rows[2]['sample.simulated']) == sample['simulated']\n"
        "assert abs(float(rows[2]['sample.cycles.low']) - sample['intervals']['cycles']['low']) < "
        "1\n"
        "assert abs(float(rows[0]['sample.l2.miss_rate.high']) - "
        "kernels[0]['sample']['intervals']['l2.miss_rate']['high']) < 1e-5\n"
        "assert all(None not in r and None not in r.values() for r in rows)\n"
        "full = call('run', '-q', '--csv', '-', stencil).stdout\n"
        "assert ',sample.' not in full\n"
        "same = [run('--sample=ctas:10%,seed=7', *w, two) for w in ([], ['--no-skip'], "
        "['--threads=1'], ['--threads=4'], ['--check'])]\n"
        "assert all(s == report for s in same)\n"
        "assert run('--sample=ctas:10%,seed=8', two)['total'] != report['total']\n"
        "print('sampled')",
        "sampled\n");
}

/* --sample-error; compare of sampled runs. */
static void judged_and_compared(void **state)
{
    (void)state;
    expect(
        "for words, name in ((['--sample=ctas:10%'], 'a'), (['--sample=ctas:10%', "
        "'--set=l1.ways=8', '--set=l1.size=32KB'], 'b'), ([], 'f'), (['--sample=ctas:10%,seed=2'], "
        "'c'), (['--sample=ctas:20%'], 'd')):\n"
        "    assert call('run', '-q', '--json', name, *words, stencil).returncode == 0\n"
        "good = call('run', '-q', '--sample=ctas:10%', '--sample-error=50%', stencil)\n"
        "assert (good.returncode, good.stderr) == (0, '')\n"
        "for bound in '0.001%', '1e-3':\n"
        "    bad = call('run', '-q', '--sample=ctas:10%', '--sample-error=' + bound, stencil)\n"
        "    assert bad.returncode == 1 and bad.stderr.startswith('goldmem: the cycles are "
        "estimated to ') and bad.stderr.endswith('%, not to 0.00%: that needs all CTAs\\n'), "
        "bad.stderr\n"
        "half = json.load(open('a'))['sample']['intervals']['cycles']\n"
        "wanted = 100 * (half['high'] / half['value'] - 1) * 0.9\n"
        "bad = call('run', '-q', '--sample=ctas:10%', f'--sample-error={wanted}', stencil)\n"
        "assert bad.returncode == 1 and '--sample=ctas:' in bad.stderr and bad.stderr.count('\\n') "
        "== 1, bad.stderr\n"
        "assert call('compare', 'a', 'b').returncode == 0\n"
        "for other, text in (('f', 'f: not sampled: a is sampled at 10%, seed 1'), ('c', 'c: "
        "sampled "
        "at 10%, seed 2: a is sampled at 10%, seed 1'), ('d', 'd: sampled at 20%, seed 1: a is "
        "sampled at 10%, seed 1')):\n"
        "    refused = call('compare', 'a', other)\n"
        "    assert refused.returncode == 2 and refused.stderr == f'goldmem: {text}; "
        "--different-samples allows it\\n', refused.stderr\n"
        "    assert call('compare', '--different-samples', 'a', other).returncode == 0\n"
        "assert call('report', '-o', 'page', 'a', 'f').returncode == 0\n"
        "sample, page = json.load(open('a'))['sample'], open('page').read()\n"
        "assert f'<td>{sample[\"simulated\"]} of {sample[\"ctas\"]} CTAs, cycles &#177;' in page "
        "and "
        "'<td>all CTAs</td>' in page\n"
        "assert call('report', '-o', 'page', 'f').returncode == 0 and 'estimated from' not in "
        "open('page').read()\n"
        "print('judged')",
        "judged\n");
}

typedef struct refusal {
    const char *arguments, *errors; /* its beginning */
} refusal;

static const refusal refusals[] = {
    {"--sample=10%", "--sample: '10%' is not ctas:SHARE, a share from 0.01% to 100% of the CTAs"},
    {"--sample=ctas:", "--sample: 'ctas:' is not ctas:SHARE"},
    {"--sample=ctas:0", "--sample: 'ctas:0' is not ctas:SHARE"},
    {"--sample=ctas:101%", "--sample: 'ctas:101%' is not ctas:SHARE"},
    {"--sample=ctas:-5%", "--sample: 'ctas:-5%' is not ctas:SHARE"},
    {"--sample=ctas:nan", "--sample: 'ctas:nan' is not ctas:SHARE"},
    {"--sample=ctas:10%,sed=3", "--sample: ',sed=3' after the share is not ,seed=N"},
    {"--sample=ctas:10%,seed=x", "--sample: ',seed=x' after the share is not ,seed=N"},
    {"--sample-error=2%", "--sample-error needs --sample"},
    {"--sample=ctas:10% --sample-error=0", "--sample-error: '0' is not a percentage above 0"},
    {"--sample=ctas:10% --per-sm", "--sample does not go with --per-sm"},
    {"--sample=ctas:10% --per-bank", "--sample does not go with --per-bank"},
    {"--sample=ctas:10% --rtl=mshr", "--sample does not go with --rtl"},
    {"--sample=ctas:10% --stats=gpgpusim", "--sample does not go with --stats=gpgpusim"},
    {"--sample=ctas:10% --warm-up=ctas=1", "--sample does not go with --warm-up"},
    {"--sample=ctas:10% --max-cycles=9", "--sample does not go with --max-cycles"},
    {"--sample=ctas:10% --max-instructions=9", "--sample does not go with --max-instructions"},
    {"--sample=ctas:10% --analyze=reuse --engine=cycle", "--sample does not go with --analyze"},
    {"--sample=ctas:10% --latency", "--sample does not go with --latency"},
    {"--sample=ctas:10% --per-pc", "--sample does not go with --per-pc"},
    {"--sample=ctas:10% --per-set", "--sample does not go with --per-set"},
    {"--sample=ctas:10% --series s.csv,every=9", "--sample does not go with --series"},
    {"--sample=ctas:10% --checkpoint s,every=9", "--sample does not go with --checkpoint"},
    {"--sample=ctas:10% --check=values", "--sample does not go with --check=values"},
    {"--sample=ctas:10% --write-profile=p", "--sample does not go with --write-profile"},
    {"--sample=ctas:10% --engine=order", "--sample needs the cycle engine (--engine=cycle)"},
    {"--sample=ctas:10% --set gpu.kernels=2", "--sample needs gpu.kernels=1"},
    {"--sample=ctas:10% --set gpu.cta=bcs", "--sample needs gpu.cta=rr"},
    {"--sample=ctas:10% --preset=fermi-tc --set coherence=tcw",
     "--sample needs coherence.protocol=none"},
    {"--sample=ctas:10% --preset=fermi-sharing --set sharing.enabled=yes",
     "--sample needs sharing.enabled=no"},
    {"--sample=ctas:10% --preset=kepler-hybrid-tracker", "--sample needs tracker.enabled=no"},
    {"--sample=ctas:10% --set l2.streaming=yes", "--sample needs l2.streaming=no"},
    {"--sample=ctas:10% --preset=kepler-hybrid", "--sample needs l2."},
    {"--sample=ctas:10% --set sm.throttle=sampling", "--sample needs another sm.throttle"},
};

static void refuses(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        char expected[160];
        const char *quiet = strstr(refusals[i].arguments, "--stats") != NULL ? "" : "-q";
        test_command ran = test_run("g=$(realpath $GOLDMEM); cd '%s' && $g run %s --json r.json %s "
                                    "workload:vectoradd,n=64; status=$?; ls -A; exit $status",
                                    test_folder_make(), quiet, refusals[i].arguments);
        print_message("%s\n", refusals[i].arguments);
        snprintf(expected, sizeof expected, "goldmem: %s", refusals[i].errors);
        assert_string_equal(ran.output, "");
        assert_ptr_equal(strstr(ran.errors, expected), ran.errors);
        assert_ptr_equal(strchr(ran.errors, '\n'), ran.errors + ran.errors_length - 1);
        assert_int_equal(ran.status, 2);
        test_command_free(&ran);
        test_folder_remove();
    }
}

/* CTAs that wait for each other, and a trace that lacks CTAs of its grid. */
static void refuses_inputs(void **state)
{
    (void)state;
    expect("live = call('run', '-q', '--sample=ctas:10%', 'workload:worksteal')\n"
           "assert live.returncode == 2 and 'its CTAs communicate: --sample cannot leave some out' "
           "in live.stderr, live.stderr\n"
           "assert call('trace', 'convert', 'workload:vectoradd,n=1048576', 't').returncode == 0\n"
           "name = [n for n in os.listdir('t') if n != 'kernelslist.g'][0]\n"
           "text = open('t/' + name).read()\n"
           "at = text.index('#BEGIN_TB', len(text) * 9 // 10)\n"
           "open('t/' + name, 'w').write(text[:at])\n"
           "lacks = call('run', '-q', '--json', 'r', '--sample=ctas:10%', 't')\n"
           "assert lacks.returncode == 2 and 'has fewer CTAs than the 4096 of its grid: --sample "
           "needs all\\n' in lacks.stderr and lacks.stderr.count('\\n') == 1, lacks.stderr\n"
           "assert not os.path.exists('r')\n"
           "print('refused')",
           "refused\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_a_full_run), cmocka_unit_test(near_the_full_run),
        cmocka_unit_test(reports),           cmocka_unit_test(judged_and_compared),
        cmocka_unit_test(refuses),           cmocka_unit_test(refuses_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
