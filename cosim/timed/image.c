/* Images of the world: all that changes, as it is and packed. */
#include "timed.h"

#include <string.h>

void timed_save(const timed_machine *m, unsigned char *image)
{
    image_save(&m->parts, image);
}

void timed_restore(timed_machine *m, const unsigned char *image)
{
    image_restore(&m->parts, image);
}

size_t timed_pack(const timed_machine *m, uint8_t *bytes)
{
    return image_pack(&m->parts, m->first, bytes);
}

void timed_unpack(timed_machine *m, const uint8_t *bytes)
{
    memcpy(m->from, m->first, m->parts.bytes);
    image_unpack(m->from, bytes);
    timed_restore(m, m->from);
}
