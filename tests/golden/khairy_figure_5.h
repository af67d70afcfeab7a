/* [khairy, figure 5]: memory locations over the sets S0 to S7 of a cache with 8 sets, 1-byte lines
 * and 6-bit addresses; (a) sequential, (b) pseudo random interleaving. Row r holds the locations
 * 8r to 8r+7. */
#ifndef GOLDMEM_TESTS_GOLDEN_KHAIRY_FIGURE_5_H
#define GOLDMEM_TESTS_GOLDEN_KHAIRY_FIGURE_5_H

static const unsigned char khairy_figure_5b[8][8] = {
    {0, 4, 2, 6, 1, 5, 3, 7},         {13, 9, 15, 11, 12, 8, 14, 10},
    {23, 19, 21, 17, 22, 18, 20, 16}, {26, 30, 24, 28, 27, 31, 25, 29},
    {35, 39, 33, 37, 34, 38, 32, 36}, {46, 42, 44, 40, 47, 43, 45, 41},
    {52, 48, 54, 50, 53, 49, 55, 51}, {57, 61, 59, 63, 56, 60, 58, 62},
};

#endif
