/* The tables of a protocol as text. */
#ifndef GOLDMEM_COSIM_DIRECTORY_TABLES_H
#define GOLDMEM_COSIM_DIRECTORY_TABLES_H

#include "directory_world.h"

/* Writes both tables, in Markdown, and the number of states of each. */
void directory_print_tables(const gm_directory_protocol *protocol, FILE *out);

/* Writes the rows that no event has used. */
void directory_print_unused(const directory_settings *s, FILE *out);

#endif
