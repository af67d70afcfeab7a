/* goldmem report: the frame of the page, and its style sheet. */
#include "cli/html.h"

static const char style[] =
    ":root{color-scheme:light dark;--bg:#fff;--fg:#1a1a1a;--soft:#767676;--line:#d5d5d5;"
    "--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#e69f00;--c4:#cc79a7;--c5:#56b4e9;--c6:#8c6d1f;"
    "--c7:#b8b8b8;--c8:#4d4d4d;--c9:#9e4a7a;--c10:#7a9a01;--c11:#003f5c;"
    "--h0:#fff1c9;--h1:#f2c879;--h2:#d9913d;--h3:#a35522;--h4:#5c2406}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#161616;--fg:#ececec;--soft:#9a9a9a;--line:#444;"
    "--c0:#3d9bd1;--c1:#f07f33;--c2:#2cc295;--c3:#f0b840;--c8:#dcdcdc;--c7:#6d6d6d;--c11:#8fb8d8;"
    "--h0:#3a2410;--h1:#7a4518;--h2:#b9752d;--h3:#e3b05c;--h4:#fff0c4}}\n"
    "*{box-sizing:border-box}body{margin:0 auto;padding:1rem;max-width:100rem;background:var(--bg);"
    "color:var(--fg);font:15px/1.45 system-ui,sans-serif}h1{font-size:1.4rem}h2{font-size:1.15rem;"
    "margin:2rem 0 .5rem;border-bottom:1px solid var(--line)}a{color:var(--c0)}nav "
    "a{margin-right:1em}"
    ".grid2{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,28rem),1fr));gap:"
    "1rem}"
    "figure{margin:0;min-width:0}figcaption{font-weight:600}small,.note{color:var(--soft);"
    "font-weight:400}svg{display:block;width:100%;height:auto}svg text{font:11px "
    "system-ui,sans-serif;"
    "fill:var(--fg)}.end{text-anchor:end}.mark{stroke:var(--soft);stroke-dasharray:3 "
    "2}.grid{stroke:var(--line)}path[class^=l]{fill:none;"
    "stroke-width:1.6}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:."
    "9em}"
    "th,td{padding:.15em .6em;border-bottom:1px solid var(--line);text-align:right;font-weight:400}"
    "thead th{font-weight:600}tbody th,th:first-child{text-align:left}.scroll{overflow:auto;"
    "max-height:24rem}.wide{overflow-x:auto}summary{cursor:pointer;color:var(--soft)}"
    ":focus-visible{outline:2px solid var(--c1)}.legend{margin:.2rem 0;font-size:.85em}"
    ".legend span{white-space:nowrap;margin-right:.8em}.legend i{display:inline-block;width:.8em;"
    "height:.8em;margin-right:.3em}code{overflow-wrap:anywhere}\n"
    "@media print{body{max-width:none;font-size:10pt}nav,details{display:none}figure{break-inside:"
    "avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";

static void write_style(FILE *file)
{
    fputs("<style>\n", file);
    fputs(style, file);
    for (unsigned i = 0; i < GM_HTML_COLOURS; i++) {
        fprintf(file, ".c%u{fill:var(--c%u)}.l%u{stroke:var(--c%u)}.b%u{background:var(--c%u)}", i,
                i, i, i, i, i);
    }
    for (unsigned i = 0; i < 5; i++) {
        fprintf(file, ".h%u{fill:var(--h%u)}", i, i);
    }
    fputs("\n</style>\n", file);
}

void gm_html_write(FILE *file, const gm_html_page *page)
{
    fputs(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
        "content=\"width=device-width,initial-scale=1\"><title>goldmem report</title>\n",
        file);
    write_style(file);
    fputs("</head><body>\n<h1>goldmem report</h1>\n<nav>", file);
    if (page->runs > 0) {
        fputs("<a href=\"#runs\">Runs</a>", file);
        fputs(gm_html_has_slots(page) ? "<a href=\"#slots\">Cycles</a>" : "", file);
        fputs(gm_html_has_series(page) ? "<a href=\"#time\">Over time</a>" : "", file);
        fputs(gm_html_has(page, "per_sm") || gm_html_has(page, "per_bank")
                  ? "<a href=\"#units\">Units</a>"
                  : "",
              file);
        fputs("<a href=\"#traffic\">Traffic and energy</a>", file);
        fputs(gm_html_has_reuse(page) ? "<a href=\"#reuse\">Reuse</a>" : "", file);
    }
    fputs(gm_html_has_sets(page) ? "<a href=\"#sets\">Sets of the L2</a>" : "", file);
    fputs(gm_html_has_latency(page) ? "<a href=\"#latency\">Latency</a>" : "", file);
    fputs(gm_html_has_curves(page) ? "<a href=\"#curves\">Miss-ratio curves</a>" : "", file);
    fputs(page->sweep != NULL ? "<a href=\"#sweep\">Sweep</a>" : "", file);
    fputs("</nav>\n<main>\n", file);
    if (page->runs > 0) {
        gm_html_write_runs(file, page);
        if (gm_html_has_sets(page)) {
            gm_html_write_sets(file, page);
        }
        if (gm_html_has_latency(page)) {
            gm_html_write_latency(file, page);
        }
        if (gm_html_has_curves(page)) {
            gm_html_write_curves(file, page);
        }
    }
    if (page->sweep != NULL) {
        gm_html_write_sweep(file, page);
    }
    fputs("</main>\n</body></html>\n", file);
}
