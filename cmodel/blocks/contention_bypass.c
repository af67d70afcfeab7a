/* Contention bypass [anssari, 3.3]: "dividing the number of lines in its L1 cache by the number of
 * warps scheduled to it". */
#include "goldmem/contention_bypass.h"

#include "goldmem/assert.h"
#include "goldmem/bits.h"

#include <errno.h>

int gm_contention_bypass_init(gm_contention_bypass *bypass,
                              const gm_contention_bypass_parameters *parameters, gm_error *error)
{
    const struct {
        const char *name;
        unsigned value, most;
    } ranges[] = {
        {"touched", parameters->touched, GM_CONTENTION_BYPASS_TOUCHED},
        {"warps", parameters->warps, GM_CONTENTION_BYPASS_WARPS},
        {"lines", parameters->lines, GM_CONTENTION_BYPASS_LINES},
    };
    for (unsigned i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        if (ranges[i].value < 1 || ranges[i].value > ranges[i].most) {
            return gm_fail(error, -EINVAL, "contention_bypass: %s %u: must be 1 to %u",
                           ranges[i].name, ranges[i].value, ranges[i].most);
        }
    }
    *bypass = (gm_contention_bypass){.parameters = *parameters};
    return 0;
}

gm_contention_bypass_response gm_contention_bypass_access(const gm_contention_bypass *bypass,
                                                          gm_contention_bypass_request request)
{
    const gm_contention_bypass_parameters *p = &bypass->parameters;
    gm_assert(request.touched <= gm_mask(gm_log2_ceil(p->touched + 1)) &&
                  request.warps <= gm_mask(gm_log2_ceil(p->warps + 1)) &&
                  request.lines <= gm_mask(gm_log2_ceil(p->lines + 1)),
              "contention_bypass: touched %llu, warps %llu, lines %llu",
              (unsigned long long)request.touched, (unsigned long long)request.warps,
              (unsigned long long)request.lines);
    const gm_contention_bypass_response response = {
        .bypass = request.touched > 1 && request.warps != 0 &&
                  request.touched >= request.lines / request.warps};
    if (bypass->observer != NULL) {
        gm_contention_bypass_tell(bypass->observer, request, response);
    }
    return response;
}

GM_PORTS_TABLE(contention_bypass, CONTENTION_BYPASS)
