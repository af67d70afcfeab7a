/* Port list of tc_l1 [singh, 6.2, 6.3, Table 2 (left)]: the leases of an L1's slots under Temporal
 * Coherence, and what a load, a store, an atomic and the L2's answers do to them. goldmem/ports.h
 * says how to read it, docs/blocks/tc_l1.md what each operation does. A field that is not named
 * is 0. */
#ifndef GOLDMEM_PORTS_TC_L1_H
#define GOLDMEM_PORTS_TC_L1_H

#define GM_TC_L1_PARAMETERS(PARAMETER)                                                             \
    PARAMETER(Slots, 32, 256, "slots: sets times ways of the L1, 1 to 8192")                       \
    PARAMETER(PendW, 32, 6, "bits of the count of UPGRs without an answer, 1 to 16")               \
    PARAMETER(TimeW, 32, 32, "bits of a timestamp [core cycles], 2 to 32")                         \
    PARAMETER(Strong, 32, 0, "1: TC-Strong, 0: TC-Weak")                                           \
    PARAMETER(Visible, 32, 0, "1: a line carries the GWCT of its writes (coherence.visible)")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_TC_L1_DERIVED(DERIVED)                                                                  \
    DERIVED(SlotW, Slots < 3 ? 1 : gm_log2_ceil(Slots), "bits of a slot's number")

#define GM_TC_L1_REQUEST(FIELD)                                                                    \
    FIELD(op, 4, "LOAD, STORE, ATOMIC, BYPASS, FILL, ACK, DATA_G, EVICT, FLUSH")                   \
    FIELD(slot, SlotW, "all but FLUSH: the slot")                                                  \
    FIELD(present, 1, "all but EVICT, FLUSH: the slot holds the line")                             \
    FIELD(open, 1,                                                                                 \
          "LOAD, STORE, ATOMIC, BYPASS: an MSHR entry of the line is open; FILL: its own is")      \
    FIELD(lease_given, 1, "FILL, ACK: the answer carries a lease")                                 \
    FIELD(timestamp, TimeW, "FILL, ACK, DATA_G: the lease [core cycles]")                          \
    FIELD(visible, TimeW, "FILL: the line's GWCT; ACK, DATA_G: the write's GWCT; 0: none")         \
    FIELD(now, TimeW, "all but EVICT, FLUSH: the time [core cycles]")

#define GM_TC_L1_RESPONSE(FIELD)                                                                   \
    FIELD(hit, 1, "LOAD: the copy answers it; STORE: it writes the copy")                          \
    FIELD(expired, 1, "LOAD that sends a GETS: the lease of the line's copy is past")              \
    FIELD(message, 3, "LOAD, STORE, ATOMIC, BYPASS: NONE, GETS, MERGE, GETX, UPGR, ATOMIC")        \
    FIELD(timestamp, TimeW, "UPGR: the copy's lease")                                              \
    FIELD(visible, TimeW, "LOAD that hits: the line's GWCT")                                       \
    FIELD(install, 1, "FILL, DATA_G: the data go into the slot")                                   \
    FIELD(close, 1, "STORE, ATOMIC, BYPASS: the line's open MSHR entry takes no more loads")       \
    FIELD(keep, 1, "EVICT: UPGRs are without an answer; the slot is no victim, nothing changes")   \
    FIELD(refused, 1, "STORE: the count of UPGRs is at its limit; nothing changes")                \
    FIELD(error, 1, "FILL, ACK, DATA_G that cannot be; nothing changes")                           \
    FIELD(was, 2, "all but EVICT, FLUSH: I, V, V_M, I_I, before the operation")

/* Values of the fields. */
#define GM_TC_L1_CONSTANTS(CONSTANT)                                                               \
    CONSTANT(op, GM_TC_L1_LOAD, 0, "hits an unexpired copy; else merges, or sends a GETS")         \
    CONSTANT(op, GM_TC_L1_STORE, 1, "writes an unexpired copy and sends an UPGR; else a GETX")     \
    CONSTANT(op, GM_TC_L1_ATOMIC, 2, "atomic or reduction: drops the copy, sends an ATOMIC")       \
    CONSTANT(op, GM_TC_L1_BYPASS, 3, "load that bypasses: drops the copy, sends a GETS")           \
    CONSTANT(op, GM_TC_L1_FILL, 4, "DATA of a GETS: installs under an open entry and a lease")     \
    CONSTANT(op, GM_TC_L1_ACK, 5, "ACK of an UPGR, with or without a new lease")                   \
    CONSTANT(op, GM_TC_L1_DATA_G, 6, "DATA-G of an UPGR: the line, a GWCT and a lease")            \
    CONSTANT(op, GM_TC_L1_EVICT, 7, "the slot is wanted for another line")                         \
    CONSTANT(op, GM_TC_L1_FLUSH, 8, "rollover, host copy: drops all copies; 9 to 15: likewise")    \
    CONSTANT(message, GM_TC_L1_NONE, 0, "nothing is sent")                                         \
    CONSTANT(message, GM_TC_L1_GETS, 1, "a read, in a new MSHR entry")                             \
    CONSTANT(message, GM_TC_L1_MERGE, 2, "the load joins the line's open MSHR entry")              \
    CONSTANT(message, GM_TC_L1_GETX, 3, "a write of a line without a copy")                        \
    CONSTANT(message, GM_TC_L1_UPGR, 4, "a write of a line with a copy, with its lease")           \
    CONSTANT(message, GM_TC_L1_ATOMIC_MESSAGE, 5, "an atomic or reduction")                        \
    CONSTANT(was, GM_TC_L1_I, 0, "no copy, or an expired one")                                     \
    CONSTANT(was, GM_TC_L1_V, 1, "an unexpired copy")                                              \
    CONSTANT(was, GM_TC_L1_V_M, 2, "an unexpired copy, UPGRs without an answer")                   \
    CONSTANT(was, GM_TC_L1_I_I, 3, "no unexpired copy, UPGRs without an answer")

/* `valid` is a register with a bit for each slot, which FLUSH clears at once. */
#define GM_TC_L1_STATE(STATE)                                                                      \
    STATE(valid, 1, Slots, 1, "slots with a copy, expired or not")                                 \
    STATE(pending, PendW, 1, Slots, "UPGRs of the slot's line without an answer")                  \
    STATE(lease, TimeW, 1, Slots, "the last cycle at which the copy may be used")                  \
    STATE(visible, TimeW, 1, Slots, "GWCT of the line's writes")

#endif
