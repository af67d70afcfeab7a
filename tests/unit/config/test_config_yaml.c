/* Configuration files in YAML: what they set, the message for each way to be wrong, and the round
 * trip. */
#include "support/support.h"

#include "goldmem/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads onto the defaults. */
static int read_text(gm_config *config, const char *text, gm_error *error)
{
    gm_config_defaults(config);
    return gm_config_read_yaml(config, "c.yaml", text, strlen(text), error);
}

static void test_sets_keys(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "l1:\n  size: 48KB # comment\n  ways: 6\nl2: {sectored: yes}\n",
        "---\nl1: {size: '48KB', ways: \"6\"}\nl2:\n  sectored: on\n...\n",
        "%YAML 1.1\n---\nl2: {sectored: true}\nl1:\n    ways: 6\n    size: 49152",
        "l2:\r\n  sectored: yes\r\nl1:\r\n  ways: 6\r\n  size: 48KB\r\n",
        "{l1: {ways: 6, size: 48kb}, l2: {sectored: yes}}",
        "\xef\xbb\xbfl1: {ways: 6, size: 48KB}\nl2: {sectored: yes}\n", /* byte-order mark */
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        gm_config config;
        gm_config expected;
        gm_error error = {0};
        test_ok(read_text(&config, texts[i], &error), error);
        gm_config_defaults(&expected);
        expected.l1.size = 49152;
        expected.l1.ways = 6;
        expected.l2.sectored = true;
        memset(expected.preset.name, 0, sizeof expected.preset.name);
        strcpy(expected.preset.name, "c.yaml");
        assert_memory_equal(&config, &expected, sizeof config);
    }
}

/* Whole messages where they are ours; their beginning where they end in libyaml's own words. */
static const struct {
    const char *text, *message;
} refusals[] = {
    /* values: file, line, key, value, range */
    {"l1:\n  ways: 0\n", "c.yaml:2: l1.ways=0: must be 1 to 65536 ways, or full"},
    {"l1:\n\n\n  line: 100\n", "c.yaml:4: l1.line=100: must be a power of two, 32 bytes to 1KB"},
    {"l1:\n  size:\n", "c.yaml:2: l1.size=: must be 32 bytes to 1GB, or unbounded"},
    {"l1:\n  size:\n  ways: 4\n", "c.yaml:2: l1.size=: must be 32 bytes to 1GB, or unbounded"},
    {"l1: {flush: ~}", "c.yaml:1: l1.flush=~: must be yes or no"},
    {"l1: {ways: \"4\\0\"}", "c.yaml:1: l1.ways=: must be 1 to 65536 ways, or full"},
    /* names */
    {"l1:\n  way: 4\n", "c.yaml:2: l1.way: no such key; did you mean l1.ways?"},
    {"dram:\n  tCL: 20\n  standard: hbm2\n",
     "c.yaml:3: dram.standard: must be the first key of dram, and before energy.table, since it "
     "sets these"},
    {"energy: {table: dram-hbm2}\ndram:\n  standard: hbm2\n",
     "c.yaml:3: dram.standard: must be the first key of dram, and before energy.table, since it "
     "sets these"},
    {"clock:\n  width: 4\n", "c.yaml:2: clock.width: no such key; clock has core, noc, l2, dram"},
    {"l1:\n  ? [a]\n  : 4\n", "c.yaml:2: a list has no meaning in a configuration"},
    {"l1:\n  ? {a: b}\n  : 4\n", "c.yaml:2: l1: expected a key"},
    {"l3:\n  ways: 4\n", "c.yaml:1: l3: no such section; there are gpu, clock, sm, unit, l1, "
                         "l1i, tracker, sharing, l2, memory, dram, noc, coherence, energy"},
    {"l1.ways: 4\n", "c.yaml:1: l1.ways: no such section; write l1.ways as l1: {ways: VALUE}"},
    {"l1.way: 4\n", "c.yaml:1: l1.way: no such section; write l1.ways as l1: {ways: VALUE}"},
    {"ways: 4\n", "c.yaml:1: ways: no such section; there are gpu, clock, sm, unit, l1, l1i, "
                  "tracker, sharing, l2, "
                  "memory, dram, noc, coherence, energy"},
    {"? {a: b}\n: 4\n", "c.yaml:1: mapping: no such section; there are gpu, clock, sm, unit, "
                        "l1, l1i, tracker, sharing, l2, memory, dram, noc, coherence, energy"},
    /* given twice */
    {"l1:\n  ways: 4\n  ways: 4\n", "c.yaml:3: l1.ways: given before, in line 2"},
    {"l1:\n  ways: 4\nl2:\n  ways: 8\nl1:\n  line: 64\n", "c.yaml:5: l1: given before, in line 1"},
    /* nesting */
    {"l1: 4\n", "c.yaml:1: l1: must be a mapping of keys to values"},
    {"l1:\n", "c.yaml:1: l1: must be a mapping of keys to values"},
    {"l1: {}\n", "c.yaml:1: l1: has no keys"},
    {"l1:\n  ways: {a: b}\n", "c.yaml:2: l1.ways: must be one value, not a mapping"},
    {"l1:\n  ways: [4]\n", "c.yaml:2: a list has no meaning in a configuration"},
    {"- l1\n", "c.yaml:1: a list has no meaning in a configuration"},
    {"l1\n", "c.yaml:1: expected sections with keys, such as l1: {ways: 4}"},
    {"", "c.yaml:1: expected sections with keys, such as l1: {ways: 4}"},
    {"# nothing\n", "c.yaml:2: expected sections with keys, such as l1: {ways: 4}"},
    {"---\nl1: {ways: 4}\n---\nl1: {ways: 4}\n", "c.yaml:3: a second document"},
    /* YAML's other features */
    {"l1: &a\n  ways: 4\n", "c.yaml:1: an anchor (&name) has no meaning in a configuration"},
    {"l1:\n  ways: &a 4\n", "c.yaml:2: an anchor (&name) has no meaning in a configuration"},
    {"l1:\n  ways: *a\n", "c.yaml:2: an alias (*name) has no meaning in a configuration"},
    {"l1:\n  ways: !!int 4\n", "c.yaml:2: a tag (!name) has no meaning in a configuration"},
    {"l1: !x\n  ways: 4\n", "c.yaml:1: a tag (!name) has no meaning in a configuration"},
    {"l1:\n  <<: {ways: 4}\n", "c.yaml:2: l1.<<: no such key; "},
    /* not YAML */
    {"l1:\n\tways: 4\n", "c.yaml:2: not YAML: "},
    {"l1:\n  ways: 4\n line: 3\n", "c.yaml:3: not YAML: "},
    {"l1: {ways: 4\n", "c.yaml:2: not YAML: "},
    {"l1:\n  ways: 'x\n", "c.yaml:3: not YAML: "},
    {"l1:\n  ways: 4\n  \x01\n", "c.yaml:3: not YAML: "},
    {"l1:\n  ways: \xff\n", "c.yaml:2: not YAML: "},
};

