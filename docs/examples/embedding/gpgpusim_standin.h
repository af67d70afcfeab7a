/* A stand-in for the part of GPGPU-Sim's mem_fetch that gpgpusim_memory.h uses; not its code. */
#ifndef GPGPUSIM_STANDIN_H
#define GPGPUSIM_STANDIN_H

#include <cstdint>

class mem_fetch {
public:
    enum type { READ, WRITE, ATOMIC };
    mem_fetch(unsigned sid, type what, uint64_t address, unsigned size)
        : m_sid(sid), m_type(what), m_address(address), m_size(size)
    {
    }
    unsigned get_sid() const { return m_sid; }
    uint64_t get_addr() const { return m_address; }
    unsigned get_data_size() const { return m_size; }
    bool is_write() const { return m_type == WRITE; }
    bool isatomic() const { return m_type == ATOMIC; }
    void set_reply() { m_reply = true; }
    bool is_reply() const { return m_reply; }

private:
    unsigned m_sid;
    type m_type;
    uint64_t m_address;
    unsigned m_size;
    bool m_reply = false;
};

#endif
