/* Numbers in a line of a gm_input, which always ends in a newline: no bounds are needed. Each
 * function moves *at past the digits and returns true, or leaves *at and returns false: no digit,
 * or more than 64 bits. */
#ifndef GOLDMEM_TRACE_NUMBER_H
#define GOLDMEM_TRACE_NUMBER_H

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

/* As gm_scan_signed, for short numbers of unpredictable length: up to 7 digits at once, without a
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

/* Returns the value of a hexadecimal digit, more than 15 for any other character. */
static inline unsigned gm_hex_digit(char c)
{
    unsigned digit = (unsigned)c - '0';
    if (digit <= 9) {
        return digit;
    }
    unsigned letter = ((unsigned)c | 0x20u) - 'a';
    return letter <= 5 ? letter + 10 : 16;
}

/* Scans a hexadecimal number with or without "0x". */
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

typedef signed char gm_hex_bytes __attribute__((vector_size(16)));
typedef uint64_t gm_hex_words __attribute__((vector_size(16)));

/* Reads two numbers of eight hexadecimal digits each, the first in the lowest byte. Returns false
 * unless all are digits. */
static inline bool gm_hex_join(gm_hex_words digits, uint64_t value[2])
{
    gm_hex_bytes text = (gm_hex_bytes)digits;
    gm_hex_bytes small = text | 0x20;
    gm_hex_bytes letter = (small >= 'a') & (small <= 'f');
    gm_hex_words all = (gm_hex_words)(letter | ((text >= '0') & (text <= '9')));
    gm_hex_words joined = (gm_hex_words)((text & 15) + (letter & 9));
    joined = (joined << 4 | joined >> 8) & UINT64_C(0x00ff00ff00ff00ff); /* to pairs, to fours */
    joined = (joined << 8 | joined >> 16) & UINT64_C(0x0000ffff0000ffff);
    joined = (joined << 16 | joined >> 32) & UINT64_C(0xffffffff);
    value[0] = joined[0];
    value[1] = joined[1];
    return (all[0] & all[1]) == UINT64_MAX;
}

/* Reads exactly `count` hexadecimal digits, 1 to 16, at `p`. */
static inline bool gm_hex_of_length(const char *p, unsigned count, uint64_t *value)
{
    const uint64_t zeros = UINT64_C(0x3030303030303030);
    uint64_t high;
    uint64_t low;
    uint64_t part[2];
    unsigned further = count > 8 ? count - 8 : 0; /* digits before the last eight */
    memcpy(&high, p, sizeof high);
    memcpy(&low, p + further, sizeof low);
    if (count < 8) {
        low = low << (64 - 8 * count) | zeros >> 8 * count;
        high = zeros;
    }
    if (!gm_hex_join((gm_hex_words){high, low}, part)) {
        return false;
    }
    *value = part[0] << 4 * further | part[1];
    return true;
}

/* As gm_scan_hex, in one step if the number has as many digits as the last one, `digits`, 1 to 16.
 * Reads 17 bytes after "0x". */
static inline bool gm_scan_hex_like(const char **at, uint64_t *value, uint8_t *digits)
{
    const char *p = *at;
    if (p[0] == '0' && (p[1] | 0x20) == 'x') {
        p += 2;
    }
    if (gm_hex_digit(p[*digits]) > 15 && gm_hex_of_length(p, *digits, value)) {
        *at = p + *digits;
        return true;
    }
    if (!gm_scan_hex(at, value)) {
        return false;
    }
    if (*at - p <= 16) {
        *digits = (uint8_t)(*at - p);
    }
    return true;
}

/* gm_scan_decimal for a value of at most `most`; leaves *at and returns false if it is larger. */
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
