/* Number formats of the text report, computed in integers, so that every machine prints equal text.
 */
#include "report/text.h"

#include <inttypes.h>

const char *gm_text_number(uint64_t value, char text[GM_NUMBER_TEXT])
{
    char digits[GM_NUMBER_TEXT];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value);
    char *out = text;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            *out++ = ',';
        }
        *out++ = digits[i];
    }
    *out = '\0';
    return text;
}

const char *gm_text_share(uint64_t part, uint64_t whole, char text[GM_NUMBER_TEXT])
{
    if (whole == 0) {
        snprintf(text, GM_NUMBER_TEXT, "-");
        return text;
    }
    unsigned __int128 tenths =
        ((unsigned __int128)part * 2000 + whole) / ((unsigned __int128)whole * 2);
    snprintf(text, GM_NUMBER_TEXT, "%" PRIu64 ".%u%%", (uint64_t)(tenths / 10),
             (unsigned)(tenths % 10));
    return text;
}

const char *gm_text_ratio(uint64_t part, uint64_t whole, char text[GM_NUMBER_TEXT])
{
    if (whole == 0) {
        snprintf(text, GM_NUMBER_TEXT, "-");
        return text;
    }
    unsigned __int128 hundredths =
        ((unsigned __int128)part * 200 + whole) / ((unsigned __int128)whole * 2);
    char number[GM_NUMBER_TEXT];
    snprintf(text, GM_NUMBER_TEXT, "%.28s.%02u",
             gm_text_number((uint64_t)(hundredths / 100), number), (unsigned)(hundredths % 100));
    return text;
}

void gm_text_heading(FILE *file, const char *heading)
{
    fprintf(file, "\n%s\n", heading);
}

void gm_text_count(FILE *file, const char *label, uint64_t value, const char *note)
{
    char number[GM_NUMBER_TEXT];
    fprintf(file, "  %-22s %15s", label, gm_text_number(value, number));
    if (note != NULL) {
        fprintf(file, "   %s", note);
    }
    fputc('\n', file);
}
