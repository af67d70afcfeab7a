/* goldmem report: charts as inline SVG. Colours are classes of the page's style sheet; each value
 * is also in a tooltip, and in a table below its chart. */
#include "cli/html.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH = 480, /* of a drawing, in its own units: the page scales it */
    LABEL = 140, /* of row labels */
    BAR = 16,    /* height of a row */
    GAP = 4,
    PLOT = 150, /* height of a plot of lines */
    AXIS = 56,  /* left of a plot */
    SHADES = 5
};

void gm_html_text(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc(*text, file);
        }
    }
}

const char *gm_html_number(double value, char text[GM_HTML_NUMBER])
{
    if (isnan(value)) {
        return "-";
    }
    static const double rounding = 1e-6; /* of sums that are whole numbers */
    double size = fabs(value);
    if (size < 1000 && fabs(size - round(size)) > rounding) {
        snprintf(text, GM_HTML_NUMBER, size < 10 ? "%.3g" : "%.1f", value);
        return text;
    }
    char digits[GM_HTML_NUMBER];
    int length = snprintf(digits, sizeof digits, "%.0f", size);
    char *to = text;
    if (value < 0) {
        *to++ = '-';
    }
    for (int i = 0; i < length && to - text < GM_HTML_NUMBER - 2; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            *to++ = ',';
        }
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}

/* Begins a figure; the caller writes the drawing's content. */
static void begin(FILE *file, const char *title, const char *unit, double height)
{
    fputs("<figure><figcaption>", file);
    gm_html_text(file, title);
    if (unit[0] != '\0') {
        fputs(" <small>[", file);
        gm_html_text(file, unit);
        fputs("]</small>", file);
    }
    fprintf(file, "</figcaption>\n<svg role=\"img\" viewBox=\"0 0 %d %.0f\" aria-label=\"", WIDTH,
            height);
    gm_html_text(file, title);
    fputs("\">\n", file);
}

/* Writes which colour is what. */
static void legend(FILE *file, const char **name, const unsigned *colour, size_t count)
{
    fputs("<p class=\"legend\">", file);
    for (size_t i = 0; i < count; i++) {
        fprintf(file, "<span><i class=\"b%zu\"></i>", colour != NULL ? colour[i] : i);
        gm_html_text(file, name[i]);
        fputs("</span> ", file);
    }
    fputs("</p>\n", file);
}

static void begin_table(FILE *file, const char *first)
{
    fputs("<details><summary>Values</summary><div class=\"scroll\" "
          "tabindex=\"0\"><table><thead><tr><th>",
          file);
    gm_html_text(file, first);
    fputs("</th>", file);
}

static void end_table(FILE *file)
{
    fputs("</tbody></table></div></details></figure>\n", file);
}

static void cell(FILE *file, const char *tag, const char *text)
{
    fprintf(file, "<%s>", tag);
    gm_html_text(file, text);
    fprintf(file, "</%s>", tag);
}

/* Writes a text of at most `most` letters. */
static void short_text(FILE *file, const char *text, size_t most)
{
    char cut[64];
    snprintf(cut, sizeof cut, "%s", text);
    if (strlen(text) > most) {
        snprintf(cut + most - 1, sizeof cut - most + 1, "~");
    }
    gm_html_text(file, cut);
}

static double sum_of(const double *value, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += isnan(value[i]) ? 0 : value[i];
    }
    return sum;
}