static void test_refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        gm_config config;
        gm_config before;
        gm_error error = {0};
        gm_config_defaults(&before);
        assert_int_equal(read_text(&config, refusals[i].text, &error), -EINVAL);
        size_t length = strlen(refusals[i].message);
        if (refusals[i].message[length - 1] == ' ') {
            assert_true(strlen(error.text) > length);
            error.text[length] = '\0';
        }
        assert_string_equal(error.text, refusals[i].message);
        assert_memory_equal(&config, &before, sizeof config); /* nothing half-read */
    }
}

/* A key's value at random, as text. */
static void random_value(test_random *random, const gm_key *key, char *text, size_t size)
{
    static const char *const indexes[] = {
        "sequential",         "xor",     "ipoly:37", "matrix:it's # a: b ", "'",         " {x} ",
        "matrix:/a/\"b\"\\n", "&anchor", "~",        "matrix:- x, [y]",     "!tag *x%y", "null"};
    char range[128];
    switch (key->type) {
    case GM_KEY_BOOLEAN:
        snprintf(text, size, "%s", test_random_below(random, 2) != 0 ? "yes" : "no");
        return;
    case GM_KEY_INTEGER:
    case GM_KEY_SIZE:
        if (key->special != NULL && test_random_below(random, 4) == 0) {
            snprintf(text, size, "%s", key->special);
        } else if (key->power_of_two) {
            uint64_t value = key->low;
            while (value * 2 <= key->high && test_random_below(random, 4) != 0) {
                value *= 2;
            }
            snprintf(text, size, "%llu", (unsigned long long)value);
        } else {
            uint64_t value = key->low + test_random_below(random, key->high - key->low + 1);
            /* some that a unit divides */
            uint64_t unit = UINT64_C(1) << 10 * test_random_below(random, 4);
            value = value / unit * unit >= key->low ? value / unit * unit : value;
            snprintf(text, size, "%llu", (unsigned long long)value);
        }
        return;
    case GM_KEY_SIZES:
        snprintf(text, size, "%s",
                 test_random_below(random, 2) == 0 ? "0,8KB,96KB" : "1,1000,1KB,1MB");
        return;
    case GM_KEY_CHOICE:
        snprintf(range, sizeof range, "%s", key->choices);
        for (char *rest = NULL, *word = strtok_r(range, "|", &rest); word != NULL;
             word = strtok_r(NULL, "|", &rest)) {
            snprintf(text, size, "%s", word);
            if (test_random_below(random, 2) == 0) {
                return;
            }
        }
        return;
    case GM_KEY_INDEX:
        snprintf(text, size, "%s",
                 indexes[test_random_below(random, sizeof indexes / sizeof indexes[0])]);
        return;
    case GM_KEY_FILE:
        snprintf(text, size, "%s", test_random_below(random, 2) == 0 ? "none" : " it's: # {a}");
        return;
    }
}

static void check_round_trip(const gm_config *config)
{
    char *text = NULL;
    size_t length = 0;
    gm_error error = {0};
    gm_config again;
    FILE *file = open_memstream(&text, &length);
    assert_non_null(file);
    assert_int_equal(gm_config_write_yaml(config, file), 0);
    assert_int_equal(fclose(file), 0);
    memset(&again, 0xa5, sizeof again);
    gm_config_defaults(&again);
    test_ok(gm_config_read_yaml(&again, config->preset.name, text, length, &error), error);
    assert_memory_equal(&again, config, sizeof again);
    free(text);
}

static void test_round_trip(void **state)
{
    (void)state;
    test_random random = test_random_start(1);
    unsigned count = 0;
    const gm_key *keys = gm_config_keys(&count);
    for (unsigned round = 0; round < 500; round++) {
        gm_config config;
        gm_error error = {0};
        gm_config_defaults(&config);
        for (unsigned i = 0; i < count; i++) {
            char value[GM_CONFIG_TEXT];
            random_value(&random, &keys[i], value, sizeof value);
            test_ok(gm_config_set(&config, keys[i].name, value, &error), error);
        }
        check_round_trip(&config);
    }
}

/* A write that fails is seen. */
static void test_write_fails(void **state)
{
    (void)state;
    gm_config config;
    gm_config_defaults(&config);
    FILE *file = fopen("/dev/full", "w");
    assert_non_null(file);
    setvbuf(file, NULL, _IONBF, 0);
    assert_int_equal(gm_config_write_yaml(&config, file), -EIO);
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets_keys),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_write_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
