/* Files of keys in YAML, which configurations and energy tables are: one mapping of sections, each
 * a mapping of keys to scalars. */
#ifndef GOLDMEM_CONFIG_YAML_KEYS_H
#define GOLDMEM_CONFIG_YAML_KEYS_H

#include "goldmem/error.h"

#include <stddef.h>

/* The keys that a file may have. */
typedef struct gm_yaml_table {
    const char *what;         /* the kind of file, in messages: "a configuration" */
    const char *example;      /* a correct file, in messages: "l1: {ways: 4}" */
    const char *const *names; /* "section.key" of the first key, as in gm_nearest; sections in one
                                 piece */
    unsigned count;
    size_t stride; /* bytes from a name to the next */
    void *into;
    /* Takes a key's value. Returns 0, or -EINVAL with a message that names key and value, or says
     * that the key does not exist. */
    int (*set)(void *into, const char *name, const char *value, gm_error *error);
} gm_yaml_table;

/* Sets the keys that the text of `length` bytes gives. Returns 0, -EINVAL or -ENOMEM; messages
 * begin with the file's name and the line. Keys set before a failure stay set. */
int gm_yaml_read_keys(const gm_yaml_table *table, const char *name, const char *text, size_t length,
                      gm_error *error);

#endif
