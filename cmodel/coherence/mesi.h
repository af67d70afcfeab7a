/* MESI [singh, 4.1] in the engine: what an L1 and an L2 bank keep of a line, and the rows of
 * directory_mesi.c that follow from it. cycle/l1/l1_mesi.c and cycle/l2/l2_mesi.c do what the rows
 * say. A line that an L1 writes back gives up its slot at once: it is in a buffer until the L2 has
 * acknowledged it, from which forwards are answered. */
#ifndef GOLDMEM_COHERENCE_MESI_H
#define GOLDMEM_COHERENCE_MESI_H

#include "coherence/coherence.h"
#include "coherence/directory.h"

/* Flags of messages, beside those of coherence.h. */
enum {
    GM_MESI_EXCLUSIVE = 2, /* DATA_E */
    GM_MESI_KEEPS = 4,     /* WB_DATA: its sender keeps a copy */
    GM_MESI_GETS = 8,      /* a forward is FWD_GETS */
    GM_MESI_GETX = 16,     /* a forward or recall is FWD_GETX */
};

/* A line in an L1's write-back buffer. */
typedef struct gm_mesi_write_back {
    uint64_t line;
    uint32_t dirty; /* sectors */
    uint16_t state; /* GM_L1_M_I, GM_L1_I_I; GM_L1_I: free */
    uint16_t next;  /* of its group, or of the free ones: 1 + place; 0: none */
} gm_mesi_write_back;

enum { GM_MESI_GROUPS = 64 }; /* of lines, by their number modulo this */

typedef struct gm_mesi_l1 {
    uint8_t *state;           /* [slots] gm_directory_l1_state */
    gm_mesi_write_back *back; /* [backs] */
    uint32_t slots, backs;
    uint32_t used;        /* of `back` */
    uint16_t free;        /* the first that is free: 1 + place; 0: none */
    uint64_t refused;     /* 1 + the line whose write-back the request that was refused last waits
                             for; 0: it waits for something else */
    uint32_t refused_set; /* of its line */
    uint64_t crossed;     /* sectors sent in answer to a forward that had been written back */
    uint16_t first[GM_MESI_GROUPS]; /* of the lines of each group, as `free` */
    const gm_directory_row *row[GM_L1_STATES][GM_L1_EVENTS];
} gm_mesi_l1;

/* Returns the place of a line in the write-back buffer, or `backs`. */
static inline uint32_t gm_mesi_find_back(const gm_mesi_l1 *l1, uint64_t line)
{
    uint32_t place = l1->first[line % GM_MESI_GROUPS];
    while (place != 0 && l1->back[place - 1].line != line) {
        place = l1->back[place - 1].next;
    }
    return place != 0 ? place - 1 : l1->backs;
}

/* Puts a line into the buffer, which has room; returns its place. Takes the one at a place out. */
uint32_t gm_mesi_put_back(gm_mesi_l1 *l1, uint64_t line, uint32_t dirty);
void gm_mesi_take_back(gm_mesi_l1 *l1, uint32_t place);

/* Returns the row of an event in a state; there is one. */
const gm_directory_row *gm_mesi_l1_row(const gm_mesi_l1 *l1, gm_directory_l1_state state,
                                       gm_directory_l1_event event);

/* Which SMs have the line of an L2 bank's slot. */
typedef struct gm_mesi_line {
    uint64_t sharers; /* a bit for each SM */
    uint32_t owner;   /* 1 + SM; 0: none */
    uint32_t unused;
} gm_mesi_line;

typedef struct gm_mesi_l2 {
    const gm_directory_row *row[GM_DIR_STATES][GM_DIR_EVENTS][2]; /* GM_IF_LAST, GM_IF_MORE */
    gm_mesi_line *line;                                           /* [slots] */
    uint32_t slots;
} gm_mesi_l2;

/* Returns which SMs have the line of a slot. */
static inline const gm_mesi_line *gm_mesi_l2_line(const gm_coherence_l2 *l2, uint32_t slot)
{
    const gm_mesi_l2 *state = l2->state;
    return &state->line[slot];
}

/* What an L2 bank does with a request of an SM on the line in `slot`, by the row of its state.
 * `resumes`: a GETS for which the owner has given its data: it shares the line. */
const gm_directory_row *gm_mesi_l2_row(const gm_coherence_l2 *l2, uint32_t slot,
                                       gm_message_kind kind, uint32_t sm, bool resumes);

/* Returns the SMs other than `sm` for which that row waits: sharers, or the owner. */
uint64_t gm_mesi_others(const gm_coherence_l2 *l2, uint32_t slot, uint32_t sm);

/* Changes the directory as a row says, for a request of `sm`. */
void gm_mesi_l2_follow(gm_coherence_l2 *l2, uint32_t slot, const gm_directory_row *row,
                       uint32_t sm);

/* The owner has answered a forward, and keeps a copy or not. */
void gm_mesi_l2_give_up(gm_coherence_l2 *l2, uint32_t slot, bool keeps);

#endif
