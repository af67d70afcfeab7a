/* SIGINT, SIGTERM and SIGHUP end a long job in good order. */
#ifndef GOLDMEM_CLI_INTERRUPT_H
#define GOLDMEM_CLI_INTERRUPT_H

#include "goldmem/error.h"

/* From here on the first signal is remembered; one that comes later ends the program at once. A
 * closed pipe becomes a failed write. */
void gm_interrupt_watch(void);

/* -EINTR once a signal has come. */
int gm_interrupt_check(gm_error *error);

#endif
