/* GPU-VI and GPU-VIni [singh, 4.2, 4.3]: write-through L1s, a store writes the copy that it hits,
 * a load of a line with pending writes misses. Inclusive or with a directory of its own. */
#include "coherence/directory.h"

#define ROW(state, event, condition, next, message, actions)                                       \
    {                                                                                              \
        state, event, condition, next, message, actions                                            \
    }

/* An L2 bank answers an SM's requests of a line in order. So data of a closed entry,
 * GM_L1_DATA_PAST, come before the answer of anything that the SM asked later, and after the
 * acknowledgements of stores that it sent earlier: never to a copy, and never while
 * acknowledgements are due. */
static const gm_directory_row l1[] = {
    ROW(GM_L1_I, GM_L1_LOAD, GM_ALWAYS, GM_L1_I_V, GM_MSG_GETS, GM_DO_OPEN),
    ROW(GM_L1_I, GM_L1_LOAD_PAST, GM_ALWAYS, GM_L1_I, GM_MSG_GETS_PAST, GM_DO_PAST),
    ROW(GM_L1_I, GM_L1_STORE, GM_ALWAYS, GM_L1_I, GM_MSG_GETX, 0),
    ROW(GM_L1_I, GM_L1_ATOMIC, GM_ALWAYS, GM_L1_I, GM_MSG_ATOMIC, 0),
    ROW(GM_L1_I, GM_L1_INV, GM_ALWAYS, GM_L1_I, GM_MSG_INV_ACK, 0),
    ROW(GM_L1_I, GM_L1_DATA_PAST, GM_ALWAYS, GM_L1_I, GM_NO_MESSAGE, GM_DO_ANSWER),

    ROW(GM_L1_V, GM_L1_LOAD, GM_ALWAYS, GM_L1_V, GM_NO_MESSAGE, GM_DO_HIT),
    ROW(GM_L1_V, GM_L1_LOAD_PAST, GM_ALWAYS, GM_L1_I, GM_MSG_GETS_PAST, GM_DO_DROP | GM_DO_PAST),
    ROW(GM_L1_V, GM_L1_STORE, GM_ALWAYS, GM_L1_V_M, GM_MSG_UPGRADE, GM_DO_WRITE | GM_DO_COUNT),
    ROW(GM_L1_V, GM_L1_ATOMIC, GM_ALWAYS, GM_L1_I, GM_MSG_ATOMIC, GM_DO_DROP),
    ROW(GM_L1_V, GM_L1_EVICT, GM_ALWAYS, GM_L1_I, GM_NO_MESSAGE, GM_DO_DROP),
    ROW(GM_L1_V, GM_L1_INV, GM_ALWAYS, GM_L1_I, GM_MSG_INV_ACK, GM_DO_DROP),

    ROW(GM_L1_I_V, GM_L1_LOAD, GM_ALWAYS, GM_L1_I_V, GM_NO_MESSAGE, GM_DO_JOIN),
    ROW(GM_L1_I_V, GM_L1_LOAD_PAST, GM_IF_LAST, GM_L1_I, GM_MSG_GETS_PAST,
        GM_DO_CLOSE | GM_DO_PAST),
    ROW(GM_L1_I_V, GM_L1_LOAD_PAST, GM_IF_MORE, GM_L1_I_I, GM_MSG_GETS_PAST,
        GM_DO_CLOSE | GM_DO_PAST),
    ROW(GM_L1_I_V, GM_L1_STORE, GM_IF_LAST, GM_L1_I, GM_MSG_GETX, GM_DO_CLOSE),
    ROW(GM_L1_I_V, GM_L1_STORE, GM_IF_MORE, GM_L1_I_I, GM_MSG_GETX, GM_DO_CLOSE),
    ROW(GM_L1_I_V, GM_L1_ATOMIC, GM_IF_LAST, GM_L1_I, GM_MSG_ATOMIC, GM_DO_CLOSE),
    ROW(GM_L1_I_V, GM_L1_ATOMIC, GM_IF_MORE, GM_L1_I_I, GM_MSG_ATOMIC, GM_DO_CLOSE),
    ROW(GM_L1_I_V, GM_L1_INV, GM_IF_LAST, GM_L1_I, GM_MSG_INV_ACK, GM_DO_CLOSE),
    ROW(GM_L1_I_V, GM_L1_INV, GM_IF_MORE, GM_L1_I_I, GM_MSG_INV_ACK, GM_DO_CLOSE),
    ROW(GM_L1_I_V, GM_L1_DATA, GM_ALWAYS, GM_L1_V, GM_NO_MESSAGE, GM_DO_INSTALL | GM_DO_ANSWER),
    ROW(GM_L1_I_V, GM_L1_DATA_PAST, GM_ALWAYS, GM_L1_I_V, GM_NO_MESSAGE, GM_DO_ANSWER),
    ROW(GM_L1_I_V, GM_L1_ACK, GM_ALWAYS, GM_L1_I_V, GM_NO_MESSAGE, GM_DO_UNCOUNT),

    ROW(GM_L1_V_M, GM_L1_LOAD, GM_ALWAYS, GM_L1_I_V, GM_MSG_GETS, GM_DO_DROP | GM_DO_OPEN),
    ROW(GM_L1_V_M, GM_L1_LOAD_PAST, GM_ALWAYS, GM_L1_I_I, GM_MSG_GETS_PAST,
        GM_DO_DROP | GM_DO_PAST),
    ROW(GM_L1_V_M, GM_L1_STORE, GM_ALWAYS, GM_L1_V_M, GM_MSG_UPGRADE, GM_DO_WRITE | GM_DO_COUNT),
    ROW(GM_L1_V_M, GM_L1_ATOMIC, GM_ALWAYS, GM_L1_I_I, GM_MSG_ATOMIC, GM_DO_DROP),
    ROW(GM_L1_V_M, GM_L1_INV, GM_ALWAYS, GM_L1_I_I, GM_MSG_INV_ACK, GM_DO_DROP),
    ROW(GM_L1_V_M, GM_L1_ACK, GM_IF_LAST, GM_L1_V, GM_NO_MESSAGE, GM_DO_UNCOUNT),
    ROW(GM_L1_V_M, GM_L1_ACK, GM_IF_MORE, GM_L1_V_M, GM_NO_MESSAGE, GM_DO_UNCOUNT),

    ROW(GM_L1_I_I, GM_L1_LOAD, GM_ALWAYS, GM_L1_I_V, GM_MSG_GETS, GM_DO_OPEN),
    ROW(GM_L1_I_I, GM_L1_LOAD_PAST, GM_ALWAYS, GM_L1_I_I, GM_MSG_GETS_PAST, GM_DO_PAST),
    ROW(GM_L1_I_I, GM_L1_STORE, GM_ALWAYS, GM_L1_I_I, GM_MSG_GETX, 0),
    ROW(GM_L1_I_I, GM_L1_ATOMIC, GM_ALWAYS, GM_L1_I_I, GM_MSG_ATOMIC, 0),
    ROW(GM_L1_I_I, GM_L1_INV, GM_ALWAYS, GM_L1_I_I, GM_MSG_INV_ACK, 0),
    ROW(GM_L1_I_I, GM_L1_ACK, GM_IF_LAST, GM_L1_I, GM_NO_MESSAGE, GM_DO_UNCOUNT),
    ROW(GM_L1_I_I, GM_L1_ACK, GM_IF_MORE, GM_L1_I_I, GM_NO_MESSAGE, GM_DO_UNCOUNT),
};

