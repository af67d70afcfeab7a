/* The blocks' transactions in a sequence, as text. */
#include "record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512 };

/* A block of a world whose transactions are written. */
typedef struct recorded {
    const gm_ports *ports;
    unsigned sm;
    FILE *file;
} recorded;

static void write_call(void *context, const uint64_t *request, const uint64_t *response)
{
    const recorded *r = context;
    fprintf(r->file, "%s %u", r->ports->block, r->sm);
    for (unsigned i = 0; i < r->ports->requests; i++) {
        fprintf(r->file, " %llu", (unsigned long long)request[i]);
    }
    fputs(" =", r->file);
    for (unsigned i = 0; i < r->ports->responses; i++) {
        fprintf(r->file, " %llu", (unsigned long long)response[i]);
    }
    fputc('\n', r->file);
}

/* All blocks of a world and who listens to them. */
typedef struct recorder {
    recorded l1[GM_LITMUS_SMS], gwct[GM_LITMUS_SMS], l2, leases;
    gm_observer l1_observer[GM_LITMUS_SMS], gwct_observer[GM_LITMUS_SMS], l2_observer,
        leases_observer;
} recorder;

static void listen(recorder *r, world *w, FILE *file)
{
    for (unsigned i = 0; i < GM_LITMUS_SMS; i++) {
        r->l1[i] = (recorded){&gm_tc_l1_ports, i, file};
        r->gwct[i] = (recorded){&gm_gwct_ports, i, file};
        r->l1_observer[i] = (gm_observer){&r->l1[i], write_call};
        r->gwct_observer[i] = (gm_observer){&r->gwct[i], write_call};
        w->sm[i].l1.observer = &r->l1_observer[i];
        w->sm[i].gwct.observer = &r->gwct_observer[i];
    }
    r->l2 = (recorded){&gm_tc_l2_ports, 0, file};
    r->leases = (recorded){&gm_lease_store_ports, 0, file};
    r->l2_observer = (gm_observer){&r->l2, write_call};
    r->leases_observer = (gm_observer){&r->leases, write_call};
    w->l2.observer = &r->l2_observer;
    w->leases.observer = &r->leases_observer;
}

/* Loads whatever the L1s have: copies that they must not use answer. */
static void load_all(world *w, const world_settings *settings)
{
    for (unsigned i = 0; i < world_sms(settings->test); i++) {
        for (unsigned slot = 0; slot < settings->l1_slots; slot++) {
            if (w->sm[i].tag[slot] != 0) {
                gm_tc_l1_access(&w->sm[i].l1, (gm_tc_l1_request){.op = GM_TC_L1_LOAD,
                                                                 .slot = slot,
                                                                 .present = 1,
                                                                 .now = w->now});
            }
        }
    }
}

int record(const world_settings *settings, const search_result *result, FILE *file, gm_error *error)
{
    world w;
    recorder r;
    int code = world_init(&w, settings, error);
    listen(&r, &w, file);
    for (unsigned i = 0; i < result->depth && code == 0; i++) {
        world_fault fault;
        world_step(&w, settings, result->events[i], &fault, NULL);
    }
    if (code == 0) {
        load_all(&w, settings);
    }
    return code;
}

/* Reads the `count` fields of a request. Returns false if there are fewer. */
static bool read_fields(char *text, uint64_t *field, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        char *end;
        field[i] = strtoull(text, &end, 10);
        if (end == text) {
            return false;
        }
        text = end;
    }
    return true;
}

/* Sends a line's request to its block. Returns false for a malformed line. */
static bool play_line(world *w, char *line)
{
    uint64_t field[GM_PORTS_FIELDS + 1] = {0};
    gm_tc_l1_request l1;
    gm_gwct_request gwct;
    gm_tc_l2_request l2;
    gm_lease_store_request leases;
    char *fields = line + strcspn(line, " ");
    *fields++ = '\0';
    if (strcmp(line, "tc_l1") == 0 && read_fields(fields, field, 1 + gm_tc_l1_ports.requests)) {
        memcpy(&l1, field + 1, sizeof l1);
        gm_tc_l1_access(&w->sm[field[0] % GM_LITMUS_SMS].l1, l1);
    } else if (strcmp(line, "gwct") == 0 &&
               read_fields(fields, field, 1 + gm_gwct_ports.requests)) {
        memcpy(&gwct, field + 1, sizeof gwct);
        gm_gwct_access(&w->sm[field[0] % GM_LITMUS_SMS].gwct, gwct);
    } else if (strcmp(line, "tc_l2") == 0 &&
               read_fields(fields, field, 1 + gm_tc_l2_ports.requests)) {
        memcpy(&l2, field + 1, sizeof l2);
        gm_tc_l2_access(&w->l2, l2);
    } else if (strcmp(line, "lease_store") == 0 &&
               read_fields(fields, field, 1 + gm_lease_store_ports.requests)) {
        memcpy(&leases, field + 1, sizeof leases);
        gm_lease_store_access(&w->leases, leases);
    } else {
        return false;
    }
    return true;
}

int play(const world_settings *settings, const char *path, FILE *file, gm_error *error)
{
    char line[LINE];
    world w;
    recorder r;
    FILE *input = fopen(path, "r");
    if (input == NULL) {
        return gm_fail(error, -errno, "%s: %s", path, strerror(errno));
    }
    int code = world_init(&w, settings, error);
    listen(&r, &w, file);
    for (unsigned number = 1; code == 0 && fgets(line, sizeof line, input) != NULL; number++) {
        if (!play_line(&w, line)) {
            code = gm_fail(error, -EINVAL, "%s:%u: no request of a block", path, number);
        }
    }
    fclose(input);
    return code;
}
