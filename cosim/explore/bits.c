/* The sizes of the Temporal Coherence blocks' state at their default parameters, from the port
 * lists: BLOCK.ELEMENT, bits of a row, rows. */
#include "bits.h"

#include "goldmem/gwct.h"
#include "goldmem/lease_store.h"
#include "goldmem/mshr.h"
#include "goldmem/tc_l1.h"
#include "goldmem/tc_l2.h"

#include <stdint.h>

static void print_block(FILE *file, const gm_ports *ports)
{
    uint64_t parameter[GM_PORTS_PARAMETERS];
    gm_port_shape shape;
    for (unsigned i = 0; i < ports->parameters; i++) {
        parameter[i] = ports->parameter[i].value;
    }
    ports->shape(parameter, &shape);
    for (unsigned i = 0; i < ports->states; i++) {
        unsigned long long number = shape.state[i].lanes * shape.state[i].rows;
        fprintf(file, "%s.%s %llu %llu\n", ports->block, ports->state[i].name,
                (unsigned long long)shape.state[i].width, number);
    }
    for (unsigned i = 0; i < ports->requests; i++) {
        fprintf(file, "%s.%s? %llu 1\n", ports->block, ports->request[i].name,
                (unsigned long long)shape.request[i]);
    }
    for (unsigned i = 0; i < ports->responses; i++) {
        fprintf(file, "%s.%s! %llu 1\n", ports->block, ports->response[i].name,
                (unsigned long long)shape.response[i]);
    }
}

void explore_print_bits(FILE *file)
{
    print_block(file, &gm_tc_l1_ports);
    print_block(file, &gm_tc_l2_ports);
    print_block(file, &gm_gwct_ports);
    print_block(file, &gm_lease_store_ports);
    print_block(file, &gm_mshr_ports);
}
