/* Port list of atomic_buffer [anssari, 3.4, 3.5]: the line that an L2 bank's atomics and coherent
 * loads are performed on. goldmem/ports.h says how to read it, docs/blocks/atomic_buffer.md what
 * each operation does. */
#ifndef GOLDMEM_PORTS_ATOMIC_BUFFER_H
#define GOLDMEM_PORTS_ATOMIC_BUFFER_H

#define GM_ATOMIC_BUFFER_PARAMETERS(PARAMETER)                                                     \
    PARAMETER(LineW, 32, 42, "line-address bits, 1 to 64")                                         \
    PARAMETER(Sectors, 32, 1, "sectors of a line, 1 to 32")

#define GM_ATOMIC_BUFFER_DERIVED(DERIVED)

#define GM_ATOMIC_BUFFER_REQUEST(FIELD)                                                            \
    FIELD(op, 2, "ATOMIC, ACCESS, FLUSH, LOAD")                                                    \
    FIELD(line, LineW, "ATOMIC, LOAD, ACCESS: line address")                                       \
    FIELD(sectors, Sectors, "ATOMIC, LOAD: sectors that it operates on")                           \
    FIELD(valid, Sectors, "ATOMIC, LOAD: the line's sectors in the L2 bank, which a miss takes")   \
    FIELD(dirty, Sectors, "ATOMIC, LOAD: those of them that are dirty; others are ignored")

/* A field that an operation does not name is 0. */
#define GM_ATOMIC_BUFFER_RESPONSE(FIELD)                                                           \
    FIELD(hit, 1, "ATOMIC, LOAD: the buffer has the sectors; else it takes the line from the L2")  \
    FIELD(puts, 1, "all: the line that was held goes into the L2 bank")                            \
    FIELD(line, LineW, "puts: that line")                                                          \
    FIELD(valid, Sectors, "puts: its valid sectors")                                               \
    FIELD(dirty, Sectors, "puts: its dirty sectors")

/* Values of the fields. */
#define GM_ATOMIC_BUFFER_CONSTANTS(CONSTANT)                                                       \
    CONSTANT(op, GM_ATOMIC_BUFFER_ATOMIC, 0, "an atomic is performed: the buffer holds its line")  \
    CONSTANT(op, GM_ATOMIC_BUFFER_ACCESS, 1, "another access follows: puts its line back")         \
    CONSTANT(op, GM_ATOMIC_BUFFER_FLUSH, 2, "puts the held line back")                             \
    CONSTANT(op, GM_ATOMIC_BUFFER_LOAD, 3,                                                         \
             "a coherent load is performed: the buffer holds its line")

/* All are registers. */
#define GM_ATOMIC_BUFFER_STATE(STATE)                                                              \
    STATE(held, 1, 1, 1, "a line is held")                                                         \
    STATE(held_line, LineW, 1, 1, "its address")                                                   \
    STATE(held_valid, Sectors, 1, 1, "its valid sectors")                                          \
    STATE(held_dirty, Sectors, 1, 1, "its dirty sectors, all of them valid")

#endif
