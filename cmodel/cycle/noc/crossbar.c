/* Crossbar: size and wiring of its one router. */
#include "cycle/noc/crossbar.h"

#include "goldmem/assert.h"

void gm_crossbar_size(const gm_network_parameters *parameters, gm_fabric_size *size)
{
    size->routers = 1;
    size->ports = size->most_ports = parameters->inputs;
    size->outputs = parameters->outputs;
}

void gm_crossbar_wire(gm_fabric *fabric)
{
    const gm_fabric_size *size = &fabric->size;
    gm_assert(size->ports != 0 && size->outputs != 0, "a crossbar without ports");
    for (uint32_t i = 0; i < size->ports; i++) {
        fabric->port_wire[i] =
            (gm_fabric_port_wire){.router = 0, .sender = i, .from = GM_FABRIC_NONE};
    }
    for (uint32_t i = 0; i < size->senders; i++) {
        fabric->inject[i] =
            i % size->ports * size->channels + gm_fabric_first_channel(fabric, i / size->ports);
    }
    for (uint32_t i = 0; i < size->outputs; i++) {
        fabric->output_wire[i] = (gm_fabric_output_wire){.first_port = 0, .to = GM_FABRIC_NONE};
    }
    for (uint32_t i = 0; i < size->receivers; i++) {
        fabric->route[i] = i % size->outputs;
    }
}
