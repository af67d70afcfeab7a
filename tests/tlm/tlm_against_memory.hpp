/* What goldmem/memory.h makes of the payloads that goldmem/tlm.hpp is sent: the oracle of its
 * approximately timed cycles and counters. */
#ifndef TLM_AGAINST_MEMORY_HPP
#define TLM_AGAINST_MEMORY_HPP

#include "tlm_support.hpp"

#include <algorithm>
#include <memory>
#include <random>

using namespace sc_core;
using goldmem::tlm_attributes;
using goldmem::tlm_memory;

__extension__ typedef unsigned __int128 wide;

/* Time of a cycle in ps, and the last cycle at or before a time: as tlm.hpp says, by definition. */
static sc_time time_of(uint64_t cycle, uint64_t clock)
{
    wide scaled = (wide)cycle * 1000000;
    return sc_time::from_value(static_cast<uint64_t>((scaled + clock - 1) / clock));
}

static uint64_t cycle_at(const sc_time &time, uint64_t clock)
{
    return static_cast<uint64_t>((wide)time.value() * clock / 1000000);
}

static gm_memory *open_memory(const gm_config &config, const gm_memory_options &options)
{
    gm_memory *memory = nullptr;
    gm_error error;
    if (gm_memory_open(&memory, &config, &options, &error) < 0) {
        std::printf("%s\n", error.text);
        std::exit(1);
    }
    return memory;
}

static bool same_counters(gm_memory *one, gm_memory *other)
{
    gm_statistics a, b;
    std::memset(&a, 0, sizeof a);
    std::memset(&b, 0, sizeof b);
    gm_memory_statistics(one, &a);
    gm_memory_statistics(other, &b);
    return std::memcmp(&a, &b, sizeof a) == 0 && a.time.cycles != 0;
}

/* The line requests of a payload, byte by byte. */
struct plain_requests {
    std::vector<gm_memory_request> line;
    std::vector<std::array<uint32_t, GM_MEMORY_LINE_SECTORS>> masks;

    plain_requests(gm_memory *memory, const tlm::tlm_generic_payload &payload, uint32_t port,
                   uint64_t id)
    {
        const tlm_attributes *attributes = payload.get_extension<tlm_attributes>();
        uint64_t size = gm_memory_line(memory);
        masks.reserve(payload.get_data_length() / size + 2); /* requests point to them */
        for (unsigned i = 0; i < payload.get_data_length(); i++) {
            uint64_t address = payload.get_address() + i;
            const unsigned char *enables = payload.get_byte_enable_ptr();
            if (enables != nullptr && enables[i % payload.get_byte_enable_length()] == 0) {
                continue;
            }
            if (line.empty() || line.back().address != address / size * size) {
                gm_memory_request request = {};
                request.id = id;
                request.port = port;
                request.address = address / size * size;
                request.kind = payload.is_read()     ? GM_MEMORY_LOAD
                               : payload.is_write()  ? GM_MEMORY_STORE
                               : attributes->returns ? GM_MEMORY_ATOMIC
                                                     : GM_MEMORY_REDUCTION;
                if (attributes != nullptr) {
                    request.warp = attributes->warp;
                    request.local = attributes->local;
                    request.unkept = attributes->unkept;
                    request.kind = payload.is_read() && attributes->strong ? GM_MEMORY_STRONG_LOAD
                                                                           : request.kind;
                }
                masks.push_back({});
                request.bytes = masks.back().data();
                line.push_back(request);
            }
            unsigned sector = static_cast<unsigned>(address % size / GM_MEMORY_SECTOR);
            line.back().sectors |= 1u << sector;
            masks.back()[sector] |= 1u << address % GM_MEMORY_SECTOR;
        }
    }

    /* Sends them in groups of an instruction, below the L1 one by one; true: all were taken. */
    bool send(gm_memory *memory, size_t group)
    {
        gm_error error;
        for (uint32_t count; next < line.size(); next += count) {
            count = static_cast<uint32_t>(std::min(group, line.size() - next));
            int taken = count == 1 ? gm_memory_send(memory, &line[next], &error)
                                   : gm_memory_send_lines(memory, &line[next], count, &error);
            if (taken < 0) {
                std::printf("%s\n", error.text);
                std::exit(1);
            }
            if (taken == 0) {
                return false;
            }
            unanswered++;
        }
        return true;
    }

    size_t next = 0;
    unsigned unanswered = 0;
};

/* Sends each request through the socket, approximately timed, and through memory.h. */
class stream
{
  public:
    struct shape {
        const char *name;
        gm_config config;
        gm_memory_options options;
        unsigned ports, requests; /* requests of each port */
        unsigned gap;             /* cycles between two of a port, at most */
        uint64_t footprint;       /* bytes */
        unsigned longest;         /* bytes of a payload */
        at_initiator::ending ends;
        unsigned annotation; /* cycles */
    };

    stream(const shape &of, unsigned seed)
        : of_(of), clock_(of.options.clock != 0 ? of.options.clock : of.config.clock.core),
          memory_(of.name, of.config, of.options), plain_(open_memory(of.config, of.options)),
          random_(seed)
    {
        for (unsigned port = 0; port < of.ports; port++) {
            std::string name = std::string(of.name) + "_port" + std::to_string(port);
            initiator_.emplace_back(new at_initiator(name.c_str()));
            initiator_.back()->socket.bind(memory_.socket[port]);
            initiator_.back()->ends = of.ends;
            initiator_.back()->releases_early = port % 2 == 1;
            initiator_.back()->annotation = time_of(of.annotation, clock_);
            fill(*initiator_.back());
        }
    }

