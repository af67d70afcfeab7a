/* Numbers in a line of a gm_input, which always ends in a newline: no bounds are needed. Each
 * function moves *at past the digits and returns true, or leaves *at and returns false: no digit,
 * or more than 64 bits. */
#ifndef GM_TRACE_NUMBER_H
#define GM_TRACE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline bool gm_scan_decimal(const char **at, uint64_t *value)
{
    const char *p = *at;
    unsigned digit = (unsigned)*p - '0';
    if (digit > 9) {
        return false;
    }
    uint64_t result = digit;
    while ((digit = (unsigned)*++p - '0') <= 9) {
        if (result >= UINT64_MAX / 10) {
            if (__builtin_mul_overflow(result, 10, &result) ||
                __builtin_add_overflow(result, digit, &result)) {
                return false;
            }
        } else {
            result = result * 10 + digit;
        }
    }
    *value = result;
    *at = p;
    return true;
}

static inline bool gm_scan_signed(const char **at, int64_t *value)
{
    const char *p = *at;
    bool negative = *p == '-';
    p += negative;
    uint64_t magnitude = 0;
    if (!gm_scan_decimal(&p, &magnitude) || magnitude > (uint64_t)INT64_MAX + negative) {
        return false;
    }
    *value = (int64_t)(negative ? 0 - magnitude : magnitude);
    *at = p;
    return true;
}

/* gm_scan_signed for short numbers of unforeseeable length: up to 7 digits at once, without a
 * branch on their count. Reads 8 bytes after the sign. */
static inline bool gm_scan_signed_short(const char **at, int64_t *value)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t negative = **at == '-';
    const char *p = *at + negative;
    uint64_t word;
    memcpy(&word, p, sizeof word);
    word ^= ones * '0';
    /* A high bit marks each byte above 9; the lowest mark is exact. */
    uint64_t ends = ((word + ones * 0x76) | word) & (ones * 0x80);
    if (ends == 0 || (ends & 0x80) != 0) {
        return gm_scan_signed(at, value);
    }
    unsigned bits = (unsigned)__builtin_ctzll(ends) & ~7u;
    word <<= 64 - bits; /* leading zeros; then pairs, fours, eights of digits are joined */
    word = (word * 10 + (word >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    word = (word * 100 + (word >> 16)) & UINT64_C(0x0000ffff0000ffff);
    word = (word * 10000 + (word >> 32)) & UINT64_C(0xffffffff);
    *value = (int64_t)((word ^ (0 - negative)) + negative);
    *at = p + bits / 8;
    return true;
}

/* Value of a hexadecimal digit; more than 15 for any other character. */
static inline unsigned gm_hex_digit(char c)
{
    unsigned digit = (unsigned)c - '0';
    if (digit <= 9) {
        return digit;
    }
    unsigned letter = ((unsigned)c | 0x20u) - 'a';
    return letter <= 5 ? letter + 10 : 16;
}

/* With or without "0x". */
static inline bool gm_scan_hex(const char **at, uint64_t *value)
{
    const char *p = *at;
    if (p[0] == '0' && (p[1] | 0x20) == 'x') {
        p += 2;
    }
    unsigned digit = gm_hex_digit(*p);
    if (digit > 15) {
        return false;
    }
    uint64_t result = 0;
    do {
        if (result >> 60 != 0) {
            return false;
        }
        result = result << 4 | digit;
        digit = gm_hex_digit(*++p);
    } while (digit <= 15);
    *value = result;
    *at = p;
    return true;
}

/* Eight hexadecimal digits, the first in the lowest byte, and their value. */
typedef struct gm_hex_block {
    uint64_t text, value;
} gm_hex_block;

#define GM_HEX_BLOCK_ZERO ((gm_hex_block){UINT64_C(0x3030303030303030), 0})

/* The high bits of those of eight bytes that are no hexadecimal digits. */
static inline uint64_t gm_hex_others(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t low = word & (ones * 0x7f);
    uint64_t small = low | (ones * 0x20);
    uint64_t digits = (low + ones * (0x80 - '0')) & ~(low + ones * (0x7f - '9'));
    uint64_t letters = (small + ones * (0x80 - 'a')) & ~(small + ones * (0x7f - 'f'));
    return (~(digits | letters) | word) & (ones * 0x80);
}

/* Value of eight digits; bytes 0 count as zeros. */
static inline uint64_t gm_hex_join(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    word = (word & (ones * 15)) + (word >> 6 & ones) * 9;
    word = (word << 4 | word >> 8) & UINT64_C(0x00ff00ff00ff00ff);
    word = (word << 8 | word >> 16) & UINT64_C(0x0000ffff0000ffff);
    return (word << 16 | word >> 32) & UINT64_C(0xffffffff);
}

/* gm_scan_hex for long numbers of which the first eight digits seldom change: those of the last one
 * are in `block`. Reads 16 bytes after "0x". */
static inline bool gm_scan_hex_long(const char **at, uint64_t *value, gm_hex_block *block)
{
    const char *p = *at;
    if (p[0] == '0' && (p[1] | 0x20) == 'x') {
        p += 2;
    }
    uint64_t high = 0;
    uint64_t word;
    memcpy(&word, p, sizeof word);
    uint64_t others = word == block->text ? 0 : gm_hex_others(word);
    if (others == 0) {
        if (word != block->text) {
            *block = (gm_hex_block){word, gm_hex_join(word)};
        }
        high = block->value;
        p += sizeof word;
        memcpy(&word, p, sizeof word);
        others = gm_hex_others(word);
    }
    if (others == 0 || (others & 0x80) != 0) {
        return gm_scan_hex(at, value); /* 16 digits or more; or 8, or none */
    }
    unsigned bits = (unsigned)__builtin_ctzll(others) & ~7u;
    *value = high << bits / 2 | gm_hex_join(word << (64 - bits));
    *at = p + bits / 8;
    return true;
}

/* gm_scan_decimal for a bounded value: *at stays when it is larger. */
static inline bool gm_scan_decimal_to(const char **at, uint64_t most, uint64_t *value)
{
    const char *p = *at;
    if (!gm_scan_decimal(&p, value) || *value > most) {
        return false;
    }
    *at = p;
    return true;
}

static inline bool gm_scan_hex_32(const char **at, uint32_t *value)
{
    const char *p = *at;
    uint64_t wide = 0;
    if (!gm_scan_hex(&p, &wide) || wide > UINT32_MAX) {
        return false;
    }
    *value = (uint32_t)wide;
    *at = p;
    return true;
}

static inline bool gm_scan_signed_32(const char **at, int64_t *value)
{
    const char *p = *at;
    if (!gm_scan_signed(&p, value) || *value < INT32_MIN || *value > INT32_MAX) {
        return false;
    }
    *at = p;
    return true;
}

#endif
