/* The tables of a protocol as text. */
#include "tables.h"

typedef struct word {
    uint32_t action;
    const char *text;
} word;

/* In the order in which they are done. */
static const word words[] = {
    {GM_DO_STALL, "stall"},           {GM_DO_HIT, "hit"},
    {GM_DO_WRITE, "write the copy"},  {GM_DO_CLOSE, "close the entry"},
    {GM_DO_DROP, "drop the copy"},    {GM_DO_OPEN, "new entry"},
    {GM_DO_PAST, "new closed entry"}, {GM_DO_JOIN, "join"},
    {GM_DO_COUNT, "an answer more"},  {GM_DO_UNCOUNT, "an answer less"},
    {GM_DO_INSTALL, "install"},       {GM_DO_ANSWER, "answer"},
    {GM_DO_FETCH, "fetch"},           {GM_DO_WAIT, "wait"},
    {GM_DO_TAKE, "take data"},        {GM_DO_WRITE_BACK, "write back"},
    {GM_DO_UNSHARE, "sharer less"},   {GM_DO_SHARE_OWNER, "owner shares if it keeps a copy"},
    {GM_DO_SHARE, "sharer more"},     {GM_DO_OWN, "own"},
    {GM_DO_PERFORM, "perform"},
};

static const char *state_name(bool l1, unsigned state)
{
    return l1 ? gm_directory_l1_state_names[state] : gm_directory_l2_state_names[state];
}

static const char *event_name(bool l1, unsigned event)
{
    return l1 ? gm_directory_l1_event_names[event] : gm_directory_l2_event_names[event];
}

static const char *condition_text(bool l1, const gm_directory_row *row)
{
    static const char *const l1_text[] = {"", "no answer due then", "an answer due then"};
    static const char *const ack[] = {"", "the last", "not the last"};
    static const char *const put[] = {"", "from the owner", "from another"};
    static const char *const request[] = {"", "no other sharer", "other sharers"};
    return l1                             ? l1_text[row->condition]
           : row->event == GM_DIR_INV_ACK ? ack[row->condition]
           : row->event == GM_DIR_PUT     ? put[row->condition]
                                          : request[row->condition];
}

static void print_row(const gm_directory_row *row, bool l1, FILE *out)
{
    const char *between = "";
    fprintf(out, "| %s | %s | %s | ", state_name(l1, row->state), event_name(l1, row->event),
            condition_text(l1, row));
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if ((row->actions & words[i].action) != 0) {
            fprintf(out, "%s%s", between, words[i].text);
            between = ", ";
        }
    }
    fprintf(out, " | %s%s%s | %s |\n", gm_directory_message_names[row->message],
            (row->actions & GM_DO_INVALIDATE) != 0 ? " to sharers"
            : (row->actions & GM_DO_TO_OWNER) != 0 ? " to the owner"
            : (row->actions & GM_DO_RETURN) != 0   ? " to who waits"
                                                   : "",
            (row->actions & GM_DO_UNBLOCK) != 0 ? "UNBLOCK" : "", state_name(l1, row->next));
}

/* The classes of [singh, Table 1]. */
typedef enum state_class {
    STABLE,
    TRANSIENT_CACHE, /* waits for a load's or a fetch's data, as without coherence */
    TRANSIENT_COHERENT,
    STATE_CLASSES,
} state_class;

static state_class class_of(bool l1, unsigned state)
{
    uint32_t stable =
        l1 ? 1U << GM_L1_I | 1U << GM_L1_V | 1U << GM_L1_S | 1U << GM_L1_E | 1U << GM_L1_M
           : 1U << GM_DIR_I | 1U << GM_DIR_V | 1U << GM_DIR_S | 1U << GM_DIR_N | 1U << GM_DIR_M;
    uint32_t cache = l1 ? 1U << GM_L1_I_V | 1U << GM_L1_I_S | 1U << GM_L1_I_M
                        : 1U << GM_DIR_I_V | 1U << GM_DIR_N_V | 1U << GM_DIR_I_S | 1U << GM_DIR_I_M;
    return (stable >> state & 1) != 0  ? STABLE
           : (cache >> state & 1) != 0 ? TRANSIENT_CACHE
                                       : TRANSIENT_COHERENT;
}

