/* A gem5-style memory port over goldmem/memory.h: a ResponsePort that accepts timing requests below
 * the L1s, sends their responses in the ticks in which they are due, and asks for a retry when
 * there is room again. Between events nothing is computed: the owner schedules one at
 * nextEvent().
 *
 * Written against gem5's protocol (recvTimingReq, sendRetryReq, sendTimingResp, recvRespRetry), not
 * against its headers: gem5_standin.hh has the few classes that it uses, which in gem5 are those of
 * mem/port.hh and mem/packet.hh. */
#ifndef GEM5_PORT_HH
#define GEM5_PORT_HH

#include "gem5_standin.hh"

#include <goldmem/memory.h>

#include <deque>
#include <stdexcept>
#include <unordered_map>

class GoldmemPort : public ResponsePort {
public:
    /* `ticks`: of gem5 in a cycle of the simulator's clock of `mhz`; `port`: of the memory system. */
    GoldmemPort(gm_memory *memory, uint32_t port, Tick ticks)
        : memory_(memory), port_(port), ticks_(ticks)
    {
    }

    /* Refuses a request without room; sendRetryReq follows when there may be some. */
    bool recvTimingReq(PacketPtr packet) override
    {
        uint32_t bytes[GM_MEMORY_LINE_SECTORS];
        gm_memory_request request = {};
        gm_error error;
        request.id = next_;
        request.port = port_;
        request.kind = packet->isAtomicOp() ? GM_MEMORY_ATOMIC
                       : packet->isWrite()  ? GM_MEMORY_STORE
                                            : GM_MEMORY_LOAD;
        if (gm_memory_cover(memory_, &request, bytes, packet->getAddr(), packet->getSize()) !=
            packet->getSize()) {
            throw std::invalid_argument("a packet of several lines");
        }
        int taken = gm_memory_send(memory_, &request, &error);
        if (taken < 0) {
            throw std::invalid_argument(error.text);
        }
        if (taken == 0) {
            retry_ = true;
            return false;
        }
        inFlight_[next_++] = packet;
        return true;
    }

    /* The requestor refused a response before; it is sent again. */
    void recvRespRetry() override
    {
        blocked_ = false;
        sendResponses();
    }

    /* An answer of this port; its owner gives each port its own. */
    void answer(const gm_memory_answer &answer)
    {
        auto found = inFlight_.find(answer.id);
        found->second->makeResponse();
        responses_.push_back(found->second);
        inFlight_.erase(found);
    }

    /* After the cycle of `now` was computed. */
    void process()
    {
        sendResponses();
        if (retry_) {
            retry_ = false;
            sendRetryReq();
        }
    }

    /* Returns the tick of the next event; MaxTick: none. */
    Tick nextEvent() const
    {
        uint64_t next = gm_memory_next(memory_);
        return next == GM_MEMORY_NEVER ? MaxTick : next * ticks_;
    }

    /* Computes all up to a tick; the owner of several ports pops once for all of them. */
    void advance(Tick tick)
    {
        gm_memory_answer due;
        gm_memory_advance(memory_, tick / ticks_);
        while (gm_memory_pop(memory_, &due)) {
            answer(due);
        }
        process();
    }

private:
    void sendResponses()
    {
        while (!blocked_ && !responses_.empty()) {
            blocked_ = !sendTimingResp(responses_.front());
            if (!blocked_) {
                responses_.pop_front();
            }
        }
    }

    gm_memory *memory_;
    uint32_t port_;
    Tick ticks_;
    uint64_t next_ = 0;
    bool retry_ = false, blocked_ = false;
    std::unordered_map<uint64_t, PacketPtr> inFlight_;
    std::deque<PacketPtr> responses_;
};

#endif
