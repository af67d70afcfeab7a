/* Random numbers for a workload's inputs. */
#ifndef GOLDMEM_WORKLOAD_RANDOM_H
#define GOLDMEM_WORKLOAD_RANDOM_H

#include "base/random.h"

#endif
