/* Combinations of keys that a coherence protocol refuses (the L1's and L2's that have no lease on a
 * whole line, and times that do not fit), each by its name. */
#include "support/support.h"

#include "goldmem/config.h"

#include <errno.h>

/* On the gtx480 preset, whose local_write is back. */
static const struct {
    const char *assignments[5];
    const char *message; /* NULL: accepted */
} checks[] = {
    {{"coherence=tcw"}, "coherence.protocol=tcw: l1.local_write must be evict or through"},
    {{"coherence=tcw", "l1.local_write=evict"}, NULL},
    {{"coherence.protocol=tcs", "l1.local_write=through"}, NULL},
    {{"coherence=ideal", "l1.local_write=evict"}, NULL},
    {{"coherence=none", "l1.sectored=yes"}, NULL},
    {{"coherence=tcw", "l1.local_write=evict", "l1.enabled=no"},
     "coherence.protocol=tcw: needs l1.enabled=yes"},
    {{"coherence=tcs", "l1.local_write=evict", "l1.kind=decoupled"},
     "coherence.protocol=tcs: needs l1.kind=conventional"},
    {{"coherence=ideal", "l1.local_write=evict", "l2.line=64"},
     "coherence.protocol=ideal: needs l1.line and l2.line to be equal"},
    {{"coherence=tcw", "l1.local_write=evict", "l1.sectored=yes"},
     "coherence.protocol=tcw: needs l1.sectored=no"},
    {{"coherence=tcw", "l1.local_write=evict", "l2.sectored=yes"},
     "coherence.protocol=tcw: needs l2.sectored=no"},
    {{"coherence=tcw", "l1.local_write=evict", "l1.size=unbounded"},
     "coherence.protocol=tcw: l1.size must not be unbounded"},
    {{"coherence=tcw", "l1.local_write=evict", "l2.size=unbounded"},
     "coherence.protocol=tcw: l2.size must not be unbounded"},
    {{"coherence=tcw", "l1.local_write=evict", "l1.bypass=pdp"},
     "coherence.protocol=tcw: needs l1.bypass=none"},
    {{"coherence=tcw", "l1.local_write=evict", "l1.allocation=on_fill"},
     "coherence.protocol=tcw: needs l1.allocation=on_miss"},
    {{"coherence=tcw", "l1.local_write=evict", "l1.global_write=back"},
     "coherence.protocol=tcw: l1.global_write must be evict or through"},
    {{"coherence=tcw", "l1.local_write=evict", "l1.global_write=through"}, NULL},
    {{"coherence=tcw", "l1.local_write=evict", "l1.global_write=through", "l1.global_allocate=yes"},
     "coherence.protocol=tcw: needs l1.global_allocate=no"},
    {{"coherence=tcw", "l1.local_write=through", "l1.local_allocate=yes"},
     "coherence.protocol=tcw: needs l1.local_allocate=no"},
    {{"coherence=tcw", "l1.local_write=evict", "l2.fetch_on_write=partial"},
     "coherence.protocol=tcw: needs l2.fetch_on_write=always"},
    {{"coherence=tcw", "l1.local_write=evict", "l2.fetch_on_write=through"},
     "coherence.protocol=tcw: needs l2.fetch_on_write=always"},
    {{"coherence=tcw", "l1.local_write=evict", "tracker.enabled=yes"},
     "coherence.protocol=tcw: needs tracker.enabled=no"},
    {{"coherence=tcw", "l1.local_write=evict", "l1.size=1MB"}, NULL}, /* 8192 lines */
    {{"coherence=tcw", "l1.local_write=evict", "l1.size=2MB"},
     "coherence.protocol=tcw: l1.size and l1.line make 16384 lines; at most 8192 can have leases"},
    {{"coherence=ideal", "l1.local_write=evict", "l1.size=2MB"}, NULL},
    {{"coherence=tcw", "l1.local_write=evict", "l2.size=48MB"}, NULL}, /* 65536 in 6 banks */
    {{"coherence=tcw", "l1.local_write=evict", "l2.size=96MB"},
     "coherence.protocol=tcw: l2.size and l2.line make 131072 lines; at most 65536 can have "
     "leases"},
    {{"coherence=tcs", "l1.local_write=evict", "coherence.visible=yes"},
     "coherence.visible=yes: needs coherence.protocol=tcw: tcs has no GWCTs"},
    {{"coherence=tcw", "l1.local_write=evict", "coherence.visible=yes"}, NULL},
    {{"coherence=tcw", "l1.local_write=evict", "coherence.time_bits=13"}, NULL}, /* 6400 < 8191 */
    {{"coherence=tcw", "l1.local_write=evict", "coherence.time_bits=12"},
     "coherence.lifetime=predicted, at most 6400: must be below 4095, the last time of "
     "coherence.time_bits=12"},
    {{"coherence=tcw", "l1.local_write=evict", "coherence.time_bits=8", "coherence.lifetime=254"},
     NULL},
    {{"coherence=tcw", "l1.local_write=evict", "coherence.time_bits=8", "coherence.lifetime=255"},
     "coherence.lifetime=255: must be below 255, the last time of coherence.time_bits=8"},
    {{"coherence=ideal", "l1.local_write=evict", "coherence.time_bits=2"}, NULL},
    {{"coherence=vi", "l1.local_write=evict", "l1.size=2MB", "l2.mshrs=2"}, NULL},
    {{"coherence=vi"}, "coherence.protocol=vi: l1.local_write must be evict or through"},
    {{"coherence=vi", "l1.local_write=evict", "gpu.sms=64"}, NULL},
    {{"coherence=vi", "l1.local_write=evict", "gpu.sms=65"},
     "coherence.protocol=vi: gpu.sms must be at most 64"},
    {{"coherence=vi", "l1.local_write=evict", "l2.mshrs=1"},
     "coherence.protocol=vi: l2.mshrs must be at least 2"},
    {{"coherence=vi", "l1.local_write=evict", "l2.halves=2"},
     "coherence.protocol=vi: needs l2.halves=1"},
    {{"coherence=vi", "l1.local_write=evict", "noc.virtual_networks=4", "noc.channels=8"}, NULL},
    {{"coherence=vini", "l1.local_write=evict", "noc.virtual_networks=2", "noc.channels=16"}, NULL},
    {{"coherence=vi", "l1.local_write=evict", "noc.virtual_networks=1"},
     "noc.virtual_networks=1: coherence.protocol=vi needs 0 or 2 to 4"},
    {{"coherence=mesi", "noc.virtual_networks=4", "noc.channels=8"}, NULL},
    {{"coherence=mesi", "noc.virtual_networks=5", "noc.channels=4"}, NULL},
    {{"coherence=mesi", "noc.virtual_networks=5", "noc.channels=5"},
     "noc.channels=5: with noc.virtual_networks=5 a port has at most 16 virtual channels, 4 of "
     "each"},
    {{"coherence=vi", "l1.local_write=evict", "noc.virtual_networks=5"},
     "noc.virtual_networks=5: coherence.protocol=vi needs 0 or 2 to 4"},
    {{"coherence=mesi", "noc.virtual_networks=2"},
     "noc.virtual_networks=2: coherence.protocol=mesi needs 0 or 3 to 5"},
    {{"coherence=mesi", "l1.global_write=back", "l1.global_allocate=yes"}, NULL},
    {{"coherence=vini", "l1.local_write=evict", "noc.virtual_networks=3", "noc.channels=9"},
     "noc.channels=9: with noc.virtual_networks=3 a port has at most 16 virtual channels, 8 of "
     "each"},
    {{"coherence=tcw", "l1.local_write=evict", "noc.virtual_networks=3"},
     "noc.virtual_networks=3: coherence.protocol=tcw needs 0 or 2"},
    {{"noc.virtual_networks=2"}, NULL},
    {{"noc.virtual_networks=4"}, "noc.virtual_networks=4: coherence.protocol=none needs 0 or 2"},
    {{"coherence.lifetime=4294967294", "l1.local_write=evict", "coherence=tcw"}, NULL},
};

