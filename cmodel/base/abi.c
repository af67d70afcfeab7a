/* Sizes and places of structs, for callers that cannot read the headers. */
#include "goldmem/abi.h"

#include "goldmem/config.h"
#include "goldmem/memory.h"
#include "goldmem/ports.h"
#include "goldmem/statistics.h"

#include <string.h>

typedef struct row {
    const char *name;
    size_t size, offset;
} row;

#define STRUCT(type)                                                                               \
    {                                                                                              \
#type, sizeof(type), 0                                                                     \
    }
#define MEMBER(type, member)                                                                       \
    {                                                                                              \
#type "." #member, sizeof(((type *)NULL)->member), offsetof(type, member)                  \
    }
#define POINTER(type, member)                                                                      \
    {                                                                                              \
#type "." #member, sizeof(void *), offsetof(type, member)                                  \
    }

static const row rows[] = {
    STRUCT(gm_config),
    STRUCT(gm_statistics),
    STRUCT(gm_error),
    MEMBER(gm_error, code),
    MEMBER(gm_error, text),
    STRUCT(gm_memory_options),
    MEMBER(gm_memory_options, level),
    MEMBER(gm_memory_options, clock),
    MEMBER(gm_memory_options, in_flight),
    MEMBER(gm_memory_options, shared_bytes),
    MEMBER(gm_memory_options, no_skip),
    STRUCT(gm_memory_request),
    MEMBER(gm_memory_request, id),
    MEMBER(gm_memory_request, address),
    POINTER(gm_memory_request, bytes),
    MEMBER(gm_memory_request, sectors),
    MEMBER(gm_memory_request, port),
    MEMBER(gm_memory_request, warp),
    MEMBER(gm_memory_request, kind),
    MEMBER(gm_memory_request, local),
    MEMBER(gm_memory_request, unkept),
    STRUCT(gm_memory_answer),
    MEMBER(gm_memory_answer, id),
    MEMBER(gm_memory_answer, cycle),
    MEMBER(gm_memory_answer, port),
    STRUCT(gm_port),
    POINTER(gm_port, name),
    POINTER(gm_port, width),
    POINTER(gm_port, what),
    STRUCT(gm_port_parameter),
    POINTER(gm_port_parameter, name),
    POINTER(gm_port_parameter, width),
    MEMBER(gm_port_parameter, value),
    POINTER(gm_port_parameter, what),
    STRUCT(gm_port_constant),
    POINTER(gm_port_constant, field),
    POINTER(gm_port_constant, name),
    MEMBER(gm_port_constant, value),
    POINTER(gm_port_constant, what),
    STRUCT(gm_ports),
    POINTER(gm_ports, block),
    MEMBER(gm_ports, parameters),
    MEMBER(gm_ports, derivations),
    MEMBER(gm_ports, requests),
    MEMBER(gm_ports, responses),
    MEMBER(gm_ports, constants),
    MEMBER(gm_ports, states),
    POINTER(gm_ports, parameter),
    POINTER(gm_ports, derived),
    POINTER(gm_ports, request),
    POINTER(gm_ports, response),
    POINTER(gm_ports, constant),
    POINTER(gm_ports, state),
    POINTER(gm_ports, shape),
};

static row find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            return rows[i];
        }
    }
    return (row){NULL, 0, 0};
}

size_t gm_abi_size(const char *name)
{
    return find(name).size;
}

size_t gm_abi_offset(const char *name)
{
    return find(name).offset;
}
