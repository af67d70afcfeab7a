/* Batch queue: a ring of batches under one lock. */
#include "order/batch_queue.h"

#include "order/memory_side.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

enum { BATCHES = 4 };

struct gm_batch_queue {
    gm_batch *batch; /* [BATCHES] */
    gm_memory_side *memory;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t given; /* batches given so far; batch i is batch[i % BATCHES] */
    uint64_t done;
    bool stop;
};

static void *serve(void *argument)
{
    gm_batch_queue *queue = argument;
    pthread_mutex_lock(&queue->lock);
    for (;;) {
        while (queue->done == queue->given && !queue->stop) {
            pthread_cond_wait(&queue->changed, &queue->lock);
        }
        if (queue->done == queue->given) {
            break;
        }
        gm_batch *batch = &queue->batch[queue->done % BATCHES];
        pthread_mutex_unlock(&queue->lock);
        gm_memory_side_run(queue->memory, batch);
        pthread_mutex_lock(&queue->lock);
        queue->done++;
        pthread_cond_broadcast(&queue->changed);
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

int gm_batch_queue_start(gm_batch_queue **queue, gm_memory_side *memory, gm_batch **batch,
                         gm_error *error)
{
    gm_batch_queue *made = calloc(1, sizeof *made);
    gm_batch *batches = calloc(BATCHES, sizeof *batches);
    if (made == NULL || batches == NULL) {
        free(made);
        free(batches);
        return gm_fail(error, -ENOMEM, "out of memory: a queue of messages");
    }
    made->batch = batches;
    made->memory = memory;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    int code = pthread_create(&made->thread, NULL, serve, made);
    if (code != 0) {
        pthread_mutex_destroy(&made->lock);
        pthread_cond_destroy(&made->changed);
        free(batches);
        free(made);
        return gm_fail(error, -code, "cannot start a thread");
    }
    *queue = made;
    *batch = &batches[0];
    return 0;
}

gm_batch *gm_batch_queue_exchange(gm_batch_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->given++;
    pthread_cond_broadcast(&queue->changed);
    while (queue->given - queue->done == BATCHES) {
        pthread_cond_wait(&queue->changed, &queue->lock);
    }
    gm_batch *next = &queue->batch[queue->given % BATCHES];
    pthread_mutex_unlock(&queue->lock);
    return next;
}

void gm_batch_queue_wait(gm_batch_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    while (queue->done != queue->given) {
        pthread_cond_wait(&queue->changed, &queue->lock);
    }
    pthread_mutex_unlock(&queue->lock);
}

void gm_batch_queue_stop(gm_batch_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->stop = true;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
    pthread_join(queue->thread, NULL);
    pthread_mutex_destroy(&queue->lock);
    pthread_cond_destroy(&queue->changed);
    free(queue->batch);
    free(queue);
}
