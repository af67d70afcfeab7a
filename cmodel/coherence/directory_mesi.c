/* MESI [singh, 4.1]: write-back, write-allocate L1s. Messages of an SM and a bank need no order: a
 * line is blocked at the L2 from a request that another L1 must see to its end. */
#include "coherence/directory.h"

#define ROW(state, event, condition, next, message, actions)                                       \
    {                                                                                              \
        state, event, condition, next, message, actions                                            \
    }

/* Rows of a state in which all operations of the SM are treated alike. */
#define OPERATIONS(state, actions)                                                                 \
    ROW(state, GM_L1_LOAD, GM_ALWAYS, state, GM_NO_MESSAGE, actions),                              \
        ROW(state, GM_L1_STORE, GM_ALWAYS, state, GM_NO_MESSAGE, actions),                         \
        ROW(state, GM_L1_ATOMIC, GM_ALWAYS, state, GM_NO_MESSAGE, actions)

/* Data that make their receiver the owner. */
#define OWNED (GM_DO_INSTALL | GM_DO_ANSWER | GM_DO_UNBLOCK)

static const gm_directory_row l1[] = {
    ROW(GM_L1_I, GM_L1_LOAD, GM_ALWAYS, GM_L1_I_S, GM_MSG_GETS, GM_DO_OPEN),
    ROW(GM_L1_I, GM_L1_STORE, GM_ALWAYS, GM_L1_I_M, GM_MSG_GETX, GM_DO_OPEN),
    ROW(GM_L1_I, GM_L1_ATOMIC, GM_ALWAYS, GM_L1_I_M, GM_MSG_GETX, GM_DO_OPEN),
    ROW(GM_L1_I, GM_L1_INV, GM_ALWAYS, GM_L1_I, GM_MSG_INV_ACK, 0),

    ROW(GM_L1_S, GM_L1_LOAD, GM_ALWAYS, GM_L1_S, GM_NO_MESSAGE, GM_DO_HIT),
    ROW(GM_L1_S, GM_L1_STORE, GM_ALWAYS, GM_L1_S_M, GM_MSG_UPGRADE, GM_DO_OPEN),
    ROW(GM_L1_S, GM_L1_ATOMIC, GM_ALWAYS, GM_L1_S_M, GM_MSG_UPGRADE, GM_DO_OPEN),
    ROW(GM_L1_S, GM_L1_EVICT, GM_ALWAYS, GM_L1_I, GM_NO_MESSAGE, GM_DO_DROP),
    ROW(GM_L1_S, GM_L1_INV, GM_ALWAYS, GM_L1_I, GM_MSG_INV_ACK, GM_DO_DROP),

    ROW(GM_L1_E, GM_L1_LOAD, GM_ALWAYS, GM_L1_E, GM_NO_MESSAGE, GM_DO_HIT),
    ROW(GM_L1_E, GM_L1_STORE, GM_ALWAYS, GM_L1_M, GM_NO_MESSAGE, GM_DO_WRITE),
    ROW(GM_L1_E, GM_L1_ATOMIC, GM_ALWAYS, GM_L1_M, GM_NO_MESSAGE, GM_DO_WRITE),
    ROW(GM_L1_E, GM_L1_EVICT, GM_ALWAYS, GM_L1_M_I, GM_MSG_PUT, 0),
    ROW(GM_L1_E, GM_L1_FWD_GETS, GM_ALWAYS, GM_L1_S, GM_MSG_WB_DATA, GM_DO_KEEP),
    ROW(GM_L1_E, GM_L1_FWD_GETX, GM_ALWAYS, GM_L1_I, GM_MSG_WB_DATA, GM_DO_DROP),

    ROW(GM_L1_M, GM_L1_LOAD, GM_ALWAYS, GM_L1_M, GM_NO_MESSAGE, GM_DO_HIT),
    ROW(GM_L1_M, GM_L1_STORE, GM_ALWAYS, GM_L1_M, GM_NO_MESSAGE, GM_DO_WRITE),
    ROW(GM_L1_M, GM_L1_ATOMIC, GM_ALWAYS, GM_L1_M, GM_NO_MESSAGE, GM_DO_WRITE),
    ROW(GM_L1_M, GM_L1_EVICT, GM_ALWAYS, GM_L1_M_I, GM_MSG_PUT, 0),
    ROW(GM_L1_M, GM_L1_FWD_GETS, GM_ALWAYS, GM_L1_S, GM_MSG_WB_DATA, GM_DO_KEEP),
    ROW(GM_L1_M, GM_L1_FWD_GETX, GM_ALWAYS, GM_L1_I, GM_MSG_WB_DATA, GM_DO_DROP),

    ROW(GM_L1_I_S, GM_L1_LOAD, GM_ALWAYS, GM_L1_I_S, GM_NO_MESSAGE, GM_DO_JOIN),
    ROW(GM_L1_I_S, GM_L1_STORE, GM_ALWAYS, GM_L1_I_S, GM_NO_MESSAGE, GM_DO_STALL),
    ROW(GM_L1_I_S, GM_L1_ATOMIC, GM_ALWAYS, GM_L1_I_S, GM_NO_MESSAGE, GM_DO_STALL),
    ROW(GM_L1_I_S, GM_L1_INV, GM_ALWAYS, GM_L1_I_S_I, GM_MSG_INV_ACK, 0),
    ROW(GM_L1_I_S, GM_L1_DATA, GM_ALWAYS, GM_L1_S, GM_NO_MESSAGE, GM_DO_INSTALL | GM_DO_ANSWER),
    ROW(GM_L1_I_S, GM_L1_DATA_E, GM_ALWAYS, GM_L1_E, GM_NO_MESSAGE, OWNED),

    OPERATIONS(GM_L1_I_S_I, GM_DO_STALL),
    ROW(GM_L1_I_S_I, GM_L1_INV, GM_ALWAYS, GM_L1_I_S_I, GM_MSG_INV_ACK, 0),
    ROW(GM_L1_I_S_I, GM_L1_DATA, GM_ALWAYS, GM_L1_I, GM_NO_MESSAGE, GM_DO_ANSWER),
    ROW(GM_L1_I_S_I, GM_L1_DATA_E, GM_ALWAYS, GM_L1_E, GM_NO_MESSAGE, OWNED),

    OPERATIONS(GM_L1_I_M, GM_DO_JOIN),
    ROW(GM_L1_I_M, GM_L1_INV, GM_ALWAYS, GM_L1_I_M, GM_MSG_INV_ACK, 0),
    ROW(GM_L1_I_M, GM_L1_DATA_M, GM_ALWAYS, GM_L1_M, GM_NO_MESSAGE, OWNED),

    OPERATIONS(GM_L1_S_M, GM_DO_JOIN),
    ROW(GM_L1_S_M, GM_L1_INV, GM_ALWAYS, GM_L1_I_M, GM_MSG_INV_ACK, GM_DO_DROP),
    ROW(GM_L1_S_M, GM_L1_GRANT, GM_ALWAYS, GM_L1_M, GM_NO_MESSAGE, GM_DO_ANSWER | GM_DO_UNBLOCK),

    OPERATIONS(GM_L1_M_I, GM_DO_STALL),
    ROW(GM_L1_M_I, GM_L1_FWD_GETS, GM_ALWAYS, GM_L1_I_I, GM_MSG_WB_DATA, GM_DO_DROP),
    ROW(GM_L1_M_I, GM_L1_FWD_GETX, GM_ALWAYS, GM_L1_I_I, GM_MSG_WB_DATA, GM_DO_DROP),
    ROW(GM_L1_M_I, GM_L1_WB_ACK, GM_ALWAYS, GM_L1_I, GM_NO_MESSAGE, GM_DO_DROP),

    OPERATIONS(GM_L1_I_I, GM_DO_STALL),
    ROW(GM_L1_I_I, GM_L1_WB_ACK, GM_ALWAYS, GM_L1_I, GM_NO_MESSAGE, 0),
};