/* Prints how many of a table's states, a bit each, are of each class. */
static void print_count(uint32_t states, bool l1, size_t rows, FILE *out)
{
    unsigned count[STATE_CLASSES] = {0};
    for (; states != 0; states &= states - 1) {
        count[class_of(l1, (unsigned)__builtin_ctz(states))]++;
    }
    fprintf(out, "\n%u states: stable %u, transient cache %u, transient coherent %u. %zu rows.\n",
            count[STABLE] + count[TRANSIENT_CACHE] + count[TRANSIENT_COHERENT], count[STABLE],
            count[TRANSIENT_CACHE], count[TRANSIENT_COHERENT], rows);
}

static void print_table(const gm_directory_table *table, bool l1, FILE *out)
{
    uint32_t states = 0;
    fprintf(out,
            "%s\n\n| state | event | if | does | sends | next |\n"
            "| --- | --- | --- | --- | --- | --- |\n",
            table->name);
    for (size_t i = 0; i < table->rows; i++) {
        print_row(&table->row[i], l1, out);
        states |= UINT32_C(1) << table->row[i].state;
    }
    print_count(states, l1, table->rows, out);
}

/* True if a row sends the message. */
static bool is_sent(const gm_directory_protocol *protocol, unsigned message)
{
    bool sent = false;
    for (size_t i = 0; i < protocol->l1.rows; i++) {
        bool unblocks = (protocol->l1.row[i].actions & GM_DO_UNBLOCK) != 0;
        sent |= protocol->l1.row[i].message == message;
        sent |= unblocks && message == GM_MSG_UNBLOCK;
    }
    for (size_t i = 0; i < protocol->l2.rows; i++) {
        sent |= protocol->l2.row[i].message == message;
    }
    return sent;
}

static bool is_of_queue(const gm_directory_protocol *protocol, unsigned message, unsigned network,
                        bool up)
{
    return protocol->network[message] == network && (message >= GM_MSG_GETS) == up &&
           is_sent(protocol, message);
}

/* Prints a network's messages of a direction, if `out` is given. Returns true if it has some. */
static bool print_queue(const gm_directory_protocol *protocol, unsigned network, bool up, FILE *out)
{
    static const char *const names[GM_DIRECTORY_NETWORKS] = {"requests", "responses", "forwards",
                                                             "write-backs", "unblocks"};
    bool any = false;
    for (unsigned i = GM_MSG_DATA; i < GM_MESSAGES; i++) {
        if (!is_of_queue(protocol, i, network, up)) {
            continue;
        }
        if (out != NULL && !any) {
            fprintf(out, "\n- %s, %s", names[network], up ? "to the L2" : "to an SM");
        }
        if (out != NULL) {
            fprintf(out, "%s%s", any ? "; " : ": ", gm_directory_message_names[i]);
        }
        any = true;
    }
    return any;
}

/* Prints the queues, of each direction. [singh, Table 4] counts GPU-VI's so, but MESI's responses
 * of both directions as one network. */
static void print_networks(const gm_directory_protocol *protocol, FILE *out)
{
    unsigned queues = 0;
    for (unsigned both = 0; both < 2 * GM_DIRECTORY_NETWORKS; both++) {
        queues += print_queue(protocol, both / 2, both % 2 == 0, NULL);
    }
    fprintf(out, "\nQueues (%u", queues);
    if (queues != protocol->networks) {
        fprintf(out, "; the paper's %u networks count responses once", protocol->networks);
    }
    fputs("):", out);
    for (unsigned both = 0; both < 2 * GM_DIRECTORY_NETWORKS; both++) {
        print_queue(protocol, both / 2, both % 2 == 0, out);
    }
    fputc('\n', out);
}

void directory_print_tables(const gm_directory_protocol *protocol, FILE *out)
{
    print_table(&protocol->l1, true, out);
    fputc('\n', out);
    print_table(&protocol->l2, false, out);
    print_networks(protocol, out);
}

void directory_print_unused(const directory_settings *s, FILE *out)
{
    for (size_t i = 0; i < s->protocol->l1.rows; i++) {
        if (!s->uses->l1[i]) {
            fputs("not used, L1: ", out);
            print_row(&s->protocol->l1.row[i], true, out);
        }
    }
    for (size_t i = 0; i < s->protocol->l2.rows; i++) {
        if (!s->uses->l2[i]) {
            fputs("not used, L2: ", out);
            print_row(&s->protocol->l2.row[i], false, out);
        }
    }
}
