/* goldmem gates --pareto: the picture, one SVG file that needs no other. A panel for each workload
 * has its miss rate over gates, the last one the share of strides that meet all sets. */
#include "cli/gates_pareto.h"

#include "cli/html.h"

#include <math.h>

enum {
    COLUMNS = 2,
    WIDTH = 460, /* of a panel, with its labels */
    HEIGHT = 310,
    LEFT = 62, /* of the plot in its panel */
    RIGHT = 12,
    TOP = 30,
    BOTTOM = 42,
    HEAD = 48, /* above the panels */
    TICKS = 5,
    ABOVE = 6,  /* of a label above its point */
    APART = 60, /* of labels side by side */
    LINE = 13,  /* of a label below another */
};

static const char style[] =
    "<style>svg{background:var(--bg);--bg:#fff;--fg:#1a1a1a;--grid:#d5d5d5;--all:#767676;"
    "--best:#0072b2;--front:#d55e00}"
    "@media(prefers-color-scheme:dark){svg{--bg:#161616;--fg:#ececec;--grid:#444;--all:#9a9a9a;"
    "--best:#3d9bd1;--front:#f07f33}}"
    "text{font:11px system-ui,sans-serif;fill:var(--fg)}.title{font-size:13px;font-weight:600}"
    ".end{text-anchor:end}.mid{text-anchor:middle}.grid{stroke:var(--grid)}"
    ".all{fill:none;stroke:var(--all)}.best{fill:var(--best);stroke:var(--best)}"
    ".front{fill:none;stroke:var(--front);stroke-width:1.5}"
    ".none{stroke:var(--all);stroke-dasharray:5 3}</style>\n";

/* One panel: what its points have, and its scales. */
typedef struct panel {
    const gm_pareto *pareto;
    unsigned workload; /* the number of workloads: strides */
    bool strides;
    double x, y;      /* of its upper left corner */
    double low, high; /* of the y axis */
    double gates;     /* of the x axis, at most */
} panel;

/* Returns the point's miss rate, or share of strides that meet all sets [%]. */
static double value_of(const panel *panel, const gm_pareto_point *point)
{
    const gm_pareto_function *function = point->function;
    if (panel->strides) {
        return 100 * (double)function->strides.free / (double)function->strides.strides;
    }
    const gm_pareto_misses *misses = &function->misses[panel->workload];
    return misses->accesses == 0 ? 0 : 100 * (double)misses->misses / (double)misses->accesses;
}

static double place_x(const panel *panel, double gates)
{
    return panel->x + LEFT + gates / panel->gates * (WIDTH - LEFT - RIGHT);
}

static double place_y(const panel *panel, double value)
{
    double share = (value - panel->low) / (panel->high - panel->low);
    return panel->y + HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
}

/* Finds the scales: all points, with a margin. */
static void scale(panel *panel)
{
    panel->low = INFINITY;
    panel->high = -INFINITY;
    panel->gates = 1;
    for (size_t i = 0; i < panel->pareto->points; i++) {
        const gm_pareto_point *point = &panel->pareto->point[i];
        double value = value_of(panel, point);
        panel->low = fmin(panel->low, value);
        panel->high = fmax(panel->high, value);
        panel->gates = fmax(panel->gates, point->gates);
    }
    double margin = fmax((panel->high - panel->low) / 12, 0.01);
    panel->low = fmax(panel->low - margin, 0);
    panel->high = fmin(panel->high + margin, 100);
    panel->low = fmin(panel->low, panel->high - margin);
    panel->gates *= 1.05;
}

static void draw_axes(const panel *panel, FILE *file)
{
    double right = panel->x + WIDTH - RIGHT;
    double bottom = panel->y + HEIGHT - BOTTOM;
    for (unsigned i = 0; i <= TICKS; i++) {
        double value = panel->low + (panel->high - panel->low) * i / TICKS;
        double gates = panel->gates * i / TICKS;
        fprintf(file,
                "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>"
                "<text class=\"end\" x=\"%.1f\" y=\"%.1f\">%.4g%%</text>"
                "<text class=\"mid\" x=\"%.1f\" y=\"%.1f\">%.0f</text>\n",
                panel->x + LEFT, right, place_y(panel, value), place_y(panel, value),
                panel->x + LEFT - 4, place_y(panel, value) + 4, value, place_x(panel, gates),
                bottom + 15, gates);
    }
    fprintf(file, "<text class=\"mid\" x=\"%.1f\" y=\"%.1f\">two-input XOR gates</text>\n",
            panel->x + (LEFT + WIDTH - RIGHT) / 2.0, bottom + 32);
}

static void draw_title(const panel *panel, FILE *file)
{
    const gm_gates_arguments *own = panel->pareto->arguments;
    fprintf(file, "<text class=\"title\" x=\"%.1f\" y=\"%.1f\">", panel->x + LEFT, panel->y + 18);
    if (panel->strides) {
        fprintf(file, "strides that meet all sets once, of 1 to %llu lines",
                (unsigned long long)own->last_stride);
    } else {
        fprintf(file, "%s miss rate, ", own->l2 ? "L2" : "L1");
        gm_html_text(file, own->argument[panel->workload]);
    }
    fputs("</text>\n", file);
}

