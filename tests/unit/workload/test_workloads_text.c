/* mummer and storegpu: reads searched letter by letter, and hashes as the standards describe them,
 * byte by byte. */
#include "support/workload/workload_run.h"
#include "workload/suffix_tree.h"

static bool occurs(const uint8_t *text, uint32_t letters, const uint8_t *piece, uint32_t length)
{
    for (uint32_t i = 0; i + length <= letters; i++) {
        if (memcmp(text + i, piece, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Matches occur in the reference where their nodes say, and no longer ones do. */
static void check_mummer(const char *specification, uint32_t letters, uint32_t reads,
                         uint32_t length, uint32_t least)
{
    workload_run run = workload_run_whole(specification);
    uint32_t places = length - least + 1;
    const uint8_t *text = workload_array(run.source, "reference", letters + 1, 1);
    const uint8_t *read = workload_array(run.source, "reads", (size_t)reads * length, 1);
    const gm_suffix_node *nodes =
        workload_array(run.source, "nodes", 2 * ((size_t)letters + 1), sizeof *nodes);
    const uint32_t(*match)[2] =
        workload_array(run.source, "matches", (size_t)reads * places, sizeof *match);
    uint64_t sum = 0;
    uint32_t whole = 0;
    for (uint32_t i = 0; i < reads * places; i++) {
        const uint8_t *from = read + (size_t)(i / places) * length + i % places;
        const gm_suffix_node *node = &nodes[match[i][0]];
        uint32_t matched = match[i][1];
        uint32_t left = length - i % places;
        assert_in_range(matched, 0, left);
        assert_true(node->depth >= matched && node->end >= node->depth);
        assert_memory_equal(text + node->end - node->depth, from, matched);
        assert_true(matched == 0 || node->depth - (node->end - node->start) < matched);
        assert_true(matched == left || !occurs(text, letters, from, matched + 1));
        sum += matched;
        whole += matched == left;
    }
    if (letters > 500) { /* most reads are of the reference, but not all */
        assert_in_range(whole, reads * places / 3, reads * places * 19 / 20);
        assert_true(sum > (uint64_t)reads * places * least / 2);
    }
    assert_int_equal(run.ctas, (reads + 255) / 256);
    gm_source_close(run.source);
}

static void mummer_matches_reads(void **state)
{
    (void)state;
    check_mummer("mummer,reference=900,reads=300", 900, 300, 25, 20);
    check_mummer("mummer,reference=2000,reads=70,length=60,least=1,seed=2", 2000, 70, 60, 1);
    check_mummer("mummer,reference=1,reads=40,length=3,least=3", 1, 40, 3, 3);
    check_mummer("mummer,reference=9,reads=40,length=12,least=2", 9, 40, 12, 2);
}

/* A reference and a read from one place on, without a tree. */
typedef struct reading {
    const uint8_t *text, *from;
    uint32_t letters, left;
} reading;

/* Whether a node of the tree has the first `length` letters of the read as its text: the reference
 * goes on after them in two ways or more, its end being one. */
static bool is_node(const reading *r, uint32_t length)
{
    uint32_t ways = 0;
    for (uint32_t i = 0; i + length <= r->letters; i++) {
        if (memcmp(r->text + i, r->from, length) == 0) {
            ways |= UINT32_C(1) << r->text[i + length];
        }
    }
    return length == 0 || (ways & (ways - 1)) != 0;
}

/* Counts the accesses of a place whose `known` first letters match, from the node of `*depth`
 * letters to the longest match, of `length` letters. Sets *depth to that of the last node. */
static uint64_t accesses_of(const reading *r, uint32_t known, uint32_t *depth, uint32_t length)
{
    uint64_t count = 0;
    for (bool down = known > *depth; down;) { /* letter, children, edge */
        uint32_t next = *depth + 1;
        while (next <= known && !is_node(r, next)) {
            next++;
        }
        count += 3;
        *depth = next <= known ? next : *depth;
        down = next < known;
    }
    for (uint32_t at = known;;) {
        if (at == *depth) {
            count += at < r->left ? 2 : 0; /* letter, children */
            if (at == length) {
                return count;
            }
            at++;
        }
        count++; /* the edge */
        while (!is_node(r, at)) {
            count += at < r->left ? 2 : 0; /* a letter of each */
            if (at == length) {
                return count;
            }
            at++;
        }
        *depth = at;
    }
}

/* The walk is edge by edge, and no letter that is known to match is compared again. */
static void mummer_fetches_what_it_needs(void **state)
{
    (void)state;
    enum { LETTERS = 300, READS = 60, LENGTH = 30, LEAST = 5, PLACES = LENGTH - LEAST + 1 };
    workload_run run = workload_run_whole("mummer,reference=300,reads=60,length=30,least=5");
    const uint8_t *read = workload_data(&run, "reads");
    const uint32_t(*match)[2] = workload_data(&run, "matches");
    uint64_t count = 0;
    for (uint32_t i = 0; i < READS; i++) {
        uint32_t depth = 0;
        uint32_t known = 0;
        count += 2; /* where the read is, its length */
        for (uint32_t k = 0; k < PLACES; k++) {
            const reading r = {workload_data(&run, "reference"), read + (size_t)i * LENGTH + k,
                               LETTERS, LENGTH - k};
            uint32_t length = match[i * PLACES + k][1];
            count += accesses_of(&r, known, &depth, length);
            count += depth > 0 ? 2 : 1; /* the match, the link */
            depth -= depth > 0;
            known = length > 0 ? length - 1 : 0;
        }
    }
    assert_int_equal(run.lanes, count);
    gm_source_close(run.source);
}

enum { TEXT = 200 };

/* Each suffix is a path to a leaf; nodes but leaves have two ways on or more, and links that lead
 * to what is behind the first letter. Takes letters, and 4 at the end. */
static void check_tree(const uint8_t *text, uint32_t length)
{
    gm_suffix_node node[2 * TEXT] = {{0}};
    gm_suffix_children children[2 * TEXT] = {{{0}}};
    gm_error error;
    gm_suffix_tree tree = {text, length, node, children, 0};
    test_ok(gm_suffix_tree_build(&tree, &error), error);
    unsigned leaves = 0;
    for (uint32_t i = 1; i < tree.nodes; i++) {
        const gm_suffix_node *link = &node[node[i].link];
        leaves += node[i].end == length;
        if (node[i].end != length) {
            assert_int_equal(link->depth, node[i].depth - 1);
            assert_memory_equal(text + link->end - link->depth,
                                text + node[i].end - node[i].depth + 1, link->depth);
        }
    }
    assert_int_equal(leaves, length);
    assert_true(tree.nodes < 2 * length); /* as inner nodes branch */
    for (uint32_t from = 0; from < length - 1; from++) {
        uint32_t at = 0;
        while (node[at].depth < length - 1 - from) {
            uint32_t depth = node[at].depth;
            at = children[at].child[text[from + depth]];
            assert_true(at != 0);
            uint32_t edge = node[at].end - node[at].start;
            edge -= node[at].end == length; /* the end, which the path lacks */
            assert_memory_equal(text + node[at].start, text + from + depth, edge);
        }
    }
}

/* All texts of two letters up to 9 long, and long ones of few letters and of many. */
static void trees_have_all_suffixes(void **state)
{
    (void)state;
    uint8_t text[TEXT];
    for (uint32_t length = 1; length <= 9; length++) {
        for (uint32_t bits = 0; bits < UINT32_C(1) << length; bits++) {
            for (uint32_t i = 0; i < length; i++) {
                text[i] = (uint8_t)(bits >> i & 1);
            }
            text[length] = 4;
            check_tree(text, length + 1);
        }
    }
    for (unsigned kind = 0; kind < 4; kind++) {
        for (unsigned i = 0; i < TEXT; i++) {
            const unsigned letters[] = {0, i % 2, i * i % 7 % 4, i % 50 % 3};
            text[i] = (uint8_t)(i == TEXT - 1 ? 4 : letters[kind]);
        }
        check_tree(text, TEXT);
    }
}

static uint32_t turned(uint32_t value, unsigned bits)
{
    return (value << bits) | (value >> (32 - bits));
}

/* The last block's bytes: the end of the message, a one bit, zeros, its length. */
static size_t padded(const uint8_t *message, size_t length, bool high_first, uint8_t *to)
{
    size_t total = (length + 8) / 64 * 64 + 64;
    memset(to, 0, total);
    memcpy(to, message, length);
    to[length] = 0x80;
    for (size_t i = 0; i < 8; i++) {
        to[total - 8 + (high_first ? 7 - i : i)] = (uint8_t)((uint64_t)length * 8 >> (8 * i));
    }
    return total;
}

/* First word of a SHA-1 [FIPS 180-4, 6.1.2]. */
static uint32_t sha1_of(const uint8_t *message, size_t length)
{
    static const uint32_t key[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
    uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    uint8_t block[2200];
    size_t total = padded(message, length, true, block);
    for (size_t at = 0; at < total; at += 64) {
        uint32_t w[80];
        for (size_t i = 0; i < 80; i++) {
            const uint8_t *b = block + at + 4 * i;
            w[i] = i < 16 ? (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3]
                          : turned(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
        }
        uint32_t a = h[0];
        uint32_t b = h[1];
        uint32_t c = h[2];
        uint32_t d = h[3];
        uint32_t e = h[4];
        for (size_t i = 0; i < 80; i++) {
            uint32_t f = i < 20   ? (b & c) ^ (~b & d)
                         : i < 40 ? b ^ c ^ d
                         : i < 60 ? (b & c) ^ (b & d) ^ (c & d)
                                  : b ^ c ^ d;
            uint32_t next = turned(a, 5) + f + e + key[i / 20] + w[i];
            e = d;
            d = c;
            c = turned(b, 30);
            b = a;
            a = next;
        }
        h[0] += a;
        h[1] += b;
        h[2] += c;
        h[3] += d;
        h[4] += e;
    }
    return h[0];
}

/* First word of an MD5 [RFC 1321, 3.4], with the table as the RFC defines it. */
static uint32_t md5_of(const uint8_t *message, size_t length)
{
    static const unsigned bits[] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};
    uint32_t h[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    uint8_t block[2200];
    size_t total = padded(message, length, false, block);
    for (size_t at = 0; at < total; at += 64) {
        uint32_t a = h[0];
        uint32_t b = h[1];
        uint32_t c = h[2];
        uint32_t d = h[3];
        for (unsigned i = 0; i < 64; i++) {
            const uint32_t f[] = {(b & c) | (~b & d), (b & d) | (c & ~d), b ^ c ^ d, c ^ (b | ~d)};
            const unsigned g[] = {i, 5 * i + 1, 3 * i + 5, 7 * i};
            const uint8_t *p = block + at + (size_t)4 * (g[i / 16] % 16);
            uint32_t word =
                p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
            uint32_t sine = (uint32_t)floor(fabs(sin((double)i + 1.0)) * 4294967296.0);
            uint32_t next = b + turned(a + f[i / 16] + word + sine, bits[i / 16 * 4 + i % 4]);
            a = d;
            d = c;
            c = b;
            b = next;
        }
        h[0] += a;
        h[1] += b;
        h[2] += c;
        h[3] += d;
    }
    return h[0];
}

static void hashes_are_the_standards(void **state)
{
    (void)state;
    const uint8_t *abc = (const uint8_t *)"abc";
    assert_int_equal(sha1_of(abc, 3), 0xa9993e36); /* FIPS 180: a9993e36 4706816a ... */
    assert_int_equal(md5_of(abc, 3), 0x98500190);  /* RFC 1321: 900150983cd24fb0... */
}

/* Every hash; words in shared memory without conflicts, as many as the algorithm needs. */
static void check_storegpu(const char *specification, size_t windows, size_t window, size_t offset,
                           bool md5)
{
    workload_run run = workload_run_open(specification);
    run.counts_lines = true;
    workload_run_drain(&run);
    const uint8_t *data = workload_array(run.source, "data", (windows - 1) * offset + window, 1);
    const uint8_t(*hash)[4] = workload_array(run.source, "hashes", windows, 4);
    for (size_t i = 0; i < windows; i++) {
        uint32_t expected =
            md5 ? md5_of(data + i * offset, window) : sha1_of(data + i * offset, window);
        for (unsigned k = 0; k < 4; k++) { /* as the hash is printed */
            assert_int_equal(hash[i][k], expected >> 8 * (md5 ? k : 3 - k) & 255);
        }
    }
    size_t warps = (windows + 31) / 32;
    size_t blocks = (window + 12) / 64;
    assert_int_equal(run.shared, warps * blocks * (md5 ? 16 + 64 : 16 + 80 + 4 * 64));
    assert_int_equal(run.passes, run.shared);
    assert_int_equal(run.global, warps * (window / 4 + 1));
    assert_int_equal(run.ctas, (windows + 127) / 128);
    assert_int_equal(run.kernel.shared_bytes, 16256);
    gm_source_close(run.source);
}

static void storegpu_hashes_windows(void **state)
{
    (void)state;
    check_storegpu("storegpu,windows=300", 300, 52, 4, false);
    check_storegpu("storegpu,windows=100,window=244,offset=12", 100, 244, 12, false);
    check_storegpu("storegpu,windows=40,window=2036,offset=2036", 40, 2036, 2036, false);
    check_storegpu("storegpu,windows=129,md5=1,seed=2", 129, 52, 4, true);
    check_storegpu("storegpu,windows=33,window=180,offset=8,md5=1", 33, 180, 8, true);
}

static void refuses_bad_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *specification, *message;
    } cases[] = {
        {"storegpu,window=60", "workload storegpu: window=60 is not a multiple of 64 less 12"},
        {"storegpu,offset=6", "workload storegpu: offset=6 is not a multiple of 4"},
        {"mummer,length=10", "workload mummer: least=20 is more than length=10"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gm_error error;
        gm_source *source = NULL;
        assert_int_equal(gm_workload_open(&source, cases[i].specification, &error), -EINVAL);
        assert_string_equal(error.text, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mummer_matches_reads),    cmocka_unit_test(mummer_fetches_what_it_needs),
        cmocka_unit_test(trees_have_all_suffixes), cmocka_unit_test(hashes_are_the_standards),
        cmocka_unit_test(storegpu_hashes_windows), cmocka_unit_test(refuses_bad_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
