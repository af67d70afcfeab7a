/* goldmem: everything that the library offers. */
#ifndef GOLDMEM_GOLDMEM_H
#define GOLDMEM_GOLDMEM_H

#include "goldmem/analysis.h"
#include "goldmem/arena.h"
#include "goldmem/bits.h"
#include "goldmem/config.h"
#include "goldmem/energy.h"
#include "goldmem/engine.h"
#include "goldmem/error.h"
#include "goldmem/gf2.h"
#include "goldmem/instruction.h"
#include "goldmem/nearest.h"
#include "goldmem/output.h"
#include "goldmem/ports.h"
#include "goldmem/rates.h"
#include "goldmem/report.h"
#include "goldmem/set_histogram.h"
#include "goldmem/set_index.h"
#include "goldmem/set_index_strides.h"
#include "goldmem/source.h"
#include "goldmem/statistics.h"
#include "goldmem/trace.h"
#include "goldmem/trace_writer.h"
#include "goldmem/warp_store.h"
#include "goldmem/workload.h"
#include "goldmem/xor_network.h"

#endif
