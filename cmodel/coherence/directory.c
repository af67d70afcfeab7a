/* Directory protocols: rows by state and event, and names. */
#include "coherence/directory.h"

const char *const gm_directory_l1_state_names[GM_L1_STATES] = {
    [GM_L1_I] = "I",     [GM_L1_V] = "V",     [GM_L1_S] = "S",     [GM_L1_E] = "E",
    [GM_L1_M] = "M",     [GM_L1_I_V] = "I_V", [GM_L1_V_M] = "V_M", [GM_L1_I_I] = "I_I",
    [GM_L1_I_S] = "I_S", [GM_L1_I_M] = "I_M", [GM_L1_S_M] = "S_M", [GM_L1_I_S_I] = "I_S_I",
    [GM_L1_M_I] = "M_I",
};

const char *const gm_directory_l1_event_names[GM_L1_EVENTS] = {
    [GM_L1_LOAD] = "load",         [GM_L1_LOAD_PAST] = "bypassing load",
    [GM_L1_STORE] = "store",       [GM_L1_ATOMIC] = "atomic",
    [GM_L1_EVICT] = "eviction",    [GM_L1_INV] = "INV",
    [GM_L1_FWD_GETS] = "FWD_GETS", [GM_L1_FWD_GETX] = "FWD_GETX",
    [GM_L1_DATA] = "DATA",         [GM_L1_DATA_PAST] = "DATA, past",
    [GM_L1_DATA_E] = "DATA_E",     [GM_L1_DATA_M] = "DATA_M",
    [GM_L1_GRANT] = "GRANT",       [GM_L1_ACK] = "ACK",
    [GM_L1_WB_ACK] = "WB_ACK",
};

const char *const gm_directory_l2_state_names[GM_DIR_STATES] = {
    [GM_DIR_I] = "I",     [GM_DIR_V] = "V",     [GM_DIR_S] = "S",     [GM_DIR_N] = "N",
    [GM_DIR_M] = "M",     [GM_DIR_I_V] = "I_V", [GM_DIR_N_V] = "N_V", [GM_DIR_I_S] = "I_S",
    [GM_DIR_I_M] = "I_M", [GM_DIR_S_M] = "S_M", [GM_DIR_M_B] = "M_B", [GM_DIR_S_U] = "S_U",
    [GM_DIR_M_S] = "M_S", [GM_DIR_M_M] = "M_M", [GM_DIR_S_I] = "S_I", [GM_DIR_N_I] = "N_I",
    [GM_DIR_M_I] = "M_I",
};

const char *const gm_directory_l2_event_names[GM_DIR_EVENTS] = {
    [GM_DIR_GETS] = "GETS",       [GM_DIR_GETS_PAST] = "GETS, past",
    [GM_DIR_GETX] = "GETX",       [GM_DIR_UPGRADE] = "UPGRADE",
    [GM_DIR_ATOMIC] = "ATOMIC",   [GM_DIR_PUT] = "PUT",
    [GM_DIR_INV_ACK] = "INV_ACK", [GM_DIR_WB_DATA] = "WB_DATA",
    [GM_DIR_UNBLOCK] = "UNBLOCK", [GM_DIR_MEMORY] = "DRAM",
    [GM_DIR_EVICT] = "eviction",  [GM_DIR_FORGET] = "directory eviction",
};

const char *const gm_directory_message_names[GM_MESSAGES] = {
    [GM_NO_MESSAGE] = "",
    [GM_MSG_DATA] = "DATA",
    [GM_MSG_DATA_E] = "DATA_E",
    [GM_MSG_DATA_M] = "DATA_M",
    [GM_MSG_GRANT] = "GRANT",
    [GM_MSG_ACK] = "ACK",
    [GM_MSG_OLD] = "OLD",
    [GM_MSG_INV] = "INV",
    [GM_MSG_FWD_GETS] = "FWD_GETS",
    [GM_MSG_FWD_GETX] = "FWD_GETX",
    [GM_MSG_WB_ACK] = "WB_ACK",
    [GM_MSG_GETS] = "GETS",
    [GM_MSG_GETS_PAST] = "GETS, past",
    [GM_MSG_GETX] = "GETX",
    [GM_MSG_UPGRADE] = "UPGRADE",
    [GM_MSG_ATOMIC] = "ATOMIC",
    [GM_MSG_PUT] = "PUT",
    [GM_MSG_INV_ACK] = "INV_ACK",
    [GM_MSG_WB_DATA] = "WB_DATA",
    [GM_MSG_UNBLOCK] = "UNBLOCK",
};

const gm_directory_row *gm_directory_find(const gm_directory_table *table, unsigned state,
                                          unsigned event, gm_directory_condition condition)
{
    for (size_t i = 0; i < table->rows; i++) {
        const gm_directory_row *row = &table->row[i];
        if (row->state == state && row->event == event &&
            (row->condition == GM_ALWAYS || row->condition == (uint8_t)condition)) {
            return row;
        }
    }
    return NULL;
}
