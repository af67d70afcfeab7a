/* Ray tracing with reflections [tabbakh: RAY; Bakhoda et al., Analyzing CUDA workloads, ISPASS
 * 2009: RAY]: a thread a pixel, CTAs of 16x8; a ray that leaves the eye, up to five times reflected
 * by spheres and by a floor, with a shadow ray at each place. There is no recursion on these GPUs:
 * a thread keeps each place's colour and how much it reflects in a stack in local memory, and adds
 * them up from the last. The scene is ours. It is in constant memory, whose cache is not the L1:
 * with `constant=1` it is not accessed. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <math.h>

enum { WIDTH, HEIGHT, SPHERES, DEPTH, CONSTANT, SEED };
enum { MOST_SPHERES = 1024, MOST_DEPTH = 5, WIDE = 16, HIGH = 8 };
static const gm_workload_option options[] = {
    [WIDTH] = {"width", 1, 1 << 14, 500, false, "pixels of a row"},
    [HEIGHT] = {"height", 1, 1 << 14, 420, false, "rows"},
    [SPHERES] = {"spheres", 1, MOST_SPHERES, 4, false, "beside the floor"},
    [DEPTH] = {"depth", 1, MOST_DEPTH, MOST_DEPTH, false, "rays of a pixel, reflected ones"},
    [CONSTANT] = {"constant", 0, 1, 1, false, "1: spheres in constant memory; 0: loaded"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the spheres"},
    {0},
};

typedef struct vector {
    float x, y, z;
} vector;

/* A sphere: two accesses of 16 bytes. */
typedef struct place {
    float x, y, z, radius;
} __attribute__((aligned(16))) place;
typedef struct color {
    float red, green, blue, reflects;
} __attribute__((aligned(16))) color;

typedef struct raytrace {
    const place *sphere;
    const color *paint;
    uint32_t *image;
    uint32_t width, height, spheres, depth;
    bool constant;
} raytrace;

enum { MISS = -2, FLOOR = -1 }; /* in place of a sphere's number */
static const float NEAR = 1e-3F, FAR = 40.0F, FLOOR_HEIGHT = -0.5F;
static const vector EYE = {0.137F, 1.03F, -6.07F}, LIGHT = {0.48F, 0.72F, -0.50119856F};
static const color SKY = {0.35F, 0.5F, 0.8F, 0.0F};

/* The stack, then variables in registers. */
typedef struct rays {
    color stack[MOST_DEPTH];
    vector from, along; /* the ray */
    float distance;
    int32_t hit;
    uint32_t used;
} rays;

static inline vector at(vector from, vector along, float distance)
{
    return (vector){from.x + distance * along.x, from.y + distance * along.y,
                    from.z + distance * along.z};
}

static inline float dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vector unit(vector a)
{
    return at((vector){0.0F, 0.0F, 0.0F}, a, 1.0F / sqrtf(dot(a, a)));
}

/* Returns half the linear coefficient of the equation of ray and sphere, sets its discriminant. */
static inline float equation(vector from, vector along, place sphere, float *discriminant)
{
    vector middle = {sphere.x - from.x, sphere.y - from.y, sphere.z - from.z};
    float nearest = dot(middle, along);
    *discriminant = nearest * nearest - dot(middle, middle) + sphere.radius * sphere.radius;
    return nearest;
}

static inline uint32_t byte_of(float value)
{
    return (uint32_t)(fminf(fmaxf(value, 0.0F), 1.0F) * 255.0F);
}

GM_PARTS(render)

/* The ray through the pixel, and an empty stack. */
GM_PART(start, raytrace)
{
    rays *l = t->locals;
    COMPUTE(t, INTEGER, 6);
    float scale = 1.2F / (float)a->height;
    float x = (float)GM_GLOBAL_X(t) - 0.5F * (float)a->width;
    float y = 0.5F * (float)a->height - (float)GM_GLOBAL_Y(t);
    l->from = EYE;
    l->along = unit((vector){x * scale, y * scale, 1.0F});
    COMPUTE(t, FP32, 15);
    COMPUTE(t, SPECIAL, 1);
    for (uint32_t i = 0; i < a->depth; i++) {
        LOCAL_STORE(t, &l->stack[i], ((color){0.0F, 0.0F, 0.0F, 1.0F}));
        LOOP(t);
    }
}

