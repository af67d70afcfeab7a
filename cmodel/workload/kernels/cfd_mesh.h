/* Meshes of tetrahedra for cfd, on the host: a box with a body in its middle, and files in the form
 * of Rodinia's cfd. */
#ifndef GOLDMEM_WORKLOAD_KERNELS_CFD_MESH_H
#define GOLDMEM_WORKLOAD_KERNELS_CFD_MESH_H

#include "goldmem/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GM_CFD_MESH_FACES = 4, GM_CFD_MESH_BODY = -1, GM_CFD_MESH_FAR_FIELD = -2 };

typedef struct gm_cfd_mesh_element {
    float volume;
    int32_t
        neighbour[GM_CFD_MESH_FACES]; /* an element, or GM_CFD_MESH_BODY or GM_CFD_MESH_FAR_FIELD */
    float normal[GM_CFD_MESH_FACES][3]; /* inwards, as long as the face is large */
} gm_cfd_mesh_element;

typedef struct gm_cfd_mesh {
    gm_cfd_mesh_element *element;
    size_t elements;
} gm_cfd_mesh;

/* A box of side^3 unit cubes, each cut into six tetrahedra, without the body^3 cubes in its middle.
 * Outside is the undisturbed flow. Elements come cube by cube, or in random order. */
typedef struct gm_cfd_mesh_box {
    uint32_t side, body;
    bool shuffle;
    uint64_t seed;
} gm_cfd_mesh_box;

/* Makes the mesh of a box. Returns 0, -EINVAL if the body leaves no gas, or -ENOMEM. */
int gm_cfd_mesh_make(gm_cfd_mesh *mesh, const gm_cfd_mesh_box *box, gm_error *error);

/* Reads a file: the number of elements; of each its volume and of each of its faces the neighbour
 * (from 1; 0: a body, negative: undisturbed flow) and the normal, outwards. Returns 0, -ENOENT,
 * -EIO, -EINVAL (the message names file and line) or -ENOMEM. */
int gm_cfd_mesh_read(gm_cfd_mesh *mesh, const char *path, gm_error *error);

/* Frees the mesh, also after a failure. */
void gm_cfd_mesh_free(gm_cfd_mesh *mesh);

#endif
