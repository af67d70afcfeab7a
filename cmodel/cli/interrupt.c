#include "cli/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

/* A signal handler can reach nothing else. */
static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

void gm_interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL);
}

int gm_interrupt_check(gm_error *error)
{
    return interrupted ? gm_fail(error, -EINTR, "interrupted") : 0;
}
