/* Checks of reports in Python, for tests of the command. */
#ifndef GOLDMEM_TESTS_REPORT_PYTHON_H
#define GOLDMEM_TESTS_REPORT_PYTHON_H

/* Runs lines of Python behind `definitions`, in a folder of the test's: they print `output` and
 * nothing to standard error. goldmem(...) is a finished command, run(...) the report of a run;
 * csv, io, json and os are imported. */
void report_python_expect(const char *definitions, const char *lines, const char *output);

#endif