/* Draws a row of bars at height `y`. */
static void bar(FILE *file, const gm_html_bars *bars, size_t row, double y, double longest)
{
    enum { ROOM = WIDTH - LABEL - 84 };
    char number[GM_HTML_NUMBER];
    const double *value = &bars->value[row * bars->parts];
    double sum = sum_of(value, bars->parts);
    double whole = bars->shares ? sum : longest;
    double x = LABEL;
    fprintf(file, "<text x=\"%d\" y=\"%.0f\" class=\"end\">", LABEL - 4, y + BAR - 3);
    short_text(file, bars->row[row], 18);
    fputs("</text>", file);
    for (size_t i = 0; i < bars->parts; i++) {
        double width = whole > 0 && !isnan(value[i]) ? value[i] / whole * ROOM : 0;
        if (width <= 0) {
            continue;
        }
        size_t colour = bars->colour != NULL ? bars->colour[i] : i;
        fprintf(file,
                "<rect class=\"c%zu\" x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\"><title>",
                colour, x, y, width, BAR);
        gm_html_text(file, bars->row[row]);
        if (bars->part != NULL) {
            fputs(", ", file);
            gm_html_text(file, bars->part[i]);
        }
        fprintf(file, ": %s", gm_html_number(value[i], number));
        if (bars->parts > 1) {
            fprintf(file, " (%.1f%%)", 100 * value[i] / sum);
        }
        fputs("</title></rect>", file);
        x += width;
    }
    fprintf(file, "<text x=\"%.1f\" y=\"%.0f\">%s</text>\n", x + 4, y + BAR - 3,
            gm_html_number(sum, number));
}

void gm_html_write_bars(FILE *file, const gm_html_bars *bars)
{
    char number[GM_HTML_NUMBER];
    double longest = 0;
    for (size_t i = 0; i < bars->rows; i++) {
        double sum = sum_of(&bars->value[i * bars->parts], bars->parts);
        longest = sum > longest ? sum : longest;
    }
    begin(file, bars->title, bars->unit, (double)bars->rows * (BAR + GAP) + GAP);
    for (size_t i = 0; i < bars->rows; i++) {
        bar(file, bars, i, GAP + (double)i * (BAR + GAP), longest);
    }
    fputs("</svg>\n", file);
    if (bars->part != NULL) {
        legend(file, bars->part, bars->colour, bars->parts);
    }
    begin_table(file, "");
    for (size_t i = 0; bars->part != NULL && i < bars->parts; i++) {
        cell(file, "th", bars->part[i]);
    }
    fputs("<th>all</th></tr></thead><tbody>\n", file);
    for (size_t i = 0; i < bars->rows; i++) {
        const double *value = &bars->value[i * bars->parts];
        fputs("<tr>", file);
        cell(file, "th", bars->row[i]);
        for (size_t k = 0; bars->part != NULL && k < bars->parts; k++) {
            cell(file, "td", gm_html_number(value[k], number));
        }
        cell(file, "td", gm_html_number(sum_of(value, bars->parts), number));
        fputs("</tr>\n", file);
    }
    end_table(file);
}

/* Returns the least number 1, 2, 5 times a power of ten that is not below `value`. */
static double round_up(double value)
{
    if (!(value > 0)) {
        return 1;
    }
    static const double rounding = 1e-9; /* of sums such as 100% */
    double power = pow(10, floor(log10(value)));
    double first = value / power * (1 - rounding);
    return power * (first <= 1 ? 1 : first <= 2 ? 2 : first <= 5 ? 5 : 10);
}

/* Returns the greatest height that is drawn. */
static double highest(const gm_html_lines *lines)
{
    double most = 0;
    for (size_t i = 0; i < lines->points; i++) {
        double sum = 0;
        for (size_t k = 0; k < lines->lines; k++) {
            double y = isnan(lines->y[k][i]) ? 0 : lines->y[k][i];
            sum = lines->stacked ? sum + y : fmax(sum, y);
        }
        most = fmax(most, sum);
    }
    return most;
}

typedef struct scale {
    double x_least; /* above 0: logarithmic */
    double x_most, y_most;
} scale;

static size_t colour_of(const gm_html_lines *lines, size_t k)
{
    return lines->colour != NULL ? lines->colour[k] : k;
}

static double place_x(const scale *scale, double x)
{
    enum { ROOM = WIDTH - AXIS - 8 };
    if (scale->x_least > 0) {
        double whole = log(scale->x_most / scale->x_least);
        return AXIS +
               (whole > 0 ? log(fmax(x, scale->x_least) / scale->x_least) / whole : 0) * ROOM;
    }
    return AXIS + (scale->x_most > 0 ? x / scale->x_most : 0) * ROOM;
}

static double place_y(const scale *scale, double y)
{
    return 8 + PLOT - y / scale->y_most * PLOT;
}

