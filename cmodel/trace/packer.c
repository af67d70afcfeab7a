/* Packers: a buffer of plain bytes is compressed by xz, gzip or zstd as it fills up. */
#include "trace/packer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLAIN = 2 * GM_PACKER_ROOM, PACKED = 64 * 1024, XZ_PRESET = 1, GZIP_WINDOW = 15 + 16 };

static int start(gm_packer *packer)
{
    switch (packer->packing) {
    case GM_PACKING_NONE:
        return 0;
    case GM_PACKING_XZ: /* as Accel-Sim's post-processing: xz -1 */
        packer->xz = (lzma_stream)LZMA_STREAM_INIT;
        return lzma_easy_encoder(&packer->xz, XZ_PRESET, LZMA_CHECK_CRC64) == LZMA_OK ? 0 : -ENOMEM;
    case GM_PACKING_GZIP:
        return deflateInit2(&packer->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
                            MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK
                   ? 0
                   : -ENOMEM;
    case GM_PACKING_ZSTD:
        packer->zstd = ZSTD_createCStream();
        return packer->zstd != NULL &&
                       !ZSTD_isError(ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_checksumFlag, 1))
                   ? 0
                   : -ENOMEM;
    }
    return -EINVAL;
}

int gm_packer_open(gm_packer *packer, int folder, const char *path, const char *name,
                   gm_trace_packing packing, gm_error *error)
{
    *packer = (gm_packer){.packing = packing, .file = -1};
    packer->name = strdup(name);
    if (packer->name == NULL) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", name);
    }
    packer->plain = malloc(PLAIN);
    packer->packed = malloc(PACKED);
    if (packer->plain == NULL || packer->packed == NULL || start(packer) != 0) {
        return gm_fail(error, -ENOMEM, "%s: out of memory", name);
    }
    packer->file = openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return packer->file >= 0 ? 0 : gm_fail_errno(error, name);
}

static int write_all(gm_packer *packer, const unsigned char *bytes, size_t length, gm_error *error)
{
    while (length > 0) {
        ssize_t wrote = write(packer->file, bytes, length);
        if (wrote > 0) {
            bytes += wrote;
            length -= (size_t)wrote;
        } else if (wrote == 0 || errno != EINTR) {
            errno = wrote == 0 ? ENOSPC : errno;
            return gm_fail_errno(error, packer->name);
        }
    }
    return 0;
}

/* One step of the compressor. Moves *from forward, sets *made; returns 1 if the `last` input is
 * completely written out, 0 if it must be called again, -1 on failure. */
static int step(gm_packer *packer, const unsigned char **from, const unsigned char *end, bool last,
                size_t *made)
{
    size_t left = (size_t)(end - *from);
    if (packer->packing == GM_PACKING_XZ) {
        packer->xz.next_in = *from;
        packer->xz.avail_in = left;
        packer->xz.next_out = packer->packed;
        packer->xz.avail_out = PACKED;
        lzma_ret code = lzma_code(&packer->xz, last ? LZMA_FINISH : LZMA_RUN);
        *from = packer->xz.next_in;
        *made = PACKED - packer->xz.avail_out;
        return code == LZMA_STREAM_END ? 1 : code == LZMA_OK || code == LZMA_BUF_ERROR ? 0 : -1;
    }
    if (packer->packing == GM_PACKING_GZIP) {
        unsigned char *input = packer->plain + (*from - packer->plain); /* zlib's next_in */
        packer->gzip.next_in = input;
        packer->gzip.avail_in = (unsigned)left;
        packer->gzip.next_out = packer->packed;
        packer->gzip.avail_out = PACKED;
        int code = deflate(&packer->gzip, last ? Z_FINISH : Z_NO_FLUSH);
        *from = packer->gzip.next_in;
        *made = PACKED - packer->gzip.avail_out;
        return code == Z_STREAM_END ? 1 : code == Z_OK || code == Z_BUF_ERROR ? 0 : -1;
    }
    ZSTD_inBuffer in = {*from, left, 0};
    ZSTD_outBuffer out = {packer->packed, PACKED, 0};
    size_t code =
        ZSTD_compressStream2(packer->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
    *from += in.pos;
    *made = out.pos;
    return ZSTD_isError(code) ? -1 : last && code == 0;
}

static int flush(gm_packer *packer, bool last, gm_error *error)
{
    const unsigned char *from = packer->plain;
    const unsigned char *end = from + packer->used;
    packer->used = 0;
    if (packer->packing == GM_PACKING_NONE) {
        return write_all(packer, from, (size_t)(end - from), error);
    }
    int ended = 0;
    while (from < end || (last && ended == 0)) {
        size_t made = 0;
        ended = step(packer, &from, end, last, &made);
        if (ended < 0) {
            return gm_fail(error, -EIO, "%s: cannot compress", packer->name);
        }
        int code = write_all(packer, packer->packed, made, error);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

int gm_packer_room(gm_packer *packer, size_t length, unsigned char **at, gm_error *error)
{
    if (packer->used + length > PLAIN) {
        int code = flush(packer, false, error);
        if (code != 0) {
            return code;
        }
    }
    *at = packer->plain + packer->used;
    return 0;
}

int gm_packer_write(gm_packer *packer, const void *bytes, size_t length, gm_error *error)
{
    const unsigned char *from = bytes;
    while (length > 0) {
        size_t part = length < GM_PACKER_ROOM ? length : GM_PACKER_ROOM;
        unsigned char *at = NULL;
        int code = gm_packer_room(packer, part, &at, error);
        if (code != 0) {
            return code;
        }
        memcpy(at, from, part);
        gm_packer_add(packer, part);
        from += part;
        length -= part;
    }
    return 0;
}

int gm_packer_finish(gm_packer *packer, gm_error *error)
{
    int code = flush(packer, true, error);
    int file = packer->file;
    packer->file = -1;
    if (close(file) != 0 && code == 0) {
        code = gm_fail_errno(error, packer->name);
    }
    gm_packer_discard(packer);
    return code;
}

void gm_packer_discard(gm_packer *packer)
{
    if (packer->name == NULL) {
        return; /* never opened, or finished */
    }
    if (packer->file >= 0) {
        close(packer->file);
    }
    if (packer->packing == GM_PACKING_XZ) {
        lzma_end(&packer->xz);
    }
    if (packer->packing == GM_PACKING_GZIP) {
        deflateEnd(&packer->gzip);
    }
    ZSTD_freeCStream(packer->zstd);
    free(packer->name);
    free(packer->plain);
    free(packer->packed);
    *packer = (gm_packer){.file = -1};
}
