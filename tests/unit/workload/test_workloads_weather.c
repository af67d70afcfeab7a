/* weather against the same physics in double precision, written level by level with powers in place
 * of the kernel's arrays, and against what must stay: water, and saturation. */
#include "support/workload/workload_run.h"

enum { ARRAYS = 10, FALLEN = 5, MOST = 40 };
enum { THETA, VAPOR, CLOUD, ICE, RAIN, SNOW, EXNER, DENSITY, PRESSURE, THICKNESS };
static const char *const names[ARRAYS] = {"theta", "vapor", "cloud",   "ice",      "rain",
                                          "snow",  "exner", "density", "pressure", "thickness"};
static const char *const fallen_names[FALLEN] = {"fallen", "fallen_now", "snow_fallen",
                                                 "snow_fallen_now", "snow_share"};

typedef struct level {
    double v[ARRAYS];
    double temperature, latent, heat, rh_water, rh_ice, water, ice; /* saturated: water, ice */
    double flakes, drop, flake, crystals, speed[3];
} level;

static double magnus(double a, double b, double temperature, double pressure)
{
    double e = 611.2 * exp(a * (temperature - 273.15) / (temperature - b));
    return 0.622 * e / (pressure - e);
}

static void state_of(level *m)
{
    m->temperature = m->v[THETA] * m->v[EXNER];
    m->water = magnus(17.67, 29.65, m->temperature, m->v[PRESSURE]);
    m->ice =
        m->temperature < 273.15 ? magnus(21.875, 7.66, m->temperature, m->v[PRESSURE]) : m->water;
    m->rh_water = m->v[VAPOR] / m->water;
    m->rh_ice = m->v[VAPOR] / m->ice;
    m->heat = 1004.5 + (1846.4 - 1004.5) * m->v[VAPOR];
    m->latent = 2.5e6 - 2300.0 * (m->temperature - 273.15);
    m->flakes = fmin(fmax(exp(0.12 * (273.15 - m->temperature)), 1.0), 1e4);
}

static void sizes_of(level *m)
{
    double rho = m->v[DENSITY];
    double thin = sqrt(1.28 / rho);
    m->drop = m->v[RAIN] > 1e-9 ? pow(rho * m->v[RAIN] / (M_PI * 8e9), 0.25) : 1.25e-5;
    m->flake = m->v[SNOW] > 1e-9 ? pow(rho * m->v[SNOW] / (M_PI * 2e8 * m->flakes), 0.25) : 1e-5;
    m->crystals = fmin(fmax(5.38e7 * pow(rho * fmax(m->v[ICE], 1e-15), 0.75), 1e3), 1e6);
    double diameter = 11.9 * sqrt(rho * m->v[ICE] / m->crystals);
    m->speed[0] = 841.9 * tgamma(4.8) / 6.0 * pow(m->drop, 0.8) * thin;
    m->speed[1] = 11.72 * tgamma(4.41) / 6.0 * pow(m->flake, 0.41) * thin;
    m->speed[2] = m->v[ICE] > 1e-9 ? 1.49e4 * pow(diameter, 1.31) : 0.0;
}

/* Lets one kind fall by `steps` steps; returns kg/m^2 that reach the ground. */
static double fall_of(level *column, int levels, int kind, int of_speed, double seconds, int steps)
{
    double ground = 0.0;
    for (int s = 0; s < steps; s++) {
        double flux[MOST + 1] = {0.0};
        for (int k = 0; k < levels; k++) {
            level *m = &column[k];
            flux[k] = m->v[DENSITY] * m->v[kind] * m->speed[of_speed];
        }
        for (int k = 0; k < levels; k++) {
            level *m = &column[k];
            m->v[kind] +=
                (flux[k + 1] - flux[k]) * seconds / steps / (m->v[DENSITY] * m->v[THICKNESS]);
            m->v[kind] = fmax(m->v[kind], 0.0);
        }
        ground += flux[0] * seconds / steps;
    }
    return ground;
}

static double growth(const level *m, double latent, double saturated)
{
    double heat = latent * latent / (0.024 * 461.6 * m->temperature * m->temperature);
    return 1.0 / (m->v[DENSITY] * heat + 1.0 / (saturated * 2.26e-5));
}

static double limit(double amount, double taken)
{
    return taken > amount ? amount / taken : 1.0;
}

