/* What stands in for the networks, the DRAM channel and the value layer: the functions of
 * cycle/noc/network.h, cycle/dram/gddr5.h and cache/values.h that the engine's files call, with the
 * meanings given there. The event under way chooses which channel's packet arrives. */
#include "timed.h"

#include "cache/values.h"
#include "cycle/l1/l1_queue.h"

static unsigned line_of(uint64_t l1_line)
{
    unsigned line = hybrid_line(l1_line);
    the_machine->world->broken |= line >= HYBRID_LINES || l1_line != hybrid_address(line);
    return line % HYBRID_LINES;
}

/* The word of an L2 line, which has one sector. */
static unsigned word_at(uint64_t l2_line)
{
    return word_of(line_of(l2_line / HYBRID_SECTORS), (unsigned)l2_line % HYBRID_SECTORS);
}

/* --- networks --- */

static timed_channel *channel_for(const gm_network *network, const gm_packet *packet)
{
    timed_machine *m = the_machine;
    timed_world *w = m->world;
    unsigned word = word_at(packet->line);
    unsigned line = word / HYBRID_SECTORS;
    unsigned sm = packet->sm % HYBRID_SMS;
    if (network == &m->requests) {
        unsigned sender = packet->kind == GM_MESSAGE_RETURN ? packet->peer % HYBRID_SMS : sm;
        return &w->up[sender][channel_of(m->settings, line)];
    }
    if (network == &m->peers) {
        return &w->peer[sm];
    }
    return packet->kind == GM_MESSAGE_SUPPLY ? &w->supply[sm][line] : &w->down[sm][word];
}

static void tell_packet(const gm_packet *packet)
{
    static const char *const names[GM_MESSAGE_KINDS] = {
        [GM_MESSAGE_READ] = "READ",         [GM_MESSAGE_WRITE] = "WRITE",
        [GM_MESSAGE_ATOMIC] = "ATOMIC",     [GM_MESSAGE_REDUCTION] = "REDUCTION",
        [GM_MESSAGE_LOOKUP] = "LOOKUP",     [GM_MESSAGE_FILL] = "FILL",
        [GM_MESSAGE_EVICT] = "EVICT",       [GM_MESSAGE_SUPPLY] = "SUPPLY",
        [GM_MESSAGE_SUPPLIED] = "SUPPLIED", [GM_MESSAGE_RETURN] = "RETURN",
    };
    unsigned word = word_at(packet->line);
    const char *name = names[packet->kind] != NULL ? names[packet->kind] : "?";
    bool parts = packet->kind == GM_MESSAGE_READ || packet->kind == GM_MESSAGE_WRITE ||
                 packet->kind == GM_MESSAGE_ATOMIC;
    unsigned sectors = parts ? packet->sectors << word % HYBRID_SECTORS : packet->sectors;
    TIMED_TELL(", %s %c%s%s%s", name, line_name(word / HYBRID_SECTORS), sectors_name(sectors),
               packet->response != 0 ? " answered" : "",
               packet->kind == GM_MESSAGE_LOOKUP && packet->flags != 0 ? ", will fill" : "");
}

bool gm_network_has_room(const gm_network *network, uint32_t input, const gm_packet *packet)
{
    const timed_machine *m = the_machine;
    (void)input;
    return network != &m->requests || m->settings->queue == 0 ||
           channel_for(network, packet)->count < m->settings->queue;
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
    timed_channel *channel = channel_for(network, packet);
    (void)input;
    (void)now;
    tell_packet(packet);
    if (channel->count == TIMED_MESSAGES) {
        the_machine->world->broken = 1;
        return;
    }
    channel->packet[channel->count++] = *packet;
}

bool gm_network_offer(gm_network *network, uint32_t input, const gm_packet *packet, gm_cycle now)
{
    bool room = gm_network_has_room(network, input, packet);
    if (room) {
        gm_network_send(network, input, packet, now);
    }
    return room;
}

/* The channel that the event has chosen for a receiver, or NULL. */
static timed_channel **chosen(const gm_network *network)
{
    timed_machine *m = the_machine;
    return network == &m->requests ? &m->request : network == &m->peers ? &m->supplied : &m->reply;
}

