/* Port list of tc_l2 [singh, 6.2, 6.3, Table 2 (right)]: the leases that an L2 bank has given on
 * its lines under Temporal Coherence, and its answers to reads and writes. goldmem/ports.h says how
 * to read it, docs/blocks/tc_l2.md what each operation does. A field that is not named is 0. */
#ifndef GOLDMEM_PORTS_TC_L2_H
#define GOLDMEM_PORTS_TC_L2_H

#define GM_TC_L2_PARAMETERS(PARAMETER)                                                             \
    PARAMETER(Slots, 32, 1024, "slots: sets times ways of the bank, 1 to 65536")                   \
    PARAMETER(Sms, 32, 16, "SMs, 1 to 1024")                                                       \
    PARAMETER(TimeW, 32, 32, "bits of a timestamp [core cycles], 2 to 32")                         \
    PARAMETER(Strong, 32, 0, "1: TC-Strong, 0: TC-Weak")                                           \
    PARAMETER(Printed, 32, 0,                                                                      \
              "rules of the printed table: 1 REFETCH, 2 MISS, 4 EXPIRED, or a sum of them")        \
    PARAMETER(Visible, 32, 0, "1: a line keeps the GWCT of its writes (coherence.visible)")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_TC_L2_DERIVED(DERIVED)                                                                  \
    DERIVED(SlotW, Slots < 3 ? 1 : gm_log2_ceil(Slots), "bits of a slot's number")                 \
    DERIVED(SmW, Sms < 3 ? 1 : gm_log2_ceil(Sms), "bits of an SM's number")

#define GM_TC_L2_REQUEST(FIELD)                                                                    \
    FIELD(op, 3, "GETS, GETX, UPGR, ATOMIC, INSTALL, EVICT, ROLLOVER")                             \
    FIELD(slot, SlotW, "all but ROLLOVER: the slot, which holds the line")                         \
    FIELD(sm, SmW, "GETS, UPGR: the requester")                                                    \
    FIELD(no_lease, 1, "GETS: of a load that bypasses the L1; changes nothing")                    \
    FIELD(timestamp, TimeW, "UPGR: the lease of the L1's copy [core cycles]")                      \
    FIELD(now, TimeW, "all but INSTALL, ROLLOVER: the time [core cycles]")                         \
    FIELD(life, TimeW, "GETS: the predicted lifetime [core cycles]")                               \
    FIELD(kept, 1, "INSTALL: a lease was kept when the line was evicted")                          \
    FIELD(kept_lease, TimeW, "INSTALL: that lease [core cycles]")                                  \
    FIELD(write, 1, "INSTALL: the line was fetched for a write or an atomic")

#define GM_TC_L2_RESPONSE(FIELD)                                                                   \
    FIELD(answer, 3, "GETS, GETX, UPGR, ATOMIC: DATA, ACK, ACK_G, DATA_G, WAIT")                   \
    FIELD(lease_given, 1, "the answer carries a lease (with ACK: L)")                              \
    FIELD(lease, TimeW, "lease_given, and EVICT that keeps: the lease [core cycles]")              \
    FIELD(gwct, TimeW, "ACK_G, DATA_G: the time by which the write is visible [core cycles]")      \
    FIELD(visible, TimeW, "DATA: the largest GWCT of the line's writes")                           \
    FIELD(was, 2, "GETS, GETX, UPGR, ATOMIC, EVICT: E, P, S, before the operation")                \
    FIELD(is_private, 1, "UPGR: a private write")                                                  \
    FIELD(earliest, TimeW, "WAIT: the cycle from which the write can be done")                     \
    FIELD(keep, 1, "EVICT: the lease is unexpired, and must be stored")

/* Values of the fields. */
#define GM_TC_L2_CONSTANTS(CONSTANT)                                                               \
    CONSTANT(op, GM_TC_L2_GETS, 0, "a load")                                                       \
    CONSTANT(op, GM_TC_L2_GETX, 1, "a store of an SM without an unexpired copy")                   \
    CONSTANT(op, GM_TC_L2_UPGR, 2, "a store of an SM that has written its copy")                   \
    CONSTANT(op, GM_TC_L2_ATOMIC, 3, "an atomic or reduction")                                     \
    CONSTANT(op, GM_TC_L2_INSTALL, 4, "the line's data have come from memory")                     \
    CONSTANT(op, GM_TC_L2_EVICT, 5, "the slot is wanted for another line; changes nothing")        \
    CONSTANT(op, GM_TC_L2_ROLLOVER, 6, "time begins anew: no line has a lease; 7: likewise")       \
    CONSTANT(answer, GM_TC_L2_NONE, 0, "INSTALL, EVICT, ROLLOVER")                                 \
    CONSTANT(answer, GM_TC_L2_DATA, 1, "the line, or an atomic's old values")                      \
    CONSTANT(answer, GM_TC_L2_ACK, 2, "the write is visible to every SM")                          \
    CONSTANT(answer, GM_TC_L2_ACK_G, 3, "the write is visible when gwct is past")                  \
    CONSTANT(answer, GM_TC_L2_DATA_G, 4, "ACK_G with the line, or with an atomic's old values")    \
    CONSTANT(answer, GM_TC_L2_WAIT, 5, "TC-Strong: nothing changed; again in cycle earliest")      \
    CONSTANT(was, GM_TC_L2_E, 0, "no unexpired lease")                                             \
    CONSTANT(was, GM_TC_L2_P, 1, "one reader, or written since it was read")                       \
    CONSTANT(was, GM_TC_L2_S, 2, "several readers")                                                \
    CONSTANT(readers, GM_TC_L2_NO_READER, 0, "not read since it was installed")                    \
    CONSTANT(readers, GM_TC_L2_PRIVATE, 1, "P while the lease is unexpired")                       \
    CONSTANT(readers, GM_TC_L2_SHARED, 2, "S while the lease is unexpired")

/* A row that was never written since the reset or a ROLLOVER reads as zeros. */
#define GM_TC_L2_STATE(STATE)                                                                      \
    STATE(readers, 2, 1, Slots, "NO_READER, PRIVATE, SHARED")                                      \
    STATE(owned, 1, 1, Slots, "the line's only reader is known")                                   \
    STATE(owner, SmW, 1, Slots, "that reader")                                                     \
    STATE(lease, TimeW, 1, Slots, "the last cycle at which an L1 may use a copy")                  \
    STATE(visible, TimeW, 1, Slots, "largest GWCT of the line's writes")

#endif
