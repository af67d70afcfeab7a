/* Clouds and precipitation of a weather forecast [tabbakh: WP; Bakhoda et al., Analyzing CUDA
 * workloads, ISPASS 2009: WP]: a time step of a microphysics scheme with five kinds of water, after
 * WSM5 (Hong, Dudhia and Chen, Monthly Weather Review 132, 2004). A thread has a column of the
 * atmosphere: its ten arrays lie level by level, rows of x side by side, and a CTA has 8x8 columns.
 *
 * What a column computes for each level and needs again later are 21 arrays of the thread in local
 * memory, as in the original. Its rates are fewer and simpler than WSM5's (Kessler's and Lin's
 * forms); the fall of rain, snow and ice takes as many steps as the column's fastest needs. */
#include "base/random.h"
#include "workload/workload_internal.h"

#include <math.h>

enum { X, Y, LEVELS, STEPS, SECONDS, SEED };
enum { MOST_LEVELS = 40, SIDE = 8 };
static const gm_workload_option options[] = {
    [X] = {"x", 1, 1 << 12, 109, false, "columns from west to east"},
    [Y] = {"y", 1, 1 << 12, 93, false, "columns from south to north"},
    [LEVELS] = {"levels", 1, MOST_LEVELS, 28, false, "levels of a column"},
    [STEPS] = {"steps", 1, 1000, 1, false, "time steps, a launch each"},
    [SECONDS] = {"seconds", 1, 600, 60, false, "of a time step"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the atmosphere"},
    {0},
};

static const float FREEZING = 273.15F, HEAT = 1004.5F, VAPOR_HEAT = 1846.4F; /* K, J/kg/K */
static const float VAPOR_GAS = 461.6F, GAS_RATIO = 0.622F;
static const float EVAPORATION = 2.5e6F, SUBLIMATION = 2.85e6F, FUSION = 3.5e5F; /* J/kg */
static const float CONDUCTIVITY = 0.024F, DIFFUSIVITY = 2.26e-5F;
static const float RAIN_DROPS = 8.0e6F, SNOW_FLAKES = 2.0e6F; /* intercepts, 1/m^4 */
static const float NOTHING = 1e-9F;                           /* kg/kg */
static const float PI = 3.14159265F;

/* Gamma functions of 4 or 3 plus the exponents of fall speeds, 0.8 of rain and 0.41 of snow. */
static const float RAIN_FALL = 841.9F * 17.837862F / 6.0F, SNOW_FALL = 11.72F * 10.275404F / 6.0F;
static const float RAIN_SWEEP = 0.25F * 3.14159265F * 841.9F * 4.694174F;
static const float SNOW_SWEEP = 0.25F * 3.14159265F * 11.72F * 3.013315F;

/* Arrays [level][y][x], and [y][x] of what has fallen, in kg/m^2. */
typedef struct weather {
    float *theta, *vapor, *cloud, *ice, *rain, *snow;
    const float *exner, *density, *pressure, *thickness;
    float *fallen, *fallen_now, *snow_fallen, *snow_fallen_now, *snow_share;
    uint32_t x, y, levels;
    float seconds;
} weather;

/* A column's arrays. */
typedef struct column {
    float temperature[MOST_LEVELS], heat[MOST_LEVELS], latent[MOST_LEVELS];
    float over_water[MOST_LEVELS], over_ice[MOST_LEVELS];         /* saturated mixing ratios */
    float humidity_water[MOST_LEVELS], humidity_ice[MOST_LEVELS]; /* relative */
    float thinness[MOST_LEVELS], flakes[MOST_LEVELS];             /* factors: air, snow */
    float rain[MOST_LEVELS], rain_b[MOST_LEVELS], rain_2[MOST_LEVELS], rain_3[MOST_LEVELS];
    float snow[MOST_LEVELS], snow_b[MOST_LEVELS], snow_2[MOST_LEVELS], snow_3[MOST_LEVELS];
    float crystals[MOST_LEVELS]; /* of ice, 1/m^3 */
    float rain_speed[MOST_LEVELS], snow_speed[MOST_LEVELS], ice_speed[MOST_LEVELS];
} column;

#define GET(t, array)        LOCAL_LOAD(t, &l->array[k])
#define PUT(t, array, value) LOCAL_STORE(t, &l->array[k], value)

/* Returns the place of a level in the thread's column. */
static inline size_t place_of(const gm_thread *t, const weather *a, uint32_t k)
{
    return ((size_t)k * a->y + GM_GLOBAL_Y(t)) * a->x + GM_GLOBAL_X(t);
}

static inline float clampf(float value, float low, float high)
{
    return fminf(fmaxf(value, low), high);
}

/* Return saturated mixing ratios over water and ice, by Magnus' formula. */
static inline float saturation(float factor, float zero, float temperature, float pressure)
{
    float vapor = 611.2F * expf(factor * (temperature - FREEZING) / (temperature - zero));
    return GAS_RATIO * vapor / (pressure - vapor);
}
static inline float saturation_over_water(float temperature, float pressure)
{
    return saturation(17.67F, 29.65F, temperature, pressure);
}
static inline float saturation_over_ice(float temperature, float pressure)
{
    return temperature < FREEZING ? saturation(21.875F, 7.66F, temperature, pressure)
                                  : saturation_over_water(temperature, pressure);
}

/* Returns the resistance to growth by vapour: by conduction of heat and by diffusion. */
static inline float resistance(float latent, float temperature, float density, float saturated)
{
    return density * (latent * latent / (CONDUCTIVITY * VAPOR_GAS * temperature * temperature) +
                      1.0F / (density * saturated * DIFFUSIVITY));
}

GM_PARTS(microphysics)

GM_PART(find_column, weather)
{
    (void)a;
    COMPUTE(t, INTEGER, 6);
}

/* Temperature, heat capacity and saturation of each level. */
GM_PART(thermodynamics, weather)
{
    column *l = t->locals;
    for (uint32_t k = 0; k < a->levels; k++) {
        size_t place = place_of(t, a, k);
        COMPUTE(t, INTEGER, 4);
        float theta = LOAD(t, a->theta + place);
        float exner = LOAD(t, a->exner + place);
        float vapor = LOAD(t, a->vapor + place);
        float pressure = LOAD(t, a->pressure + place);
        float density = LOAD(t, a->density + place);
        float temperature = theta * exner;
        float over_water = saturation_over_water(temperature, pressure);
        float over_ice = saturation_over_ice(temperature, pressure);
        COMPUTE(t, FP32, 32);
        COMPUTE(t, SPECIAL, 9);
        PUT(t, temperature, temperature);
        PUT(t, heat, HEAT * (1.0F - vapor) + VAPOR_HEAT * vapor);
        PUT(t, latent, EVAPORATION - 2300.0F * (temperature - FREEZING));
        PUT(t, over_water, over_water);
        PUT(t, over_ice, over_ice);
        PUT(t, humidity_water, vapor / over_water);
        PUT(t, humidity_ice, vapor / over_ice);
        PUT(t, thinness, sqrtf(1.28F / density));
        PUT(t, flakes, clampf(expf(0.12F * (FREEZING - temperature)), 1.0F, 1.0e4F));
        LOOP(t);
    }
}

/* Drop sizes (the slopes of their exponential distributions), their powers, fall speeds. */
GM_PART(sizes, weather)
{
    column *l = t->locals;
    for (uint32_t k = 0; k < a->levels; k++) {
        size_t place = place_of(t, a, k);
        COMPUTE(t, INTEGER, 4);
        float density = LOAD(t, a->density + place);
        float rain = LOAD(t, a->rain + place);
        float snow = LOAD(t, a->snow + place);
        float ice = LOAD(t, a->ice + place);
        float flakes = GET(t, flakes);
        float thinness = GET(t, thinness);
        float drop = 1.0F / 8.0e4F;
        float flake = 1.0F / 1.0e5F;
        COMPUTE(t, FP32, 2);
        if (rain > NOTHING) {
            COMPUTE(t, FP32, 2);
            COMPUTE(t, SPECIAL, 3);
            drop = sqrtf(sqrtf(density * rain / (PI * 1000.0F * RAIN_DROPS)));
        }
        if (snow > NOTHING) {
            COMPUTE(t, FP32, 3);
            COMPUTE(t, SPECIAL, 3);
            flake = sqrtf(sqrtf(density * snow / (PI * 100.0F * SNOW_FLAKES * flakes)));
        }
        float drop_b = powf(drop, 0.8F);
        float flake_b = powf(flake, 0.41F);
        float crystals =
            clampf(5.38e7F * powf(density * fmaxf(ice, 1e-15F), 0.75F), 1.0e3F, 1.0e6F);
        float diameter = 11.9F * sqrtf(density * ice / crystals);
        COMPUTE(t, FP32, 24);
        COMPUTE(t, SPECIAL, 9);
        PUT(t, rain, drop);
        PUT(t, rain_b, drop_b);
        PUT(t, rain_2, drop * drop);
        PUT(t, rain_3, drop * drop * drop);
        PUT(t, snow, flake);
        PUT(t, snow_b, flake_b);
        PUT(t, snow_2, flake * flake);
        PUT(t, snow_3, flake * flake * flake);
        PUT(t, crystals, crystals);
        PUT(t, rain_speed, RAIN_FALL * drop_b * thinness);
        PUT(t, snow_speed, SNOW_FALL * flake_b * thinness);
        PUT(t, ice_speed, ice > NOTHING ? 1.49e4F * powf(diameter, 1.31F) : 0.0F);
        LOOP(t);
    }
}

/* Lets rain, snow and ice fall, from level to level by what leaves it, in steps short enough for
 * the fastest, and adds up what reaches the ground. */
GM_PART(fall, weather)
{
    column *l = t->locals;
    float most = 0.0F;
    for (uint32_t k = 0; k < a->levels; k++) {
        COMPUTE(t, INTEGER, 3);
        float thickness = LOAD(t, a->thickness + place_of(t, a, k));
        float rain = GET(t, rain_speed);
        float snow = GET(t, snow_speed);
        float ice = GET(t, ice_speed);
        COMPUTE(t, FP32, 5);
        COMPUTE(t, SPECIAL, 1);
        most = fmaxf(most, fmaxf(rain, fmaxf(snow, ice)) / thickness);
        LOOP(t);
    }
    uint32_t steps = 1 + (uint32_t)(most * a->seconds);
    float seconds = a->seconds / (float)steps;
    float fallen = 0.0F;
    float fallen_snow = 0.0F;
    COMPUTE(t, FP32, 3);
    COMPUTE(t, SPECIAL, 1);
    for (uint32_t step = 0; step < steps; step++) {
        float above[3] = {0.0F, 0.0F, 0.0F}; /* kg/m^2/s that come from the level above */
        for (uint32_t k = a->levels; k-- > 0;) {
            size_t place = place_of(t, a, k);
            COMPUTE(t, INTEGER, 4);
            float rain = LOAD(t, a->rain + place);
            float snow = LOAD(t, a->snow + place);
            float ice = LOAD(t, a->ice + place);
            float density = LOAD(t, a->density + place);
            float thickness = LOAD(t, a->thickness + place);
            float below[3];
            below[0] = density * rain * GET(t, rain_speed);
            below[1] = density * snow * GET(t, snow_speed);
            below[2] = density * ice * GET(t, ice_speed);
            float scale = seconds / (density * thickness);
            COMPUTE(t, FP32, 14);
            COMPUTE(t, SPECIAL, 1);
            STORE(t, a->rain + place, fmaxf(rain + (above[0] - below[0]) * scale, 0.0F));
            STORE(t, a->snow + place, fmaxf(snow + (above[1] - below[1]) * scale, 0.0F));
            STORE(t, a->ice + place, fmaxf(ice + (above[2] - below[2]) * scale, 0.0F));
            above[0] = below[0];
            above[1] = below[1];
            above[2] = below[2];
            LOOP(t);
        }
        COMPUTE(t, FP32, 4);
        fallen += (above[0] + above[1] + above[2]) * seconds;
        fallen_snow += (above[1] + above[2]) * seconds;
        LOOP(t);
    }
    size_t place = place_of(t, a, 0);
    float before = LOAD(t, a->fallen + place);
    float snow_before = LOAD(t, a->snow_fallen + place);
    COMPUTE(t, FP32, 4);
    COMPUTE(t, SPECIAL, 1);
    STORE(t, a->fallen_now + place, fallen);
    STORE(t, a->fallen + place, before + fallen);
    STORE(t, a->snow_fallen_now + place, fallen_snow);
    STORE(t, a->snow_fallen + place, snow_before + fallen_snow);
    STORE(t, a->snow_share + place, fallen_snow / (fallen + 1e-12F));
}

/* Sizes, fall, and the sizes of what is left. */
GM_PART(settle, weather)
{
    for (uint32_t i = 0; i < 2; i++) {
        sizes(t, a);
        if (i == 0) {
            fall(t, a);
        }
        LOOP(t);
    }
}

/* Water of a level, in kg/kg. */
typedef struct water {
    float vapor, cloud, ice, rain, snow;
} water;

/* Returns the factor by which all that takes from `amount` is reduced to leave something. */
static inline float reduction(float amount, float taken)
{
    return taken > amount ? amount / taken : 1.0F;
}

/* Rates of a level below freezing, in kg/kg of a step: vapour to ice and snow, ice to snow, cloud
 * to snow. Updates water and temperature. */
#define COLD_RATES(t, k, density, temperature, heat, w)                                            \
    do {                                                                                           \
        float over_ice = GET(t, over_ice);                                                         \
        float humidity = GET(t, humidity_ice);                                                     \
        float crystals = GET(t, crystals);                                                         \
        float flakes = SNOW_FLAKES * GET(t, flakes);                                               \
        float snow_b = GET(t, snow_b);                                                             \
        float snow_2 = GET(t, snow_2);                                                             \
        float snow_3 = GET(t, snow_3);                                                             \
        float thinness = GET(t, thinness);                                                         \
        float cold = FREEZING - (temperature);                                                     \
        float slow = resistance(SUBLIMATION, temperature, density, over_ice);                      \
        float diameter = 11.9F * sqrtf((density) * (w).ice / crystals);                            \
        float sweep = SNOW_SWEEP * flakes * snow_3 * snow_b * thinness * a->seconds;               \
        float rimed = fminf(sweep * (w).cloud, (w).cloud);                                         \
        float gathered = fminf(sweep * (w).ice * expf(-0.025F * cold), (w).ice);                   \
        float grown = 1e-3F * expf(-0.025F * cold) * fmaxf((w).ice - 1e-4F, 0.0F) * a->seconds;    \
        float deposit = 4.0F * diameter * crystals * (humidity - 1.0F) / slow * a->seconds;        \
        float snow_deposit =                                                                       \
            4.0F * 0.65F * flakes * snow_2 * (humidity - 1.0F) / slow * a->seconds;                \
        float begun =                                                                              \
            humidity > 1.0F                                                                        \
                ? fmaxf(4.92e-11F * powf(1e3F * expf(0.1F * cold), 1.33F) / (density) - (w).ice,   \
                        0.0F)                                                                      \
                : 0.0F;                                                                            \
        COMPUTE(t, FP32, 50);                                                                      \
        COMPUTE(t, SPECIAL, 14);                                                                   \
        deposit = fmaxf(deposit, -(w).ice);                                                        \
        snow_deposit = fmaxf(snow_deposit, -(w).snow);                                             \
        float keep = reduction(fmaxf((w).vapor - over_ice, 0.0F),                                  \
                               fmaxf(deposit, 0.0F) + fmaxf(snow_deposit, 0.0F) + begun);          \
        deposit = deposit > 0.0F ? keep * deposit : deposit;                                       \
        snow_deposit = snow_deposit > 0.0F ? keep * snow_deposit : snow_deposit;                   \
        begun *= keep;                                                                             \
        float ice_keep = reduction((w).ice, gathered + grown + fmaxf(-deposit, 0.0F));             \
        gathered *= ice_keep;                                                                      \
        grown *= ice_keep;                                                                         \
        deposit = deposit < 0.0F ? ice_keep * deposit : deposit;                                   \
        float from_vapor = deposit + snow_deposit + begun;                                         \
        (w).vapor -= from_vapor;                                                                   \
        (w).cloud -= rimed;                                                                        \
        (w).ice += deposit + begun - gathered - grown;                                             \
        (w).snow += snow_deposit + gathered + grown + rimed;                                       \
        (temperature) += (SUBLIMATION * from_vapor + FUSION * rimed) / (heat);                     \
    } while (0)

/* Melts a level above freezing: snow as fast as heat reaches it, ice at once. */
#define MELT(t, k, density, temperature, heat, w)                                                  \
    do {                                                                                           \
        float flakes = SNOW_FLAKES * GET(t, flakes);                                               \
        float snow_2 = GET(t, snow_2);                                                             \
        float warm = (temperature)-FREEZING;                                                       \
        COMPUTE(t, FP32, 14);                                                                      \
        COMPUTE(t, SPECIAL, 2);                                                                    \
        float melted = 2.0F * PI * 0.65F * flakes * snow_2 * CONDUCTIVITY * warm /                 \
                       (FUSION * (density)) * a->seconds;                                          \
        melted = fminf(melted, (w).snow);                                                          \
        (temperature) -= FUSION * (melted + (w).ice) / (heat);                                     \
        (w).snow -= melted;                                                                        \
        (w).rain += melted;                                                                        \
        (w).cloud += (w).ice;                                                                      \
        (w).ice = 0.0F;                                                                            \
    } while (0)

/* Cloud to rain, rain to vapour. */
#define WARM_RATES(t, k, density, temperature, latent, heat, w)                                    \
    do {                                                                                           \
        float over_water = GET(t, over_water);                                                     \
        float humidity = GET(t, humidity_water);                                                   \
        float rain_b = GET(t, rain_b);                                                             \
        float rain_2 = GET(t, rain_2);                                                             \
        float rain_3 = GET(t, rain_3);                                                             \
        float thinness = GET(t, thinness);                                                         \
        float slow = resistance(latent, temperature, density, over_water);                         \
        float formed = 1e-3F * fmaxf((w).cloud - 5e-4F, 0.0F) * a->seconds;                        \
        float swept =                                                                              \
            RAIN_SWEEP * RAIN_DROPS * rain_3 * rain_b * thinness * (w).cloud * a->seconds;         \
        float lost =                                                                               \
            2.0F * PI * 0.78F * RAIN_DROPS * rain_2 * (1.0F - humidity) / slow * a->seconds;       \
        COMPUTE(t, FP32, 32);                                                                      \
        COMPUTE(t, SPECIAL, 4);                                                                    \
        float keep = reduction((w).cloud, formed + swept);                                         \
        lost = clampf(lost, 0.0F, (w).rain);                                                       \
        (w).cloud -= keep * (formed + swept);                                                      \
        (w).rain += keep * (formed + swept) - lost;                                                \
        (w).vapor += lost;                                                                         \
        (temperature) -= (latent)*lost / (heat);                                                   \
    } while (0)

/* Rates between the kinds of water of each level, then condensation or evaporation of cloud. */
GM_PART(change, weather)
{
    column *l = t->locals;
    for (uint32_t k = 0; k < a->levels; k++) {
        size_t place = place_of(t, a, k);
        COMPUTE(t, INTEGER, 4);
        water w;
        w.vapor = LOAD(t, a->vapor + place);
        w.cloud = LOAD(t, a->cloud + place);
        w.ice = LOAD(t, a->ice + place);
        w.rain = LOAD(t, a->rain + place);
        w.snow = LOAD(t, a->snow + place);
        float density = LOAD(t, a->density + place);
        float pressure = LOAD(t, a->pressure + place);
        float exner = LOAD(t, a->exner + place);
        float temperature = GET(t, temperature);
        float heat = GET(t, heat);
        float latent = GET(t, latent);
        COMPUTE(t, FP32, 1);
        if (temperature < FREEZING) {
            COLD_RATES(t, k, density, temperature, heat, w);
        } else {
            MELT(t, k, density, temperature, heat, w);
        }
        if (w.rain > NOTHING || w.cloud > NOTHING) {
            WARM_RATES(t, k, density, temperature, latent, heat, w);
        }
        float saturated = saturation_over_water(temperature, pressure);
        float excess =
            (w.vapor - saturated) /
            (1.0F + latent * latent * saturated / (heat * VAPOR_GAS * temperature * temperature));
        float condensed = fmaxf(excess, -w.cloud);
        COMPUTE(t, FP32, 18);
        COMPUTE(t, SPECIAL, 4);
        STORE(t, a->vapor + place, w.vapor - condensed);
        STORE(t, a->cloud + place, w.cloud + condensed);
        STORE(t, a->ice + place, w.ice);
        STORE(t, a->rain + place, w.rain);
        STORE(t, a->snow + place, w.snow);
        STORE(t, a->theta + place, (temperature + latent * condensed / heat) / exner);
        LOOP(t);
    }
}

GM_WHOLE(microphysics, weather)
{
    find_column(t, a);
    if (GM_GLOBAL_X(t) < a->x && GM_GLOBAL_Y(t) < a->y) {
        thermodynamics(t, a);
        settle(t, a);
        change(t, a);
    }
}
GM_YIELD_KERNEL(microphysics, weather, column)

/* Fills in a column: a sounding that is colder and thinner from level to level, clouds where it is
 * moist. */
static void make_column(const weather *s, float *const array[], size_t place, uint64_t *random)
{
    float moist = gm_random_float(random, 0.3F, 1.05F);
    float height = 0.0F;
    for (uint32_t k = 0; k < s->levels; k++, place += (size_t)s->x * s->y) {
        float thickness = 300.0F + 15.0F * (float)k + gm_random_float(random, 0.0F, 20.0F);
        height += 0.5F * thickness;
        float temperature = fmaxf(297.0F - 0.0065F * height, 215.0F);
        temperature += gm_random_float(random, -1.0F, 1.0F);
        float pressure = 1.0e5F * expf(-height / 8000.0F);
        float exner = powf(pressure / 1.0e5F, 0.2857F);
        float humid = moist * gm_random_float(random, 0.8F, 1.05F);
        bool clouds = humid > 0.85F;
        bool frozen = temperature < FREEZING;
        float amount[4];
        for (unsigned i = 0; i < 4; i++) {
            amount[i] = gm_random_float(random, -4e-4F, 1e-3F);
        }
        height += 0.5F * thickness;
        const float values[10] = {
            temperature / exner,
            humid * saturation_over_ice(temperature, pressure),
            clouds && temperature > 253.0F ? fmaxf(amount[0], 0.0F) : 0.0F,
            clouds && frozen ? 0.3F * fmaxf(amount[1], 0.0F) : 0.0F,
            clouds && !frozen ? fmaxf(amount[2], 0.0F) : 0.0F,
            clouds && temperature < FREEZING + 2.0F ? fmaxf(amount[3], 0.0F) : 0.0F,
            exner,
            pressure / (287.0F * temperature),
            pressure,
            thickness,
        };
        for (unsigned i = 0; i < 10; i++) {
            array[i][place] = values[i];
        }
    }
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    static const char *const names[10] = {"theta", "vapor", "cloud",   "ice",      "rain",
                                          "snow",  "exner", "density", "pressure", "thickness"};
    static const char *const fallen_names[5] = {"fallen", "fallen_now", "snow_fallen",
                                                "snow_fallen_now", "snow_share"};
    weather *s = state;
    s->x = (uint32_t)workload->value[X];
    s->y = (uint32_t)workload->value[Y];
    s->levels = (uint32_t)workload->value[LEVELS];
    s->seconds = (float)workload->value[SECONDS];
    size_t columns = (size_t)s->x * s->y;
    float *array[10];
    float **const fallen[5] = {&s->fallen, &s->fallen_now, &s->snow_fallen, &s->snow_fallen_now,
                               &s->snow_share};
    for (unsigned i = 0; i < 10; i++) {
        array[i] = gm_workload_input(workload, names[i], columns * s->levels, sizeof(float), error);
        if (array[i] == NULL) {
            return error->code;
        }
    }
    for (unsigned i = 0; i < 5; i++) {
        *fallen[i] = gm_workload_input(workload, fallen_names[i], columns, sizeof(float), error);
        if (*fallen[i] == NULL) {
            return error->code;
        }
    }
    s->theta = array[0];
    s->vapor = array[1];
    s->cloud = array[2];
    s->ice = array[3];
    s->rain = array[4];
    s->snow = array[5];
    s->exner = array[6];
    s->density = array[7];
    s->pressure = array[8];
    s->thickness = array[9];
    uint64_t random = (uint64_t)workload->value[SEED];
    for (size_t i = 0; i < columns; i++) {
        make_column(s, array, i, &random);
    }
    return 0;
}

static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)error;
    const weather *s = state;
    launch->code = &microphysics_code;
    launch->arguments = s;
    launch->block = (gm_dim){SIDE, SIDE, 1};
    launch->grid = (gm_dim){gm_blocks(s->x, SIDE), gm_blocks(s->y, SIDE), 1};
    return step < (uint64_t)workload->value[STEPS];
}

extern const gm_workload_definition gm_workload_weather;
const gm_workload_definition gm_workload_weather = {
    .description = {"weather", "clouds and precipitation, a column's arrays in local memory",
                    "after ISPASS 2009 suite [tabbakh: WP]", options},
    .state_bytes = sizeof(weather),
    .setup = setup,
    .launch = launch,
};
