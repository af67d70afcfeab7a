/* Signals: the handlers note a signal, which the long jobs look up. */
#include "cli/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

/* Global, since a signal handler can reach nothing else. */
static volatile sig_atomic_t interrupted;

static volatile time_t since;

static volatile sig_atomic_t asked;

/* Ignores a second signal at once after the first: timeout(1) and make send one signal to the
 * process and again to its group. */
static void interrupt(int number)
{
    if (interrupted && time(NULL) > since + 1) {
        signal(number, SIG_DFL);
        raise(number);
    }
    if (!interrupted) {
        since = time(NULL);
    }
    interrupted = interrupted ? interrupted : number;
}

static void ask(int number)
{
    (void)number;
    asked = 1;
}

void gm_interrupt_watch(void)
{
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
    struct sigaction tell = {.sa_handler = ask, .sa_flags = SA_RESTART};
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, &action, &before) == 0 && before.sa_handler == SIG_IGN) {
        sigaction(SIGHUP, &ignore, NULL); /* nohup(1) */
    }
    sigaction(SIGUSR1, &tell, NULL);
    sigaction(SIGPIPE, &ignore, NULL);
}

int gm_interrupt_signal(void)
{
    return interrupted;
}

const char *gm_interrupt_name(int number)
{
    return number == SIGINT ? "SIGINT" : number == SIGTERM ? "SIGTERM" : "SIGHUP";
}

bool gm_interrupt_wants_progress(void)
{
    bool was = asked;
    asked = 0;
    return was;
}

int gm_interrupt_check(gm_error *error)
{
    return interrupted ? gm_fail(error, -EINTR, "interrupted") : 0;
}
