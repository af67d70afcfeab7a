/* Values of L1s that own lines, which the machines of goldmem-explore-timed and of
 * goldmem-explore-hybrid do not have: a call breaks the world, as one for bytes does. */
#include "cache/values.h"

void gm_values_begin_store(gm_values *values, const gm_value_request *request)
{
    gm_values_allocate_bytes(values, request->line);
}

void gm_values_perform_in_l1(gm_values *values, bool returns, uint32_t sm, uint32_t ticket,
                             uint64_t line)
{
    (void)returns, (void)sm, (void)ticket;
    gm_values_allocate_bytes(values, line);
}

void gm_values_renew_reply(gm_values *values, uint32_t sm, uint64_t line, uint32_t id)
{
    (void)sm, (void)id;
    gm_values_allocate_bytes(values, line);
}

void gm_values_send_line(gm_values *values, uint32_t sm, uint64_t line, uint32_t sectors,
                         uint32_t id)
{
    (void)sm, (void)sectors, (void)id;
    gm_values_allocate_bytes(values, line);
}

void gm_values_take_line(gm_values *values, uint32_t sm, uint32_t id, uint64_t l2_line,
                         uint32_t sectors, bool old)
{
    (void)sm, (void)id, (void)sectors, (void)old;
    gm_values_allocate_bytes(values, l2_line);
}
