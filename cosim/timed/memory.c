/* What stands in for the networks and the DRAM channel: the functions of cycle/noc/network.h and
 * cycle/dram/gddr5.h that the L1s and the bank call, with the meanings given there. Packets of one
 * SM on one line keep their order; the event under way chooses which channel's oldest arrives, and
 * which read's data. */
#include "timed.h"

#include <string.h>

static void push(timed_channel *channel, const gm_packet *packet, const uint8_t *data)
{
    if (channel->count == TIMED_MESSAGES) {
        the_machine->world->broken = true;
        return;
    }
    timed_message *message = &channel->message[channel->count++];
    *message = (timed_message){
        .id = packet->id,
        .sectors = packet->sectors,
        .whole = packet->whole,
        .timestamp = packet->timestamp,
        .kind = packet->kind,
        .flags = packet->flags,
    };
    memcpy(message->data, data, GM_LITMUS_WORDS);
}

static void tell(const gm_packet *packet)
{
    static const char *const names[GM_MESSAGE_KINDS] = {
        [GM_MESSAGE_READ] = "READ",
        [GM_MESSAGE_WRITE] = "WRITE",
        [GM_MESSAGE_ATOMIC] = "ATOMIC",
        [GM_MESSAGE_REDUCTION] = "REDUCTION",
    };
    unsigned flags = packet->flags;
    unsigned leased = (flags & GM_COHERENCE_LEASE) != 0;
    TIMED_TELL("; %s %c", names[packet->kind], (char)('x' + timed_line(packet->line)));
    if (packet->response == 0) {
        TIMED_TELL("%s%s", (flags & GM_COHERENCE_EXPIRED) != 0 ? ", expired" : "",
                   (flags & GM_COHERENCE_NO_LEASE) != 0 ? ", no lease" : "");
        if ((flags & GM_COHERENCE_UPGRADE) != 0) {
            TIMED_TELL(", upgrade of lease %u", packet->timestamp);
        }
        return;
    }
    TIMED_TELL(" answered");
    if (leased != 0) {
        TIMED_TELL(", lease %u", packet->timestamp);
    }
    if ((flags & GM_COHERENCE_GWCT) != 0) {
        TIMED_TELL(", GWCT %u", packet->timestamp - leased);
    }
    TIMED_TELL("%s", (flags & GM_COHERENCE_LINE) != 0 ? ", with the line" : "");
}

bool gm_network_has_room(const gm_network *network, uint32_t input, const gm_packet *packet)
{
    (void)network;
    (void)input;
    (void)packet;
    return true;
}

bool gm_network_fits(const gm_network *network, uint32_t input, const gm_packet *packet)
{
    return gm_network_has_room(network, input, packet);
}

bool gm_network_refuses(const gm_network *network, uint32_t input)
{
    (void)network;
    (void)input;
    return false;
}

void gm_network_send(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now)
{
    timed_machine *m = the_machine;
    timed_values *values = &m->world->values;
    static const uint8_t none[GM_LITMUS_WORDS];
    uint32_t line = timed_line(packet->line);
    bool replies = network == &m->replies;
    (void)now;
    if (line == GM_LITMUS_LINES || packet->sm >= m->sms || packet->bank != 0 ||
        input != (replies ? 0 : packet->sm) || packet->response != replies) {
        m->world->broken = true;
        return;
    }
    if (m->log != NULL) {
        tell(packet);
    }
    if (replies) {
        push(&m->world->down[packet->sm][line], packet, values->reply);
        memset(values->reply, 0, sizeof values->reply);
    } else {
        push(&m->world->up[packet->sm][line], packet, none);
    }
}

bool gm_network_offer(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now)
{
    gm_network_send(network, input, packet, now);
    return true;
}