static void freeze_level(level *m, double dt)
{
    double *v = m->v;
    double cold = 273.15 - m->temperature;
    double flakes = 2e6 * m->flakes;
    double thin = sqrt(1.28 / v[DENSITY]);
    double swept = M_PI / 4 * 11.72 * flakes * tgamma(3.41) * pow(m->flake, 3.41) * thin * dt;
    double over = (m->rh_ice - 1.0) * growth(m, 2.85e6, m->ice) * dt;
    double rime = fmin(swept, 1.0) * v[CLOUD];
    double take = fmin(swept * exp(-cold / 40), 1.0) * v[ICE];
    double grow = exp(-cold / 40) / 1000 * fmax(v[ICE] - 1e-4, 0.0) * dt;
    double on_ice =
        fmax(4.0 * 11.9 * sqrt(v[DENSITY] * v[ICE] / m->crystals) * m->crystals * over, -v[ICE]);
    double on_snow = fmax(4.0 * 0.65 * flakes * m->flake * m->flake * over, -v[SNOW]);
    double begun = 0.0;
    if (m->rh_ice > 1.0) {
        begun = fmax(4.92e-11 * pow(1e3 * exp(cold / 10), 1.33) / v[DENSITY] - v[ICE], 0.0);
        double keep = limit(v[VAPOR] - m->ice, on_ice + on_snow + begun);
        on_ice *= keep;
        on_snow *= keep;
        begun *= keep;
        keep = limit(v[ICE], take + grow);
        take *= keep;
        grow *= keep;
    } else {
        double keep = limit(v[ICE], take + grow - on_ice);
        take *= keep;
        grow *= keep;
        on_ice *= keep;
    }
    v[VAPOR] -= on_ice + on_snow + begun;
    v[ICE] += on_ice + begun - take - grow;
    v[SNOW] += on_snow + take + grow + rime;
    v[CLOUD] -= rime;
    m->temperature += (2.85e6 * (on_ice + on_snow + begun) + 3.5e5 * rime) / m->heat;
}

static void melt_level(level *m, double dt)
{
    double *v = m->v;
    double melted = 2 * M_PI * 0.65 * 2e6 * m->flakes * m->flake * m->flake * 0.024 *
                    (m->temperature - 273.15) / (3.5e5 * v[DENSITY]) * dt;
    melted = fmin(melted, v[SNOW]);
    m->temperature -= 3.5e5 * (melted + v[ICE]) / m->heat;
    v[SNOW] -= melted;
    v[RAIN] += melted;
    v[CLOUD] += v[ICE];
    v[ICE] = 0.0;
}

static void rain_level(level *m, double dt)
{
    double *v = m->v;
    double thin = sqrt(1.28 / v[DENSITY]);
    double formed = fmax(v[CLOUD] - 5e-4, 0.0) / 1000 * dt;
    formed += M_PI / 4 * 841.9 * 8e6 * tgamma(3.8) * pow(m->drop, 3.8) * thin * v[CLOUD] * dt;
    formed = fmin(formed, v[CLOUD]);
    /* The resistance is that of the temperature before this step's rain, as the amounts are. */
    double lost = 2 * M_PI * 0.78 * 8e6 * m->drop * m->drop * (1.0 - m->rh_water) *
                  growth(m, m->latent, m->water) * dt;
    lost = fmin(fmax(lost, 0.0), v[RAIN]);
    v[CLOUD] -= formed;
    v[RAIN] += formed - lost;
    v[VAPOR] += lost;
    m->temperature -= m->latent * lost / m->heat;
}

static void condense_level(level *m)
{
    double *v = m->v;
    double saturated = magnus(17.67, 29.65, m->temperature, v[PRESSURE]);
    double slope =
        m->latent * m->latent * saturated / (m->heat * 461.6 * m->temperature * m->temperature);
    double amount = fmax((v[VAPOR] - saturated) / (1.0 + slope), -v[CLOUD]);
    v[VAPOR] -= amount;
    v[CLOUD] += amount;
    v[THETA] = (m->temperature + m->latent * amount / m->heat) / v[EXNER];
}

/* A time step; returns false if the number of steps of the fall is doubtful. Adds up how often the
 * thread accesses its arrays in local memory. */
