/* Batch queue: hands batches of messages to a thread that runs the memory side behind the SMs. The
 * order of messages is kept, so that results do not depend on it. */
#ifndef GOLDMEM_ORDER_BATCH_QUEUE_H
#define GOLDMEM_ORDER_BATCH_QUEUE_H

#include "cache/message.h"
#include "goldmem/error.h"

struct gm_memory_side;
typedef struct gm_batch_queue gm_batch_queue;

/* Starts the thread. *batch receives the first batch to fill. -ENOMEM, -EAGAIN. */
int gm_batch_queue_start(gm_batch_queue **queue, struct gm_memory_side *memory, gm_batch **batch,
                         gm_error *error);

/* Gives the batch that was taken last, takes the next one; waits while all are full. */
gm_batch *gm_batch_queue_exchange(gm_batch_queue *queue);

/* Returns when every batch given is done. */
void gm_batch_queue_wait(gm_batch_queue *queue);

/* Does what is left, ends the thread and frees all batches. */
void gm_batch_queue_stop(gm_batch_queue *queue);

#endif