    ~stream()
    {
        gm_memory_close(plain_);
    }

    /* After the simulation. */
    void compare()
    {
        bool times = true, statuses = true;
        unsigned refused = 0;
        run_plain();
        for (auto &initiator : initiator_) {
            expect(initiator->is_done(), of_.name, "every transaction has ended");
            expect(initiator->transactions.live.empty(), of_.name, "every transaction was freed");
            for (size_t i = 0; i < initiator->items.size(); i++) {
                const at_initiator::item &item = initiator->items[i];
                const expected &as = expected_[&initiator - initiator_.data()][i];
                times &= item.taken == (item.at > time_of(as.taken, clock_)
                                            ? item.at
                                            : time_of(as.taken, clock_)) &&
                         item.answered == time_of(as.answered, clock_);
                statuses &= item.status == tlm::TLM_OK_RESPONSE;
                refused += item.taken > item.at;
            }
        }
        expect(times, of_.name, "END_REQ and BEGIN_RESP are in memory.h's cycles");
        expect(statuses, of_.name, "TLM_OK_RESPONSE");
        expect(refused != 0 || of_.gap > 500, of_.name, "some requests had to wait");
        gm_memory_advance(plain_, cycle_at(sc_time_stamp(), clock_));
        expect(same_counters(plain_, memory_.handle()), of_.name, "counters are memory.h's");
        gm_error error;
        int code = gm_memory_check(memory_.handle(), &error);
        expect(code == 0 || code == -EBUSY, of_.name, code != 0 ? error.text : "");
    }

  private:
    struct expected {
        uint64_t taken, answered;
    };

    uint64_t below(uint64_t limit)
    {
        return random_() % limit;
    }

    void fill(at_initiator &initiator)
    {
        static unsigned char enables[4] = {0xff, 0, 0, 0xff};
        bool below_l1 = of_.options.level == GM_MEMORY_BELOW_L1;
        uint64_t cycle = 0;
        for (unsigned i = 0; i < of_.requests; i++) {
            static const tlm::tlm_command commands[] = {
                tlm::TLM_READ_COMMAND, tlm::TLM_READ_COMMAND, tlm::TLM_READ_COMMAND,
                tlm::TLM_WRITE_COMMAND, tlm::TLM_IGNORE_COMMAND};
            tlm::tlm_command command = commands[below(5)];
            uint64_t address = 0x40000000 + below(of_.footprint);
            unsigned length = 4 + static_cast<unsigned>(below(of_.longest));
            auto *payload = initiator.transactions.make(command, address, length);
            if (length >= 4 && below(4) == 0) {
                payload->set_byte_enable_ptr(enables);
                payload->set_byte_enable_length(4);
            }
            if (command == tlm::TLM_IGNORE_COMMAND || below(3) == 0) {
                auto *attributes = new tlm_attributes;
                attributes->warp = static_cast<uint32_t>(below(of_.config.sm.warps));
                attributes->returns = below(2) == 0;
                attributes->strong = below(4) == 0;
                attributes->unkept = below(2) == 0;
                attributes->local =
                    !below_l1 && command != tlm::TLM_IGNORE_COMMAND && below(2) == 0;
                payload->set_extension(attributes);
            }
            cycle += below(of_.gap + 1);
            at_initiator::item item;
            item.payload = payload;
            uint64_t period = (time_of(cycle + 1, clock_) - time_of(cycle, clock_)).value();
            item.at =
                time_of(cycle, clock_) + sc_time::from_value(below(3) == 0 ? below(period) : 0);
            if (i != 0 && item.at < initiator.items.back().at) {
                item.at = initiator.items.back().at;
            }
            initiator.items.push_back(item);
            requests_.resize(initiator_.size());
            requests_[initiator_.size() - 1].emplace_back(plain_, *payload,
                                                          (uint32_t)initiator_.size() - 1, i);
        }
    }

    void run_plain()
    {
        expected_.assign(of_.ports, std::vector<expected>(of_.requests));
        std::vector<size_t> next(of_.ports);
        size_t group = of_.options.level == GM_MEMORY_BELOW_L1 ? 1 : GM_MEMORY_LINES;
        unsigned left = of_.ports * of_.requests;
        for (uint64_t cycle = 0; left != 0; cycle++) {
            gm_memory_answer answer;
            gm_memory_advance(plain_, cycle);
            while (gm_memory_pop(plain_, &answer)) {
                plain_requests &answered = requests_[answer.port][answer.id];
                if (--answered.unanswered == 0 && answered.next == answered.line.size()) {
                    expected_[answer.port][answer.id].answered = answer.cycle;
                    left--;
                }
            }
            for (unsigned port = 0; port < of_.ports; port++) {
                auto &items = initiator_[port]->items;
                while (next[port] < items.size() &&
                       cycle_at(items[next[port]].at, clock_) <= cycle &&
                       requests_[port][next[port]].send(plain_, group)) {
                    expected_[port][next[port]++].taken = cycle;
                }
            }
        }
    }

    shape of_;
    uint64_t clock_;
    tlm_memory<> memory_;
    gm_memory *plain_;
    std::mt19937_64 random_;
    std::vector<std::unique_ptr<at_initiator>> initiator_;
    std::vector<std::vector<plain_requests>> requests_;
    std::vector<std::vector<expected>> expected_;
};

#endif
