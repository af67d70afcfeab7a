/* Directory protocols as tables: GPU-VI, GPU-VIni and MESI [singh, section 4]. A table has a row
 * for each state of a line and each event that can happen in it: what is done, which message is
 * sent, which state follows. Where the paper says nothing the rows are ours
 * (docs/directory-protocols.md). An event without a row cannot happen. */
#ifndef GOLDMEM_COHERENCE_DIRECTORY_H
#define GOLDMEM_COHERENCE_DIRECTORY_H

#include <stddef.h>
#include <stdint.h>

/* States of a line in an L1. VI: I, V, I_V, V_M, I_I. MESI: I, S, E, M, I_S, I_M, S_M, I_S_I, M_I,
 * I_I. */
typedef enum gm_directory_l1_state {
    GM_L1_I,
    GM_L1_V,
    GM_L1_S,
    GM_L1_E,
    GM_L1_M,
    GM_L1_I_V,   /* VI: a load's data are in flight and will be installed */
    GM_L1_V_M,   /* VI: a copy that stores have written whose acknowledgements are due */
    GM_L1_I_I,   /* VI: no copy, acknowledgements of V_M due; MESI: written back and given away */
    GM_L1_I_S,   /* MESI: a load's data are in flight */
    GM_L1_I_M,   /* MESI: a write's data are in flight */
    GM_L1_S_M,   /* MESI: a write waits, the copy may be read */
    GM_L1_I_S_I, /* MESI: a load's data are in flight; they are used once */
    GM_L1_M_I,   /* MESI: written back, not acknowledged */
    GM_L1_STATES,
} gm_directory_l1_state;

typedef enum gm_directory_l1_event {
    GM_L1_LOAD,
    GM_L1_LOAD_PAST, /* VI: a load that does not allocate */
    GM_L1_STORE,
    GM_L1_ATOMIC,
    GM_L1_EVICT,
    GM_L1_INV,       /* invalidation or recall of a shared line */
    GM_L1_FWD_GETS,  /* MESI: another SM reads the owner's line */
    GM_L1_FWD_GETX,  /* MESI: another SM writes it, or the L2 recalls it */
    GM_L1_DATA,      /* for the line's open MSHR entry: VI; MESI: shared */
    GM_L1_DATA_PAST, /* VI: for a closed entry, or a load that does not allocate */
    GM_L1_DATA_E,    /* MESI: nobody else has the line */
    GM_L1_DATA_M,    /* MESI: to write */
    GM_L1_GRANT,     /* MESI: the copy may be written */
    GM_L1_ACK,       /* VI: of a store that has written the copy */
    GM_L1_WB_ACK,    /* MESI: of a write-back */
    GM_L1_EVENTS,
} gm_directory_l1_event;

/* States of a line in an L2 bank and its directory. VI: I, V, S, I_V, S_M, S_I. VIni: also N, N_V,
 * N_I. MESI: I, V, S, M, I_S, I_M, S_M, S_U, M_B, M_S, M_M, S_I, M_I. */
typedef enum gm_directory_l2_state {
    GM_DIR_I,
    GM_DIR_V,   /* data, no L1 has a copy */
    GM_DIR_S,   /* data, L1s have copies */
    GM_DIR_N,   /* VIni: no data, L1s have copies */
    GM_DIR_M,   /* MESI: an L1 owns the line */
    GM_DIR_I_V, /* VI: data are in flight from DRAM */
    GM_DIR_N_V, /* VIni: likewise, L1s have copies */
    GM_DIR_I_S, /* MESI: likewise, for a load */
    GM_DIR_I_M, /* MESI: likewise, for a write */
    GM_DIR_S_M, /* a write waits for the acknowledgements of invalidations */
    GM_DIR_S_U, /* MESI: likewise, of a write that needs no data */
    GM_DIR_M_B, /* MESI: given to an owner who has not confirmed */
    GM_DIR_M_S, /* MESI: a load waits for the owner's data */
    GM_DIR_M_M, /* MESI: a write waits for the owner's data */
    GM_DIR_S_I, /* an eviction waits for the acknowledgements of recalls */
    GM_DIR_N_I, /* VIni: likewise, without data */
    GM_DIR_M_I, /* MESI: an eviction waits for the owner's data */
    GM_DIR_STATES,
} gm_directory_l2_state;

typedef enum gm_directory_l2_event {
    GM_DIR_GETS,
    GM_DIR_GETS_PAST, /* VI: of a load that does not allocate */
    GM_DIR_GETX,      /* VI: a store without a copy, data; MESI: to write */
    GM_DIR_UPGRADE,   /* VI: a store that has written its copy, data; MESI: of a write to a copy. Of
                         an SM that is no sharer it is a GETX */
    GM_DIR_ATOMIC,    /* VI */
    GM_DIR_PUT,       /* MESI: write-back, of a clean line too */
    GM_DIR_INV_ACK,
    GM_DIR_WB_DATA, /* MESI: the owner's answer to a forward */
    GM_DIR_UNBLOCK, /* MESI: the new owner has its data */
    GM_DIR_MEMORY,  /* the data from DRAM are there */
    GM_DIR_EVICT,   /* the L2 needs the slot */
    GM_DIR_FORGET,  /* VIni: the directory needs the entry */
    GM_DIR_EVENTS,
} gm_directory_l2_event;