/* The nearest sphere, or the floor, that the ray hits. */
GM_PART(find_hit, raytrace)
{
    rays *l = t->locals;
    l->hit = MISS;
    l->distance = FAR;
    for (uint32_t i = 0; i < a->spheres; i++) {
        place sphere = a->sphere[i];
        if (!a->constant) {
            sphere = LOAD(t, a->sphere + i);
        }
        float discriminant;
        float nearest = equation(l->from, l->along, sphere, &discriminant);
        COMPUTE(t, FP32, 13);
        if (discriminant > 0.0F) {
            COMPUTE(t, SPECIAL, 2);
            COMPUTE(t, FP32, 4);
            float distance = nearest - sqrtf(discriminant);
            if (distance > NEAR && distance < l->distance) {
                l->distance = distance;
                l->hit = (int32_t)i;
            }
        }
        LOOP(t);
    }
    COMPUTE(t, FP32, 3);
    COMPUTE(t, SPECIAL, 1);
    if (l->along.y < 0.0F) {
        float distance = (FLOOR_HEIGHT - l->from.y) / l->along.y;
        COMPUTE(t, FP32, 2);
        if (distance > NEAR && distance < l->distance) {
            l->distance = distance;
            l->hit = FLOOR;
        }
    }
}

/* Moves to the place that was hit: its normal and its paint. */
#define ARRIVE(t, a, l, normal, paint)                                                             \
    do {                                                                                           \
        (l)->from = at((l)->from, (l)->along, (l)->distance);                                      \
        COMPUTE(t, FP32, 3);                                                                       \
        if ((l)->hit == FLOOR) {                                                                   \
            float light = (((int32_t)floorf((l)->from.x) + (int32_t)floorf((l)->from.z)) & 1) != 0 \
                              ? 0.9F                                                               \
                              : 0.2F;                                                              \
            COMPUTE(t, INTEGER, 6);                                                                \
            (paint) = (color){light, light, light, 0.3F};                                          \
        } else {                                                                                   \
            place sphere = (a)->sphere[(l)->hit];                                                  \
            (paint) = (a)->paint[(l)->hit];                                                        \
            if (!(a)->constant) {                                                                  \
                sphere = LOAD(t, (a)->sphere + (l)->hit);                                          \
                (paint) = LOAD(t, (a)->paint + (l)->hit);                                          \
            }                                                                                      \
            COMPUTE(t, FP32, 9);                                                                   \
            COMPUTE(t, SPECIAL, 2);                                                                \
            (normal) = unit(                                                                       \
                (vector){(l)->from.x - sphere.x, (l)->from.y - sphere.y, (l)->from.z - sphere.z}); \
        }                                                                                          \
    } while (0)

/* Pushes the colour of the place that was hit, with its light unless a sphere is in between, and
 * turns the ray. */
GM_PART(shade, raytrace)
{
    rays *l = t->locals;
    vector normal = {0.0F, 1.0F, 0.0F};
    color paint;
    ARRIVE(t, a, l, normal, paint);
    float light = fmaxf(dot(normal, LIGHT), 0.0F);
    COMPUTE(t, FP32, 4);
    for (uint32_t i = 0; i < a->spheres && light > 0.0F; i++) {
        place sphere = a->sphere[i];
        if (!a->constant) {
            sphere = LOAD(t, a->sphere + i);
        }
        float discriminant;
        float nearest = equation(l->from, LIGHT, sphere, &discriminant);
        COMPUTE(t, FP32, 14);
        if (discriminant > 0.0F && nearest > NEAR) {
            light = 0.0F;
        }
        LOOP(t);
    }
    float bright = 0.15F + 0.85F * light;
    float keeps = 1.0F - paint.reflects;
    float scale = bright * keeps;
    COMPUTE(t, FP32, 6);
    LOCAL_STORE(
        t, &l->stack[l->used],
        ((color){paint.red * scale, paint.green * scale, paint.blue * scale, paint.reflects}));
    COMPUTE(t, FP32, 8);
    l->used++;
    l->along = at(l->along, normal, -2.0F * dot(l->along, normal));
}

