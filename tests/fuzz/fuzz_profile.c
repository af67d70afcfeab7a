/* Fuzz target: any bytes as a profile. A refusal has a message; a profile that is read can be read
 * again and looked up. */
#include "policy/profile.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_profile(gm_config *config, gm_error *error)
{
    static const gm_kernel kernel = {.name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    gm_profile *profile;
    int code = gm_profile_open(&profile, config, error);
    int first = code < 0 ? code : gm_profile_kernel(profile, 0, &kernel, error);
    if (code == 0 && first != gm_profile_kernel(profile, 0, &kernel, error)) {
        abort();
    }
    for (uint64_t line = 0; first == 0 && line < 64; line++) {
        for (uint32_t sm = 0; sm < config->gpu.sms; sm++) {
            (void)gm_profile_keeps(profile, line, sm);
        }
    }
    gm_profile_close(profile);
    return first;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    gm_error error = {0};
    gm_config config;
    gm_config_defaults(&config);
    int file = memfd_create("profile", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size) {
        abort();
    }
    (void)snprintf(config.l1.profile, sizeof config.l1.profile, "/proc/self/fd/%d", file);
    for (int filter = GM_PROFILE_LOCAL; filter <= GM_PROFILE_BOTH; filter++) {
        config.l1.profile_filter = (gm_profile_filter)filter;
        if (read_profile(&config, &error) < 0 && error.text[0] == '\0') {
            abort();
        }
    }
    (void)close(file);
    return 0;
}
