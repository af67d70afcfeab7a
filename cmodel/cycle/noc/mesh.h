/* 2D mesh with XY routing [tabbakh, Table I: 2D mesh, 32-byte channels]: an SM or a memory
 * partition, with its L2 banks, at each node; nodes without either at the end of the last row.
 *
 * N = SMs + partitions nodes lie on ceil(sqrt N) columns and as many rows as they need, numbered
 * row by row, from the left in even rows and from the right in odd ones. Partition p is at node
 * floor((2p + 1) N / (2 * partitions)); the SMs take the others in order. A packet moves along its
 * row first, then along its column: with whole-packet room at each router and a network for each
 * direction this cannot deadlock. */
#ifndef GOLDMEM_CYCLE_NOC_MESH_H
#define GOLDMEM_CYCLE_NOC_MESH_H

#include "cycle/noc/network.h"

typedef struct gm_mesh {
    uint32_t sms, partitions, banks; /* of a partition */
    uint32_t columns, rows;
} gm_mesh;

/* Returns the smallest mesh for the SMs and partitions of `parameters`. */
gm_mesh gm_mesh_make(const gm_network_parameters *parameters);

typedef enum gm_mesh_kind { GM_MESH_SM, GM_MESH_PARTITION, GM_MESH_EMPTY } gm_mesh_kind;

typedef struct gm_mesh_node {
    gm_mesh_kind kind;
    uint32_t number; /* of the SM or the partition */
} gm_mesh_node;

/* Returns the node at position row * columns + column. */
gm_mesh_node gm_mesh_at(const gm_mesh *mesh, uint32_t position);

/* Sets routers, ports and outputs of *size; leaves the other fields. */
void gm_mesh_size(const gm_network_parameters *parameters, gm_fabric_size *size);

/* Fills in the fabric's wiring. Requires gm_fabric_init. */
void gm_mesh_wire(const gm_network_parameters *parameters, gm_fabric *fabric);

#endif