static const gm_pareto_point *last_of(const gm_pareto *pareto)
{
    return &pareto->point[pareto->points - 1];
}

static void draw_point(const panel *panel, const gm_pareto_point *point, FILE *file)
{
    double value = value_of(panel, point);
    if (!point->function->linear) {
        fprintf(file, "<line class=\"none\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                panel->x + LEFT, panel->x + WIDTH - RIGHT, place_y(panel, value),
                place_y(panel, value));
        fprintf(file, "<text class=\"end\" x=\"%.1f\" y=\"%.1f\">",
                panel->x + WIDTH - RIGHT - (point == last_of(panel->pareto) ? 0 : APART),
                place_y(panel, value) - 3);
        gm_html_text(file, point->function->name);
        fputs("</text>\n", file);
        return;
    }
    fprintf(file, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>",
            point->optimal ? "best" : "all", place_x(panel, point->gates), place_y(panel, value));
    gm_html_text(file, point->function->name);
    fprintf(file, ": %u gates, depth %u, fan-out %u; %.4g%%</title></circle>\n", point->gates,
            point->depth, point->fanout, value);
}

/* Draws the front of gates and value alone, and names its points. Points lie by gates. */
static void draw_front(const panel *panel, FILE *file)
{
    const gm_pareto *pareto = panel->pareto;
    double best = panel->strides ? -INFINITY : INFINITY;
    const gm_pareto_point *last = NULL;
    unsigned crowded = 0; /* labels that would lie over one another */
    for (size_t i = 0; i < pareto->points && pareto->point[i].function->linear;) {
        const gm_pareto_point *chosen = NULL;
        unsigned gates = pareto->point[i].gates;
        for (; i < pareto->points && pareto->point[i].function->linear &&
               pareto->point[i].gates == gates;
             i++) {
            double value = value_of(panel, &pareto->point[i]);
            if (panel->strides ? value > best : value < best) {
                chosen = &pareto->point[i];
                best = value;
            }
        }
        if (chosen == NULL) {
            continue;
        }
        double x = place_x(panel, chosen->gates);
        double y = place_y(panel, best);
        if (last != NULL) {
            fprintf(file, "<path class=\"front\" d=\"M%.1f %.1fH%.1fV%.1f\"/>\n",
                    place_x(panel, last->gates), place_y(panel, value_of(panel, last)), x, y);
        }
        bool near = last != NULL && x - place_x(panel, last->gates) < APART &&
                    y - place_y(panel, value_of(panel, last)) < 2 * LINE;
        crowded = near ? crowded + 1 : y < panel->y + TOP + LINE;
        fprintf(file, "<text%s x=\"%.1f\" y=\"%.1f\">",
                x > panel->x + WIDTH - 90 ? " class=\"end\"" : "", x + ABOVE,
                y - ABOVE + crowded * (ABOVE + LINE));
        gm_html_text(file, chosen->function->name);
        fputs("</text>\n", file);
        last = chosen;
    }
}

static void draw_panel(const gm_pareto *pareto, unsigned number, FILE *file)
{
    unsigned row = number / COLUMNS;
    panel panel = {.pareto = pareto,
                   .workload = number,
                   .strides = number == pareto->arguments->arguments,
                   .x = number % COLUMNS * (double)WIDTH,
                   .y = HEAD + row * (double)HEIGHT};
    scale(&panel);
    draw_title(&panel, file);
    draw_axes(&panel, file);
    for (size_t i = 0; i < pareto->points; i++) {
        draw_point(&panel, &pareto->point[i], file);
    }
    draw_front(&panel, file);
}

void gm_pareto_draw(const gm_pareto *pareto, FILE *file)
{
    unsigned panels = pareto->arguments->arguments + 1;
    unsigned rows = (panels + COLUMNS - 1) / COLUMNS;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%d\" height=\"%u\" "
            "viewBox=\"0 0 %d %u\" aria-label=\"Index functions: gates against misses\">\n",
            COLUMNS * WIDTH, HEAD + rows * HEIGHT, COLUMNS * WIDTH, HEAD + rows * HEIGHT);
    fputs(style, file);
    fprintf(file, "<text class=\"title\" x=\"12\" y=\"20\">%s.index of ", pareto->cache);
    gm_html_text(file, pareto->machine);
    fprintf(file,
            ", %llu sets</text>\n<circle class=\"best\" cx=\"16\" cy=\"36\" r=\"4\"/>"
            "<text x=\"26\" y=\"40\">optimal in gates, depth, fan-out, mean miss rate and strides "
            "together</text>\n",
            (unsigned long long)pareto->geometry.sets);
    fputs("<circle class=\"all\" cx=\"446\" cy=\"36\" r=\"4\"/><text x=\"456\" "
          "y=\"40\">others</text>"
          "<path class=\"front\" d=\"M510 36h24\"/><text x=\"540\" y=\"40\">front of gates and "
          "the panel's value</text>"
          "<path class=\"none\" d=\"M744 36h24\"/><text x=\"774\" y=\"40\">no XOR network</text>\n",
          file);
    for (unsigned i = 0; i < panels; i++) {
        draw_panel(pareto, i, file);
    }
    fputs("</svg>\n", file);
}
