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

json_t *gm_json_config_value(const gm_config *config, const gm_key *key)
{
    char text[GM_CONFIG_TEXT];
    gm_config_get(config, key, text, sizeof text);
    if (key->type == GM_KEY_BOOLEAN) {
        bool value = false;
        memcpy(&value, (const char *)config + key->offset, sizeof value);
        return json_boolean(value);
    }
    if (key->type != GM_KEY_INTEGER && key->type != GM_KEY_SIZE) {
        return gm_json_text(text);
    }
    uint64_t value = 0;
    memcpy(&value, (const char *)config + key->offset, sizeof value);
    return value == UINT64_MAX && key->special != NULL ? gm_json_text(key->special)
                                                       : gm_json_count(value);
}
