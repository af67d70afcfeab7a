/* Requests of lease_store in the shortest sequences that refute wrong designs: 1 begins a
 * sequence, then the fields. Made by make explore PAGE=write. */
/* clang-format off */
static const uint8_t sequences[][6] = {
    /* fence: open MSHR entries stay open */
    {1, 1, 0, 0, 1, 0},
    {0, 0, 0, 4, 4, 1},
    {0, 1, 1, 0, 4, 0},
    /* fence: open MSHR entries stay open */
    {1, 1, 0, 0, 1, 0},
    {0, 1, 1, 0, 4, 0},
    /* fence: does not wait for loads in closed entries */
    {1, 1, 1, 0, 1, 0},
    {0, 0, 1, 3, 1, 1},
    {0, 1, 0, 0, 1, 0},
    /* fence: does not wait for loads */
    {1, 1, 1, 0, 1, 0},
    {0, 1, 0, 0, 1, 0},
    {0, 0, 0, 3, 1, 1},
    {0, 1, 1, 0, 1, 0},
    /* fence: does not wait for stores */
    {1, 1, 1, 0, 1, 0},
    {0, 1, 0, 0, 1, 0},
    {0, 1, 1, 0, 1, 0},
    /* L2: leases of evicted lines are lost */
    {1, 1, 0, 0, 1, 0},
    {0, 1, 1, 0, 1, 0},
    {0, 1, 0, 0, 1, 0},
    /* printed table, M_I: a refetched line begins without readers */
    {1, 1, 0, 0, 1, 0},
    {0, 0, 0, 2, 1, 1},
    {0, 1, 1, 0, 1, 0},
    {0, 0, 1, 2, 1, 1},
    {0, 1, 0, 0, 1, 0},
    /* printed table, I_M: a line fetched for a write forgets its lease */
    {1, 1, 0, 0, 1, 0},
    {0, 0, 0, 3, 1, 1},
    {0, 1, 1, 0, 1, 0},
    {0, 0, 1, 3, 1, 1},
    {0, 1, 0, 0, 1, 0},
    /* TC-Strong: a load hits its own write before it is performed */
    {1, 1, 0, 0, 1, 0},
    {0, 0, 0, 2, 1, 1},
    {0, 1, 1, 0, 1, 0},
    {0, 1, 0, 0, 1, 0},
    {0, 0, 0, 2, 1, 1},
    {0, 1, 1, 0, 1, 0},
    {0, 1, 0, 0, 3, 0},
    /* GWCT: the latest one counts, not the largest */
    {1, 1, 0, 0, 1, 0},
    {0, 1, 1, 0, 2, 0},
    /* merge=lease: later requests do not wait for loads that ask again */
    {1, 1, 0, 0, 1, 0},
    {0, 3, 0, 0, 0, 0},
    {0, 3, 0, 0, 0, 0},
};
/* clang-format on */
enum { SEQUENCES = 11, SEQUENCE_REQUESTS = 40 };
