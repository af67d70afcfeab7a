/* The table of interned opcodes: text to number by open addressing over the text's 8-byte words. */
#include "trace/opcode.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "opcode words are little endian");

enum { FIRST_CAPACITY = 256 };

static void insert_slot(gm_opcode_lookup *lookup, uint32_t number)
{
    const uint64_t *words = lookup->entries[number].words;
    uint64_t hash = 0;
    for (unsigned i = 0; i < GM_OPCODE_WORDS && words[i] != 0; i++) {
        hash = gm_opcode_hash_word(hash, words[i]);
    }
    uint32_t slot = (uint32_t)hash & lookup->slot_mask;
    while (lookup->slots[slot] != 0) {
        slot = (slot + 1) & lookup->slot_mask;
    }
    lookup->slots[slot] = number + 1;
}

/* Doubles the table; slots stay at most half full. */
static int grow(gm_opcode_table *table, gm_error *error)
{
    gm_opcode_lookup *lookup = table->lookup;
    if (lookup == NULL) {
        lookup = calloc(1, sizeof *lookup);
        if (lookup == NULL) {
            return gm_fail(error, -ENOMEM, "out of memory: opcode table");
        }
        table->lookup = lookup;
    }
    uint32_t capacity = table->capacity == 0 ? FIRST_CAPACITY : table->capacity * 2;
    gm_opcode *opcodes = realloc(table->opcodes, capacity * sizeof *opcodes);
    if (opcodes != NULL) {
        table->opcodes = opcodes;
    }
    gm_opcode_entry *entries = realloc(lookup->entries, capacity * sizeof *entries);
    if (entries != NULL) {
        lookup->entries = entries;
    }
    uint32_t *slots = calloc((size_t)capacity * 2, sizeof *slots);
    if (opcodes == NULL || entries == NULL || slots == NULL) {
        free(slots);
        gm_fail(error, -ENOMEM, "out of memory: table of %u opcodes", capacity);
        return -ENOMEM;
    }
    free(lookup->slots);
    lookup->slots = slots;
    lookup->slot_mask = capacity * 2 - 1;
    table->capacity = capacity;
    for (uint32_t i = 0; i < table->count; i++) {
        insert_slot(lookup, i);
    }
    return 0;
}

static bool first_token_is(const char *text, const char *token)
{
    size_t length = strcspn(text, ".");
    return strlen(token) == length && memcmp(text, token, length) == 0;
}

static bool is_bulk(const char *text)
{
    static const char *const names[] = {"UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG",
                                        "UBLKCP",  "UBLKPF",  "UBLKRED"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strstr(text, names[i]) != NULL) {
            return true;
        }
    }
    return false;
}

static int add(gm_opcode_table *table, const char *text, uint32_t length, gm_error *error)
{
    if (table->count >= GM_OPCODES) {
        return gm_fail(error, -EINVAL, "more than %d different opcodes", GM_OPCODES);
    }
    if (table->count == table->capacity) {
        int code = grow(table, error);
        if (code < 0) {
            return code;
        }
    }
    uint32_t number = table->count;
    gm_opcode *opcode = &table->opcodes[number];
    *opcode = (gm_opcode){.op = GM_OP_COMPUTE};
    memcpy(opcode->text, text, length);
    gm_opcode_classify(opcode);

    gm_opcode_lookup *lookup = table->lookup;
    gm_opcode_entry *entry = &lookup->entries[number];
    *entry = (gm_opcode_entry){
        .op = (uint8_t)opcode->op,
        .space = (uint8_t)opcode->space,
        .written_width = (uint8_t)gm_opcode_written_width(opcode->text),
        .width = (uint8_t)gm_opcode_true_width(opcode->text),
        .addresses = opcode->addresses,
        .is_copy_to_shared = first_token_is(opcode->text, "LDGSTS"),
        .is_bulk = is_bulk(opcode->text),
        .has_commit = strstr(opcode->text, "GMMA") != NULL,
    };
    memcpy(entry->words, opcode->text, GM_OPCODE_TEXT);
    table->count++;
    insert_slot(lookup, number);
    return (int)number;
}

int gm_opcode_number(gm_opcode_table *table, const char *text, uint32_t length, gm_error *error)
{
    if (length == 0 || length >= GM_OPCODE_TEXT) {
        return gm_fail(error, -EINVAL, "an opcode of %u characters; at most %d are possible",
                       length, GM_OPCODE_TEXT - 1);
    }
    for (uint32_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (i == 0 ? !isupper(c) : !isgraph(c)) {
            return gm_fail(error, -EINVAL, "'%.*s' is not an opcode", (int)length, text);
        }
    }
    uint64_t words[GM_OPCODE_WORDS] = {0};
    memcpy(words, text, length);
    unsigned count = (length + 7) / 8;
    uint64_t hash = 0;
    for (unsigned i = 0; i < count; i++) {
        hash = gm_opcode_hash_word(hash, words[i]);
    }
    int number = gm_opcode_find(table, words, count, hash);
    return number >= 0 ? number : add(table, text, length, error);
}

void gm_opcode_table_free(gm_opcode_table *table)
{
    gm_opcode_lookup *lookup = table->lookup;
    if (lookup != NULL) {
        free(lookup->entries);
        free(lookup->slots);
        free(lookup);
    }
    free(table->opcodes);
    *table = (gm_opcode_table){0};
}
