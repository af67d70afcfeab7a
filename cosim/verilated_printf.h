/* Redirects the Verilated runtime's output: cosim/verilated.cpp keeps the text for the report. */
#ifndef GOLDMEM_COSIM_VERILATED_PRINTF_H
#define GOLDMEM_COSIM_VERILATED_PRINTF_H

int gm_cosim_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
