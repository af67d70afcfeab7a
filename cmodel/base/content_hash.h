/* Hash of content, to find that two inputs differ; not for hash tables, nor against forgery. Words
 * of 16 bytes are multiplied to 128 bits and folded (wyhash's step), in two chains. */
#ifndef GOLDMEM_BASE_CONTENT_HASH_H
#define GOLDMEM_BASE_CONTENT_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t gm_content_fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Returns the hash of the content behind `hash`, followed by a word. */
static inline uint64_t gm_content_word(uint64_t hash, uint64_t word)
{
    return gm_content_fold(word ^ UINT64_C(0xa0761d6478bd642f),
                           hash ^ UINT64_C(0xe7037ed1a0b428db));
}

/* Returns the hash of the content behind `hash`, followed by `size` bytes. */
static inline uint64_t gm_content_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *at = data;
    uint64_t other = hash;
    uint64_t word[4] = {0};
    hash = gm_content_word(hash, size);
    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(word, at, sizeof word);
        hash = gm_content_fold(word[0] ^ UINT64_C(0xa0761d6478bd642f), word[1] ^ hash);
        other = gm_content_fold(word[2] ^ UINT64_C(0xe7037ed1a0b428db), word[3] ^ other);
    }
    memset(word, 0, sizeof word);
    memcpy(word, at, size);
    hash = gm_content_fold(word[0] ^ UINT64_C(0xa0761d6478bd642f), word[1] ^ hash);
    other = gm_content_fold(word[2] ^ UINT64_C(0xe7037ed1a0b428db), word[3] ^ other);
    return gm_content_word(hash, other);
}

#endif
