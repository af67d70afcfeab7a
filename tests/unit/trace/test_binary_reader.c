/* The compact form: damage of any kind is an error with a place, never a crash, never a wrong
 * trace. */
#include "goldmem/trace.h"
#include "goldmem/trace_writer.h"
#include "support/support.h"
#include "support/trace/digest.h"
#include "trace/compact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

static const char text[] = "-kernel name = k\n-kernel id = 1\n-grid dim = (2,1,1)\n"
                           "-block dim = (64,1,1)\n-shmem = 0\n-nregs = 8\n"
                           "-accelsim tracer version = 5\n\n#traces format = immediate\n\n"
                           "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 3\n"
                           "0000 ffffffff 1 R1 MOV 0 0 0 \n"
                           "12340 0000ff00 1 R1 LDG.E 1 R2 4 1 0x7fb000000000 4 0 \n"
                           "0020 80000001 0 STG.E.64 2 R2 R4 8 2 0x7fb000000000 70000000000 5 \n"
                           "\nwarp = 1\ninsts = 1\n0030 ffffffff 0 EXIT 0 0 0 \n\n#END_TB\n\n"
                           "#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 1\ninsts = 1\n"
                           "0030 ffffffff 0 EXIT 0 0 0 \n\n#END_TB\n";

/* Digests one kernel file. */
static int digest_file(test_digest *digest, const char *path, gm_error *error)
{
    gm_source *source = NULL;
    *digest = (test_digest){0};
    int code = gm_trace_open(&source, path, error);
    if (code == 0) {
        code = test_digest_source(digest, source, 0, error);
        gm_source_close(source);
    }
    return code;
}

/* The text above as a compact file, read into memory. The temporary folder stays. */
static unsigned char *make_compact(size_t *length, test_digest *digest)
{
    gm_error error;
    char output[128];
    char made[160];
    snprintf(output, sizeof output, "%s/out", test_folder_make());
    snprintf(made, sizeof made, "%s/kernel-1.gmt", output);
    const char *input = test_file_write("kernel-1.traceg", text, sizeof text - 1);
    test_ok(digest_file(digest, input, &error), error);
    gm_source *source = NULL;
    test_ok(gm_trace_open(&source, input, &error), error);
    const gm_trace_write_options options = {.form = GM_TRACE_COMPACT};
    test_ok(gm_trace_write(source, output, &options, &error), error);
    gm_source_close(source);
    FILE *file = fopen(made, "rb");
    assert_non_null(file);
    unsigned char *bytes = malloc(65536);
    assert_non_null(bytes);
    *length = fread(bytes, 1, 65536, file);
    fclose(file);
    return bytes;
}

static size_t body_of(const unsigned char *bytes, size_t length)
{
    static const char line[] = "\n" GM_COMPACT_LINE "\n";
    const unsigned char *found = memmem(bytes, length, line, sizeof line - 1);
    assert_non_null(found);
    return (size_t)(found - bytes) + sizeof line - 1;
}

/* Digests bytes as a kernel file. A fresh file each time: file systems flush one that is cut and
 * written again. */
static int digest_bytes(test_digest *digest, const unsigned char *bytes, size_t length,
                        const char **path, gm_error *error)
{
    *path = test_file_write("kernel-1.gmt", bytes, length);
    int code = digest_file(digest, *path, error);
    assert_int_equal(unlink(*path), 0);
    return code;
}

/* The bytes must be refused, with FILE:OFFSET. */
static void refuse(const unsigned char *bytes, size_t length, const char *reason)
{
    gm_error error;
    test_digest digest;
    const char *path = NULL;
    assert_true(digest_bytes(&digest, bytes, length, &path, &error) < 0);
    test_digest_free(&digest);
    size_t named = strlen(path);
    assert_memory_equal(error.text, path, named);
    assert_true(error.text[named] == ':' && error.text[named + 1] >= '0' &&
                error.text[named + 1] <= '9');
    if (reason != NULL && strstr(error.text, reason) == NULL) {
        fail_msg("'%s' where '%s' is expected", error.text, reason);
    }
}

static void refuses_every_truncation_and_extension(void **state)
{
    (void)state;
    size_t length = 0;
    test_digest digest;
    unsigned char *bytes = make_compact(&length, &digest);
    size_t body = body_of(bytes, length);
    for (size_t cut = 1; cut < length; cut++) {
        refuse(bytes, cut, cut < body - 1 ? NULL : "the file ends in the middle");
    }
    bytes[length] = 0;
    refuse(bytes, length + 1, "bytes after the end");
    free(bytes);
    test_digest_free(&digest);
    test_folder_remove();
}

