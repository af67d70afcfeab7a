/* goldmem run --sample and --sample-error. */
#include "cli/sample_argument.h"

#include "cli/cli.h"
#include "cli/set_index_options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parses "10%" or "0.1" up to the end, or to a comma. Returns the share, or 0 for anything else. */
static double parse_share(const char *text, const char **end)
{
    char *behind = NULL;
    bool digit = (text[0] >= '0' && text[0] <= '9') || text[0] == '.';
    double share = digit ? strtod(text, &behind) : 0;
    if (!digit || behind == text) {
        return 0;
    }
    bool percent = *behind == '%';
    *end = behind + percent;
    share = percent ? share / 100 : share;
    return isfinite(share) ? share : 0;
}

error_t gm_sample_parse(gm_sample_options *options, const char *text,
                        const struct argp_state *state)
{
    static const char unit[] = "ctas:";
    static const char seed[] = ",seed=";
    const char *at = text + sizeof unit - 1;
    const char *end = "?";
    *options = (gm_sample_options){.seed = 1};
    double share = strncmp(text, unit, sizeof unit - 1) == 0 ? parse_share(at, &end) : 0;
    if (share * GM_SAMPLE_ALL < GM_SAMPLE_LEAST || share > 1) {
        return gm_cli_refuse(state,
                             "--sample: '%s' is not ctas:SHARE, a share from 0.01%% to 100%% of "
                             "the CTAs, such as ctas:10%%",
                             text);
    }
    options->share = (uint32_t)(share * GM_SAMPLE_ALL + 0.5);
    if (strncmp(end, seed, sizeof seed - 1) == 0 &&
        gm_cli_number(end + sizeof seed - 1, 0, INT64_MAX, &options->seed)) {
        return 0;
    }
    return *end == '\0'
               ? 0
               : gm_cli_refuse(state, "--sample: '%s' after the share is not ,seed=N", end);
}

error_t gm_sample_parse_error(double *share, const char *text, const struct argp_state *state)
{
    char *end = NULL;
    double value = strtod(text, &end);
    bool good = end != text && isfinite(value) && value > 0 && value <= 100 &&
                (*end == '\0' || (*end == '%' && end[1] == '\0'));
    *share = value / 100;
    return good ? 0
                : gm_cli_refuse(
                      state, "--sample-error: '%s' is not a percentage above 0, such as 2%%", text);
}

bool gm_sample_is_good(const gm_sample_results *sample, double most)
{
    const gm_sample_interval *cycles = &sample->total.counter[GM_SAMPLE_cycles];
    double error = cycles->value > 0 ? (cycles->high - cycles->value) / cycles->value : 0;
    if (error <= most) {
        return true;
    }
    double simulated = (double)sample->total.simulated / (double)sample->total.ctas;
    double needed = simulated * (error / most) * (error / most);
    if (needed < 0.6) {
        gm_cli_fail(
            GM_EXIT_FAILED,
            "the cycles are estimated to %.2f%%, not to %.2f%%: --sample=ctas:%.2g%% should "
            "do",
            100 * error, 100 * most, 100 * needed);
    } else {
        gm_cli_fail(GM_EXIT_FAILED,
                    "the cycles are estimated to %.2f%%, not to %.2f%%: that needs all CTAs",
                    100 * error, 100 * most);
    }
    return false;
}
