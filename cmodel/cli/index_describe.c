/* goldmem index without addresses: equations in the form of [khairy, figure 7], rank, matrices. */
#include "cli/index.h"

#include "goldmem/bits.h"
#include "goldmem/gf2.h"
#include "goldmem/xor_network.h"
#include "report/json_value.h"

#include <inttypes.h>

static unsigned line_bits(const gm_index_arguments *own)
{
    return (unsigned)own->geometry.address_bits - gm_cli_line_shift(&own->geometry);
}

static json_t *describe_as_json(const gm_index_arguments *own, unsigned i)
{
    const gm_set_index *f = &own->function[i];
    unsigned shift = gm_cli_line_shift(&own->geometry);
    json_t *equations = json_array();
    json_t *rows = json_array();
    for (unsigned bit = 0; gm_set_index_is_linear(f) && bit < f->bits; bit++) {
        json_t *terms = json_array();
        for (unsigned column = f->address_bits; column-- > 0;) {
            if ((f->row[bit] >> column & 1) != 0) {
                json_array_append_new(terms, json_integer(column + shift));
            }
        }
        json_array_append_new(equations, terms);
        char mask[24];
        snprintf(mask, sizeof mask, "0x%" PRIx64, f->row[bit]);
        json_array_append_new(rows, json_string(mask));
    }
    return json_pack("{so sb sI sI so so sI}", "function", gm_json_text(own->text[i]), "linear",
                     (int)gm_set_index_is_linear(f), "sets", (json_int_t)1 << f->bits,
                     "line_address_bits", (json_int_t)f->address_bits, "index_bits_of_address",
                     equations, "rows", rows, "unused_sets",
                     (json_int_t)(f->modulus == 0 ? 0 : (1 << f->bits) - (int)f->modulus));
}

static void describe_as_text(const gm_index_arguments *own, unsigned i)
{
    const gm_set_index *f = &own->function[i];
    unsigned shift = gm_cli_line_shift(&own->geometry);
    printf("%s: %" PRIu64 " sets, lines of %" PRIu64 " bytes, line address A[%u:%u]\n",
           own->text[i], own->geometry.sets, own->geometry.line,
           (unsigned)own->geometry.address_bits - 1, shift);
    if (f->kind == GM_INDEX_PRIME) {
        printf("  set = line address mod %u, tag = line address\n", f->modulus);
        printf("  unused sets: %u", (1u << f->bits) - f->modulus);
        for (unsigned set = f->modulus; set < 1u << f->bits; set++) {
            printf("%s%u", set == f->modulus ? " (" : ", ", set);
            if (set - f->modulus == 7 && set + 1 < 1u << f->bits) {
                printf(", ..., %u", (1u << f->bits) - 1);
                break;
            }
        }
        puts(f->modulus < 1u << f->bits ? ")" : "");
        return;
    }
    if (f->kind == GM_INDEX_SKEW) {
        printf("  set = (line address + tag) mod %u, tag = line address >> %u\n", 1u << f->bits,
               f->bits);
        return;
    }
    gm_xor_matrix matrix = {.inputs = f->address_bits, .outputs = f->bits};
    unsigned gates = 0;
    for (unsigned bit = 0; bit < f->bits; bit++) {
        printf("  I%u = ", bit);
        gm_cli_print_terms(stdout, f->row[bit], shift);
        putchar('\n');
        matrix.row[bit] = f->row[bit];
        gates += gm_count_ones(f->row[bit]) - 1;
    }
    printf("  rank %u of %u; one-to-one", gm_gf2_rank(f->row, f->bits), f->bits);
    if (f->address_bits > f->bits) {
        printf(" for a fixed tag (A[%u:%u])", shift + f->address_bits - 1, shift + f->bits);
    }
    putchar('\n');
    printf("  two-input XOR gates as written %u, largest fan-in %u\n", gates,
           gm_xor_matrix_fanin(&matrix));
}

int gm_index_describe(const gm_index_arguments *own)
{
    if (own->format == GM_INDEX_CSV) {
        puts("function,index_bit,address_bits");
        for (unsigned i = 0; i < own->functions; i++) {
            const gm_set_index *f = &own->function[i];
            for (unsigned bit = 0; gm_set_index_is_linear(f) && bit < f->bits; bit++) {
                printf("%s,%u,", own->text[i], bit);
                gm_cli_print_terms(stdout, f->row[bit], gm_cli_line_shift(&own->geometry));
                putchar('\n');
            }
        }
        return GM_EXIT_OK;
    }
    if (own->format == GM_INDEX_TEXT) {
        for (unsigned i = 0; i < own->functions; i++) {
            describe_as_text(own, i);
        }
        return GM_EXIT_OK;
    }
    json_t *functions = json_array();
    for (unsigned i = 0; i < own->functions; i++) {
        json_array_append_new(functions, describe_as_json(own, i));
    }
    return gm_cli_print_json(json_pack("{si so}", "schema", 1, "functions", functions));
}

int gm_index_print_matrices(const gm_index_arguments *own)
{
    if (own->format != GM_INDEX_TEXT) {
        return gm_index_describe(own);
    }
    for (unsigned i = 0; i < own->functions; i++) {
        const gm_set_index *f = &own->function[i];
        if (!gm_set_index_is_linear(f)) {
            return gm_cli_fail(GM_EXIT_USAGE, "'%s' is not a matrix", own->text[i]);
        }
        unsigned shift = gm_cli_line_shift(&own->geometry);
        printf("# H-matrix of %s: rows I0 to I%u, columns A%u to A%u\n", own->text[i],
               f->bits == 0 ? 0 : f->bits - 1, line_bits(own) - 1 + shift, shift);
        for (unsigned bit = 0; bit < f->bits; bit++) {
            for (unsigned column = f->address_bits; column-- > 0;) {
                putchar((f->row[bit] >> column & 1) != 0 ? '1' : '0');
            }
            putchar('\n');
        }
    }
    return GM_EXIT_OK;
}
