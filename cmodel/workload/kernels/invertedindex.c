/* Inverted index of the links of web pages [the InvertedIndex of Mars: He et al., Mars: a MapReduce
 * framework on graphics processors, PACT 2008; khairy, Table 2 (IIX): thrashing]. Each thread scans
 * a piece of a page, a kilobyte and the rest of a line, byte by byte for links: once to count them,
 * once to write down where they are. A bitonic sort by the links' text then brings equal ones
 * together. Between the two scans the host adds the counts up, which Mars does in kernels. */
#include "base/random.h"
#include "goldmem/assert.h"
#include "workload/workload_internal.h"

#include <stdio.h>
#include <string.h>

enum { KILOBYTES, SEED };
static const gm_workload_option options[] = {
    [KILOBYTES] = {"kilobytes", 1, 1 << 17, 7680, false, "of pages"},
    [SEED] = {"seed", 0, INT32_MAX, 1, false, "of the pages"},
    {0},
};

enum { BLOCK = 256, PIECE = 1024, ADDRESSES = 512, ADDRESS_BYTES = 64 };

/* What a thread scans. */
typedef struct piece {
    uint32_t begin, bytes, page;
} piece;

/* Of a place that is not used `begin` is NONE; it is sorted behind all others. */
typedef struct link {
    uint32_t begin, bytes, page, unused;
} link;
static const uint32_t NONE = UINT32_MAX;

/* Arguments of a scan. */
typedef struct scanning {
    const char *text;
    const piece *piece;
    uint32_t pieces;
    uint32_t *count;       /* [pieces] of links; written if `link` is NULL */
    const uint32_t *first; /* [pieces] place of the piece's links */
    link *link;
} scanning;

/* Arguments of a step of the sort: places `apart` are compared within ascending and descending runs
 * of `run`. */
typedef struct sorting {
    const char *text;
    link *link;
    uint32_t places, run, apart;
} sorting;

typedef struct invertedindex {
    scanning scanning;
    sorting sorting;
    uint32_t *first;
    link *link;
} invertedindex;

/* <a href="..."> with blanks anywhere between. In LINK the next byte is the link's first. */
typedef enum scan_state { TEXT, OPENED, ANCHOR, REFERENCE, LINK } scan_state;

GM_THREAD(map_count, scanning)
{
    uint32_t thread = GM_GLOBAL_X(t);
    COMPUTE(t, INTEGER, 2);
    if (thread < a->pieces) {
        uint32_t begin = LOAD(t, &a->piece[thread].begin);
        uint32_t bytes = LOAD(t, &a->piece[thread].bytes);
        uint32_t page = LOAD(t, &a->piece[thread].page);
        uint32_t place = 0;
        if (a->link != NULL) {
            place = LOAD(t, a->first + thread);
        }
        const char *text = a->text + begin;
        uint32_t count = 0;
        scan_state state = TEXT;
        for (uint32_t i = 0; i < bytes; i++) {
            COMPUTE(t, INTEGER, 1);
            char c = LOAD(t, text + i);
            COMPUTE(t, INTEGER, 2);
            if (state == TEXT) {
                state = c == '<' ? OPENED : TEXT;
                COMPUTE(t, INTEGER, 2);
            } else if (state == OPENED) {
                state = c == 'a' ? ANCHOR : c == ' ' ? OPENED : TEXT;
                COMPUTE(t, INTEGER, 4);
            } else if (state == ANCHOR && c == 'h') {
                bool is_equal = true;
                for (uint32_t k = 0; k < 3 && is_equal; k++) {
                    char next = LOAD(t, text + i + 1 + k);
                    COMPUTE(t, INTEGER, 2);
                    is_equal = next == "ref"[k];
                    LOOP(t);
                }
                state = is_equal ? REFERENCE : TEXT;
                i += is_equal ? 3 : 0;
                COMPUTE(t, INTEGER, 2);
            } else if (state == ANCHOR) {
                state = c == ' ' ? ANCHOR : TEXT;
                COMPUTE(t, INTEGER, 2);
            } else if (state == REFERENCE) {
                state = c == '"' ? LINK : c == ' ' || c == '=' ? REFERENCE : TEXT;
                COMPUTE(t, INTEGER, 4);
            } else {
                uint32_t length = 0;
                while (c != '"') {
                    length++;
                    COMPUTE(t, INTEGER, 1);
                    c = LOAD(t, text + i + length);
                    COMPUTE(t, INTEGER, 1);
                    LOOP(t);
                }
                if (a->link != NULL) {
                    COMPUTE(t, INTEGER, 3);
                    STORE(t, &a->link[place + count].begin, begin + i);
                    STORE(t, &a->link[place + count].bytes, length);
                    STORE(t, &a->link[place + count].page, page);
                }
                count++;
                i += length;
                state = TEXT;
                COMPUTE(t, INTEGER, 3);
            }
            LOOP(t);
        }
        if (a->link == NULL) {
            STORE(t, a->count + thread, count);
        }
    }
}
GM_KERNEL(map_count, scanning)
/* The kernel of the second scan: the text of the first. */
static const gm_code map_code = {
    .name = "map", .run = map_count_run, .first = map_count_first, .exit = map_count_exit};

