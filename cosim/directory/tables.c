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

static void print_table(const gm_directory_table *table, bool l1, FILE *out)
{
    uint32_t states = 0;
    unsigned count = 0;
    fprintf(out,
            "%s\n\n| state | event | if | does | sends | next |\n"
            "| --- | --- | --- | --- | --- | --- |\n",
            table->name);
    for (size_t i = 0; i < table->rows; i++) {
        print_row(&table->row[i], l1, out);
        states |= UINT32_C(1) << table->row[i].state;
    }
    for (; states != 0; states &= states - 1) {
        count++;
    }
    fprintf(out, "\n%u states, %zu rows.\n", count, table->rows);
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

static void print_networks(const gm_directory_protocol *protocol, FILE *out)
{
    static const char *const names[GM_DIRECTORY_NETWORKS] = {"requests", "responses", "forwards",
                                                             "write-backs", "unblocks"};
    fprintf(out, "\nNetworks (%u):", protocol->networks);
    for (unsigned both = 0; both < 2 * GM_DIRECTORY_NETWORKS; both++) {
        unsigned network = both / 2;
        bool up = both % 2 == 0;
        const char *between = ": ";
        for (unsigned i = GM_MSG_DATA; i < GM_MESSAGES; i++) {
            if (protocol->network[i] == network && (i >= GM_MSG_GETS) == up &&
                is_sent(protocol, i)) {
                if (between[0] == ':') {
                    fprintf(out, "\n- %s, %s", names[network], up ? "to the L2" : "to an SM");
                }
                fprintf(out, "%s%s", between, gm_directory_message_names[i]);
                between = "; ";
            }
        }
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
