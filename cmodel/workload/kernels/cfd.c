/* Flow of a compressible gas without friction around a body [Rodinia cfd, euler3d: kernels
 * initialize_variables, compute_step_factor, compute_flux and time_step; li, Table 1 (CFD): cache
 * insensitive]. Finite volumes on an unstructured mesh of tetrahedra, three stages of a Runge-Kutta
 * scheme in each iteration. A thread has an element; arrays are by quantity, so that its own values
 * are coalesced, and those of its four neighbours are gathered. */
#include "workload/kernels/cfd_mesh.h"
#include "workload/workload_internal.h"

#include <math.h>
#include <string.h>

enum { SIDE, BODY, ITERATIONS, SHUFFLE, SEED, MESH };
static const gm_workload_option options[] = {
    [SIDE] = {"side", 1, 256, 16, false, "of a box of side^3 cubes, each of 6 elements"},
    [BODY] = {"body", 0, 254, 4, false, "of the cube without gas in its middle"},
    [ITERATIONS] = {"iterations", 1, 100000, 1, false, "of the solver"},
    [SHUFFLE] = {"shuffle", 0, 1, 0, false, "1: the elements in random order"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of that order"},
    [MESH] = {"mesh", 0, 0, 0, true, "file in Rodinia's form, instead of the box"},
    {0},
};

enum { BLOCK = 192, STAGES = 3, AXES = 3, FACES = GM_CFD_MESH_FACES };

/* Density, momentum in three directions, energy: the quantities of an element. */
enum { DENSITY, MOMENTUM, ENERGY = MOMENTUM + AXES, QUANTITIES };

static const float GAMMA = 1.4F;     /* ratio of specific heats of a gas of two atoms */
static const float MACH = 1.2F;      /* speed far away, by that of sound; along the first axis */
static const float SMOOTHING = 0.2F; /* artificial viscosity */

typedef struct cfd {
    const float *volume;      /* of each element */
    const int32_t *neighbour; /* [face][element]; GM_CFD_MESH_BODY, GM_CFD_MESH_FAR_FIELD: none */
    const float *normal;      /* [face][axis][element], inwards, as long as the face is large */
    float *variable, *old;    /* [quantity][element] */
    float *flux;
    float *step_factor;        /* of each element */
    float far[QUANTITIES];     /* the undisturbed flow, in constant memory */
    float *initial;            /* array that a launch of initialize_variables fills */
    uint32_t elements, stride; /* of the mesh; and with those that fill up the last block */
    float fraction;            /* of a step that this stage takes */
    uint64_t iterations;
} cfd;

/* The gas of an element: its quantities, and the values that follow from them. */
typedef struct gas {
    float density, momentum[AXES], energy;
    float velocity[AXES], speed, pressure, sound;
} gas;

static inline gas gas_of(float density, const float momentum[AXES], float energy)
{
    gas g = {.density = density, .energy = energy};
    float square = 0.0F;
    for (int i = 0; i < AXES; i++) {
        g.momentum[i] = momentum[i];
        g.velocity[i] = momentum[i] / density;
        square += g.velocity[i] * g.velocity[i];
    }
    g.speed = sqrtf(square);
    g.pressure = (GAMMA - 1.0F) * (energy - 0.5F * density * square);
    g.sound = sqrtf(GAMMA * g.pressure / density);
    return g;
}

/* Loads element `i` into a gas `g`; 20 instructions and 5 that are slower compute the other values.
 */
#define LOAD_GAS(t, a, i, g)                                                                       \
    do {                                                                                           \
        float momentum[AXES];                                                                      \
        float density = LOAD(t, (a)->variable + DENSITY * (size_t)(a)->stride + (i));              \
        momentum[0] = LOAD(t, (a)->variable + (MOMENTUM + 0) * (size_t)(a)->stride + (i));         \
        momentum[1] = LOAD(t, (a)->variable + (MOMENTUM + 1) * (size_t)(a)->stride + (i));         \
        momentum[2] = LOAD(t, (a)->variable + (MOMENTUM + 2) * (size_t)(a)->stride + (i));         \
        float energy = LOAD(t, (a)->variable + ENERGY * (size_t)(a)->stride + (i));                \
        COMPUTE(t, FP32, 20);                                                                      \
        COMPUTE(t, SPECIAL, 5);                                                                    \
        (g) = gas_of(density, momentum, energy);                                                   \
    } while (0)

/* Adds the flow of a gas through a face along `normal`, times `share` [Euler's equations]. */
static inline void add_flow(float flux[QUANTITIES], const gas *g, const float normal[AXES],
                            float share)
{
    for (int i = 0; i < AXES; i++) {
        float along = share * normal[i];
        flux[DENSITY] += along * g->momentum[i];
        flux[ENERGY] += along * g->velocity[i] * (g->energy + g->pressure);
        flux[MOMENTUM + i] += along * g->pressure;
        for (int j = 0; j < AXES; j++) {
            flux[MOMENTUM + j] += along * g->velocity[i] * g->momentum[j];
        }
    }
}

GM_THREAD(initialize_variables, cfd)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    for (uint32_t q = 0; q < QUANTITIES; q++) {
        COMPUTE(t, INTEGER, 2);
        STORE(t, a->initial + (size_t)q * a->stride + i, a->far[q]);
        LOOP(t);
    }
}
GM_KERNEL(initialize_variables, cfd)