gm_cycle gm_network_arrival(const gm_network *network, uint32_t output)
{
    (void)output;
    return *chosen(network) == NULL ? GM_NEVER : the_machine->world->now;
}

const gm_cycle *gm_network_arrival_cell(const gm_network *network, uint32_t output)
{
    (void)network;
    (void)output;
    return &the_machine->world->arrival; /* not used: the L2 bank takes packets of the tracker */
}

const gm_packet *gm_network_peek(const gm_network *network, uint32_t output, gm_cycle now)
{
    const timed_channel *channel = *chosen(network);
    unsigned at = network == &the_machine->requests ? the_machine->request_at : 0;
    (void)output;
    (void)now;
    return channel == NULL ? NULL : &channel->packet[at];
}

void gm_network_pop(gm_network *network, uint32_t output, gm_cycle now)
{
    timed_channel *channel = *chosen(network);
    unsigned at = network == &the_machine->requests ? the_machine->request_at : 0;
    (void)output;
    (void)now;
    channel->count--;
    memmove(&channel->packet[at], &channel->packet[at + 1],
            sizeof *channel->packet * (channel->count - at));
    memset(&channel->packet[channel->count], 0, sizeof *channel->packet);
    *chosen(network) = NULL;
}

/* --- DRAM: data come at once; nothing that is written there is read before the end --- */

bool gm_gddr5_makes_room(gm_gddr5 *channel, gm_cycle now)
{
    (void)channel;
    (void)now;
    return true;
}

void gm_gddr5_push(gm_gddr5 *channel, const gm_dram_request *request, gm_cycle now)
{
    timed_world *w = the_machine->world;
    unsigned i = 0;
    (void)channel;
    while (i < TIMED_READS && w->read[i].sectors != 0) {
        i++;
    }
    w->broken |= i == TIMED_READS;
    if (!request->write && i < TIMED_READS) {
        w->read[i] = *request;
        w->data = now;
    }
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
    return &the_machine->world->read[0];
}

void gm_gddr5_pop(gm_gddr5 *channel, uint32_t bank, gm_cycle now)
{
    timed_world *w = the_machine->world;
    (void)channel;
    (void)bank;
    memmove(&w->read[0], &w->read[1], (TIMED_READS - 1) * sizeof *w->read);
    w->read[TIMED_READS - 1] = (gm_dram_request){0};
    w->data = w->read[0].sectors != 0 ? now : GM_NEVER;
}

void gm_gddr5_count_write(gm_gddr5 *channel, uint64_t address, uint32_t sectors)
{
    (void)channel;
    (void)address;
    (void)sectors;
    the_machine->world->broken = 1; /* there are no host copies */
}

/* --- values --- */

unsigned timed_reply_of(uint32_t id)
{
    uint32_t number = gm_cycle_l1_id_number(id);
    bool entry = gm_cycle_l1_id_kind_of(id) == GM_CYCLE_L1_OF_ENTRY;
    number = entry ? number : HYBRID_ENTRIES + number % GM_CYCLE_L1_BYPASS_PATH;
    the_machine->world->broken |= number >= TIMED_REPLIES;
    return number % TIMED_REPLIES;
}

/* Gives a load those of its sectors that are not judged yet. */
static void give(unsigned sm, uint32_t ticket, uint32_t sectors, const uint8_t *value)
{
    timed_machine *m = the_machine;
    step t = timed_values_step(m);
    hybrid_load *load = &m->world->values.load[sm][ticket % TIMED_TICKETS];
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        if (load->state == LOAD_WAITS && (load->sectors & sectors) >> sector & 1) {
            hybrid_give(&t, sm, load, sector, value[sector]);
        }
    }
}

void gm_values_load(gm_values *values, const gm_value_request *request, uint32_t held, uint32_t id)
{
    (void)values;
    (void)id;
    give(request->sm, request->ticket, held,
         the_machine->world->copy[request->sm][line_of(request->line)]);
}

