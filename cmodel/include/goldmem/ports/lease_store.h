/* Port list of lease_store [singh, 6.2.1: "uses L2 MSHR entries to store unexpired timestamps"]:
 * the leases of lines that the L2 has evicted before they expired. goldmem/ports.h says how to read
 * it, docs/blocks/lease_store.md what each operation does. A field that is not named is 0. */
#ifndef GOLDMEM_PORTS_LEASE_STORE_H
#define GOLDMEM_PORTS_LEASE_STORE_H

#define GM_LEASE_STORE_PARAMETERS(PARAMETER)                                                       \
    PARAMETER(Entries, 32, 128, "entries, 1 to 255")                                               \
    PARAMETER(LineW, 32, 42, "line-address bits")                                                  \
    PARAMETER(TimeW, 32, 32, "bits of a timestamp [core cycles], 2 to 32")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_LEASE_STORE_DERIVED(DERIVED)                                                            \
    DERIVED(UsedW, gm_log2_ceil(Entries + 1), "bits of a number of entries")

#define GM_LEASE_STORE_REQUEST(FIELD)                                                              \
    FIELD(op, 2, "PUT, TAKE, EXPIRE, CLEAR")                                                       \
    FIELD(line, LineW, "PUT, TAKE: line address")                                                  \
    FIELD(lease, TimeW, "PUT: the lease, the last cycle at which an L1 may use a copy")            \
    FIELD(now, TimeW, "PUT, TAKE, EXPIRE: the time [core cycles]")                                 \
    FIELD(may, 1, "PUT: the L2's MSHR entries leave room for one more lease")

#define GM_LEASE_STORE_RESPONSE(FIELD)                                                             \
    FIELD(done, 1, "PUT: the lease is stored, or needs no storage")                                \
    FIELD(found, 1, "TAKE: the line had an unexpired lease, which is now removed")                 \
    FIELD(lease, TimeW, "TAKE that found it: the lease")                                           \
    FIELD(used, UsedW, "all: leases stored after the operation")                                   \
    FIELD(next, TimeW, "all: the earliest of them; 0: there is none")

/* Values of the fields. */
#define GM_LEASE_STORE_CONSTANTS(CONSTANT)                                                         \
    CONSTANT(op, GM_LEASE_STORE_PUT, 0, "stores the lease of an evicted line")                     \
    CONSTANT(op, GM_LEASE_STORE_TAKE, 1,                                                           \
             "returns and removes the lease of a line that is fetched")                            \
    CONSTANT(op, GM_LEASE_STORE_EXPIRE, 2, "only removes the leases that are past")                \
    CONSTANT(op, GM_LEASE_STORE_CLEAR, 3, "removes all: time begins anew")

/* All are registers; lane e is entry e's. */
#define GM_LEASE_STORE_STATE(STATE)                                                                \
    STATE(valid, 1, Entries, 1, "entries in use")                                                  \
    STATE(line, LineW, Entries, 1, "their lines")                                                  \
    STATE(lease, TimeW, Entries, 1, "their leases")

#endif