static void axes(FILE *file, const gm_html_lines *lines, const scale *scale)
{
    char number[GM_HTML_NUMBER];
    for (unsigned i = 0; i <= 2; i++) {
        double y = scale->y_most * i / 2;
        fprintf(
            file,
            "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text class=\"end\" "
            "x=\"%d\" y=\"%.1f\">%s</text>\n",
            AXIS, WIDTH - 8, place_y(scale, y), place_y(scale, y), AXIS - 4, place_y(scale, y) + 4,
            gm_html_number(y, number));
    }
    fprintf(file, "<text x=\"%d\" y=\"%d\">%s</text>", AXIS, PLOT + 24,
            gm_html_number(scale->x_least, number));
    fprintf(file, "<text class=\"end\" x=\"%d\" y=\"%d\">%s ", WIDTH - 8, PLOT + 24,
            gm_html_number(scale->x_most, number));
    gm_html_text(file, lines->x_name);
    fputs("</text>\n", file);
}

/* Draws line `k` as a path with gaps. */
static void draw_line(FILE *file, const gm_html_lines *lines, size_t k, const scale *scale)
{
    bool pen = false;
    fprintf(file, "<path class=\"l%zu\" d=\"", colour_of(lines, k));
    for (size_t i = 0; i < lines->points; i++) {
        double y = lines->y[k][i];
        if (isnan(y)) {
            pen = false;
            continue;
        }
        fprintf(file, "%c%.1f %.1f", pen ? 'L' : 'M', place_x(scale, lines->x[i]),
                place_y(scale, y));
        pen = true;
    }
    fputs("\"><title>", file);
    gm_html_text(file, lines->line != NULL ? lines->line[k] : lines->title);
    fputs("</title></path>\n", file);
}

/* Returns the sum of the lines before `k` in a point. */
static double below(const gm_html_lines *lines, size_t k, size_t point)
{
    double sum = 0;
    for (size_t i = 0; i < k; i++) {
        sum += isnan(lines->y[i][point]) ? 0 : lines->y[i][point];
    }
    return sum;
}

/* Draws line `k` as an area of steps: a point's value is that of the interval that ends at its x.
 */
static void draw_area(FILE *file, const gm_html_lines *lines, size_t k, const scale *scale)
{
    fprintf(file, "<path class=\"c%zu\" d=\"M%.1f %.1f", colour_of(lines, k), place_x(scale, 0),
            place_y(scale, lines->points > 0 ? below(lines, k, 0) : 0));
    for (unsigned edge = 0; edge < 2; edge++) {
        for (size_t n = 0; n < lines->points; n++) {
            size_t i = edge == 0 ? n : lines->points - 1 - n;
            double from = i == 0 ? 0 : lines->x[i - 1];
            double y = place_y(scale, below(lines, k + 1 - edge, i));
            double first = edge == 0 ? from : lines->x[i];
            double second = edge == 0 ? lines->x[i] : from;
            fprintf(file, "L%.1f %.1fL%.1f %.1f", place_x(scale, first), y, place_x(scale, second),
                    y);
        }
    }
    fputs("Z\"><title>", file);
    gm_html_text(file, lines->line[k]);
    fputs("</title></path>\n", file);
}

static void lines_table(FILE *file, const gm_html_lines *lines)
{
    enum { MOST = 500 };
    char number[GM_HTML_NUMBER];
    size_t step = (lines->points + MOST - 1) / MOST;
    begin_table(file, lines->x_name);
    for (size_t k = 0; k < lines->lines; k++) {
        cell(file, "th", lines->line != NULL ? lines->line[k] : lines->title);
    }
    fputs("</tr></thead><tbody>\n", file);
    for (size_t i = 0; i < lines->points; i += step) {
        fputs("<tr>", file);
        cell(file, "th", gm_html_number(lines->x[i], number));
        for (size_t k = 0; k < lines->lines; k++) {
            cell(file, "td", gm_html_number(lines->y[k][i], number));
        }
        fputs("</tr>\n", file);
    }
    end_table(file);
}