void gm_values_answer(gm_values *values, uint32_t sm, uint32_t ticket, uint64_t line,
                      uint32_t sectors, uint32_t id)
{
    (void)values;
    (void)line;
    give(sm, ticket, sectors, the_machine->world->reply[sm][timed_reply_of(id)]);
}

void gm_values_store(gm_values *values, const gm_value_request *request,
                     const gm_value_effect *effect)
{
    timed_world *w = the_machine->world;
    step t = timed_values_step(the_machine);
    unsigned line = line_of(request->line);
    (void)values;
    w->broken |= effect->waiting != 0 || effect->dirtied != 0;
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        if ((request->sectors >> sector & 1) == 0) {
            continue;
        }
        uint8_t token = hybrid_accept(&t, request->sm, word_of(line, sector));
        w->ticket[request->sm][request->ticket % TIMED_TICKETS].token[sector] = token;
        TIMED_TELL(", %c%u = ", line_name(line), sector);
        hybrid_tell_value(&t, word_of(line, sector), token);
        if (effect->held >> sector & 1) {
            w->copy[request->sm][line][sector] = token;
        }
    }
}

void gm_values_install(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors,
                       uint32_t dirtied, uint32_t id)
{
    timed_world *w = the_machine->world;
    (void)values;
    w->broken |= dirtied != 0;
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        if (sectors >> sector & 1) {
            w->copy[sm][line_of(line)][sector] = w->reply[sm][timed_reply_of(id)][sector];
        }
    }
}

void gm_values_end_reply(gm_values *values, uint32_t sm, uint64_t line, uint32_t id)
{
    (void)values;
    (void)line;
    memset(the_machine->world->reply[sm][timed_reply_of(id)], 0, HYBRID_SECTORS);
}

void gm_values_write_back(gm_values *values, uint32_t sm, uint64_t line, uint32_t dirty,
                          uint32_t id)
{
    (void)values;
    (void)sm;
    (void)line;
    (void)dirty;
    (void)id;
    the_machine->world->broken = 1; /* these L1s have no dirty lines */
}

void gm_values_supply(gm_values *values, uint32_t sm, uint32_t supplier, uint64_t line,
                      uint32_t sectors, uint32_t id)
{
    timed_world *w = the_machine->world;
    (void)values;
    for (unsigned sector = 0; sector < HYBRID_SECTORS; sector++) {
        if (sectors >> sector & 1) {
            w->reply[sm][timed_reply_of(id)][sector] = w->copy[supplier][line_of(line)][sector];
        }
    }
}

void gm_values_look_up(gm_values *values, uint32_t sm, uint32_t id, uint64_t line, uint32_t sectors)
{
    (void)values;
    (void)sm;
    (void)id;
    (void)line;
    (void)sectors;
}

void gm_values_end_look_up(gm_values *values, uint32_t sm, uint32_t id, uint64_t line,
                           uint32_t sectors)
{
    gm_values_look_up(values, sm, id, line, sectors);
}

void gm_values_fill(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors)
{
    gm_values_look_up(values, sm, 0, line, sectors);
}

void gm_values_filled(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors,
                      bool registers)
{
    gm_values_look_up(values, sm, 0, line, sectors);
    TIMED_TELL(registers ? ", registered" : ", nothing");
}

/* The token that a packet of a write carries to a word. */
static uint8_t token_of(uint32_t sm, uint32_t id, unsigned word)
{
    const timed_ticket *ticket =
        &the_machine->world->ticket[sm][gm_cycle_l1_id_number(id) % TIMED_TICKETS];
    return gm_cycle_l1_id_kind_of(id) == GM_CYCLE_L1_OF_TICKET
               ? ticket->token[word % HYBRID_SECTORS]
               : 0; /* a strong load */
}

void gm_values_pass(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line, uint32_t sectors)
{
    step t = timed_values_step(the_machine);
    unsigned word = word_at(l2_line);
    uint8_t token = token_of(sm, id, word);
    (void)values;
    (void)sectors;
    if (token != 0) {
        hybrid_process(&t, word, token);
    }
}