/* Rows of a state in which every request stalls: without sharers, and with. */
#define STALLS(state)                                                                              \
    ROW(state, GM_DIR_GETS, GM_ALWAYS, state, GM_NO_MESSAGE, GM_DO_STALL),                         \
        ROW(state, GM_DIR_GETX, GM_ALWAYS, state, GM_NO_MESSAGE, GM_DO_STALL)
#define ALL_STALLS(state)                                                                          \
    STALLS(state), ROW(state, GM_DIR_UPGRADE, GM_ALWAYS, state, GM_NO_MESSAGE, GM_DO_STALL)

/* A write-back of an SM whose data another request has already got. */
#define OLD_PUT(state)    ROW(state, GM_DIR_PUT, GM_ALWAYS, state, GM_MSG_WB_ACK, 0)
#define PUT_STALLS(state) ROW(state, GM_DIR_PUT, GM_ALWAYS, state, GM_NO_MESSAGE, GM_DO_STALL)

static const gm_directory_row l2[] = {
    ROW(GM_DIR_I, GM_DIR_GETS, GM_ALWAYS, GM_DIR_I_S, GM_NO_MESSAGE, GM_DO_FETCH | GM_DO_WAIT),
    ROW(GM_DIR_I, GM_DIR_GETX, GM_ALWAYS, GM_DIR_I_M, GM_NO_MESSAGE, GM_DO_FETCH | GM_DO_WAIT),
    OLD_PUT(GM_DIR_I),

    ROW(GM_DIR_V, GM_DIR_GETS, GM_ALWAYS, GM_DIR_M_B, GM_MSG_DATA_E, GM_DO_OWN),
    ROW(GM_DIR_V, GM_DIR_GETX, GM_ALWAYS, GM_DIR_M_B, GM_MSG_DATA_M, GM_DO_OWN),
    OLD_PUT(GM_DIR_V),
    ROW(GM_DIR_V, GM_DIR_EVICT, GM_ALWAYS, GM_DIR_I, GM_NO_MESSAGE, GM_DO_WRITE_BACK),

    ROW(GM_DIR_S, GM_DIR_GETS, GM_ALWAYS, GM_DIR_S, GM_MSG_DATA, GM_DO_SHARE),
    ROW(GM_DIR_S, GM_DIR_GETX, GM_IF_LAST, GM_DIR_M_B, GM_MSG_DATA_M, GM_DO_OWN),
    ROW(GM_DIR_S, GM_DIR_GETX, GM_IF_MORE, GM_DIR_S_M, GM_MSG_INV, GM_DO_INVALIDATE | GM_DO_WAIT),
    ROW(GM_DIR_S, GM_DIR_UPGRADE, GM_IF_LAST, GM_DIR_M_B, GM_MSG_GRANT, GM_DO_OWN),
    ROW(GM_DIR_S, GM_DIR_UPGRADE, GM_IF_MORE, GM_DIR_S_U, GM_MSG_INV,
        GM_DO_INVALIDATE | GM_DO_WAIT),
    OLD_PUT(GM_DIR_S),
    ROW(GM_DIR_S, GM_DIR_EVICT, GM_ALWAYS, GM_DIR_S_I, GM_MSG_INV, GM_DO_INVALIDATE),

    ROW(GM_DIR_M, GM_DIR_GETS, GM_ALWAYS, GM_DIR_M_S, GM_MSG_FWD_GETS, GM_DO_TO_OWNER | GM_DO_WAIT),
    ROW(GM_DIR_M, GM_DIR_GETX, GM_ALWAYS, GM_DIR_M_M, GM_MSG_FWD_GETX, GM_DO_TO_OWNER | GM_DO_WAIT),
    ROW(GM_DIR_M, GM_DIR_PUT, GM_IF_LAST, GM_DIR_V, GM_MSG_WB_ACK, GM_DO_TAKE),
    ROW(GM_DIR_M, GM_DIR_PUT, GM_IF_MORE, GM_DIR_M, GM_MSG_WB_ACK, 0),
    ROW(GM_DIR_M, GM_DIR_EVICT, GM_ALWAYS, GM_DIR_M_I, GM_MSG_FWD_GETX, GM_DO_TO_OWNER),

    STALLS(GM_DIR_I_S),
    OLD_PUT(GM_DIR_I_S),
    ROW(GM_DIR_I_S, GM_DIR_MEMORY, GM_ALWAYS, GM_DIR_M_B, GM_MSG_DATA_E, GM_DO_OWN | GM_DO_RETURN),
    STALLS(GM_DIR_I_M),
    OLD_PUT(GM_DIR_I_M),
    ROW(GM_DIR_I_M, GM_DIR_MEMORY, GM_ALWAYS, GM_DIR_M_B, GM_MSG_DATA_M, GM_DO_OWN | GM_DO_RETURN),

    ALL_STALLS(GM_DIR_S_M),
    OLD_PUT(GM_DIR_S_M),
    ROW(GM_DIR_S_M, GM_DIR_INV_ACK, GM_IF_LAST, GM_DIR_M_B, GM_MSG_DATA_M,
        GM_DO_UNSHARE | GM_DO_OWN | GM_DO_RETURN),
    ROW(GM_DIR_S_M, GM_DIR_INV_ACK, GM_IF_MORE, GM_DIR_S_M, GM_NO_MESSAGE, GM_DO_UNSHARE),

    ALL_STALLS(GM_DIR_S_U),
    OLD_PUT(GM_DIR_S_U),
    ROW(GM_DIR_S_U, GM_DIR_INV_ACK, GM_IF_LAST, GM_DIR_M_B, GM_MSG_GRANT,
        GM_DO_UNSHARE | GM_DO_OWN | GM_DO_RETURN),
    ROW(GM_DIR_S_U, GM_DIR_INV_ACK, GM_IF_MORE, GM_DIR_S_U, GM_NO_MESSAGE, GM_DO_UNSHARE),

    STALLS(GM_DIR_M_B),
    PUT_STALLS(GM_DIR_M_B), /* it may have overtaken its UNBLOCK */
    ROW(GM_DIR_M_B, GM_DIR_UNBLOCK, GM_ALWAYS, GM_DIR_M, GM_NO_MESSAGE, 0),

    STALLS(GM_DIR_M_S),
    PUT_STALLS(GM_DIR_M_S),
    ROW(GM_DIR_M_S, GM_DIR_WB_DATA, GM_ALWAYS, GM_DIR_S, GM_MSG_DATA,
        GM_DO_TAKE | GM_DO_SHARE_OWNER | GM_DO_SHARE | GM_DO_RETURN),
    STALLS(GM_DIR_M_M),
    PUT_STALLS(GM_DIR_M_M),
    ROW(GM_DIR_M_M, GM_DIR_WB_DATA, GM_ALWAYS, GM_DIR_M_B, GM_MSG_DATA_M,
        GM_DO_TAKE | GM_DO_OWN | GM_DO_RETURN),

    ALL_STALLS(GM_DIR_S_I),
    OLD_PUT(GM_DIR_S_I),
    ROW(GM_DIR_S_I, GM_DIR_INV_ACK, GM_IF_LAST, GM_DIR_I, GM_NO_MESSAGE,
        GM_DO_UNSHARE | GM_DO_WRITE_BACK),
    ROW(GM_DIR_S_I, GM_DIR_INV_ACK, GM_IF_MORE, GM_DIR_S_I, GM_NO_MESSAGE, GM_DO_UNSHARE),
    STALLS(GM_DIR_M_I),
    PUT_STALLS(GM_DIR_M_I),
    ROW(GM_DIR_M_I, GM_DIR_WB_DATA, GM_ALWAYS, GM_DIR_I, GM_NO_MESSAGE,
        GM_DO_TAKE | GM_DO_WRITE_BACK),
};

