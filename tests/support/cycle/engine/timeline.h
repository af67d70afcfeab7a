/* When a lone load is answered, from the configuration: each component's own latency, one after the
 * other, and the clocks. docs/l1d.md, docs/l2.md, docs/interconnect.md and docs/dram.md tell the
 * rules. Nothing is shared with the engine.
 *
 * A domain of frequency f begins its cycle i at time i / f. */
#ifndef GOLDMEM_TESTS_SUPPORT_CYCLE_ENGINE_TIMELINE_H
#define GOLDMEM_TESTS_SUPPORT_CYCLE_ENGINE_TIMELINE_H

#include "goldmem/config.h"

typedef struct timeline {
    uint64_t issue;        /* core cycle in which the load is issued */
    uint64_t access;       /* the L1 takes it */
    uint64_t look_up;      /* core cycle of its look-up in the L2 */
    uint64_t data;         /* core cycle in which the L2 bank takes its data from DRAM */
    uint64_t answer;       /* its data are there: a dependent instruction can issue */
    uint64_t l2_residence; /* core cycles in the L2's MSHRs */
} timeline;

static inline uint64_t timeline_max(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* First cycle of a domain that begins at or after the beginning of core cycle `core`. */
static inline uint64_t timeline_first(const gm_config *config, uint64_t mhz, uint64_t core)
{
    return (core * mhz + config->clock.core - 1) / config->clock.core;
}

/* The core cycle in which a domain's cycle begins. */
static inline uint64_t timeline_core(const gm_config *config, uint64_t mhz, uint64_t own)
{
    return own * config->clock.core / mhz;
}

/* A packet of `bytes` sent in core cycle `sent`, through an idle crossbar: the core cycle in which
 * it is seen. Its head is granted in the interconnect's first cycle after that, takes noc.latency
 * to the receiver, and its last flit comes flits - 1 cycles behind the head. */
static inline uint64_t timeline_network(const gm_config *config, uint64_t sent, uint64_t bytes)
{
    uint64_t mhz = config->clock.noc;
    uint64_t flits = (bytes + config->noc.flit - 1) / config->noc.flit;
    uint64_t granted = timeline_first(config, mhz, sent + 1);
    uint64_t arrived = timeline_core(config, mhz, granted + config->noc.latency + flits - 2);
    return timeline_max(arrived, timeline_core(config, mhz, granted) + 1);
}

/* A read of a line pushed to the channel in core cycle `pushed`: the first core cycle that begins
 * when its data have come. A closed row is opened first. */
static inline uint64_t timeline_dram(const gm_config *config, uint64_t pushed, bool open)
{
    uint64_t mhz = config->clock.dram;
    uint64_t way = timeline_max(config->dram.latency, 1);
    uint64_t read = timeline_first(config, mhz, pushed + way) + (open ? 0 : config->dram.trcd);
    uint64_t apart = timeline_max(timeline_max(config->dram.tccd, config->dram.burst_cycles),
                                  config->dram.tccdl); /* a line is in one bank */
    uint64_t bursts = config->l2.line / config->dram.burst;
    uint64_t end = read + (bursts - 1) * apart + config->dram.tcl + config->dram.burst_cycles;
    return (end * config->clock.core + mhz - 1) / mhz;
}

typedef enum timeline_level {
    TIMELINE_L1,
    TIMELINE_L2,
    TIMELINE_DRAM,
    TIMELINE_OPEN
} timeline_level;

/* A load issued in cycle `issue` that hits in `level` (OPEN: in an open row of DRAM). */
static inline timeline timeline_load(const gm_config *config, uint64_t issue, timeline_level level)
{
    timeline at = {.issue = issue, .access = issue + 1}; /* the load/store unit sees it */
    if (level == TIMELINE_L1) {
        at.answer = at.access + config->l1.latency;
        return at;
    }
    uint64_t mhz = config->clock.l2;
    uint64_t seen = timeline_network(config, at.access + 1, config->noc.header);
    uint64_t taken = timeline_first(config, mhz, seen); /* from here on in L2 cycles */
    uint64_t ready = timeline_core(config, mhz, taken) + config->l2.latency;
    uint64_t look_up = timeline_max(timeline_first(config, mhz, ready), taken + 1);
    uint64_t reply = look_up + 1;
    at.look_up = timeline_core(config, mhz, look_up);
    if (level != TIMELINE_L2) {
        uint64_t pushed = timeline_core(config, mhz, look_up + 1);
        uint64_t come = timeline_dram(config, pushed, level == TIMELINE_OPEN);
        uint64_t data = timeline_first(config, mhz, come);
        at.data = timeline_core(config, mhz, data);
        at.l2_residence = at.data - at.look_up;
        reply = data + 1;
    }
    at.answer = timeline_network(config, timeline_core(config, mhz, reply),
                                 config->noc.header + config->l2.line);
    return at;
}

#endif