void gm_values_fetch(gm_values *values, uint64_t l2_line, uint32_t sectors)
{
    (void)values;
    (void)l2_line;
    (void)sectors;
}

/* The L2 never loses a line: it has a way for each. */
void gm_values_write_to_dram(gm_values *values, uint64_t l2_line, uint32_t sectors)
{
    (void)values;
    (void)l2_line;
    the_machine->world->broken |= sectors != 0;
}

void gm_values_reply(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line,
                     uint32_t sectors)
{
    timed_world *w = the_machine->world;
    unsigned word = word_at(l2_line);
    (void)values;
    (void)sectors;
    w->reply[sm][timed_reply_of(id)][word % HYBRID_SECTORS] = w->values.word[word].l2;
}

void gm_values_perform(gm_values *values, gm_message_kind kind, uint32_t sm, uint32_t id,
                       uint64_t l2_line, uint32_t sectors, bool through, uint64_t visible)
{
    timed_world *w = the_machine->world;
    step t = timed_values_step(the_machine);
    unsigned word = word_at(l2_line);
    (void)through;
    (void)visible;
    if (kind == GM_MESSAGE_READ) {
        gm_values_reply(values, sm, id, l2_line, sectors);
        return;
    }
    if (kind == GM_MESSAGE_ATOMIC) {
        uint8_t old[HYBRID_SECTORS] = {0};
        old[word % HYBRID_SECTORS] = w->values.word[word].l2;
        give(sm, gm_cycle_l1_id_number(id), 1u << word % HYBRID_SECTORS, old);
    }
    hybrid_perform(&t, word, token_of(sm, id, word));
}

void gm_values_copy(gm_values *values, uint64_t l2_line, uint32_t sectors, bool installs)
{
    (void)installs;
    gm_values_write_to_dram(values, l2_line, sectors);
}

/* There is no atomic buffer. */
void gm_values_take(gm_values *values, uint64_t l2_line, uint32_t sectors, uint32_t bytes)
{
    (void)bytes;
    gm_values_write_to_dram(values, l2_line, sectors);
}

void gm_values_put(gm_values *values, uint64_t l2_line, uint32_t sectors, uint32_t bytes)
{
    (void)bytes;
    gm_values_write_to_dram(values, l2_line, sectors);
}

void gm_values_perform_in_buffer(gm_values *values, gm_message_kind kind, uint32_t sm, uint32_t id,
                                 uint64_t l2_line, uint32_t sectors, uint64_t visible)
{
    (void)kind;
    (void)sm;
    (void)id;
    (void)visible;
    gm_values_write_to_dram(values, l2_line, sectors);
}

/* The L2 knows no bytes, and no load bypasses it. */
void gm_values_allocate_bytes(gm_values *values, uint64_t l2_line)
{
    gm_values_write_to_dram(values, l2_line, 1);
}

void gm_values_fetch_bytes(gm_values *values, uint64_t l2_line, uint32_t bytes)
{
    gm_values_write_to_dram(values, l2_line, bytes);
}

void gm_values_write_bytes_to_dram(gm_values *values, uint64_t l2_line, uint32_t bytes)
{
    gm_values_write_to_dram(values, l2_line, bytes);
}

void gm_values_read_dram(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line,
                         uint32_t sectors)
{
    gm_values_reply(values, sm, id, l2_line, sectors);
    the_machine->world->broken = true;
}

void gm_values_insert_victim(gm_values *values, uint32_t sm, uint64_t l2_line, uint32_t sectors)
{
    gm_values_reply(values, sm, 0, l2_line, sectors);
    the_machine->world->broken = true;
}

void gm_values_drop_victim(gm_values *values, uint32_t sm, uint64_t l2_line, uint32_t sectors)
{
    gm_values_reply(values, sm, 0, l2_line, sectors);
    the_machine->world->broken = true;
}

void gm_values_evict(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors)
{
    if (sectors != 0) {
        gm_values_reply(values, sm, 0, line, sectors);
        the_machine->world->broken = true;
    }
}

void gm_values_evicted(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors, bool sent)
{
    (void)sent;
    gm_values_evict(values, sm, line, sectors);
}
