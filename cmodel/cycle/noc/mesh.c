/* 2D mesh: placement, XY routes, wiring. A router's input ports are those from its four neighbours,
 * then those of the senders at its node; ports that lead out of the mesh stay unused. */
#include "cycle/noc/mesh.h"

enum { NORTH, EAST, SOUTH, WEST, SIDES };

gm_mesh gm_mesh_make(const gm_network_parameters *parameters)
{
    bool requests = parameters->direction == GM_NETWORK_REQUESTS;
    uint32_t banks = requests ? parameters->outputs : parameters->inputs;
    gm_mesh mesh = {
        .sms = requests ? parameters->inputs : parameters->outputs,
        .partitions = banks / parameters->shared,
        .banks = parameters->shared,
        .columns = 1,
    };
    uint32_t nodes = mesh.sms + mesh.partitions;
    while (mesh.columns * mesh.columns < nodes) {
        mesh.columns++;
    }
    mesh.rows = (nodes + mesh.columns - 1) / mesh.columns;
    return mesh;
}

/* Returns the number of partitions at nodes below `node`: those p with (2p + 1) N < 2 node *
 * partitions. */
static uint32_t partitions_before(const gm_mesh *mesh, uint32_t node)
{
    uint64_t nodes = (uint64_t)mesh->sms + mesh->partitions;
    uint64_t twice = 2 * (uint64_t)node * mesh->partitions;
    return twice <= nodes ? 0 : (uint32_t)((twice - nodes + 2 * nodes - 1) / (2 * nodes));
}

gm_mesh_node gm_mesh_at(const gm_mesh *mesh, uint32_t position)
{
    uint32_t row = position / mesh->columns;
    uint32_t column = position % mesh->columns;
    uint32_t node = row * mesh->columns + (row % 2 == 0 ? column : mesh->columns - 1 - column);
    if (node >= mesh->sms + mesh->partitions) {
        return (gm_mesh_node){GM_MESH_EMPTY, 0};
    }
    uint32_t partitions = partitions_before(mesh, node);
    return partitions_before(mesh, node + 1) != partitions
               ? (gm_mesh_node){GM_MESH_PARTITION, partitions}
               : (gm_mesh_node){GM_MESH_SM, node - partitions};
}

/* Returns the number of input ports of each router. */
static uint32_t ports_of(const gm_network_parameters *parameters)
{
    return SIDES + (parameters->direction == GM_NETWORK_REQUESTS ? 1 : parameters->shared);
}

void gm_mesh_size(const gm_network_parameters *parameters, gm_fabric_size *size)
{
    gm_mesh mesh = gm_mesh_make(parameters);
    size->routers = mesh.columns * mesh.rows;
    size->most_ports = ports_of(parameters);
    size->ports = size->routers * size->most_ports;
    size->outputs = parameters->outputs + size->routers * SIDES;
}

/* Returns the position of the neighbour on `side`, or NONE. */
static uint32_t neighbour(const gm_mesh *mesh, uint32_t position, uint32_t side)
{
    uint32_t column = position % mesh->columns;
    uint32_t row = position / mesh->columns;
    bool there[SIDES] = {
        [NORTH] = row != 0,
        [EAST] = column + 1 != mesh->columns,
        [SOUTH] = row + 1 != mesh->rows,
        [WEST] = column != 0,
    };
    const uint32_t to[SIDES] = {
        [NORTH] = position - mesh->columns,
        [EAST] = position + 1,
        [SOUTH] = position + mesh->columns,
        [WEST] = position - 1,
    };
    return there[side] ? to[side] : GM_FABRIC_NONE;
}

/* Returns the side on which a packet leaves `from` for `to`. Requires two different positions. */
static uint32_t side_towards(const gm_mesh *mesh, uint32_t from, uint32_t to)
{
    uint32_t column = from % mesh->columns;
    uint32_t other = to % mesh->columns;
    if (column != other) {
        return column < other ? EAST : WEST;
    }
    return from < to ? SOUTH : NORTH;
}

/* Returns the outputs that eject, behind which the links' are numbered. */
static uint32_t ejecting(const gm_fabric *fabric)
{
    return fabric->size.receivers / fabric->size.classes;
}

static void wire_links(const gm_mesh *mesh, gm_fabric *fabric, uint32_t position)
{
    uint32_t ports = fabric->size.most_ports;
    for (uint32_t i = 0; i < ports; i++) {
        fabric->port_wire[position * ports + i] = (gm_fabric_port_wire){
            .router = position, .sender = GM_FABRIC_NONE, .from = GM_FABRIC_NONE};
    }
    for (uint32_t side = 0; side < SIDES; side++) {
        uint32_t next = neighbour(mesh, position, side);
        uint32_t opposite = (side + 2) % SIDES;
        gm_fabric_output_wire *out =
            &fabric->output_wire[ejecting(fabric) + position * SIDES + side];
        *out = (gm_fabric_output_wire){.first_port = position * ports, .to = GM_FABRIC_NONE};
        if (next != GM_FABRIC_NONE) {
            out->to = next * ports + opposite;
            fabric->port_wire[position * ports + side].from =
                ejecting(fabric) + next * SIDES + opposite;
        }
    }
}

static void wire_sender(gm_fabric *fabric, uint32_t position, uint32_t sender, uint32_t local)
{
    const gm_fabric_size *size = &fabric->size;
    uint32_t port = position * size->most_ports + SIDES + local;
    for (uint32_t class = 0; class < size->classes; class ++) {
        fabric->inject[class * (size->senders / size->classes) + sender] =
            port * size->channels + gm_fabric_first_channel(fabric, class);
    }
    fabric->port_wire[port].sender = sender;
}

static void wire_receiver(const gm_mesh *mesh, gm_fabric *fabric, uint32_t position,
                          uint32_t receiver)
{
    uint32_t outputs = ejecting(fabric);
    fabric->output_wire[receiver] = (gm_fabric_output_wire){
        .first_port = position * fabric->size.most_ports, .to = GM_FABRIC_NONE};
    for (uint32_t from = 0; from < fabric->size.routers; from++) {
        uint32_t output = from == position
                              ? receiver
                              : outputs + from * SIDES + side_towards(mesh, from, position);
        for (uint32_t class = 0; class < fabric->size.classes; class ++) {
            fabric->route[(size_t)from * fabric->size.receivers + class * outputs + receiver] =
                output;
        }
    }
}

void gm_mesh_wire(const gm_network_parameters *parameters, gm_fabric *fabric)
{
    gm_mesh mesh = gm_mesh_make(parameters);
    bool requests = parameters->direction == GM_NETWORK_REQUESTS;
    for (uint32_t position = 0; position < fabric->size.routers; position++) {
        gm_mesh_node node = gm_mesh_at(&mesh, position);
        uint32_t terminals = node.kind == GM_MESH_PARTITION ? mesh.banks : 1;
        wire_links(&mesh, fabric, position);
        for (uint32_t i = 0; i < terminals && node.kind != GM_MESH_EMPTY; i++) {
            uint32_t terminal = node.number * terminals + i;
            if ((node.kind == GM_MESH_SM) == requests) {
                wire_sender(fabric, position, terminal, i);
            } else {
                wire_receiver(&mesh, fabric, position, terminal);
            }
        }
    }
}
