/* Tokens of a line that ends in a newline: blank-separated. */
#ifndef GOLDMEM_TRACE_TOKEN_H
#define GOLDMEM_TRACE_TOKEN_H

#include <stdbool.h>

static inline bool gm_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Skips any number of blanks. Returns false if the token goes on. */
static inline bool gm_next_token_slow(const char **at)
{
    const char *p = *at;
    if (!gm_is_blank(*p) && *p != '\n') {
        return false;
    }
    while (gm_is_blank(*p)) {
        p++;
    }
    *at = p;
    return true;
}

/* Moves from the end of a token to the start of the next one, or to the newline. Returns false if
 * *at is not the end of a token. One space is the common case. */
static inline bool gm_next_token(const char **at)
{
    const char *p = *at;
    if (p[0] == ' ' && ((unsigned char)p[1] > ' ' || p[1] == '\n')) {
        *at = p + 1;
        return true;
    }
    return gm_next_token_slow(at);
}

#endif