/* The channel whose oldest packet the event has chosen for this receiver, or NULL. */
static timed_channel *chosen(const gm_network *network, uint32_t output)
{
    timed_machine *m = the_machine;
    if (network == &m->requests) {
        return m->world->arrival == GM_NEVER ? NULL : &m->world->up[m->chosen_sm][m->chosen_line];
    }
    return m->reply_chosen && output == m->chosen_sm ? &m->world->down[m->chosen_sm][m->chosen_line]
                                                     : NULL;
}

gm_cycle gm_network_arrival(const gm_network *network, uint32_t output)
{
    return chosen(network, output) == NULL ? GM_NEVER : the_machine->world->now;
}

const gm_cycle *gm_network_arrival_cell(const gm_network *network, uint32_t output)
{
    (void)network;
    (void)output;
    return &the_machine->world->arrival;
}

const gm_packet *gm_network_peek(const gm_network *network, uint32_t output, gm_cycle now)
{
    static gm_packet packet;
    timed_machine *m = the_machine;
    const timed_channel *channel = chosen(network, output);
    (void)now;
    if (channel == NULL) {
        return NULL;
    }
    const timed_message *message = &channel->message[0];
    packet = (gm_packet){
        .line = m->line[m->chosen_line],
        .in_bank = gm_address_map_locate(&m->l2_shared.map, m->line[m->chosen_line]).line,
        .sectors = message->sectors,
        .whole = message->whole,
        .id = message->id,
        .sm = (uint16_t)m->chosen_sm,
        .kind = message->kind,
        .response = network == &m->replies,
        .flags = message->flags,
        .timestamp = message->timestamp,
    };
    return &packet;
}

void gm_network_pop(gm_network *network, uint32_t output, gm_cycle now)
{
    timed_machine *m = the_machine;
    timed_channel *channel = chosen(network, output);
    (void)now;
    if (network == &m->replies) {
        memcpy(m->world->values.arrived[output], channel->message[0].data, GM_LITMUS_WORDS);
        m->reply_chosen = false;
    } else {
        m->world->arrival = GM_NEVER;
    }
    channel->count--;
    memmove(channel->message, channel->message + 1, sizeof *channel->message * channel->count);
    memset(&channel->message[channel->count], 0, sizeof *channel->message);
}

/* --- DRAM: the values' writes are done where the bank sends them, so that only reads matter --- */

bool gm_gddr5_makes_room(gm_gddr5 *channel, gm_cycle now)
{
    (void)channel;
    (void)now;
    return true;
}

void gm_gddr5_push(gm_gddr5 *channel, const gm_dram_request *request, gm_cycle now)
{
    timed_world *w = the_machine->world;
    (void)channel;
    (void)now;
    if (request->write) {
        TIMED_TELL("; writes to DRAM");
        return;
    }
    TIMED_TELL("; reads DRAM");
    for (unsigned i = 0; i < TIMED_READS; i++) {
        if (w->read[i].sectors == 0) {
            w->read[i] = *request;
            return;
        }
    }
    w->broken = true;
}

const gm_cycle *gm_gddr5_data_cell(const gm_gddr5 *channel, uint32_t bank)
{
    (void)channel;
    (void)bank;
    return &the_machine->world->data;
}

const gm_dram_request *gm_gddr5_peek(const gm_gddr5 *channel, uint32_t bank, gm_cycle now)
{
    (void)channel;
    (void)bank;
    (void)now;
    return &the_machine->world->read[the_machine->chosen_read];
}

void gm_gddr5_pop(gm_gddr5 *channel, uint32_t bank, gm_cycle now)
{
    timed_world *w = the_machine->world;
    (void)channel;
    (void)bank;
    (void)now;
    w->data = GM_NEVER;
    w->read[the_machine->chosen_read] = (gm_dram_request){0};
}

void gm_gddr5_count_write(gm_gddr5 *channel, uint64_t address, uint32_t sectors)
{
    (void)channel;
    (void)address;
    (void)sectors;
    the_machine->world->broken = true; /* there are no host copies */
}