/* Computes the longest step that is stable for the element by itself. */
GM_THREAD(compute_step_factor, cfd)
{
    uint32_t i = GM_GLOBAL_X(t);
    gas own;
    COMPUTE(t, INTEGER, 2);
    LOAD_GAS(t, a, i, own);
    float volume = LOAD(t, a->volume + i);
    COMPUTE(t, FP32, 2);
    COMPUTE(t, SPECIAL, 2);
    STORE(t, a->step_factor + i, 0.5F / (sqrtf(volume) * (own.speed + own.sound)));
}
GM_KERNEL(compute_step_factor, cfd)

/* Computes the flow into the element through its four faces. */
GM_THREAD(compute_flux, cfd)
{
    uint32_t i = GM_GLOBAL_X(t);
    float flux[QUANTITIES] = {0.0F};
    gas own;
    COMPUTE(t, INTEGER, 2);
    LOAD_GAS(t, a, i, own);
    for (uint32_t face = 0; face < FACES; face++) {
        int32_t neighbour = LOAD(t, a->neighbour + (size_t)face * a->stride + i);
        const float *at = a->normal + (size_t)face * AXES * a->stride + i;
        float normal[AXES];
        normal[0] = LOAD(t, at);
        normal[1] = LOAD(t, at + a->stride);
        normal[2] = LOAD(t, at + (size_t)2 * a->stride);
        COMPUTE(t, FP32, 5);
        COMPUTE(t, SPECIAL, 1);
        if (neighbour >= 0) { /* the mean of both, and viscosity */
            gas other;
            LOAD_GAS(t, a, neighbour, other);
            COMPUTE(t, FP32, 60);
            float area =
                sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
            float viscosity =
                -area * SMOOTHING * 0.5F * (own.speed + other.speed + own.sound + other.sound);
            flux[DENSITY] += viscosity * (own.density - other.density);
            flux[ENERGY] += viscosity * (own.energy - other.energy);
            for (int k = 0; k < AXES; k++) {
                flux[MOMENTUM + k] += viscosity * (own.momentum[k] - other.momentum[k]);
            }
            add_flow(flux, &own, normal, 0.5F);
            add_flow(flux, &other, normal, 0.5F);
        } else if (neighbour == GM_CFD_MESH_BODY) { /* nothing but pressure */
            COMPUTE(t, FP32, 3);
            for (int k = 0; k < AXES; k++) {
                flux[MOMENTUM + k] += normal[k] * own.pressure;
            }
        } else { /* the mean with the undisturbed flow, whose fluxes are in constant memory */
            COMPUTE(t, FP32, 40);
            gas far = gas_of(a->far[DENSITY], a->far + MOMENTUM, a->far[ENERGY]);
            add_flow(flux, &own, normal, 0.5F);
            add_flow(flux, &far, normal, 0.5F);
        }
        LOOP(t);
    }
    STORE(t, a->flux + DENSITY * (size_t)a->stride + i, flux[DENSITY]);
    STORE(t, a->flux + (MOMENTUM + 0) * (size_t)a->stride + i, flux[MOMENTUM]);
    STORE(t, a->flux + (MOMENTUM + 1) * (size_t)a->stride + i, flux[MOMENTUM + 1]);
    STORE(t, a->flux + (MOMENTUM + 2) * (size_t)a->stride + i, flux[MOMENTUM + 2]);
    STORE(t, a->flux + ENERGY * (size_t)a->stride + i, flux[ENERGY]);
}
GM_KERNEL(compute_flux, cfd)

GM_THREAD(time_step, cfd)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    float factor = LOAD(t, a->step_factor + i);
    COMPUTE(t, FP32, 1);
    for (uint32_t q = 0; q < QUANTITIES; q++) {
        size_t at = (size_t)q * a->stride + i;
        float before = LOAD(t, a->old + at);
        float flux = LOAD(t, a->flux + at);
        COMPUTE(t, FP32, 1);
        STORE(t, a->variable + at, before + factor * a->fraction * flux);
        LOOP(t);
    }
}
GM_KERNEL(time_step, cfd)

/* Copies the variables before the iteration's stages, for the host's copy on the device. */
GM_THREAD(copy_variables, cfd)
{
    uint32_t i = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    for (uint32_t q = 0; q < QUANTITIES; q++) {
        size_t at = (size_t)q * a->stride + i;
        float value = LOAD(t, a->variable + at);
        STORE(t, a->old + at, value);
        LOOP(t);
    }
}
GM_KERNEL(copy_variables, cfd)

