/* Stand-ins for the classes of gem5 that gem5_port.hh uses; not gem5's code. */
#ifndef GEM5_STANDIN_HH
#define GEM5_STANDIN_HH

#include <cstdint>

using Tick = uint64_t;
constexpr Tick MaxTick = UINT64_MAX;

class Packet {
public:
    enum Command { Read, Write, Swap };
    Packet(Command command, uint64_t address, unsigned size)
        : command_(command), address_(address), size_(size)
    {
    }
    bool isWrite() const { return command_ == Write; }
    bool isAtomicOp() const { return command_ == Swap; }
    uint64_t getAddr() const { return address_; }
    unsigned getSize() const { return size_; }
    void makeResponse() { response_ = true; }
    bool isResponse() const { return response_; }

private:
    Command command_;
    uint64_t address_;
    unsigned size_;
    bool response_ = false;
};
using PacketPtr = Packet *;

class RequestPort {
public:
    virtual ~RequestPort() = default;
    virtual bool recvTimingResp(PacketPtr packet) = 0;
    virtual void recvReqRetry() = 0;
};

class ResponsePort {
public:
    virtual ~ResponsePort() = default;
    virtual bool recvTimingReq(PacketPtr packet) = 0;
    virtual void recvRespRetry() = 0;
    void bind(RequestPort *peer) { peer_ = peer; }

protected:
    bool sendTimingResp(PacketPtr packet) { return peer_->recvTimingResp(packet); }
    void sendRetryReq() { peer_->recvReqRetry(); }

private:
    RequestPort *peer_ = nullptr;
};

#endif
