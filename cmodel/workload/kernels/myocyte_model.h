/* The equations that myocyte integrates, for one heart muscle cell: its membrane, and calmodulin in
 * three compartments. Plain arithmetic; the kernels state its cost in instructions. Time in ms. */
#ifndef GOLDMEM_WORKLOAD_KERNELS_MYOCYTE_MODEL_H
#define GOLDMEM_WORKLOAD_KERNELS_MYOCYTE_MODEL_H

/* The membrane's state: potential in mV, six gates of channels (0 to 1), calcium inside in mM. */
enum {
    GM_MYOCYTE_V,
    GM_MYOCYTE_M,
    GM_MYOCYTE_H,
    GM_MYOCYTE_J,
    GM_MYOCYTE_D,
    GM_MYOCYTE_F,
    GM_MYOCYTE_X,
    GM_MYOCYTE_CALCIUM,
    GM_MYOCYTE_MEMBRANE, /* number of states */
};

/* A compartment's state: calmodulin, in uM, alone or bound to a buffer, a kinase, a phosphatase or
 * the active kinase; of each with 0, 2 and 4 ions of calcium. */
enum {
    GM_MYOCYTE_ALONE,
    GM_MYOCYTE_BUFFER,
    GM_MYOCYTE_KINASE,
    GM_MYOCYTE_PHOSPHATASE,
    GM_MYOCYTE_ACTIVE,
    GM_MYOCYTE_PARTNERS
};
enum { GM_MYOCYTE_LEVELS = 3, GM_MYOCYTE_CALMODULIN = GM_MYOCYTE_PARTNERS * GM_MYOCYTE_LEVELS };

enum {
    GM_MYOCYTE_COMPARTMENTS = 3,
    GM_MYOCYTE_STATES = GM_MYOCYTE_MEMBRANE + GM_MYOCYTE_COMPARTMENTS * GM_MYOCYTE_CALMODULIN
};

/* Parameters of a cell: the current that excites it, uA/cm2, and three conductances, mS/cm2. */
enum {
    GM_MYOCYTE_STIMULUS,
    GM_MYOCYTE_SODIUM,
    GM_MYOCYTE_SLOW,
    GM_MYOCYTE_POTASSIUM,
    GM_MYOCYTE_PARAMETERS
};

extern const float gm_myocyte_rest[GM_MYOCYTE_MEMBRANE];         /* the state at rest */
extern const float gm_myocyte_parameters[GM_MYOCYTE_PARAMETERS]; /* of a common cell */
extern const float gm_myocyte_gain[GM_MYOCYTE_COMPARTMENTS]; /* calcium there by calcium inside */

/* Rates of the membrane's state [Luo and Rudy, A model of the ventricular cardiac action potential,
 * 1991], with the exciting current on or off. */
void gm_myocyte_membrane(const float state[GM_MYOCYTE_MEMBRANE],
                         const float parameter[GM_MYOCYTE_PARAMETERS], int excited,
                         float rate[GM_MYOCYTE_MEMBRANE]);

/* Rates of a compartment's state by the law of mass action, with calcium in uM. */
void gm_myocyte_calmodulin(const float state[GM_MYOCYTE_CALMODULIN], float calcium,
                           float rate[GM_MYOCYTE_CALMODULIN]);

enum { GM_MYOCYTE_STAGES = 13 };

/* Fehlberg's coefficients [NASA TR R-287, 1968, table X]: a stage's state is the state at the
 * beginning, and the step times the sum of the stages before, times these. The last row is the
 * result. */
extern const float gm_myocyte_fehlberg[GM_MYOCYTE_STAGES + 1][GM_MYOCYTE_STAGES];

#endif