/* Rows of a state in which every request is treated alike: without sharers, and with. */
#define REQUESTS(state, next, actions)                                                             \
    ROW(state, GM_DIR_GETS, GM_ALWAYS, next, GM_NO_MESSAGE, actions),                              \
        ROW(state, GM_DIR_GETS_PAST, GM_ALWAYS, next, GM_NO_MESSAGE, actions),                     \
        ROW(state, GM_DIR_GETX, GM_ALWAYS, next, GM_NO_MESSAGE, actions),                          \
        ROW(state, GM_DIR_ATOMIC, GM_ALWAYS, next, GM_NO_MESSAGE, actions)
#define ALL_REQUESTS(state, next, actions)                                                         \
    REQUESTS(state, next, actions),                                                                \
        ROW(state, GM_DIR_UPGRADE, GM_ALWAYS, next, GM_NO_MESSAGE, actions)

/* Rows with data in the L2 and none in flight, of both protocols. */
#define WITH_DATA                                                                                  \
    ROW(GM_DIR_V, GM_DIR_GETS, GM_ALWAYS, GM_DIR_S, GM_MSG_DATA, GM_DO_SHARE),                     \
        ROW(GM_DIR_V, GM_DIR_GETS_PAST, GM_ALWAYS, GM_DIR_V, GM_MSG_DATA, 0),                      \
        ROW(GM_DIR_V, GM_DIR_GETX, GM_ALWAYS, GM_DIR_V, GM_MSG_ACK, GM_DO_PERFORM),                \
        ROW(GM_DIR_V, GM_DIR_ATOMIC, GM_ALWAYS, GM_DIR_V, GM_MSG_OLD, GM_DO_PERFORM),              \
        ROW(GM_DIR_S, GM_DIR_GETS, GM_ALWAYS, GM_DIR_S, GM_MSG_DATA, GM_DO_SHARE),                 \
        ROW(GM_DIR_S, GM_DIR_GETS_PAST, GM_ALWAYS, GM_DIR_S, GM_MSG_DATA, 0),                      \
        ROW(GM_DIR_S, GM_DIR_GETX, GM_IF_LAST, GM_DIR_V, GM_MSG_ACK,                               \
            GM_DO_UNSHARE | GM_DO_PERFORM),                                                        \
        ROW(GM_DIR_S, GM_DIR_GETX, GM_IF_MORE, GM_DIR_S_M, GM_MSG_INV,                             \
            GM_DO_INVALIDATE | GM_DO_WAIT),                                                        \
        ROW(GM_DIR_S, GM_DIR_UPGRADE, GM_IF_LAST, GM_DIR_S, GM_MSG_ACK, GM_DO_PERFORM),            \
        ROW(GM_DIR_S, GM_DIR_UPGRADE, GM_IF_MORE, GM_DIR_S_M, GM_MSG_INV,                          \
            GM_DO_INVALIDATE | GM_DO_WAIT),                                                        \
        ROW(GM_DIR_S, GM_DIR_ATOMIC, GM_IF_LAST, GM_DIR_V, GM_MSG_OLD,                             \
            GM_DO_UNSHARE | GM_DO_PERFORM),                                                        \
        ROW(GM_DIR_S, GM_DIR_ATOMIC, GM_IF_MORE, GM_DIR_S_M, GM_MSG_INV,                           \
            GM_DO_INVALIDATE | GM_DO_WAIT),                                                        \
        ALL_REQUESTS(GM_DIR_S_M, GM_DIR_S_M, GM_DO_WAIT),                                          \
        ROW(GM_DIR_S_M, GM_DIR_INV_ACK, GM_IF_LAST, GM_DIR_S, GM_NO_MESSAGE, GM_DO_UNSHARE),       \
        ROW(GM_DIR_S_M, GM_DIR_INV_ACK, GM_IF_MORE, GM_DIR_S_M, GM_NO_MESSAGE, GM_DO_UNSHARE)

