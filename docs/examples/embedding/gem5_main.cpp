/* A requestor that reads 200 lines and refuses every third response once. */
#include "gem5_port.hh"

#include <cstdio>

class Reader : public RequestPort {
public:
    explicit Reader(ResponsePort *memory) : memory_(memory) {}

    void start()
    {
        while (next_ < LINES) {
            PacketPtr packet = new Packet(next_ % 8 == 7 ? Packet::Write : Packet::Read,
                                          uint64_t(next_) * 128 + 32, 64);
            if (!memory_->recvTimingReq(packet)) {
                delete packet;
                refusedRequests++;
                return; /* until recvReqRetry */
            }
            next_++;
        }
    }

    void recvReqRetry() override { start(); }

    bool recvTimingResp(PacketPtr packet) override
    {
        if (answered % 3 == 2 && !refused_) {
            refused_ = true;
            return false;
        }
        refused_ = false;
        answered += packet->isResponse();
        delete packet;
        return true;
    }

    bool isBlocked() const { return refused_; }

    static constexpr unsigned LINES = 200;
    unsigned answered = 0, refusedRequests = 0;

private:
    ResponsePort *memory_;
    unsigned next_ = 0;
    bool refused_ = false;
};

int main()
{
    constexpr Tick TICKS = 1000; /* of a picosecond: a clock of 1 GHz */
    gm_config config;
    gm_error error;
    gm_memory *memory = nullptr;
    gm_memory_options options = {};
    options.level = GM_MEMORY_BELOW_L1;
    options.clock = 1000;
    if (gm_config_preset(&config, "gtx480", &error) < 0 ||
        gm_memory_open(&memory, &config, &options, &error) < 0) {
        std::fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    GoldmemPort port(memory, 0, TICKS);
    Reader reader(&port);
    port.bind(&reader);
    reader.start();
    for (Tick next; (next = port.nextEvent()) != MaxTick;) {
        port.advance(next);
        while (reader.isBlocked()) {
            port.recvRespRetry();
        }
    }
    std::printf("gem5 port: %u packets answered, requests refused: %s\n", reader.answered,
                reader.refusedRequests != 0 ? "yes" : "no");
    int code = gm_memory_check(memory, &error);
    gm_memory_close(memory);
    return code < 0 || reader.answered != Reader::LINES;
}