/* Sets the undisturbed flow, with density and speed of sound such that the pressure is 1. */
static void set_far_field(cfd *s)
{
    float density = 1.4F;
    float speed = MACH * sqrtf(GAMMA * 1.0F / density);
    s->far[DENSITY] = density;
    s->far[MOMENTUM] = density * speed;
    s->far[ENERGY] = 0.5F * density * speed * speed + 1.0F / (GAMMA - 1.0F);
}

/* Fills the device's arrays from the host's mesh; repeats the last element to fill up the last
 * block. */
static int take_mesh(gm_workload *workload, cfd *s, const gm_cfd_mesh *mesh, gm_error *error)
{
    s->elements = (uint32_t)mesh->elements;
    s->stride = gm_blocks(mesh->elements, BLOCK) * BLOCK;
    size_t stride = s->stride;
    float *volume = gm_workload_input(workload, "volume", stride, sizeof *volume, error);
    int32_t *neighbour =
        gm_workload_input(workload, "neighbour", FACES * stride, sizeof *neighbour, error);
    float *normal =
        gm_workload_input(workload, "normal", (size_t)FACES * AXES * stride, sizeof *normal, error);
    if (volume == NULL || neighbour == NULL || normal == NULL) {
        return error->code;
    }
    for (size_t i = 0; i < stride; i++) {
        const gm_cfd_mesh_element *element =
            &mesh->element[i < mesh->elements ? i : mesh->elements - 1];
        volume[i] = element->volume;
        for (size_t face = 0; face < FACES; face++) {
            neighbour[face * stride + i] = element->neighbour[face];
            for (size_t k = 0; k < AXES; k++) {
                normal[(face * AXES + k) * stride + i] = element->normal[face][k];
            }
        }
    }
    s->volume = volume;
    s->neighbour = neighbour;
    s->normal = normal;
    return 0;
}

static int take_variables(gm_workload *workload, cfd *s, gm_error *error)
{
    size_t stride = s->stride;
    size_t all = QUANTITIES * stride;
    s->variable = gm_workload_output(workload, "variable", all, sizeof(float), error);
    s->old = gm_workload_output(workload, "old", all, sizeof(float), error);
    s->flux = gm_workload_output(workload, "flux", all, sizeof(float), error);
    s->step_factor = gm_workload_output(workload, "step_factor", stride, sizeof(float), error);
    bool taken = s->variable != NULL && s->old != NULL && s->flux != NULL && s->step_factor != NULL;
    return taken ? 0 : error->code;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    cfd *s = state;
    const int64_t *value = workload->value;
    const gm_cfd_mesh_box box = {(uint32_t)value[SIDE], (uint32_t)value[BODY], value[SHUFFLE] != 0,
                                 (uint64_t)value[SEED]};
    gm_cfd_mesh mesh = {0};
    int code = workload->path[MESH] != NULL ? gm_cfd_mesh_read(&mesh, workload->path[MESH], error)
                                            : gm_cfd_mesh_make(&mesh, &box, error);
    if (code == 0) {
        code = take_mesh(workload, s, &mesh, error);
    }
    if (code == 0) {
        code = take_variables(workload, s, error);
    }
    gm_cfd_mesh_free(&mesh);
    s->iterations = (uint64_t)value[ITERATIONS];
    set_far_field(s);
    return code;
}

/* Launches three kernels that fill variables, old variables and fluxes; then in each iteration a
 * copy, the step factors, and three times the fluxes and a part of the step. */
static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    enum { FILLS = 3, LAUNCHES = 2 + 2 * STAGES };
    cfd *s = state;
    launch->arguments = s;
    launch->block.x = BLOCK;
    launch->grid.x = s->stride / BLOCK;
    if (step < FILLS) {
        float *const filled[FILLS] = {s->variable, s->old, s->flux};
        s->initial = filled[step];
        launch->code = &initialize_variables_code;
        return 1;
    }
    uint64_t within = (step - FILLS) % LAUNCHES;
    uint64_t stage = within < 2 ? 0 : (within - 2) / 2;
    s->fraction = 1.0F / (float)(STAGES - stage);
    launch->code = within == 0       ? &copy_variables_code
                   : within == 1     ? &compute_step_factor_code
                   : within % 2 == 0 ? &compute_flux_code
                                     : &time_step_code;
    return (step - FILLS) / LAUNCHES < s->iterations;
}

extern const gm_workload_definition gm_workload_cfd;
const gm_workload_definition gm_workload_cfd = {
    .description = {"cfd", "flow of a gas on an unstructured mesh",
                    "Rodinia [li, Table 1: CFD, cache insensitive]", options},
    .state_bytes = sizeof(cfd),
    .setup = setup,
    .launch = launch,
};
