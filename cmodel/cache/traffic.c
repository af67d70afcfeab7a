/* Interconnect traffic: bytes of messages and of their replies, by class. */
#include "cache/traffic.h"

#include "cache/cache.h"

void gm_message_counts_add(gm_message_counts *into, const gm_message_counts *from)
{
    for (unsigned kind = 0; kind < GM_MESSAGE_KINDS; kind++) {
        into->messages[kind] += from->messages[kind];
        into->sectors[kind] += from->sectors[kind];
    }
    into->answered += from->answered;
    into->strong += from->strong;
    into->strong_sectors += from->strong_sectors;
}

static void add(gm_traffic_statistics *traffic, gm_message_kind kind, uint64_t messages,
                uint64_t sectors, uint64_t header)
{
    uint64_t headers = 2 * messages * header; /* of messages and their replies */
    uint64_t data = sectors * GM_SECTOR;
    switch (kind) {
    case GM_MESSAGE_READ:
        traffic->req += headers;
        traffic->ld += data;
        break;
    case GM_MESSAGE_WRITE:
    case GM_MESSAGE_WRITE_BACK:
        traffic->req += headers;
        traffic->st += data;
        break;
    case GM_MESSAGE_ATOMIC:
        traffic->req += headers;
        traffic->ato += 2 * data;
        break;
    case GM_MESSAGE_REDUCTION:
        traffic->req += headers;
        traffic->ato += data;
        break;
    case GM_MESSAGE_INSTRUCTION:
        traffic->req += headers;
        traffic->ins += data;
        break;
    case GM_MESSAGE_GETX:
    case GM_MESSAGE_FORWARD:
        traffic->req += headers;
        traffic->st += data;
        break;
    case GM_MESSAGE_UPGRADE: /* its data are counted as answered */
        traffic->req += headers;
        break;
    case GM_MESSAGE_UNBLOCK: /* nothing answers it */
        traffic->req += messages * header;
        break;
    case GM_MESSAGE_LOOKUP:
    case GM_MESSAGE_FILL:
    case GM_MESSAGE_SUPPLY:
    case GM_MESSAGE_RETURN:
        traffic->trk += messages * header; /* no message answers it as a reply does */
        break;
    case GM_MESSAGE_EVICT:
        traffic->trk += messages * header;
        traffic->vic += data;
        break;
    case GM_MESSAGE_SUPPLIED:
        traffic->trk += messages * header;
        traffic->rem += data;
        break;
    case GM_MESSAGE_INVALIDATE:
        traffic->inv += headers;
        break;
    case GM_MESSAGE_RECALL:
        traffic->rcl += headers + data;
        break;
    case GM_MESSAGE_INSTALL:
    case GM_MESSAGE_DISCARD:
    case GM_MESSAGE_KINDS:
        break;
    }
}

gm_traffic_statistics gm_traffic_of(const gm_message_counts *counts, uint64_t header)
{
    gm_traffic_statistics traffic = {.st = counts->answered * GM_SECTOR};
    for (unsigned kind = 0; kind < GM_MESSAGE_KINDS; kind++) {
        add(&traffic, (gm_message_kind)kind, counts->messages[kind], counts->sectors[kind], header);
    }
    return traffic;
}