static void test_refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        gm_config config;
        gm_error error = {0};
        gm_config_defaults(&config);
        for (size_t j = 0; j < 5 && checks[i].assignments[j] != NULL; j++) {
            test_ok(gm_config_assign(&config, checks[i].assignments[j], &error), error);
        }
        int code = gm_config_check(&config, &error);
        if (checks[i].message == NULL) {
            test_ok(code, error);
        } else {
            assert_int_equal(code, -EINVAL);
            assert_string_equal(error.text, checks[i].message);
        }
    }
}

/* `coherence` is short for coherence.protocol, and messages name what was written. */
static void test_short_name(void **state)
{
    (void)state;
    gm_config config;
    gm_error error = {0};
    gm_config_defaults(&config);
    assert_int_equal(config.coherence.protocol, GM_COHERENCE_NONE);
    assert_int_equal(config.coherence.lifetime, GM_PREDICTED);
    test_ok(gm_config_assign(&config, "coherence=tcs", &error), error);
    assert_int_equal(config.coherence.protocol, GM_COHERENCE_TCS);
    assert_int_equal(gm_config_assign(&config, "coherence=mi", &error), -EINVAL);
    assert_string_equal(error.text,
                        "coherence=mi: must be none, ideal, tcs, tcw, vi, vini or mesi");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_short_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