/* Draws the marks, their words below one another where they could meet. */
static void draw_marks(FILE *file, const gm_html_lines *lines, const scale *scale)
{
    enum { HEIGHT = 12, ROWS = 6 };
    for (size_t i = 0; i < lines->marks; i++) {
        const gm_html_mark *mark = &lines->mark[i];
        char number[GM_HTML_NUMBER];
        double x = place_x(scale, mark->x);
        bool left = x > WIDTH * 2.0 / 3;
        fprintf(file,
                "<line class=\"mark\" x1=\"%.1f\" x2=\"%.1f\" y1=\"8\" y2=\"%d\"/><text%s "
                "x=\"%.1f\" y=\"%zu\">",
                x, x, PLOT + 8, left ? " class=\"end\"" : "", left ? x - 3 : x + 3,
                18 + HEIGHT * (i % ROWS));
        gm_html_text(file, mark->name);
        fprintf(file, " %s</text>\n", gm_html_number(mark->x, number));
    }
}

void gm_html_write_lines(FILE *file, const gm_html_lines *lines)
{
    scale scale = {.x_least = lines->x_least,
                   .x_most = lines->points > 0 ? lines->x[lines->points - 1] : 0,
                   .y_most = round_up(highest(lines))};
    begin(file, lines->title, lines->unit, PLOT + 30);
    axes(file, lines, &scale);
    for (size_t k = 0; k < lines->lines; k++) {
        if (lines->stacked) {
            draw_area(file, lines, k, &scale);
        } else {
            draw_line(file, lines, k, &scale);
        }
    }
    draw_marks(file, lines, &scale);
    fputs("</svg>\n", file);
    if (lines->line != NULL) {
        legend(file, lines->line, lines->colour, lines->lines);
    }
    lines_table(file, lines);
}

/* Draws a row of cells. */
static void heat_row(FILE *file, const gm_html_heat *heat, size_t row, double y)
{
    enum { ROOM = WIDTH - LABEL - 8 };
    char number[GM_HTML_NUMBER];
    const double *value = &heat->value[row * heat->cells];
    double least = INFINITY;
    double most = -INFINITY;
    for (size_t i = 0; i < heat->cells; i++) {
        least = fmin(least, value[i]);
        most = fmax(most, value[i]);
    }
    least = heat->most > 0 ? 0 : least;
    most = heat->most > 0 ? heat->most : most;
    fprintf(file, "<text x=\"%d\" y=\"%.0f\" class=\"end\">", LABEL - 4, y + BAR - 3);
    short_text(file, heat->row[row], 18);
    fputs("</text>", file);
    for (size_t i = 0; i < heat->cells; i++) {
        double share = most > least ? (value[i] - least) / (most - least) : 0;
        double width = (double)ROOM / (double)heat->cells;
        fprintf(file,
                "<rect class=\"h%d\" x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" height=\"%d\"><title>",
                (int)(share * (SHADES - 1) + 0.5), LABEL + (double)i * width, y, width, BAR);
        gm_html_text(file, heat->cell);
        fprintf(file, " %zu, ", i * (heat->step != 0 ? heat->step : 1));
        gm_html_text(file, heat->row[row]);
        fprintf(file, ": %s</title></rect>", gm_html_number(value[i], number));
    }
    fputc('\n', file);
}

void gm_html_write_heat(FILE *file, const gm_html_heat *heat)
{
    char number[GM_HTML_NUMBER];
    begin(file, heat->title,
          heat->most > 0 ? heat->unit : "each row from its least, light, to its greatest, dark",
          (double)heat->rows * (BAR + GAP) + GAP);
    for (size_t i = 0; i < heat->rows; i++) {
        heat_row(file, heat, i, GAP + (double)i * (BAR + GAP));
    }
    fputs("</svg>\n", file);
    begin_table(file, heat->cell);
    for (size_t k = 0; k < heat->rows; k++) {
        cell(file, "th", heat->row[k]);
    }
    fputs("</tr></thead><tbody>\n", file);
    for (size_t i = 0; i < heat->cells; i++) {
        fprintf(file, "<tr><th>%zu</th>", i * (heat->step != 0 ? heat->step : 1));
        for (size_t k = 0; k < heat->rows; k++) {
            cell(file, "td", gm_html_number(heat->value[k * heat->cells + i], number));
        }
        fputs("</tr>\n", file);
    }
    end_table(file);
}
