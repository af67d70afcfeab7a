/* GDDR5 channel: what must be true at the end of a kernel, its oldest request, its state for
 * checkpoints. */
#include "cache/cache.h"
#include "cycle/dram/gddr5.h"

#include <errno.h>
#include <inttypes.h>

static int equal(uint64_t left, uint64_t right, const char *text, gm_error *error)
{
    if (left == right) {
        return 0;
    }
    return gm_fail(error, -EPROTO, "DRAM channel: %s: %" PRIu64 " and %" PRIu64, text, left, right);
}

typedef struct law {
    uint64_t left, right;
    const char *text;
} law;

static int check_laws(const law *laws, size_t count, gm_error *error)
{
    int code = 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        code = equal(laws[i].left, laws[i].right, laws[i].text, error);
    }
    return code;
}

int gm_gddr5_check_running(const gm_gddr5 *channel, gm_error *error)
{
    const gm_dram_statistics *dram = &channel->statistics;
    const gm_time_statistics *time = &channel->time;
    uint64_t open = 0;
    for (uint32_t i = 0; i < channel->bank_count; i++) {
        open += channel->bank[i].open != 0;
    }
    const law laws[] = {
        {time->dram_activates, time->dram_precharges + open,
         "dram_activates = dram_precharges + open rows"},
        {time->dram_busy, time->dram_bursts * channel->timing.burst,
         "dram_busy = dram_bursts * dram.burst_cycles"},
        {dram->bytes, (dram->reads + dram->writes) * GM_SECTOR, "bytes = (reads + writes) * 32"},
    };
    return check_laws(laws, sizeof laws / sizeof *laws, error);
}

int gm_gddr5_check(const gm_gddr5 *channel, gm_error *error)
{
    const gm_dram_statistics *dram = &channel->statistics;
    const law laws[] = {
        {channel->state.on_way, 0, "requests on their way = 0"},
        {channel->state.queued + channel->state.leave, 0, "requests in the queue = 0"},
        {channel->state.reserved, 0, "reads that their L2 bank has not taken = 0"},
        {dram->row_hits + channel->time.dram_activates + channel->state.copied, dram->requests,
         "row_hits + dram_activates + host copies' = requests"},
    };
    int code = check_laws(laws, sizeof laws / sizeof *laws, error);
    return code < 0 ? code : gm_gddr5_check_running(channel, error);
}

static void describe(const gm_dram_request *request, const char *where, char *text, size_t size)
{
    (void)snprintf(text, size, "DRAM %s of address 0x%" PRIx64 " for L2 bank %u: %s",
                   request->write ? "write" : "read", request->address, request->bank, where);
}

static void older(const gm_gddr5_slot *slot, const char *where, gm_cycle *oldest, char *text,
                  size_t size)
{
    if (slot->since < *oldest) {
        *oldest = slot->since;
        describe(&slot->request, where, text, size);
    }
}

/* The older of what is in a list of slots. */
static void oldest_of(const gm_gddr5 *channel, const gm_gddr5_list *list, const char *where,
                      gm_cycle *oldest, char *text, size_t size)
{
    for (uint32_t at = list->head; at != GM_GDDR5_NONE; at = channel->slot_next[at]) {
        older(&channel->slot[at], where, oldest, text, size);
    }
}

gm_cycle gm_gddr5_oldest(const gm_gddr5 *channel, char *text, size_t size)
{
    gm_cycle oldest = GM_NEVER;
    for (uint32_t i = 0; i < channel->l2_banks; i++) {
        oldest_of(channel, &channel->ready[i].list, "its data wait for the bank", &oldest, text,
                  size);
    }
    const char *queue = "in the channel's queue";
    for (uint32_t i = 0; i < channel->bank_count; i++) {
        oldest_of(channel, &channel->bank[i].hits, queue, &oldest, text, size);
        oldest_of(channel, &channel->bank[i].rest, queue, &oldest, text, size);
    }
    if (channel->state.on_way != 0) {
        older(&channel->slot[channel->coming[channel->state.first].slot],
              "on its way to the channel's queue", &oldest, text, size);
    }
    return oldest;
}

void gm_gddr5_snapshot(gm_gddr5 *channel, gm_snapshot *snapshot)
{
    GM_SNAPSHOT_ARRAY(snapshot, channel->coming, channel->capacity);
    GM_SNAPSHOT_ARRAY(snapshot, channel->slot, channel->slots);
    GM_SNAPSHOT_ARRAY(snapshot, channel->slot_next, channel->slots);
    GM_SNAPSHOT_ARRAY(snapshot, channel->bank, channel->bank_count);
    GM_SNAPSHOT_ARRAY(snapshot, channel->plan, channel->bank_count);
    GM_SNAPSHOT_ARRAY(snapshot, channel->group, channel->groups);
    GM_SNAPSHOT_ARRAY(snapshot, channel->leaving, channel->capacity);
    GM_SNAPSHOT_ARRAY(snapshot, channel->ready, channel->l2_banks);
    GM_SNAPSHOT_VALUE(snapshot, channel->state);
    GM_SNAPSHOT_VALUE(snapshot, channel->statistics);
    GM_SNAPSHOT_VALUE(snapshot, channel->time);
}
