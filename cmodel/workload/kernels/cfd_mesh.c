/* Meshes for cfd: a box cut into cubes of six tetrahedra, and the reader of Rodinia's files. */
#include "workload/kernels/cfd_mesh.h"

#include "base/random.h"
#include "workload/input_file.h"

#include <errno.h>
#include <stdlib.h>

enum { IN_CUBE = 6, AXES = 3, MOST_ELEMENTS = 1 << 27 };

/* A cube's tetrahedra go from its lowest corner to its highest along the axes, in each of the six
 * orders [Kuhn's division]: vertex 0 is the lowest corner, vertex k + 1 is one step along axis
 * order[k] from vertex k. */
static const uint8_t order[IN_CUBE][AXES] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                             {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static uint32_t with_order(uint8_t first, uint8_t second)
{
    uint32_t i = 0;
    while (order[i][0] != first || order[i][1] != second) {
        i++;
    }
    return i;
}

static bool in_body(const gm_cfd_mesh_box *box, const int64_t cube[AXES])
{
    int64_t low = (box->side - box->body) / 2;
    bool inside = true;
    for (int i = 0; i < AXES; i++) {
        inside = inside && cube[i] >= low && cube[i] < low + box->body;
    }
    return inside;
}

static bool in_box(const gm_cfd_mesh_box *box, const int64_t cube[AXES])
{
    bool inside = true;
    for (int i = 0; i < AXES; i++) {
        inside = inside && cube[i] >= 0 && cube[i] < box->side;
    }
    return inside;
}

/* Returns the place of a tetrahedron among side^3 cubes of six. */
static size_t place_of(const gm_cfd_mesh_box *box, const int64_t cube[AXES], uint32_t tetrahedron)
{
    size_t at = ((size_t)cube[2] * box->side + (size_t)cube[1]) * box->side + (size_t)cube[0];
    return at * IN_CUBE + tetrahedron;
}

/* Returns the neighbour behind the face that leaves out vertex `face`. The faces that leave out the
 * first or the last vertex are in the cube's sides; those in between change two axes of the order.
 */
static int32_t behind(const gm_cfd_mesh_box *box, const int32_t *number, const int64_t cube[AXES],
                      uint32_t tetrahedron, uint32_t face)
{
    const uint8_t *o = order[tetrahedron];
    int64_t at[AXES] = {cube[0], cube[1], cube[2]};
    uint32_t other = 0;
    if (face == 0) {
        at[o[0]]++;
        other = with_order(o[1], o[2]);
    } else if (face == 3) {
        at[o[2]]--;
        other = with_order(o[2], o[0]);
    } else {
        other = face == 1 ? with_order(o[1], o[0]) : with_order(o[0], o[2]);
    }
    if (!in_box(box, at)) {
        return GM_CFD_MESH_FAR_FIELD;
    }
    return in_body(box, at) ? GM_CFD_MESH_BODY : number[place_of(box, at, other)];
}

/* Computes the inward normal of the face that leaves out vertex `face`; its length is the face's
 * area. With the vertices v0 = 0, v1 = e(o0), v2 = v1 + e(o1), v3 = v2 + e(o2), a point with x(o0)
 * >= x(o1) >= x(o2) is inside, between 0 and 1: those four differences are what the faces bound. */
static void set_normal(float normal[AXES], const uint8_t o[AXES], uint32_t face)
{
    normal[0] = normal[1] = normal[2] = 0.0F;
    if (face == 0) {
        normal[o[0]] = -0.5F;
    } else if (face == 3) {
        normal[o[2]] = 0.5F;
    } else {
        normal[o[face - 1]] = 0.5F;
        normal[o[face]] = -0.5F;
    }
}

static int take(gm_cfd_mesh *mesh, size_t elements, gm_error *error)
{
    mesh->elements = elements;
    mesh->element = calloc(elements, sizeof *mesh->element);
    return mesh->element != NULL ? 0 : gm_fail(error, -ENOMEM, "out of memory for a mesh");
}

/* Sets number[place] to the tetrahedron's number, -1 in the body. Returns the number of tetrahedra.
 */
static size_t count_elements(const gm_cfd_mesh_box *box, int32_t *number)
{
    size_t elements = 0;
    for (size_t at = 0; at < (size_t)box->side * box->side * box->side; at++) {
        const int64_t cube[AXES] = {(int64_t)(at % box->side),
                                    (int64_t)(at / box->side % box->side),
                                    (int64_t)(at / box->side / box->side)};
        for (uint32_t i = 0; i < IN_CUBE; i++) {
            number[at * IN_CUBE + i] = in_body(box, cube) ? -1 : (int32_t)elements++;
        }
    }
    return elements;
}

/* Shuffles the numbers of the tetrahedra outside the body [Fisher and Yates]. */
static int shuffle(int32_t *number, size_t places, size_t elements, uint64_t seed, gm_error *error)
{
    int32_t *to = malloc(elements * sizeof *to);
    if (to == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory for a mesh");
    }
    for (size_t i = 0; i < elements; i++) {
        size_t k = (size_t)gm_random_below(&seed, (uint32_t)i + 1);
        to[i] = to[k];
        to[k] = (int32_t)i;
    }
    for (size_t i = 0; i < places; i++) {
        number[i] = number[i] < 0 ? number[i] : to[number[i]];
    }
    free(to);
    return 0;
}

static void fill(gm_cfd_mesh *mesh, const gm_cfd_mesh_box *box, const int32_t *number)
{
    int64_t cube[AXES];
    for (cube[2] = 0; cube[2] < box->side; cube[2]++) {
        for (cube[1] = 0; cube[1] < box->side; cube[1]++) {
            for (cube[0] = 0; cube[0] < box->side; cube[0]++) {
                for (uint32_t i = 0; !in_body(box, cube) && i < IN_CUBE; i++) {
                    gm_cfd_mesh_element *element = &mesh->element[number[place_of(box, cube, i)]];
                    element->volume = 1.0F / IN_CUBE;
                    for (uint32_t face = 0; face < GM_CFD_MESH_FACES; face++) {
                        element->neighbour[face] = behind(box, number, cube, i, face);
                        set_normal(element->normal[face], order[i], face);
                    }
                }
            }
        }
    }
}

int gm_cfd_mesh_make(gm_cfd_mesh *mesh, const gm_cfd_mesh_box *box, gm_error *error)
{
    *mesh = (gm_cfd_mesh){0};
    if (box->body >= box->side) {
        return gm_fail(error, -EINVAL, "workload cfd: body=%u fills the box of side=%u", box->body,
                       box->side);
    }
    size_t places = (size_t)box->side * box->side * box->side * IN_CUBE;
    int32_t *number = malloc(places * sizeof *number);
    if (number == NULL) {
        return gm_fail(error, -ENOMEM, "out of memory for a mesh");
    }
    size_t elements = count_elements(box, number);
    int code = take(mesh, elements, error);
    if (code == 0 && box->shuffle) {
        code = shuffle(number, places, elements, box->seed, error);
    }
    if (code == 0) {
        fill(mesh, box, number);
    }
    free(number);
    return code;
}

static int read_face(gm_cfd_mesh_element *element, uint32_t face, int64_t elements,
                     gm_input_file *file, gm_error *error)
{
    int64_t neighbour = 0;
    int code = gm_input_file_integer(file, "neighbour", -elements, elements, &neighbour, error);
    element->neighbour[face] = neighbour > 0    ? (int32_t)(neighbour - 1)
                               : neighbour == 0 ? GM_CFD_MESH_BODY
                                                : GM_CFD_MESH_FAR_FIELD;
    for (int k = 0; code == 0 && k < AXES; k++) {
        double part = 0.0;
        code = gm_input_file_real(file, "normal", &part, error);
        element->normal[face][k] = -(float)part;
    }
    return code;
}

static int read_elements(gm_cfd_mesh *mesh, gm_input_file *file, gm_error *error)
{
    int64_t elements = 0;
    int code =
        gm_input_file_integer(file, "number of elements", 1, MOST_ELEMENTS, &elements, error);
    if (code == 0) {
        code = take(mesh, (size_t)elements, error);
    }
    for (int64_t i = 0; code == 0 && i < elements; i++) {
        double volume = 0.0;
        code = gm_input_file_real(file, "volume", &volume, error);
        if (code == 0 && !(volume > 0.0)) {
            code = gm_input_file_fail(file, error, "volume: %g is not above 0", volume);
        }
        mesh->element[i].volume = (float)volume;
        for (uint32_t face = 0; code == 0 && face < GM_CFD_MESH_FACES; face++) {
            code = read_face(&mesh->element[i], face, elements, file, error);
        }
    }
    return code;
}

int gm_cfd_mesh_read(gm_cfd_mesh *mesh, const char *path, gm_error *error)
{
    *mesh = (gm_cfd_mesh){0};
    gm_input_file file;
    int code = gm_input_file_load(&file, path, error);
    if (code == 0) {
        code = read_elements(mesh, &file, error);
        gm_input_file_free(&file);
    }
    return code;
}

void gm_cfd_mesh_free(gm_cfd_mesh *mesh)
{
    free(mesh->element);
    *mesh = (gm_cfd_mesh){0};
}
