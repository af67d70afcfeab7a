/* Packets: their size. */
#include "cycle/packet.h"

#include "goldmem/bits.h"
#include "system/cache.h"

static bool carries_data(const gm_packet *packet)
{
    switch ((gm_message_kind)packet->kind) {
    case GM_MESSAGE_READ:
        return packet->response;
    case GM_MESSAGE_WRITE:
    case GM_MESSAGE_WRITE_BACK:
    case GM_MESSAGE_REDUCTION:
        return !packet->response;
    case GM_MESSAGE_ATOMIC:
        return true;
    case GM_MESSAGE_INSTALL:
    case GM_MESSAGE_DISCARD:
    case GM_MESSAGE_KINDS:
        break;
    }
    return false;
}

uint32_t gm_packet_bytes(const gm_packet *packet, uint32_t header)
{
    return header + (carries_data(packet) ? gm_count_ones(packet->sectors) * GM_SECTOR : 0);
}