GM_THREAD(sort, sorting)
{
    uint32_t low = GM_GLOBAL_X(t);
    uint32_t high = low ^ a->apart;
    COMPUTE(t, INTEGER, 3);
    if (high > low && high < a->places) {
        uint32_t begin[2];
        uint32_t bytes[2];
        begin[0] = LOAD(t, &a->link[low].begin);
        begin[1] = LOAD(t, &a->link[high].begin);
        bytes[0] = LOAD(t, &a->link[low].bytes);
        bytes[1] = LOAD(t, &a->link[high].bytes);
        uint32_t common = bytes[0] < bytes[1] ? bytes[0] : bytes[1];
        common = begin[0] == NONE || begin[1] == NONE ? 0 : common;
        COMPUTE(t, INTEGER, 4);
        char x = 0;
        char y = 0;
        for (uint32_t i = 0; i < common && x == y; i++) {
            x = LOAD(t, a->text + begin[0] + i);
            y = LOAD(t, a->text + begin[1] + i);
            COMPUTE(t, INTEGER, 3);
            LOOP(t);
        }
        bool is_greater = begin[0] > begin[1];
        if (begin[0] != NONE && begin[1] != NONE) {
            is_greater = x != y                 ? x > y
                         : bytes[0] != bytes[1] ? bytes[0] > bytes[1]
                                                : begin[0] > begin[1];
        }
        bool ascends = (low & a->run) == 0;
        COMPUTE(t, INTEGER, 6);
        if (begin[0] != begin[1] && is_greater == ascends) {
            uint32_t page = LOAD(t, &a->link[low].page);
            uint32_t other_page = LOAD(t, &a->link[high].page);
            STORE(t, &a->link[low].begin, begin[1]);
            STORE(t, &a->link[low].bytes, bytes[1]);
            STORE(t, &a->link[low].page, other_page);
            STORE(t, &a->link[high].begin, begin[0]);
            STORE(t, &a->link[high].bytes, bytes[0]);
            STORE(t, &a->link[high].page, page);
        }
    }
}
GM_KERNEL(sort, sorting)

/* Pages as they are written: text up to `bytes`, of which `used`. */
typedef struct writer {
    char *text;
    uint32_t bytes, used;
    uint64_t random;
    uint32_t links;
    char address[ADDRESSES][ADDRESS_BYTES];
} writer;

static uint32_t draw(writer *w, uint32_t below)
{
    return (uint32_t)gm_random_below(&w->random, below);
}

static void write_text(writer *w, const char *text)
{
    size_t length = strlen(text);
    gm_assert(w->used + length <= w->bytes, "%zu of %zu bytes of text", (size_t)(w->used + length),
              (size_t)w->bytes);
    memcpy(w->text + w->used, text, length);
    w->used += (uint32_t)length;
}

/* Fills in a word of `length` letters, ended by 0. */
static void draw_word(writer *w, char *word, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        word[i] = (char)('a' + draw(w, 26));
    }
    word[length] = '\0';
}

/* Addresses in a few places of the web: each place's own, and several pages of it. */
static void draw_addresses(writer *w)
{
    char place[16] = "";
    for (uint32_t i = 0; i < ADDRESSES; i++) {
        if (i % 8 == 0) {
            draw_word(w, place, 4 + draw(w, 8));
        }
        char page[16];
        draw_word(w, page, 3 + draw(w, 10));
        char *address = w->address[i];
        if (i % 8 == 0) {
            snprintf(address, ADDRESS_BYTES, "http://www.%s.org/", place);
        } else {
            snprintf(address, ADDRESS_BYTES, "http://www.%s.org/%s.html", place, page);
        }
    }
}

/* One item of a line: mostly a word, at times a tag, or a link (one for 740 bytes). */
static void write_item(writer *w)
{
    char word[16];
    uint32_t kind = draw(w, 100);
    draw_word(w, word, 2 + draw(w, 8));
    if (kind == 0) {
        /* two draws: some addresses are linked to far more often than others */
        uint32_t which = draw(w, draw(w, ADDRESSES) + 1);
        static const char *const opening[] = {"<a href=\"", "<a href=\"", "<a  href = \"",
                                              "< a href=\""};
        write_text(w, opening[draw(w, 4)]);
        write_text(w, w->address[which]);
        write_text(w, "\">");
        write_text(w, word);
        write_text(w, "</a> ");
        w->links++;
    } else if (kind < 4) {
        write_text(w, kind == 1 ? "<b>" : kind == 2 ? "<p>" : "<abbr>");
        write_text(w, word);
        write_text(w, kind == 1 ? "</b> " : kind == 2 ? "</p> " : "</abbr> ");
    } else {
        write_text(w, word);
        write_text(w, " ");
    }
}

