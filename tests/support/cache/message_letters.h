/* A letter for each kind of message, for tests that write messages as text. */
#ifndef GOLDMEM_TESTS_MESSAGE_LETTERS_H
#define GOLDMEM_TESTS_MESSAGE_LETTERS_H

#include "cache/traffic.h"

static const char message_letters[GM_MESSAGE_KINDS] = {
    [GM_MESSAGE_READ] = 'R',    [GM_MESSAGE_WRITE] = 'W',     [GM_MESSAGE_WRITE_BACK] = 'B',
    [GM_MESSAGE_ATOMIC] = 'A',  [GM_MESSAGE_REDUCTION] = 'D', [GM_MESSAGE_INSTRUCTION] = 'I',
    [GM_MESSAGE_LOOKUP] = 'L',  [GM_MESSAGE_FILL] = 'F',      [GM_MESSAGE_EVICT] = 'E',
    [GM_MESSAGE_SUPPLY] = 'Y',  [GM_MESSAGE_SUPPLIED] = 'P',  [GM_MESSAGE_RETURN] = 'T',
    [GM_MESSAGE_GETX] = 'X',    [GM_MESSAGE_UPGRADE] = 'U',   [GM_MESSAGE_INVALIDATE] = 'N',
    [GM_MESSAGE_RECALL] = 'C',  [GM_MESSAGE_FORWARD] = 'O',   [GM_MESSAGE_UNBLOCK] = 'K',
    [GM_MESSAGE_INSTALL] = 'G', [GM_MESSAGE_DISCARD] = 'S',
};

#endif