static const gm_directory_row vi_l2[] = {
    REQUESTS(GM_DIR_I, GM_DIR_I_V, GM_DO_FETCH | GM_DO_WAIT),
    REQUESTS(GM_DIR_I_V, GM_DIR_I_V, GM_DO_WAIT),
    ROW(GM_DIR_I_V, GM_DIR_MEMORY, GM_ALWAYS, GM_DIR_V, GM_NO_MESSAGE, 0),
    WITH_DATA,
    ROW(GM_DIR_V, GM_DIR_EVICT, GM_ALWAYS, GM_DIR_I, GM_NO_MESSAGE, GM_DO_WRITE_BACK),
    ROW(GM_DIR_S, GM_DIR_EVICT, GM_ALWAYS, GM_DIR_S_I, GM_MSG_INV,
        GM_DO_WRITE_BACK | GM_DO_INVALIDATE),
    ALL_REQUESTS(GM_DIR_S_I, GM_DIR_S_I, GM_DO_STALL),
    ROW(GM_DIR_S_I, GM_DIR_INV_ACK, GM_IF_LAST, GM_DIR_I, GM_NO_MESSAGE, GM_DO_UNSHARE),
    ROW(GM_DIR_S_I, GM_DIR_INV_ACK, GM_IF_MORE, GM_DIR_S_I, GM_NO_MESSAGE, GM_DO_UNSHARE),
};

