/* JSON values of jansson from counters and texts. */
#include "report/json_value.h"

#include <stdlib.h>
#include <string.h>

json_t *gm_json_count(uint64_t value)
{
    return json_integer((json_int_t)value);
}

json_t *gm_json_text(const char *text)
{
    json_t *value = json_string(text);
    if (value != NULL) {
        return value;
    }
    char *plain = strdup(text); /* not UTF-8, or out of memory */
    for (char *c = plain; c != NULL && *c != '\0'; c++) {
        if ((unsigned char)*c >= 0x80) {
            *c = '?';
        }
    }
    value = plain != NULL ? json_string(plain) : NULL;
    free(plain);
    return value;
}
