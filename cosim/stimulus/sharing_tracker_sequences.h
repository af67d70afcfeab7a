/* Requests of sharing_tracker in the shortest sequences that refute wrong designs: 1 begins a
 * sequence, then the fields. Made by make explore PAGE=write. */
/* clang-format off */
static const uint8_t sequences[][5] = {
    /* the thesis's FILL: an arriving line registers its SM */
    {1, 0, 0, 0, 1},
    {0, 3, 0, 1, 0},
    {0, 1, 0, 0, 0},
    {0, 0, 0, 1, 1},
    /* marks on sector misses */
    {1, 0, 0, 0, 1},
    {0, 3, 0, 1, 0},
    {0, 1, 0, 0, 0},
    {0, 0, 0, 0, 1},
    {0, 1, 0, 0, 0},
    {0, 0, 0, 1, 1},
    /* a WRITE on a store's first packet only */
    {1, 3, 0, 1, 0},
    {0, 0, 0, 0, 1},
    {0, 1, 0, 0, 0},
    {0, 0, 0, 1, 1},
    /* no hold of a store while a LOOKUP of its line is unanswered */
    {1, 0, 0, 1, 1},
    {0, 1, 0, 1, 0},
    {0, 0, 0, 0, 1},
    {0, 3, 0, 0, 0},
    /* a SUPPLY that waits for a credit */
    {1, 0, 0, 0, 1},
    {0, 0, 2, 0, 1},
    {0, 1, 0, 0, 0},
    {0, 0, 0, 1, 1},
    {0, 1, 2, 0, 0},
    {0, 0, 2, 1, 1},
    /* broken FIFO between the tracker and the L2 */
    {1, 3, 0, 0, 0},
    {0, 0, 0, 0, 1},
    /* stores that the tracker is not told of */
    {1, 0, 0, 0, 1},
    {0, 1, 0, 0, 0},
    {0, 0, 0, 1, 1},
    /* a supplier that lacks a sector */
    {1, 3, 0, 0, 0},
    {0, 0, 0, 1, 1},
    {0, 1, 0, 1, 0},
    {0, 0, 0, 0, 1},
    /* a supplier that waits for its line */
    {1, 0, 0, 0, 1},
    {0, 0, 0, 1, 1},
    {0, 1, 0, 0, 0},
    {0, 1, 0, 1, 0},
    {0, 0, 0, 0, 0},
    {0, 0, 0, 1, 0},
    /* a FILL without a queue place of its own */
    {1, 0, 2, 0, 1},
    {0, 3, 0, 0, 0},
    /* a kernel's end that leaves the lines in the L1s */
    {1, 0, 0, 0, 1},
    {0, 3, 0, 1, 0},
    {0, 1, 0, 0, 0},
    {0, 5, 0, 0, 0},
    /* a WRITE that leaves the sharers */
    {1, 0, 0, 0, 1},
    {0, 1, 0, 0, 0},
    {0, 3, 0, 1, 0},
    {0, 0, 0, 1, 1},
    /* an entry that is taken keeps the marks of the dropped line */
    {1, 0, 0, 0, 1},
    {0, 0, 2, 0, 1},
    {0, 3, 0, 1, 0},
    {0, 0, 0, 1, 1},
    {0, 1, 0, 0, 0},
    {0, 1, 0, 1, 0},
    {0, 2, 0, 1, 0},
    {0, 0, 0, 1, 1},
    /* an entry that is taken keeps the sharers of the dropped line */
    {1, 0, 0, 0, 1},
    {0, 1, 0, 0, 0},
    {0, 0, 2, 0, 1},
    {0, 3, 0, 1, 0},
    {0, 0, 0, 1, 1},
    {0, 1, 0, 1, 0},
    {0, 2, 0, 1, 0},
    {0, 0, 0, 1, 1},
};
/* clang-format on */
enum { SEQUENCES = 14, SEQUENCE_REQUESTS = 65 };
