/* SIGINT, SIGTERM and SIGHUP end a long job in good order; SIGUSR1 requests a progress line. */
#ifndef GOLDMEM_CLI_INTERRUPT_H
#define GOLDMEM_CLI_INTERRUPT_H

#include "goldmem/error.h"

#include <stdbool.h>

/* Watches the signals: remembers the first; a later one ends the program at once. Makes a closed
 * pipe a failed write. */
void gm_interrupt_watch(void);

/* Returns the signal that has arrived, 0 if none. */
int gm_interrupt_signal(void);

/* Returns a signal's name, "SIGTERM". Requires a watched signal. */
const char *gm_interrupt_name(int number);

/* Returns -EINTR once a signal has arrived, else 0. */
int gm_interrupt_check(gm_error *error);

/* True if SIGUSR1 has arrived since the last call. */
bool gm_interrupt_wants_progress(void);

#endif
