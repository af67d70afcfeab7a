/* [khairy, figure 7]: the XOR equations of Poly(37) for 32 sets of 128-byte lines: the bits of the
 * byte address A[26:7] whose XOR is index bit 0 to 4, in the order printed. 0 ends a row. */
#ifndef GOLDMEM_TESTS_GOLDEN_KHAIRY_FIGURE_7_H
#define GOLDMEM_TESTS_GOLDEN_KHAIRY_FIGURE_7_H

static const unsigned char khairy_figure_7[5][11] = {
    {25, 24, 23, 22, 21, 18, 17, 15, 12, 7, 0}, {26, 25, 24, 23, 22, 19, 18, 16, 13, 8, 0},
    {26, 22, 21, 20, 19, 18, 15, 14, 12, 9, 0}, {23, 22, 21, 20, 19, 16, 15, 13, 10, 0},
    {24, 23, 22, 21, 20, 17, 16, 14, 11, 0},
};

#endif