static const gm_directory_row vini_l2[] = {
    REQUESTS(GM_DIR_I, GM_DIR_I_V, GM_DO_FETCH | GM_DO_WAIT),
    REQUESTS(GM_DIR_I_V, GM_DIR_I_V, GM_DO_WAIT),
    ROW(GM_DIR_I_V, GM_DIR_MEMORY, GM_ALWAYS, GM_DIR_V, GM_NO_MESSAGE, 0),
    WITH_DATA,
    ROW(GM_DIR_V, GM_DIR_EVICT, GM_ALWAYS, GM_DIR_I, GM_NO_MESSAGE, GM_DO_WRITE_BACK),
    ROW(GM_DIR_S, GM_DIR_EVICT, GM_ALWAYS, GM_DIR_N, GM_NO_MESSAGE, GM_DO_WRITE_BACK),
    ROW(GM_DIR_S, GM_DIR_FORGET, GM_ALWAYS, GM_DIR_S_I, GM_MSG_INV, GM_DO_INVALIDATE),
    ALL_REQUESTS(GM_DIR_N, GM_DIR_N_V, GM_DO_FETCH | GM_DO_WAIT),
    ROW(GM_DIR_N, GM_DIR_FORGET, GM_ALWAYS, GM_DIR_N_I, GM_MSG_INV, GM_DO_INVALIDATE),
    ALL_REQUESTS(GM_DIR_N_V, GM_DIR_N_V, GM_DO_WAIT),
    ROW(GM_DIR_N_V, GM_DIR_MEMORY, GM_ALWAYS, GM_DIR_S, GM_NO_MESSAGE, 0),
    ALL_REQUESTS(GM_DIR_S_I, GM_DIR_S_I, GM_DO_STALL),
    ROW(GM_DIR_S_I, GM_DIR_INV_ACK, GM_IF_LAST, GM_DIR_V, GM_NO_MESSAGE, GM_DO_UNSHARE),
    ROW(GM_DIR_S_I, GM_DIR_INV_ACK, GM_IF_MORE, GM_DIR_S_I, GM_NO_MESSAGE, GM_DO_UNSHARE),
    ROW(GM_DIR_S_I, GM_DIR_EVICT, GM_ALWAYS, GM_DIR_N_I, GM_NO_MESSAGE, GM_DO_WRITE_BACK),
    ALL_REQUESTS(GM_DIR_N_I, GM_DIR_N_I, GM_DO_STALL),
    ROW(GM_DIR_N_I, GM_DIR_INV_ACK, GM_IF_LAST, GM_DIR_I, GM_NO_MESSAGE, GM_DO_UNSHARE),
    ROW(GM_DIR_N_I, GM_DIR_INV_ACK, GM_IF_MORE, GM_DIR_N_I, GM_NO_MESSAGE, GM_DO_UNSHARE),
};

/* Four networks [singh, 4.2]: requests, responses, invalidations, and their acknowledgements. */
#define NETWORKS                                                                                   \
    {                                                                                              \
        [GM_MSG_DATA] = GM_VN_RESPONSE, [GM_MSG_ACK] = GM_VN_RESPONSE,                             \
        [GM_MSG_OLD] = GM_VN_RESPONSE, [GM_MSG_INV] = GM_VN_FORWARD,                               \
        [GM_MSG_GETS] = GM_VN_REQUEST, [GM_MSG_GETS_PAST] = GM_VN_REQUEST,                         \
        [GM_MSG_GETX] = GM_VN_REQUEST, [GM_MSG_UPGRADE] = GM_VN_REQUEST,                           \
        [GM_MSG_ATOMIC] = GM_VN_REQUEST, [GM_MSG_INV_ACK] = GM_VN_RESPONSE,                        \
    }

const gm_directory_protocol gm_directory_vi = {
    .name = "vi",
    .l1 = {"GPU-VI, L1", l1, sizeof l1 / sizeof *l1},
    .l2 = {"GPU-VI, L2", vi_l2, sizeof vi_l2 / sizeof *vi_l2},
    .network = NETWORKS,
    .networks = 4,
};

const gm_directory_protocol gm_directory_vini = {
    .name = "vini",
    .l1 = {"GPU-VIni, L1", l1, sizeof l1 / sizeof *l1},
    .l2 = {"GPU-VIni, L2", vini_l2, sizeof vini_l2 / sizeof *vini_l2},
    .network = NETWORKS,
    .networks = 4,
};
