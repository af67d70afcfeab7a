/* A GPGPU-Sim-style memory system over goldmem/memory.h: takes mem_fetch objects where GPGPU-Sim's
 * SIMT clusters push them into the interconnect, and gives them back where they pop them: in place
 * of its interconnect, L2 and DRAM. As there, the simulator asks has_buffer before it pushes, and
 * cycle() is called once in a core cycle, before the clusters'.
 *
 * Written against the names of GPGPU-Sim's mem_fetch, not against its headers: gpgpusim_standin.h
 * has the part of the class that is used. */
#ifndef GPGPUSIM_MEMORY_H
#define GPGPUSIM_MEMORY_H

#include "gpgpusim_standin.h"

#include <goldmem/memory.h>

#include <deque>
#include <stdexcept>
#include <vector>

class goldmem_memory {
public:
    explicit goldmem_memory(const gm_config &config)
    {
        gm_error error;
        gm_memory_options options = {};
        options.level = GM_MEMORY_BELOW_L1;
        if (gm_memory_open(&m_memory, &config, &options, &error) < 0) {
            throw std::invalid_argument(error.text);
        }
        m_replies.resize(gm_memory_ports(m_memory));
    }
    ~goldmem_memory() { gm_memory_close(m_memory); }
    goldmem_memory(const goldmem_memory &) = delete;
    goldmem_memory &operator=(const goldmem_memory &) = delete;

    /* ::icnt_has_buffer of the request's cluster. */
    bool has_buffer(const mem_fetch *mf) const
    {
        uint32_t bytes[GM_MEMORY_LINE_SECTORS];
        gm_memory_request request = request_of(mf, bytes);
        return gm_memory_has_room(m_memory, &request);
    }

    /* ::icnt_push. Requires has_buffer. */
    void push(mem_fetch *mf)
    {
        uint32_t bytes[GM_MEMORY_LINE_SECTORS];
        gm_error error;
        gm_memory_request request = request_of(mf, bytes);
        request.id = reinterpret_cast<uintptr_t>(mf);
        if (gm_memory_send(m_memory, &request, &error) != 1) {
            throw std::logic_error("push without has_buffer");
        }
    }

    void cycle()
    {
        gm_memory_answer answer;
        gm_memory_tick(m_memory);
        while (gm_memory_pop(m_memory, &answer)) {
            mem_fetch *mf = reinterpret_cast<mem_fetch *>(static_cast<uintptr_t>(answer.id));
            mf->set_reply();
            m_replies[answer.port].push_back(mf);
        }
    }

    /* ::icnt_pop: the oldest reply of a core, or NULL. */
    mem_fetch *pop(unsigned sid)
    {
        if (m_replies[sid].empty()) {
            return nullptr;
        }
        mem_fetch *mf = m_replies[sid].front();
        m_replies[sid].pop_front();
        return mf;
    }

    bool busy() const { return !gm_memory_idle(m_memory); }
    gm_memory *handle() { return m_memory; }

private:
    gm_memory_request request_of(const mem_fetch *mf, uint32_t *bytes) const
    {
        gm_memory_request request = {};
        request.port = mf->get_sid();
        request.kind = mf->isatomic()   ? GM_MEMORY_ATOMIC
                       : mf->is_write() ? GM_MEMORY_STORE
                                        : GM_MEMORY_LOAD;
        if (gm_memory_cover(m_memory, &request, bytes, mf->get_addr(), mf->get_data_size()) !=
            mf->get_data_size()) {
            throw std::invalid_argument("a mem_fetch of several lines");
        }
        return request;
    }

    gm_memory *m_memory = nullptr;
    std::vector<std::deque<mem_fetch *>> m_replies;
};

#endif
