/* Protocols and keys that litmus tests have expectations for. */
#include "litmus/litmus.h"

#include <string.h>

const gm_litmus_protocol gm_litmus_protocols[GM_LITMUS_PROTOCOLS] = {
    {"tcw", GM_COHERENCE_TCW, .visible = false},
    {"tcs", GM_COHERENCE_TCS, .visible = false},
    {"tcw+visible", GM_COHERENCE_TCW, .visible = true},
    {"tcw+fence=cta", GM_COHERENCE_TCW, .fence_of_cta = true},
    {"tcs+fence=cta", GM_COHERENCE_TCS, .fence_of_cta = true},
    {"tcw+merge=lease", GM_COHERENCE_TCW, .asks_again = true},
    {"tcs+merge=lease", GM_COHERENCE_TCS, .asks_again = true},
    {"none", GM_COHERENCE_NONE, .visible = false},
    {"ideal", GM_COHERENCE_IDEAL, .visible = false},
    {"vi", GM_COHERENCE_VI, .visible = false},
    {"vini", GM_COHERENCE_VINI, .visible = false},
    {"mesi", GM_COHERENCE_MESI, .visible = false},
};

unsigned gm_litmus_find_protocol(const char *name)
{
    unsigned found = 0;
    while (found < GM_LITMUS_PROTOCOLS && strcmp(name, gm_litmus_protocols[found].name) != 0) {
        found++;
    }
    return found;
}

unsigned gm_litmus_protocol_of(const gm_config *config)
{
    gm_coherence_protocol protocol = config->coherence.protocol;
    bool temporal = protocol == GM_COHERENCE_TCS || protocol == GM_COHERENCE_TCW;
    bool visible = protocol == GM_COHERENCE_TCW && config->coherence.visible;
    bool fence_of_cta = temporal && config->coherence.fence == GM_FENCE_OF_CTA;
    bool asks_again = temporal && config->coherence.merge == GM_MERGE_LEASE;
    unsigned found = 0;
    while (found < GM_LITMUS_PROTOCOLS &&
           (gm_litmus_protocols[found].protocol != protocol ||
            gm_litmus_protocols[found].visible != visible ||
            gm_litmus_protocols[found].fence_of_cta != fence_of_cta ||
            gm_litmus_protocols[found].asks_again != asks_again)) {
        found++;
    }
    return found;
}
