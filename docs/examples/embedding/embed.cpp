#include <goldmem/memory.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

class Memory {
public:
    Memory(const gm_config &config, const gm_memory_options &options)
    {
        gm_error error;
        gm_memory *made = nullptr;
        if (gm_memory_open(&made, &config, &options, &error) < 0) {
            throw std::invalid_argument(error.text);
        }
        memory_.reset(made);
    }

    /* Copies `size` bytes to `address`, line by line, ticking while there is no room. */
    void store(uint32_t port, uint64_t address, uint64_t size)
    {
        uint32_t bytes[GM_MEMORY_LINE_SECTORS];
        gm_error error;
        while (size != 0) {
            gm_memory_request request = {};
            request.kind = GM_MEMORY_STORE;
            request.port = port;
            uint64_t covered = gm_memory_cover(memory_.get(), &request, bytes, address, size);
            while (gm_memory_send(memory_.get(), &request, &error) == 0) {
                gm_memory_tick(memory_.get());
            }
            address += covered;
            size -= covered;
        }
    }

    /* Computes until nothing is in flight; returns the answers. */
    unsigned drain()
    {
        gm_memory_answer answer;
        unsigned answers = 0;
        for (uint64_t next; (next = gm_memory_next(memory_.get())) != GM_MEMORY_NEVER;) {
            gm_memory_advance(memory_.get(), next);
        }
        while (gm_memory_pop(memory_.get(), &answer)) {
            answers++;
        }
        return answers;
    }

    uint64_t now() const { return gm_memory_now(memory_.get()); }

private:
    struct Close {
        void operator()(gm_memory *memory) const { gm_memory_close(memory); }
    };
    std::unique_ptr<gm_memory, Close> memory_;
};

int main()
{
    gm_config config;
    gm_error error;
    if (gm_config_preset(&config, "v100", &error) < 0) {
        return 1;
    }
    gm_memory_options options = {}; /* below the SM */
    options.clock = 1000;           /* MHz: of this program, not of the GPU */
    Memory memory(config, options);
    memory.store(0, 0x10000010, 4096);
    unsigned answers = memory.drain();
    std::printf("%u stores done in %llu cycles of 1 GHz\n", answers,
                static_cast<unsigned long long>(memory.now()));
}