enum { LINE = 80, LONGEST_ITEM = 2 * ADDRESS_BYTES };

/* Cuts the page from `begin` to the end into pieces, each to the end of a line; returns how many
 * pieces there are now. */
static uint32_t cut_page(const writer *w, uint32_t begin, uint32_t page, piece *pieces,
                         uint32_t count)
{
    while (begin < w->used) {
        uint32_t end = begin + PIECE < w->used ? begin + PIECE : w->used;
        while (end < w->used && w->text[end - 1] != '\n') {
            end++;
        }
        pieces[count++] = (piece){begin, end - begin, page};
        begin = end;
    }
    return count;
}

/* Writes pages of 8 to 40 KB until the text is full. Returns the number of pieces. */
static uint32_t write_pages(writer *w, piece *pieces)
{
    uint32_t count = 0;
    for (uint32_t page = 0; w->used + LONGEST_ITEM + LINE < w->bytes; page++) {
        uint32_t begin = w->used;
        uint32_t size = 8192 + draw(w, 32768);
        while (w->used - begin < size && w->used + LONGEST_ITEM + LINE < w->bytes) {
            uint32_t line = w->used;
            do {
                write_item(w);
            } while (w->used - line < LINE && w->used + LONGEST_ITEM < w->bytes);
            write_text(w, "\n");
        }
        count = cut_page(w, begin, page, pieces, count);
    }
    return count;
}

static int setup(gm_workload *workload, void *state, gm_error *error)
{
    invertedindex *s = state;
    uint32_t bytes = (uint32_t)workload->value[KILOBYTES] * 1024;
    char *text = gm_workload_input(workload, "text", bytes, 1, error);
    /* each page has pieces of at least PIECE bytes, but for its last */
    uint32_t most = bytes / PIECE + bytes / 8192 + 2;
    piece *pieces = gm_workload_input(workload, "pieces", most, sizeof *pieces, error);
    if (text == NULL || pieces == NULL) {
        return error->code;
    }
    writer w = {.text = text, .bytes = bytes, .random = (uint64_t)workload->value[SEED]};
    memset(text, ' ', bytes);
    draw_addresses(&w);
    uint32_t count = write_pages(&w, pieces);
    uint32_t places = 1;
    while (places < w.links) {
        places *= 2;
    }
    uint32_t *counts = gm_workload_output(workload, "counts", count, sizeof *counts, error);
    s->first = gm_workload_input(workload, "first", count, sizeof *s->first, error);
    s->link = gm_workload_input(workload, "links", places, sizeof *s->link, error);
    if (counts == NULL || s->first == NULL || s->link == NULL) {
        return error->code;
    }
    for (uint32_t i = 0; i < places; i++) {
        s->link[i] = (link){.begin = NONE};
    }
    s->scanning = (scanning){
        .text = text, .piece = pieces, .pieces = count, .count = counts, .first = s->first};
    s->sorting = (sorting){.text = text, .link = s->link, .places = places, .run = 2, .apart = 1};
    return 0;
}

/* Places of each piece's links. */
static void add_counts(invertedindex *s)
{
    uint32_t place = 0;
    for (uint32_t i = 0; i < s->scanning.pieces; i++) {
        s->first[i] = place;
        place += s->scanning.count[i];
    }
    gm_assert(place <= s->sorting.places, "place %zu of %zu", (size_t)place,
              (size_t)s->sorting.places);
    s->scanning.link = s->link;
}

/* Two scans; then for runs of 2, 4, ... places steps with half the run, a quarter, ... 1 apart. */
static int launch(gm_workload *workload, void *state, uint64_t step, gm_launch *launch,
                  gm_error *error)
{
    (void)workload, (void)error;
    invertedindex *s = state;
    launch->block.x = BLOCK;
    if (step < 2) {
        if (step == 1) {
            add_counts(s);
        }
        launch->code = step == 0 ? &map_count_code : &map_code;
        launch->arguments = &s->scanning;
        launch->grid.x = gm_blocks(s->scanning.pieces, BLOCK);
        return 1;
    }
    if (step > 2) {
        s->sorting.apart /= 2;
        if (s->sorting.apart == 0) {
            s->sorting.run *= 2;
            s->sorting.apart = s->sorting.run / 2;
        }
    }
    launch->code = &sort_code;
    launch->arguments = &s->sorting;
    launch->grid.x = gm_blocks(s->sorting.places, BLOCK);
    return s->sorting.run <= s->sorting.places;
}

extern const gm_workload_definition gm_workload_invertedindex;
const gm_workload_definition gm_workload_invertedindex = {
    .description = {"invertedindex", "links of web pages and where they are, by MapReduce",
                    "Mars [khairy, Table 2: IIX]", options},
    .state_bytes = sizeof(invertedindex),
    .setup = setup,
    .launch = launch,
};