/* Five classes [singh, 4.1]. */
const gm_directory_protocol gm_directory_mesi = {
    .name = "mesi",
    .l1 = {"MESI, L1", l1, sizeof l1 / sizeof *l1},
    .l2 = {"MESI, L2", l2, sizeof l2 / sizeof *l2},
    .network =
        {
            [GM_MSG_DATA] = GM_VN_RESPONSE,
            [GM_MSG_DATA_E] = GM_VN_RESPONSE,
            [GM_MSG_DATA_M] = GM_VN_RESPONSE,
            [GM_MSG_GRANT] = GM_VN_RESPONSE,
            [GM_MSG_WB_ACK] = GM_VN_RESPONSE,
            [GM_MSG_INV] = GM_VN_FORWARD,
            [GM_MSG_FWD_GETS] = GM_VN_FORWARD,
            [GM_MSG_FWD_GETX] = GM_VN_FORWARD,
            [GM_MSG_GETS] = GM_VN_REQUEST,
            [GM_MSG_GETX] = GM_VN_REQUEST,
            [GM_MSG_UPGRADE] = GM_VN_REQUEST,
            [GM_MSG_PUT] = GM_VN_WRITE_BACK,
            [GM_MSG_INV_ACK] = GM_VN_RESPONSE,
            [GM_MSG_WB_DATA] = GM_VN_RESPONSE,
            [GM_MSG_UNBLOCK] = GM_VN_UNBLOCK,
        },
    .networks = 5,
};
