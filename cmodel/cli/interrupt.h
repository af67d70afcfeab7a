/* SIGINT, SIGTERM and SIGHUP end a long job in good order; SIGUSR1 asks how far it is. */
#ifndef GOLDMEM_CLI_INTERRUPT_H
#define GOLDMEM_CLI_INTERRUPT_H

#include "goldmem/error.h"

#include <stdbool.h>

/* From here on the first signal is remembered; one that comes later ends the program at once. A
 * closed pipe becomes a failed write. */
void gm_interrupt_watch(void);

/* The signal that has come, 0: none. */
int gm_interrupt_signal(void);

/* "SIGTERM". Requires one of the signals that are watched. */
const char *gm_interrupt_name(int number);

/* -EINTR once a signal has come. */
int gm_interrupt_check(gm_error *error);

/* Has SIGUSR1 come since the last call? */
bool gm_interrupt_asked(void);

#endif