/* Messages to an L1. Those to the L2 are the gm_directory_l2_event up to UNBLOCK. */
typedef enum gm_directory_message {
    GM_NO_MESSAGE,
    GM_MSG_DATA,
    GM_MSG_DATA_E,
    GM_MSG_DATA_M,
    GM_MSG_GRANT,
    GM_MSG_ACK,
    GM_MSG_OLD, /* VI: what an atomic has read */
    GM_MSG_INV,
    GM_MSG_FWD_GETS,
    GM_MSG_FWD_GETX,
    GM_MSG_WB_ACK,
    GM_MSG_GETS, /* to the L2, in the order of gm_directory_l2_event */
    GM_MSG_GETS_PAST,
    GM_MSG_GETX,
    GM_MSG_UPGRADE,
    GM_MSG_ATOMIC,
    GM_MSG_PUT,
    GM_MSG_INV_ACK,
    GM_MSG_WB_DATA,
    GM_MSG_UNBLOCK,
    GM_MESSAGES,
} gm_directory_message;

/* Virtual networks. An SM's messages to a bank keep their order within one, and so back. */
typedef enum gm_directory_network {
    GM_VN_REQUEST,
    GM_VN_RESPONSE, /* both ways: data and acknowledgements */
    GM_VN_FORWARD,  /* invalidations, recalls, forwards */
    GM_VN_WRITE_BACK,
    GM_VN_UNBLOCK,
    GM_DIRECTORY_NETWORKS,
} gm_directory_network;

/* What is done. */
enum {
    /* at an L1 */
    GM_DO_HIT = 1 << 0,     /* the load gets the copy's value */
    GM_DO_WRITE = 1 << 1,   /* the store changes the copy */
    GM_DO_OPEN = 1 << 2,    /* takes a new MSHR entry, which is open, and waits in it */
    GM_DO_PAST = 1 << 3,    /* takes a new MSHR entry, which is closed, and waits in it */
    GM_DO_JOIN = 1 << 4,    /* waits in the line's open entry */
    GM_DO_CLOSE = 1 << 5,   /* closes the line's open entry: nobody joins, nothing is installed */
    GM_DO_DROP = 1 << 6,    /* drops the copy */
    GM_DO_INSTALL = 1 << 7, /* the data are the copy */
    GM_DO_ANSWER = 1 << 8,  /* does, in order, what waits in the message's entry */
    GM_DO_COUNT = 1 << 9,   /* one acknowledgement more is due for the slot */
    GM_DO_UNCOUNT = 1 << 10,
    GM_DO_UNBLOCK = 1 << 11, /* sends UNBLOCK, too */
    GM_DO_KEEP = 1 << 12,    /* WB_DATA says that the sender keeps a copy */
    /* at both */
    GM_DO_STALL = 1 << 13, /* tries again later; what is behind it in its queue waits */
    /* at the L2 */
    GM_DO_WAIT = 1 << 14, /* waits in the line's MSHR entry, behind those that wait there */
    GM_DO_FETCH = 1 << 15,
    GM_DO_SHARE = 1 << 16,       /* the requester is a sharer */
    GM_DO_UNSHARE = 1 << 17,     /* the sender is none */
    GM_DO_PERFORM = 1 << 18,     /* the write changes the data */
    GM_DO_INVALIDATE = 1 << 19,  /* sends INV to all sharers but the requester; of an eviction: to
                                    all. They are no sharers when they have acknowledged */
    GM_DO_OWN = 1 << 20,         /* the requester owns the line, and there are no sharers */
    GM_DO_TAKE = 1 << 21,        /* the message's data are the line's, if they are dirty */
    GM_DO_SHARE_OWNER = 1 << 22, /* the owner is a sharer if it keeps its copy */
    GM_DO_WRITE_BACK = 1 << 23,  /* the data go to DRAM, if dirty */
    GM_DO_RETURN = 1 << 24,      /* the message goes to the requester that waits, not the sender */
    GM_DO_TO_OWNER = 1 << 25,    /* the message goes to the owner */
};

/* When a row holds. */
typedef enum gm_directory_condition {
    GM_ALWAYS,
    GM_IF_LAST, /* L1: no acknowledgement is due any more after the event. L2: INV_ACK: likewise;
                   a request: there is no sharer but the requester */
    GM_IF_MORE, /* otherwise */
} gm_directory_condition;

typedef struct gm_directory_row {
    uint8_t state, event;
    uint8_t condition; /* gm_directory_condition */
    uint8_t next;      /* the L2's S is V if nobody shares the line */
    uint8_t message;   /* gm_directory_message */
    uint32_t actions;
} gm_directory_row;

typedef struct gm_directory_table {
    const char *name;
    const gm_directory_row *row;
    size_t rows;
} gm_directory_table;

typedef struct gm_directory_protocol {
    const char *name;
    gm_directory_table l1, l2;
    uint8_t network[GM_MESSAGES]; /* gm_directory_network */
    uint8_t networks;             /* both ways together */
} gm_directory_protocol;

extern const gm_directory_protocol gm_directory_vi, gm_directory_vini, gm_directory_mesi;

/* Returns the row of a state, an event and GM_IF_LAST or GM_IF_MORE; NULL: there is none. */
const gm_directory_row *gm_directory_find(const gm_directory_table *table, unsigned state,
                                          unsigned event, gm_directory_condition condition);

extern const char *const gm_directory_l1_state_names[GM_L1_STATES];
extern const char *const gm_directory_l1_event_names[GM_L1_EVENTS];
extern const char *const gm_directory_l2_state_names[GM_DIR_STATES];
extern const char *const gm_directory_l2_event_names[GM_DIR_EVENTS];
extern const char *const gm_directory_message_names[GM_MESSAGES];

#endif
