/* Checks of reports in Python. */
#include "support/report/report_python.h"

#include "support/support.h"

void report_python_expect(const char *definitions, const char *lines, const char *output)
{
    test_command command = test_run(
        "export g=$(realpath $GOLDMEM); cd '%s' && cat >shared.py <<'E'\n"
        "import csv, io, json, os, subprocess\n"
        "def goldmem(*words):\n"
        "    return subprocess.run([os.environ['g'], *words], text=True, stdout=subprocess.PIPE, "
        "stderr=subprocess.PIPE)\n"
        "def run(*words):\n"
        "    done = goldmem('run', '-q', '--json', '-', *words)\n"
        "    assert done.returncode == 0, (words, done.stderr)\n"
        "    return json.loads(done.stdout)\n"
        "%sE\n"
        "python3 - <<'E'\nfrom shared import *\n%s\nE\n",
        test_folder_make(), definitions, lines);
    assert_string_equal(command.errors, "");
    assert_string_equal(command.output, output);
    assert_int_equal(command.status, 0);
    test_command_free(&command);
    test_folder_remove();
}
