/* Batch queue: hands batches of messages to a thread that runs the memory side behind the SMs.
 * Keeps the order of messages, so that results do not depend on the thread. */
#ifndef GOLDMEM_ORDER_BATCH_QUEUE_H
#define GOLDMEM_ORDER_BATCH_QUEUE_H

#include "cache/message.h"
#include "goldmem/error.h"

struct gm_memory_side;
typedef struct gm_batch_queue gm_batch_queue;

/* Starts the thread. *batch receives the first batch to fill. Returns 0, -ENOMEM or -EAGAIN. */
int gm_batch_queue_start(gm_batch_queue **queue, struct gm_memory_side *memory, gm_batch **batch,
                         gm_error *error);

/* Gives the batch that was taken last to the thread; waits while all batches are full. Returns the
 * next batch to fill. */
gm_batch *gm_batch_queue_exchange(gm_batch_queue *queue);

/* Waits until every batch given is done. */
void gm_batch_queue_wait(gm_batch_queue *queue);

/* Waits until every batch given is done, ends the thread and frees all batches. */
void gm_batch_queue_stop(gm_batch_queue *queue);

#endif
