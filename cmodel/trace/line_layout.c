/* Line layout: the numbers before the PC of an instruction line, found in a file's first line.
 * docs/trace-format.md: instruction line. */
#include "trace/instruction_line.h"

#include "trace/number.h"
#include "trace/token.h"

static const char *after_token(const char *p)
{
    while (!gm_is_blank(*p) && *p != '\n') {
        p++;
    }
    while (gm_is_blank(*p)) {
        p++;
    }
    return p;
}

/* True if the line reads as `leading` decimal numbers, PC, mask, destinations and an opcode. */
static bool fits(const char *p, int leading)
{
    uint64_t value = 0;
    for (int i = 0; i < leading; i++) {
        if (!gm_scan_decimal(&p, &value) || !gm_next_token(&p)) {
            return false;
        }
    }
    if (!gm_scan_hex(&p, &value) || !gm_next_token(&p) || !gm_scan_hex(&p, &value) ||
        !gm_next_token(&p) || !gm_scan_decimal(&p, &value) || value > GM_DESTINATIONS ||
        !gm_next_token(&p)) {
        return false;
    }
    for (; value > 0; value--) {
        if (*p != 'R' && *p != 'U' && *p != 'P') {
            return false;
        }
        p = after_token(p);
    }
    return *p >= 'A' && *p <= 'Z';
}

unsigned gm_line_leading(const char *line, bool line_numbers, const int *possible)
{
    while (gm_is_blank(*line)) {
        line++;
    }
    for (const int *count = possible; *count >= 0; count++) {
        if (fits(line, *count + line_numbers)) {
            return (unsigned)*count;
        }
    }
    return (unsigned)possible[0];
}
