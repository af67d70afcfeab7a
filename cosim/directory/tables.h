/* The tables of a protocol as text. */
#ifndef GOLDMEM_COSIM_DIRECTORY_TABLES_H
#define GOLDMEM_COSIM_DIRECTORY_TABLES_H

#include "directory_world.h"

/* Writes both tables, in Markdown, the number of states of each by the classes of [singh,
 * Table 1], and the virtual networks' queues. */
void directory_print_tables(const gm_directory_protocol *protocol, FILE *out);

/* Writes the rows that no event has used. */
void directory_print_unused(const directory_settings *s, FILE *out);

#endif