/* A few bits of a zstd frame mean nothing: then the trace is the same. */
static void notices_every_flipped_bit(void **state)
{
    (void)state;
    size_t length = 0;
    test_digest digest;
    unsigned char *bytes = make_compact(&length, &digest);
    unsigned accepted = 0;
    for (size_t at = body_of(bytes, length) + 4; at < length; at++) { /* 4: offset for messages */
        for (unsigned bit = 0; bit < 8; bit++) {
            gm_error error;
            test_digest got;
            const char *path = NULL;
            bytes[at] ^= (unsigned char)(1U << bit);
            if (digest_bytes(&got, bytes, length, &path, &error) == 0) {
                test_digest_equal(&got, &digest, "a flipped bit");
                accepted++;
            }
            bytes[at] ^= (unsigned char)(1U << bit);
            test_digest_free(&got);
        }
    }
    assert_in_range(accepted, 0, 8);
    free(bytes);
    test_digest_free(&digest);
    test_folder_remove();
}

/* Packs items as one block behind the header, so that their checksum is right. */
static size_t pack(unsigned char *bytes, size_t body, const unsigned char *items, size_t length)
{
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    assert_non_null(zstd);
    ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
    uint32_t packed =
        (uint32_t)ZSTD_compress2(zstd, bytes + body + 8, 65536 - body - 8, items, length);
    ZSTD_freeCCtx(zstd);
    memcpy(bytes + body + 4, &packed, sizeof packed);
    return body + 8 + packed;
}

/* Items whose bytes were chosen with ill will, and right checksums. */
#define ITEMS(...)                                                                                 \
    (const unsigned char[]){__VA_ARGS__}, sizeof((const unsigned char[]){__VA_ARGS__})
#define CTA0  2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define WARP0 3, 0, 0, 0, 0
#define NOP   1, 3, 'N', 'O', 'P'
#define RUN1  4, 1, 0, 0, 0
static const struct {
    const unsigned char *items;
    size_t length;
    const char *reason;
} chosen[] = {
    {ITEMS(9), "item 9 outside a thread block"},
    {ITEMS(5), "item 5 outside a thread block"},
    {ITEMS(CTA0, CTA0), "item 2 inside a thread block"},
    {ITEMS(2, 0, 0), "past the end of its block"},
    {ITEMS(2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), "thread block 2,0,0 is outside the grid"},
    {ITEMS(CTA0, 5, CTA0), "thread block 0,0,0 is repeated or out of order"},
    {ITEMS(CTA0, 3, 2, 0, 0, 0), "warp 2 is outside the thread block"},
    {ITEMS(CTA0, WARP0, WARP0), "warp 0 is repeated or out of order"},
    {ITEMS(CTA0, RUN1), "instructions before the first warp"},
    {ITEMS(CTA0, WARP0, 4, 0xff, 0xff, 0xff, 0xff), "instruction 1 of 4294967295"},
    {ITEMS(CTA0, 1, 0), "opcode 0: a text of 0 bytes (1..63)"},
    {ITEMS(CTA0, 1, 64), "opcode 0: a text of 64 bytes (1..63)"},
    {ITEMS(CTA0, 1, 3, 'A'), "past the end of its block"},
    {ITEMS(CTA0, 1, 1, '\n'), "opcode 0: not a printable text"},
    /* opcode number 0, none introduced */
    {ITEMS(CTA0, WARP0, RUN1, 0, 0, 0, 0, 0, 0, 0, 1), "instruction 1 of 1 of a run"},
    /* 7 destinations; 9 sources; immediate of kind 3; a stride of kind 3 */
    {ITEMS(CTA0, NOP, WARP0, RUN1, 0, 0, 0, 0, 0, 0, 14, 1, 0, 0, 0, 0, 0, 0, 0), "is malformed"},
    {ITEMS(CTA0, NOP, WARP0, RUN1, 0, 0, 0, 0, 0, 0, 0x90, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0),
     "is malformed"},
    {ITEMS(CTA0, NOP, WARP0, RUN1, 0, 0, 0, 0, 0, 0, 0, 0x0d, 0, 0, 0, 0), "is malformed"},
    {ITEMS(CTA0, NOP, WARP0, RUN1, 0, 0, 0, 0, 0, 0x80, 0, 0x31, 0, 0, 0, 0, 0, 0, 0, 0),
     "is malformed"},
    /* a list of 257 addresses; one whose count is not there; one that is cut */
    {ITEMS(CTA0, NOP, WARP0, RUN1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0), "is malformed"},
    {ITEMS(CTA0, NOP, WARP0, RUN1, 0, 0, 0, 0, 0, 0, 1, 1, 9), "is malformed"},
    {ITEMS(CTA0, NOP, WARP0, RUN1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 9, 9), "is malformed"},
    /* totals: 0 CTAs and 1 instruction; and what must not follow them */
    {ITEMS(6, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0), "0 instructions, not 0 and 1"},
    {ITEMS(6, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), "0 thread blocks and"},
    {ITEMS(6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6), "bytes after the end"},
    {ITEMS(CTA0, WARP0, 5), "the file ends in the middle"},
};

