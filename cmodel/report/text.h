/* Text report: number formats, and the parts that are written by their own files. */
#ifndef GOLDMEM_REPORT_TEXT_H
#define GOLDMEM_REPORT_TEXT_H

#include "goldmem/analysis.h"
#include "goldmem/config.h"
#include "goldmem/report.h"
#include "goldmem/statistics.h"

#include <stdio.h>

enum { GM_NUMBER_TEXT = 32 };

/* Writes "1,234,567". Returns `text`. */
const char *gm_text_number(uint64_t value, char text[GM_NUMBER_TEXT]);

/* Writes `part` in percent of `whole`, "12.3%", or "-" if `whole` is 0. Returns `text`. */
const char *gm_text_share(uint64_t part, uint64_t whole, char text[GM_NUMBER_TEXT]);

/* Writes `part` / `whole`, "1,234.56", rounded to nearest, or "-" if `whole` is 0. Returns `text`.
 */
const char *gm_text_ratio(uint64_t part, uint64_t whole, char text[GM_NUMBER_TEXT]);

/* Writes a heading with a blank line before it. */
void gm_text_heading(FILE *file, const char *heading);

/* Writes a line: two spaces, the label, the number, and `note` unless it is NULL. */
void gm_text_count(FILE *file, const char *label, uint64_t value, const char *note);

/* Writes the configuration's machine. */
void gm_text_machine(FILE *file, const gm_config *config);

/* Cycle engine: writes cycles, schedulers, contention and bandwidth of the whole run and of each
 * SM. */
void gm_text_time(FILE *file, const gm_statistics *total, const gm_config *config);
void gm_text_time_sms(FILE *file, const gm_statistics *per_sm, uint64_t sms);

/* Writes what sm.throttle has held back and, with sampling, the limits found and when; nothing
 * without throttling. */
void gm_text_throttling(FILE *file, const gm_results *results, const gm_config *config);

/* Write what the gates of the L1s and of the L2 banks have bypassed, and when each closed; nothing
 * without gates. */
void gm_text_l1_gates(FILE *file, const gm_results *results, const gm_report_run *run);
void gm_text_l2_gates(FILE *file, const gm_results *results, const gm_report_run *run);

void gm_text_energy(FILE *file, const gm_statistics *total, const gm_report_run *run);

void gm_text_analysis(FILE *file, const gm_analysis_results *results);

/* Write the heading of a table of latencies, and a row of it: number, mean, percentiles, longest.
 */
void gm_text_latency_heading(FILE *file, const char *heading);
void gm_text_latency_row(FILE *file, const char *label, const gm_latency_histogram *histogram);

/* Writes the estimates of a sampled run, with their intervals. */
void gm_text_sample(FILE *file, const gm_sample_results *sample);

/* Writes percentiles of the latency histograms. */
void gm_text_latencies(FILE *file, const gm_latencies *latencies);

/* Writes the instructions that waited longest. */
void gm_text_per_pc(FILE *file, const gm_pc_profile *profile);

#endif
