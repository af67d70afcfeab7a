/* .xz through liblzma, .gz through zlib, .zst through libzstd; several streams, members or frames
 * one after another are one text, as the tools xz, gzip and zstd have it. */
#include "trace/codec.h"

#include "base/huge_pages.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW_LOG = 27 }; /* zstd: 128 MiB, what the zstd tool accepts by default */

static const uint64_t xz_memory = UINT64_C(256) << 20;

/* Allocates a decoder's window in huge pages: it is large and written from end to end. */
static void *allocate(void *context, size_t count, size_t size)
{
    (void)context;
    size_t bytes = count * size;
    return bytes < GM_HUGE_PAGE ? calloc(count, size) : gm_huge_pages(bytes);
}

static void give_back(void *context, void *memory)
{
    (void)context;
    free(memory);
}

gm_codec_kind gm_codec_detect(const unsigned char *bytes, size_t length)
{
    static const struct {
        gm_codec_kind kind;
        size_t length;
        unsigned char bytes[6];
    } magic[] = {
        {GM_CODEC_XZ, 6, {0xfd, '7', 'z', 'X', 'Z', 0}},
        {GM_CODEC_GZIP, 2, {0x1f, 0x8b}},
        {GM_CODEC_ZSTD, 4, {0x28, 0xb5, 0x2f, 0xfd}},
    };
    for (size_t i = 0; i < sizeof magic / sizeof *magic; i++) {
        if (length >= magic[i].length && memcmp(bytes, magic[i].bytes, magic[i].length) == 0) {
            return magic[i].kind;
        }
    }
    /* A zstd file may begin with skippable frames: 0x184D2A50 to 0x184D2A5F. */
    if (length >= 4 && (bytes[0] & 0xf0) == 0x50 && memcmp(bytes + 1, "\x2a\x4d\x18", 3) == 0) {
        return GM_CODEC_ZSTD;
    }
    return GM_CODEC_PLAIN;
}

const char *gm_codec_unread(const unsigned char *bytes, size_t length)
{
    if (length >= 6 && memcmp(bytes, "BZh", 3) == 0 && memcmp(bytes + 4, "1A", 2) == 0) {
        return "bzip2";
    }
    return length >= 3 && memcmp(bytes, "\x5d\0\0", 3) == 0 ? "lzma" : NULL;
}

int gm_codec_start(gm_codec *codec, gm_codec_kind kind)
{
    static const lzma_allocator allocator = {allocate, give_back, NULL};
    *codec = (gm_codec){.kind = kind, .xz = LZMA_STREAM_INIT};
    codec->xz.allocator = &allocator;
    switch (kind) {
    case GM_CODEC_PLAIN:
        return 0;
    case GM_CODEC_XZ:
        return lzma_stream_decoder(&codec->xz, xz_memory, LZMA_CONCATENATED) == LZMA_OK ? 0
                                                                                        : -ENOMEM;
    case GM_CODEC_GZIP:
        return inflateInit2(&codec->gzip, 15 + 16) == Z_OK ? 0 : -ENOMEM;
    case GM_CODEC_ZSTD:
        codec->zstd = ZSTD_createDStream();
        if (codec->zstd == NULL) {
            return -ENOMEM;
        }
        ZSTD_DCtx_setParameter(codec->zstd, ZSTD_d_windowLogMax, WINDOW_LOG);
        return 0;
    }
    return -EINVAL;
}

static const char *run_xz(gm_codec *codec, const unsigned char *in, size_t *used, size_t length,
                          bool in_ended, char *out, size_t *made, size_t capacity)
{
    lzma_stream *xz = &codec->xz;
    xz->next_in = in + *used;
    xz->avail_in = length - *used;
    xz->next_out = (uint8_t *)out + *made;
    xz->avail_out = capacity - *made;
    lzma_ret result = lzma_code(xz, in_ended ? LZMA_FINISH : LZMA_RUN);
    *used = length - xz->avail_in;
    *made = capacity - xz->avail_out;
    if (result == LZMA_STREAM_END) {
        codec->ended = true;
        return NULL;
    }
    if (result == LZMA_OK) {
        return NULL;
    }
    if (result == LZMA_BUF_ERROR) {
        return in_ended ? "the .xz stream is cut short" : NULL;
    }
    if (result == LZMA_MEMLIMIT_ERROR) {
        return "the .xz stream needs more than 256 MiB to decompress";
    }
    return result == LZMA_MEM_ERROR ? "out of memory: .xz decompression"
                                    : "the .xz stream is corrupt";
}

static const char *run_gzip(gm_codec *codec, const unsigned char *in, size_t *used, size_t length,
                            char *out, size_t *made, size_t capacity)
{
    if (codec->between) { /* another member follows */
        if (inflateReset(&codec->gzip) != Z_OK) {
            return "the .gz stream is corrupt";
        }
        codec->between = false;
    }
    z_stream *gzip = &codec->gzip;
    gzip->next_in = in + *used;
    gzip->avail_in = (uInt)(length - *used);
    gzip->next_out = (Bytef *)out + *made;
    gzip->avail_out = (uInt)(capacity - *made);
    int result = inflate(gzip, Z_NO_FLUSH);
    *used = length - gzip->avail_in;
    *made = capacity - gzip->avail_out;
    if (result == Z_STREAM_END) {
        codec->between = true;
        return NULL;
    }
    if (result == Z_OK || result == Z_BUF_ERROR) {
        return NULL;
    }
    return result == Z_MEM_ERROR ? "out of memory: .gz decompression" : "the .gz stream is corrupt";
}

static const char *run_zstd(gm_codec *codec, const unsigned char *in, size_t *used, size_t length,
                            void *out, size_t *made, size_t capacity)
{
    ZSTD_inBuffer input = {in, length, *used};
    ZSTD_outBuffer output = {out, capacity, *made};
    size_t result = ZSTD_decompressStream(codec->zstd, &output, &input);
    *used = input.pos;
    *made = output.pos;
    if (ZSTD_isError(result)) {
        return ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge
                   ? "the .zst stream needs a window of more than 128 MiB"
                   : "the .zst stream is corrupt";
    }
    codec->between = result == 0;
    return NULL;
}

const char *gm_codec_run(gm_codec *codec, const unsigned char *in, size_t *used, size_t length,
                         bool in_ended, char *out, size_t *made, size_t capacity)
{
    switch (codec->kind) {
    case GM_CODEC_PLAIN:
        break;
    case GM_CODEC_XZ:
        return run_xz(codec, in, used, length, in_ended, out, made, capacity);
    case GM_CODEC_GZIP:
        return run_gzip(codec, in, used, length, out, made, capacity);
    case GM_CODEC_ZSTD:
        return run_zstd(codec, in, used, length, out, made, capacity);
    }
    return NULL;
}

bool gm_codec_complete(const gm_codec *codec)
{
    switch (codec->kind) {
    case GM_CODEC_PLAIN:
        return true;
    case GM_CODEC_XZ:
        return codec->ended;
    case GM_CODEC_GZIP:
    case GM_CODEC_ZSTD:
        return codec->between;
    }
    return true;
}

void gm_codec_stop(gm_codec *codec)
{
    switch (codec->kind) {
    case GM_CODEC_PLAIN:
        break;
    case GM_CODEC_XZ:
        lzma_end(&codec->xz);
        break;
    case GM_CODEC_GZIP:
        inflateEnd(&codec->gzip);
        break;
    case GM_CODEC_ZSTD:
        ZSTD_freeDStream(codec->zstd);
        break;
    }
}
