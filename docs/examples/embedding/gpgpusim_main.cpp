/* Cores that push a mem_fetch in each cycle with room, and take at most one reply. */
#include "gpgpusim_memory.h"

#include <cstdio>

int main()
{
    constexpr unsigned FETCHES = 600, CORES = 15;
    gm_config config;
    gm_error error;
    if (gm_config_preset(&config, "gtx480", &error) < 0) {
        return 1;
    }
    goldmem_memory memory(config);
    unsigned pushed = 0, replies = 0;
    for (unsigned cycle = 0; replies < FETCHES && cycle < 100000; cycle++) {
        memory.cycle();
        for (unsigned sid = 0; sid < CORES; sid++) {
            if (mem_fetch *mf = memory.pop(sid)) {
                replies += mf->is_reply() && mf->get_sid() == sid;
                delete mf;
            }
            static const mem_fetch::type types[] = {mem_fetch::READ, mem_fetch::READ,
                                                    mem_fetch::WRITE, mem_fetch::ATOMIC};
            if (pushed < FETCHES) {
                mem_fetch *mf = new mem_fetch(sid, types[pushed % 4], pushed / 2 * 128, 128);
                if (memory.has_buffer(mf)) {
                    memory.push(mf);
                    pushed++;
                } else {
                    delete mf;
                }
            }
        }
    }
    while (memory.busy()) { /* DRAM */
        memory.cycle();
    }
    std::printf("GPGPU-Sim memory: %u mem_fetches answered\n", replies);
    return gm_memory_check(memory.handle(), &error) < 0 || replies != FETCHES;
}