static void checks_every_bound(void **state)
{
    (void)state;
    size_t length = 0;
    test_digest digest;
    unsigned char *bytes = make_compact(&length, &digest);
    size_t body = body_of(bytes, length);
    for (size_t k = 0; k < sizeof chosen / sizeof chosen[0]; k++) {
        refuse(bytes, pack(bytes, body, chosen[k].items, chosen[k].length), chosen[k].reason);
    }
    /* A list of 257 addresses, all there. */
    unsigned char many[2000] = {CTA0, NOP, WARP0, RUN1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0};
    refuse(bytes, pack(bytes, body, many, sizeof many), "is malformed");
    uint32_t huge = UINT32_MAX;
    memcpy(bytes + body + 4, &huge, sizeof huge);
    refuse(bytes, body + 100, "a block of 4294967295 bytes is too long");
    free(bytes);
    test_digest_free(&digest);
    test_folder_remove();
}

/* Random changes to the items, under a right checksum: an error or a trace, never a crash. */
static void survives_random_items(void **state)
{
    (void)state;
    size_t length = 0;
    test_digest digest;
    unsigned char *bytes = make_compact(&length, &digest);
    size_t body = body_of(bytes, length);
    unsigned char items[1024];
    size_t plain = ZSTD_decompress(items, sizeof items, bytes + body + 8, length - body - 8);
    assert_false(ZSTD_isError(plain));
    test_random random = test_random_start(1);
    unsigned refused = 0;
    for (unsigned round = 0; round < 3000; round++) {
        unsigned char changed[1024];
        memcpy(changed, items, plain);
        for (uint64_t k = test_random_below(&random, 3) + 1; k > 0; k--) {
            changed[test_random_below(&random, plain)] = (unsigned char)test_random_next(&random);
        }
        size_t packed = pack(bytes, body, changed, plain);
        gm_error error;
        test_digest got;
        const char *path = NULL;
        refused += digest_bytes(&got, bytes, packed, &path, &error) < 0;
        test_digest_free(&got);
    }
    assert_in_range(refused, 1000, 2999);
    free(bytes);
    test_digest_free(&digest);
    test_folder_remove();
}

/* The form is known by content: a plain file, a packed one, under another name. */
static void is_known_by_content(void **state)
{
    (void)state;
    gm_error error;
    size_t length = 0;
    test_digest expected;
    test_digest got;
    unsigned char *bytes = make_compact(&length, &expected);
    const char *path = test_file_write("kernel-7.traceg", bytes, length);
    test_ok(digest_file(&got, path, &error), error);
    test_digest_equal(&got, &expected, "compact");
    test_digest_free(&got);
    test_command packed = test_run("xz '%s'", path);
    assert_int_equal(packed.status, 0);
    test_command_free(&packed);
    char xz[600];
    snprintf(xz, sizeof xz, "%s.xz", path);
    test_ok(digest_file(&got, xz, &error), error);
    test_digest_equal(&got, &expected, "packed");
    test_digest_free(&got);
    test_digest_free(&expected);
    free(bytes);
    test_folder_remove();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_every_truncation_and_extension),
        cmocka_unit_test(notices_every_flipped_bit),
        cmocka_unit_test(checks_every_bound),
        cmocka_unit_test(survives_random_items),
        cmocka_unit_test(is_known_by_content),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