static bool step_column(level *column, int levels, double dt, double fallen[FALLEN],
                        uint64_t *local)
{
    double most = 0.0;
    for (int k = 0; k < levels; k++) {
        state_of(&column[k]);
        sizes_of(&column[k]);
        for (int i = 0; i < 3; i++) {
            most = fmax(most, column[k].speed[i] / column[k].v[THICKNESS] * dt);
        }
    }
    int steps = 1 + (int)most;
    double rain = fall_of(column, levels, RAIN, 0, dt, steps);
    double snow = fall_of(column, levels, SNOW, 1, dt, steps);
    snow += fall_of(column, levels, ICE, 2, dt, steps);
    for (int k = 0; k < levels; k++) {
        level *m = &column[k];
        sizes_of(m);
        *local += 9 + 2 * 14 + 3 + 3 * (uint64_t)steps + 3;
        if (m->temperature < 273.15) {
            *local += 8;
            freeze_level(m, dt);
        } else {
            *local += 2;
            melt_level(m, dt);
        }
        if (m->v[RAIN] > 1e-9 || m->v[CLOUD] > 1e-9) {
            *local += 6;
            rain_level(m, dt);
        }
        condense_level(m);
    }
    fallen[0] += rain + snow;
    fallen[1] = rain + snow;
    fallen[2] += snow;
    fallen[3] = snow;
    fallen[4] = snow / (rain + snow + 1e-12);
    return fabs(most - round(most)) > 1e-4;
}

/* kg/m^2 of water in a column. */
static double water_of(const level *column, int levels)
{
    double sum = 0.0;
    for (int k = 0; k < levels; k++) {
        const double *v = column[k].v;
        sum += v[DENSITY] * v[THICKNESS] * (v[VAPOR] + v[CLOUD] + v[ICE] + v[RAIN] + v[SNOW]);
    }
    return sum;
}

typedef struct sky {
    const float *array[ARRAYS], *fallen[FALLEN];
    int x, y, levels;
} sky;

static void read_column(const sky *s, int number, level *column)
{
    for (int k = 0; k < s->levels; k++) {
        for (int i = 0; i < ARRAYS; i++) {
            column[k].v[i] = (double)s->array[i][k * s->x * s->y + number];
        }
    }
}

/* All arrays of all columns after the steps. A sky of 20 levels and more has all kinds of water. */
static void check_weather(const char *specification, int x, int y, int levels, int steps, double dt)
{
    workload_run run = workload_run_open(specification);
    sky s = {.x = x, .y = y, .levels = levels};
    size_t columns = (size_t)x * (size_t)y;
    level(*before)[MOST] = calloc(columns, sizeof *before);
    assert_non_null(before);
    for (int i = 0; i < ARRAYS; i++) {
        s.array[i] = workload_array(run.source, names[i], columns * (size_t)levels, 4);
    }
    for (int i = 0; i < FALLEN; i++) {
        s.fallen[i] = workload_array(run.source, fallen_names[i], columns, 4);
    }
    for (int c = 0; c < x * y; c++) {
        read_column(&s, c, before[c]);
    }
    workload_run_drain(&run);
    assert_int_equal(run.kernels, steps);
    assert_int_equal(run.ctas, steps * ((x + 7) / 8) * ((y + 7) / 8));
    int compared = 0;
    uint64_t local = 0;
    double most[ARRAYS] = {0.0};
    for (int c = 0; c < x * y; c++) {
        level after[MOST];
        double fallen[FALLEN] = {0.0};
        bool sure = true;
        double water = water_of(before[c], levels);
        for (int n = 0; n < steps; n++) {
            sure = step_column(before[c], levels, dt, fallen, &local) && sure;
        }
        read_column(&s, c, after);
        workload_close(water_of(after, levels) + (double)s.fallen[0][c], water, 1e-5);
        for (int k = 0; k < levels && sure; k++) {
            for (int i = 0; i < ARRAYS; i++) {
                /* Mixing ratios in g/kg. */
                double unit = i >= VAPOR && i <= SNOW ? 1e3 : 1.0;
                workload_close(unit * (double)after[k].v[i], unit * before[c][k].v[i], 2e-4);
                most[i] = fmax(most[i], after[k].v[i]);
            }
        }
        for (int i = 0; i < FALLEN && sure; i++) {
            workload_close((double)s.fallen[i][c], fallen[i], 1e-4);
        }
        compared += sure;
    }
    assert_int_equal(run.local, local);
    assert_true(compared > x * y * 9 / 10);
    for (int i = CLOUD; i <= SNOW && levels >= 20; i++) {
        assert_true(most[i] > 1e-4); /* 0.1 g/kg */
    }
    free(before);
    gm_source_close(run.source);
}

static void weather_makes_clouds_and_rain(void **state)
{
    (void)state;
    check_weather("weather,x=19,y=10", 19, 10, 28, 1, 60.0);
    check_weather("weather,x=9,y=8,levels=40,seconds=300,steps=2,seed=5", 9, 8, 40, 2, 300.0);
    check_weather("weather,x=3,y=17,levels=1,steps=3,seconds=1", 3, 17, 1, 3, 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weather_makes_clouds_and_rain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
