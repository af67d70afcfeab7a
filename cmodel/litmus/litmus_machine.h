/* Litmus machine: machines like the one given, in which what is rare there is common. */
#ifndef GOLDMEM_LITMUS_LITMUS_MACHINE_H
#define GOLDMEM_LITMUS_LITMUS_MACHINE_H

#include "goldmem/config.h"

/* Changes a configuration: caches of few lines, few MSHRs, clocks that are far apart, short leases
 * and time that begins anew often; keys of the protocol other than its times stay. A function of
 * the configuration and `seed`. gm_config_check must follow: not every change suits every
 * configuration. */
void gm_litmus_machine(gm_config *config, uint64_t seed);

#endif