/* Follows the ray until it leaves the scene or the stack is full. */
GM_PART(follow, raytrace)
{
    rays *l = t->locals;
    while (l->used < a->depth) {
        find_hit(t, a);
        if (l->hit == MISS) {
            break;
        }
        shade(t, a);
        LOOP(t);
    }
    if (l->hit == MISS) {
        LOCAL_STORE(t, &l->stack[l->used], SKY);
        l->used++;
    }
}

/* Adds the stack up from its end. */
GM_PART(finish, raytrace)
{
    rays *l = t->locals;
    vector sum = {0.0F, 0.0F, 0.0F};
    for (uint32_t i = l->used; i-- > 0;) {
        color seen = LOCAL_LOAD(t, &l->stack[i]);
        COMPUTE(t, FP32, 3);
        sum = at((vector){seen.red, seen.green, seen.blue}, sum, seen.reflects);
        LOOP(t);
    }
    COMPUTE(t, FP32, 6);
    COMPUTE(t, INTEGER, 6);
    STORE(t, a->image + (size_t)GM_GLOBAL_Y(t) * a->width + GM_GLOBAL_X(t),
          byte_of(sum.x) | byte_of(sum.y) << 8 | byte_of(sum.z) << 16 | 0xff000000U);
}

GM_WHOLE(render, raytrace)
{
    if (GM_GLOBAL_X(t) < a->width && GM_GLOBAL_Y(t) < a->height) {
        start(t, a);
        follow(t, a);
        finish(t, a);
    }
}
GM_YIELD_KERNEL(render, raytrace, rays)

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    raytrace *s = state;
    s->width = (uint32_t)workload->value[WIDTH];
    s->height = (uint32_t)workload->value[HEIGHT];
    s->spheres = (uint32_t)workload->value[SPHERES];
    s->depth = (uint32_t)workload->value[DEPTH];
    s->constant = workload->value[CONSTANT] != 0;
    place *sphere = gm_workload_input(workload, "spheres", s->spheres, sizeof *sphere, error);
    color *paint = gm_workload_input(workload, "paint", s->spheres, sizeof *paint, error);
    s->image = gm_workload_output(workload, "image", (size_t)s->width * s->height, sizeof *s->image,
                                  error);
    if (sphere == NULL || paint == NULL || s->image == NULL) {
        return error->code;
    }
    uint64_t random = (uint64_t)workload->value[SEED];
    for (uint32_t i = 0; i < s->spheres; i++) {
        float radius = gm_random_float(&random, 0.3F, 1.0F);
        float x = gm_random_float(&random, -3.0F, 3.0F);
        float y = gm_random_float(&random, FLOOR_HEIGHT + radius, 2.5F);
        float z = gm_random_float(&random, -2.0F, 4.0F);
        sphere[i] = (place){x, y, z, radius};
        float red = gm_random_float(&random, 0.1F, 1.0F);
        float green = gm_random_float(&random, 0.1F, 1.0F);
        float blue = gm_random_float(&random, 0.1F, 1.0F);
        paint[i] = (color){red, green, blue, gm_random_float(&random, 0.2F, 0.7F)};
    }
    s->sphere = sphere;
    s->paint = paint;
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    const raytrace *s = state;
    launch->code = &render_code;
    launch->arguments = s;
    launch->block = (gm_dim){WIDE, HIGH, 1};
    launch->grid = (gm_dim){gm_blocks(s->width, WIDE), gm_blocks(s->height, HIGH), 1};
    return step < 1;
}

extern const gm_workload_definition gm_workload_raytrace;
const gm_workload_definition gm_workload_raytrace = {
    .description = {"raytrace", "spheres that reflect, a ray's stack in local memory",
                    "ISPASS 2009 suite [tabbakh: RAY]", options},
    .state_bytes = sizeof(raytrace),
    .setup = setup,
    .launch = launch,
};
