/* Packets: their size. */
#include "cycle/packet.h"

#include "goldmem/bits.h"
#include "system/cache.h"

/* Has a message of that kind data: requests, responses? */
static const bool carries_data[GM_MESSAGE_KINDS][2] = {
    [GM_MESSAGE_READ] = {false, true},       [GM_MESSAGE_WRITE] = {true, false},
    [GM_MESSAGE_WRITE_BACK] = {true, false}, [GM_MESSAGE_REDUCTION] = {true, false},
    [GM_MESSAGE_ATOMIC] = {true, true},
};

uint32_t gm_packet_bytes(const gm_packet *packet, uint32_t header)
{
    bool data = carries_data[packet->kind][packet->response];
    return header + (data ? gm_count_ones(packet->sectors) * GM_SECTOR : 0);
}
