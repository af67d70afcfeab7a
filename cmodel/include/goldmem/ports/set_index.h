/* Port list of set_index [khairy, 4.3]; goldmem/ports.h says how to read it.
 * The function is ipoly(Polynomial), or, when Polynomial is 0, the H-matrix in Matrix: row i, at
 * Matrix[i*LineW +: LineW], is the mask of line-address bits whose XOR is index bit i. */
#ifndef GOLDMEM_PORTS_SET_INDEX_H
#define GOLDMEM_PORTS_SET_INDEX_H

#define GM_SET_INDEX_PARAMETERS(PARAMETER)                                                         \
    PARAMETER(LineW, 32, 42, "line-address bits")                                                  \
    PARAMETER(IndexW, 32, 5, "log2 of the number of sets")                                         \
    PARAMETER(Polynomial, IndexW + 1, 37, "P of ipoly; 0: the function is Matrix")                 \
    PARAMETER(Matrix, (IndexW * LineW), 0, "H-matrix, one row of LineW bits for each index bit")

/* Widths of ports that follow from the parameters: localparams in SystemVerilog. */
#define GM_SET_INDEX_DERIVED(DERIVED)

#define GM_SET_INDEX_REQUEST(FIELD)                                                                \
    FIELD(op, 1, "FORWARD, INVERSE")                                                               \
    FIELD(line, LineW, "FORWARD: line address")                                                    \
    FIELD(tag, LineW - IndexW, "INVERSE: tag")                                                     \
    FIELD(index, IndexW, "INVERSE: set index")

#define GM_SET_INDEX_RESPONSE(FIELD)                                                               \
    FIELD(line, LineW, "line address")                                                             \
    FIELD(tag, LineW - IndexW, "its tag: the line without its low IndexW bits")                    \
    FIELD(index, IndexW, "its set index")

/* Values of the fields. */
#define GM_SET_INDEX_CONSTANTS(CONSTANT)                                                           \
    CONSTANT(op, GM_SET_INDEX_FORWARD, 0, "line to tag and index")                                 \
    CONSTANT(op, GM_SET_INDEX_INVERSE, 1, "tag and index to line")

#define GM_SET_INDEX_STATE(STATE)

#endif
