/* Payloads of every kind, and the responses that goldmem/tlm.hpp owes them (IEEE 1666-2011, 14). */
#ifndef TLM_PAYLOADS_HPP
#define TLM_PAYLOADS_HPP

#include "tlm_script.hpp"

struct foreign : tlm::tlm_extension<foreign> {
    tlm_extension_base *clone() const override
    {
        return new foreign;
    }
    void copy_from(const tlm::tlm_extension_base &) override
    {
    }
};

struct payload_case {
    const char *what;
    std::function<void(tlm::tlm_generic_payload &)> change;
    tlm::tlm_response_status status[2]; /* below the SM, below the L1 */
};

static const tlm::tlm_response_status OK = tlm::TLM_OK_RESPONSE,
                                      BURST = tlm::TLM_BURST_ERROR_RESPONSE,
                                      ENABLE = tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE,
                                      ADDRESS = tlm::TLM_ADDRESS_ERROR_RESPONSE,
                                      COMMAND = tlm::TLM_COMMAND_ERROR_RESPONSE,
                                      GENERIC = tlm::TLM_GENERIC_ERROR_RESPONSE;
static unsigned char all_enabled[1] = {0xff}, none_enabled[2] = {0, 0},
                     bad_enable[3] = {0xff, 1, 0};

static unsigned char long_data[64 * 128 + 1];

static void length_of(tlm::tlm_generic_payload &payload, unsigned length)
{
    payload.set_data_ptr(long_data);
    payload.set_data_length(length);
    payload.set_streaming_width(length);
}

static void warp_of(tlm::tlm_generic_payload &payload, uint32_t warp)
{
    auto *attributes = new tlm_attributes;
    attributes->warp = warp;
    payload.set_extension(attributes);
}

/* A read of 32 bytes at 0x2000, changed; for the 48 warps of the preset gtx480. */
static const payload_case PAYLOADS[] = {
    {"a read", [](tlm::tlm_generic_payload &) {}, {OK, OK}},
    {"a write", [](tlm::tlm_generic_payload &p) { p.set_write(); }, {OK, OK}},
    {"TLM_IGNORE_COMMAND",
     [](tlm::tlm_generic_payload &p) { p.set_command(tlm::TLM_IGNORE_COMMAND); },
     {COMMAND, COMMAND}},
    {"an atomic",
     [](tlm::tlm_generic_payload &p) {
         p.set_command(tlm::TLM_IGNORE_COMMAND);
         p.set_extension(new tlm_attributes);
         p.set_data_ptr(nullptr);
     },
     {OK, OK}},
    {"the last address",
     [](tlm::tlm_generic_payload &p) { p.set_address((UINT64_C(1) << 57) - 32); },
     {OK, OK}},
    {"an end above 57 bits",
     [](tlm::tlm_generic_payload &p) { p.set_address((UINT64_C(1) << 57) - 31); },
     {ADDRESS, ADDRESS}},
    {"the highest address",
     [](tlm::tlm_generic_payload &p) { p.set_address(UINT64_MAX); },
     {ADDRESS, ADDRESS}},
    {"no length", [](tlm::tlm_generic_payload &p) { p.set_data_length(0); }, {BURST, BURST}},
    {"a streaming width below the length",
     [](tlm::tlm_generic_payload &p) { p.set_streaming_width(31); },
     {BURST, BURST}},
    {"a streaming width of 0",
     [](tlm::tlm_generic_payload &p) { p.set_streaming_width(0); },
     {BURST, BURST}},
    {"a streaming width above the length",
     [](tlm::tlm_generic_payload &p) { p.set_streaming_width(33); },
     {OK, OK}},
    {"a whole line", [](tlm::tlm_generic_payload &p) { length_of(p, 128); }, {OK, OK}},
    {"two lines",
     [](tlm::tlm_generic_payload &p) {
         p.set_address(0x207f);
         length_of(p, 2);
     },
     {OK, OK}},
    {"64 lines", [](tlm::tlm_generic_payload &p) { length_of(p, 64 * 128); }, {OK, OK}},
    {"65 lines", [](tlm::tlm_generic_payload &p) { length_of(p, 64 * 128 + 1); }, {OK, OK}},
    {"bytes enabled",
     [](tlm::tlm_generic_payload &p) {
         p.set_byte_enable_ptr(all_enabled);
         p.set_byte_enable_length(1);
     },
     {OK, OK}},
    {"no byte enabled",
     [](tlm::tlm_generic_payload &p) {
         p.set_byte_enable_ptr(none_enabled);
         p.set_byte_enable_length(2);
     },
     {OK, OK}},
    {"byte enables without length",
     [](tlm::tlm_generic_payload &p) {
         p.set_byte_enable_ptr(all_enabled);
         p.set_byte_enable_length(0);
     },
     {ENABLE, ENABLE}},
    {"a byte enable of 1",
     [](tlm::tlm_generic_payload &p) {
         p.set_byte_enable_ptr(bad_enable);
         p.set_byte_enable_length(3);
     },
     {ENABLE, ENABLE}},
    {"a read without data",
     [](tlm::tlm_generic_payload &p) { p.set_data_ptr(nullptr); },
     {GENERIC, GENERIC}},
    {"an extension of others",
     [](tlm::tlm_generic_payload &p) { p.set_extension(new foreign); },
     {OK, OK}},
    {"the last warp", [](tlm::tlm_generic_payload &p) { warp_of(p, 47); }, {OK, OK}},
    {"a warp that there is not",
     [](tlm::tlm_generic_payload &p) { warp_of(p, 48); },
     {GENERIC, GENERIC}},
};

#endif
