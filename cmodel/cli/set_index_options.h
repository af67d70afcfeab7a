/* Set-index options: cache geometry and set-index functions from the command line, for `goldmem
 * index` and `goldmem gates`. */
#ifndef GOLDMEM_CLI_SET_INDEX_OPTIONS_H
#define GOLDMEM_CLI_SET_INDEX_OPTIONS_H

#include "cli/cli.h"
#include "goldmem/set_index.h"
#include "goldmem/xor_network.h"

#include <jansson.h>

typedef struct gm_cli_geometry {
    uint64_t sets;
    uint64_t line;         /* bytes */
    uint64_t address_bits; /* of a byte address */
} gm_cli_geometry;

enum { GM_CLI_SETS = 's', GM_CLI_LINE = 'l', GM_CLI_ADDRESS_BITS = 'a' };

/* Rows for a struct argp_option table. */
#define GM_CLI_GEOMETRY_OPTIONS                                                                     \
    {                                                                                               \
        "sets", GM_CLI_SETS, "N", 0, "Number of sets, a power of two from 1 to 65536 (default 32)", \
        0},                                                                                         \
        {"line", GM_CLI_LINE, "BYTES", 0, "Bytes in a line, a power of two (default 128)", 0},      \
    {                                                                                               \
        "address-bits", GM_CLI_ADDRESS_BITS, "N", 0, "Bits of a byte address (default 49)", 0       \
    }

/* Returns the default geometry: 32 sets of 128-byte lines, 49-bit addresses. */
gm_cli_geometry gm_cli_geometry_default(void);

/* Takes an option of GM_CLI_GEOMETRY_OPTIONS. Returns 0, an error, or ARGP_ERR_UNKNOWN for any
 * other key. */
error_t gm_cli_geometry_option(int key, const char *argument, struct argp_state *state,
                               gm_cli_geometry *geometry);

/* Returns log2 of the line's bytes: the byte-address bit that is line-address bit 0. */
unsigned gm_cli_line_shift(const gm_cli_geometry *geometry);

/* Returns 0, or -EINVAL if the function is not defined for lines of so many bytes. */
int gm_cli_check_line(const gm_set_index *function, uint64_t line, gm_error *error);

/* Parses a set-index function; prints the reason on failure. Returns an exit code. */
int gm_cli_set_index(gm_set_index *function, const char *text, const gm_cli_geometry *geometry);

/* Parses a set-index function into the matrix of an XOR network; prints the reason on failure.
 * Returns an exit code. */
int gm_cli_xor_matrix(gm_xor_matrix *matrix, const char *text, const gm_cli_geometry *geometry);

/* Parses a whole number, decimal or 0x..., from low to high. Returns false for any other text. */
bool gm_cli_number(const char *text, uint64_t low, uint64_t high, uint64_t *value);

/* Prints a row of the matrix in bits of the byte address, "A25 ^ A24 ^ ...", as [khairy, figure 7].
 */
void gm_cli_print_terms(FILE *file, uint64_t row, unsigned shift);

/* Prints a value and releases it; NULL stands for no memory. Returns an exit code. */
int gm_cli_print_json(json_t *root);

#endif
