/* Coalescer. A contiguous access (stride = width, lanes in one run) is cut into lines at once;
 * every other goes through a small hash table of the lines seen so far, lane by lane. */
#include "frontend/coalescer.h"

#include "goldmem/bits.h"

#include <errno.h>
#include <string.h>

enum {
    LOCAL_WORD = 4, /* bytes of a thread that lie side by side */
    LOCAL_LINE = GM_WARP_SIZE * LOCAL_WORD,
    MOST_REQUESTS = GM_COALESCED_REQUESTS,
    SEEN = 65536,   /* entries of the hash table */
    FEW_SEEN = 256, /* used when the lanes can touch at most 64 lines */
    GENERATIONS = 65535,
    ARRAYS = 5,
    ALIGNMENT = 64,
};

size_t gm_coalescer_bytes(uint64_t line)
{
    return MOST_REQUESTS * (sizeof(gm_line_request) + line / GM_SECTOR * sizeof(uint32_t)) +
           GM_ADDRESSES * sizeof(gm_shared_access) + SEEN * sizeof(uint32_t) +
           (size_t)ARRAYS * ALIGNMENT;
}

int gm_coalescer_init(gm_coalescer *coalescer, uint64_t line, bool by_sector, gm_arena *arena,
                      gm_error *error)
{
    if (!gm_is_power_of_two(line) || line < GM_SECTOR || line > (uint64_t)GM_SECTOR * 32) {
        return gm_fail(error, -EINVAL, "l1.line: %llu: a power of two, 32 to 1024, is needed",
                       (unsigned long long)line);
    }
    *coalescer = (gm_coalescer){
        .line_shift = gm_log2_floor(line),
        .line_bytes = line,
        .sectors_per_line = (uint32_t)(line / GM_SECTOR),
        .all_sectors = (uint32_t)gm_mask((unsigned)(line / GM_SECTOR)),
        .request = gm_arena_take(arena, MOST_REQUESTS, sizeof(gm_line_request)),
        .shared = gm_arena_take(arena, GM_ADDRESSES, sizeof(gm_shared_access)),
        .byte_mask = gm_arena_take(arena, MOST_REQUESTS * line / GM_SECTOR, sizeof(uint32_t)),
        .seen = gm_arena_take(arena, SEEN, sizeof(uint32_t)),
    };
    coalescer->run_shift = by_sector ? GM_SECTOR_SHIFT : coalescer->line_shift;
    coalescer->request_shift = coalescer->run_shift;
    coalescer->request_sectors = by_sector ? 1 : coalescer->sectors_per_line;
    return coalescer->seen != NULL ? 0 : gm_fail(error, -ENOMEM, "out of memory: a coalescer");
}

static bool is_atomic(const gm_instruction *instruction)
{
    return instruction->op == GM_OP_ATOMIC || instruction->op == GM_OP_REDUCTION;
}

/* True for an atomic whose bytes are kept. */
static bool keeps_atomic(const gm_coalescer *coalescer, const gm_instruction *instruction)
{
    return (coalescer->keeps & GM_KEEPS_BYTES) != 0 && is_atomic(instruction);
}

/* Empties the table of lines seen. */
static void start(gm_coalescer *coalescer, const gm_instruction *instruction)
{
    bool few = instruction->addresses <= GM_WARP_SIZE && instruction->width <= GM_SECTOR &&
               instruction->space == GM_SPACE_GLOBAL;
    coalescer->seen_mask = few ? FEW_SEEN - 1 : SEEN - 1;
    if (coalescer->generation == GENERATIONS) {
        memset(coalescer->seen, 0, SEEN * sizeof *coalescer->seen);
        coalescer->generation = 0;
    }
    coalescer->generation++;
    coalescer->stores = instruction->op == GM_OP_STORE ||
                        (coalescer->keeps != 0 && ((coalescer->keeps & GM_KEEPS_WORDS) != 0 ||
                                                   keeps_atomic(coalescer, instruction)));
}

/* Returns the number of the request of a line, which is new for a line not seen. A line is here,
 * and until place_in_lines, what a request is for: a line or a sector. */
static uint32_t request_of(gm_coalescer *coalescer, uint64_t line, bool local)
{
    uint32_t count = coalescer->requests;
    gm_line_request *request = coalescer->request;
    if (count > coalescer->of_passes && request[count - 1].line == line) {
        return count - 1;
    }
    uint32_t mark = coalescer->generation << 16;
    uint32_t position =
        (uint32_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & coalescer->seen_mask;
    while (coalescer->seen[position] >> 16 == coalescer->generation) {
        uint32_t found = coalescer->seen[position] & 0xffff;
        if (request[found].line == line) {
            return found;
        }
        position = (position + 1) & coalescer->seen_mask;
    }
    coalescer->seen[position] = mark | count;
    request[count] = (gm_line_request){.line = line, .local = local};
    for (uint32_t i = 0; coalescer->stores && i < coalescer->request_sectors; i++) {
        coalescer->byte_mask[count * coalescer->request_sectors + i] = 0;
    }
    coalescer->requests++;
    return count;
}

/* Adds bytes first..last of physical memory that a lane touches. Requires that they lie in one
 * sector. */
static inline void add_sector(gm_coalescer *coalescer, uint64_t first, uint64_t last, uint32_t lane,
                              bool local)
{
    uint32_t sectors = coalescer->request_sectors;
    uint32_t number = request_of(coalescer, first >> coalescer->request_shift, local);
    uint32_t in_line = (uint32_t)(first >> GM_SECTOR_SHIFT) & (sectors - 1);
    coalescer->request[number].lanes |= UINT32_C(1) << lane;
    coalescer->request[number].sectors |= UINT32_C(1) << in_line;
    if (coalescer->stores) {
        coalescer->byte_mask[number * sectors + in_line] |=
            (uint32_t)(gm_mask((unsigned)(last % GM_SECTOR) + 1) &
                       ~gm_mask((unsigned)(first % GM_SECTOR)));
    }
}

/* Adds any range of bytes that a lane touches. */
static void add_range(gm_coalescer *coalescer, uint64_t first, uint64_t last, uint32_t lane,
                      bool local)
{
    while (first >> GM_SECTOR_SHIFT != last >> GM_SECTOR_SHIFT) {
        uint64_t end = first | (GM_SECTOR - 1);
        add_sector(coalescer, first, end, lane, local);
        first = end + 1;
    }
    add_sector(coalescer, first, last, lane, local);
}

/* Returns the last byte of an access, at most the last of the address space. */
static uint64_t last_byte(uint64_t address, unsigned width)
{
    uint64_t last = address + width - 1;
    return last < address ? UINT64_MAX : last;
}

static void add_global(gm_coalescer *coalescer, uint64_t address, unsigned width, uint32_t lane)
{
    coalescer->global = true;
    coalescer->lane_accesses++;
    add_range(coalescer, address, last_byte(address, width), lane, false);
}

/* Adds a word of local memory that a lane touches. Takes window offsets modulo the window. */
static void add_local(gm_coalescer *coalescer, const gm_coalesce_context *context, uint64_t address,
                      unsigned width, uint32_t lane)
{
    coalescer->local = true;
    coalescer->lane_accesses++;
    uint64_t offset = (address - context->local_base) >> GM_WINDOW_BITS == 0
                          ? address - context->local_base
                          : address;
    for (unsigned done = 0; done < width;) {
        uint64_t at = (offset + done) & gm_mask(GM_WINDOW_BITS);
        unsigned in_word = (unsigned)(at % LOCAL_WORD);
        unsigned bytes = LOCAL_WORD - in_word < width - done ? LOCAL_WORD - in_word : width - done;
        uint64_t line = at / LOCAL_WORD * context->warp_slots + context->warp_slot;
        uint64_t byte = GM_LOCAL_REGION + line * LOCAL_LINE + (uint64_t)lane * LOCAL_WORD + in_word;
        add_range(coalescer, byte, byte + bytes - 1, lane, true);
        done += bytes;
    }
}

static void add_shared(gm_coalescer *coalescer, uint64_t offset, uint32_t lane)
{
    coalescer->shared[coalescer->shared_accesses++] =
        (gm_shared_access){(uint32_t)(offset & gm_mask(GM_WINDOW_BITS)), lane};
}

/* Tests each window by its size, since their order differs between drivers. A trace without windows
 * has bases of 0: then addresses below 16 MiB are shared memory. */
static void add_generic(gm_coalescer *coalescer, const gm_coalesce_context *context,
                        uint64_t address, unsigned width, uint32_t lane)
{
    if ((address - context->shared_base) >> GM_WINDOW_BITS == 0) {
        add_shared(coalescer, address - context->shared_base, lane);
    } else if ((address - context->local_base) >> GM_WINDOW_BITS == 0) {
        add_local(coalescer, context, address, width, lane);
    } else {
        add_global(coalescer, address, width, lane);
    }
}

/* Returns the lane of the next address. Starts over after the last lane: bulk copies have more
 * addresses than lanes. */
static uint32_t next_lane(uint32_t *left, uint32_t mask)
{
    *left = *left != 0 ? *left : mask;
    uint32_t lane = *left != 0 ? gm_lowest_one(*left) : 0;
    *left &= *left - 1;
    return lane;
}

/* Adds an address of an instruction. */
static void add_address(gm_coalescer *coalescer, const gm_coalesce_context *context,
                        const gm_instruction *instruction, uint64_t address, uint32_t lane)
{
    switch ((gm_space)instruction->space) {
    case GM_SPACE_GLOBAL:
        add_global(coalescer, address, instruction->width, lane);
        break;
    case GM_SPACE_LOCAL:
        add_local(coalescer, context, address, instruction->width, lane);
        break;
    case GM_SPACE_SHARED:
        add_shared(coalescer, address, lane);
        break;
    case GM_SPACE_GENERIC:
        add_generic(coalescer, context, address, instruction->width, lane);
        break;
    case GM_SPACE_NONE:
    case GM_SPACE_CONSTANT:
    case GM_SPACES:
        break;
    }
}

static void add_lanes(gm_coalescer *coalescer, const gm_coalesce_context *context,
                      const gm_instruction *instruction)
{
    uint32_t left = instruction->mask;
    for (unsigned k = 0; k < instruction->addresses; k++) {
        uint64_t address = gm_instruction_address(instruction, k);
        add_address(coalescer, context, instruction, address, next_lane(&left, instruction->mask));
    }
}

/* Adds the lanes of an access of shared memory. */
static void add_shared_lanes(gm_coalescer *coalescer, const gm_instruction *instruction)
{
    uint32_t left = instruction->mask;
    for (unsigned k = 0; k < instruction->addresses; k++) {
        add_shared(coalescer, gm_instruction_address(instruction, k),
                   next_lane(&left, instruction->mask));
    }
}

/* Adds the lanes of an atomic in passes: a lane is in the pass behind that of the last lane before
 * it with the same address. A pass has requests of its own. */
static void add_passes(gm_coalescer *coalescer, const gm_coalesce_context *context,
                       const gm_instruction *instruction)
{
    unsigned pass_of[GM_ADDRESSES] = {0};
    unsigned most = 0;
    for (unsigned k = 0; k < instruction->addresses; k++) {
        for (unsigned before = 0; before < k; before++) {
            if (gm_instruction_address(instruction, before) ==
                gm_instruction_address(instruction, k)) {
                pass_of[k] = pass_of[before] + 1;
            }
        }
        most = pass_of[k] > most ? pass_of[k] : most;
    }
    for (unsigned pass = 0; pass <= most; pass++) {
        uint32_t left = instruction->mask;
        start(coalescer, instruction);
        coalescer->of_passes = coalescer->requests;
        for (unsigned k = 0; k < instruction->addresses; k++) {
            uint32_t lane = next_lane(&left, instruction->mask);
            if (pass_of[k] == pass) {
                add_address(coalescer, context, instruction, gm_instruction_address(instruction, k),
                            lane);
            }
        }
    }
}

static void find_whole(gm_coalescer *coalescer)
{
    const uint32_t *bytes = coalescer->byte_mask;
    for (uint32_t i = 0; i < coalescer->requests; i++) {
        for (uint32_t sector = 0; sector < coalescer->request_sectors; sector++) {
            uint32_t whole = *bytes++ == UINT32_MAX;
            coalescer->request[i].whole |= whole << sector;
        }
    }
}

/* Coalesces a run of all lanes that is lines first..last, wholly. */
static void coalesce_whole_lines(gm_coalescer *coalescer, unsigned lanes_shift, uint64_t first,
                                 uint64_t last)
{
    uint32_t sectors = (uint32_t)gm_mask(coalescer->request_sectors);
    uint32_t lanes = (uint32_t)gm_mask(1U << lanes_shift);
    gm_line_request *request = coalescer->request;
    for (uint64_t line = first; line <= last; line++) {
        *request++ =
            (gm_line_request){.line = line, .lanes = lanes, .sectors = sectors, .whole = sectors};
        lanes <<= (1U << lanes_shift) % GM_WARP_SIZE;
    }
    coalescer->requests = (uint32_t)(last - first + 1);
}

/* Coalesces a run of bytes up to `end`: its lines follow each other. */
static void coalesce_run(gm_coalescer *coalescer, const gm_instruction *instruction, uint64_t end)
{
    uint64_t base = instruction->base;
    unsigned shift = coalescer->request_shift;
    unsigned width_shift = gm_lowest_one(instruction->width);
    unsigned first_lane = gm_lowest_one(instruction->mask);
    uint64_t in_line = (UINT64_C(1) << shift) - 1;
    gm_line_request *request = coalescer->request;
    if (((base | (end + 1)) & in_line) == 0 && instruction->addresses == GM_WARP_SIZE &&
        width_shift <= shift) {
        coalesce_whole_lines(coalescer, shift - width_shift, base >> shift, end >> shift);
        return;
    }
    for (uint64_t line = base >> shift; line <= end >> shift; line++, request++) {
        uint64_t first = line << shift > base ? line << shift : base;
        uint64_t last = (line << shift | in_line) < end ? (line << shift | in_line) : end;
        unsigned from = (unsigned)((first - base) >> width_shift);
        unsigned to = (unsigned)((last - base) >> width_shift);
        request->line = line;
        request->lanes = (uint32_t)(((UINT64_C(2) << to) - (UINT64_C(1) << from)) << first_lane);
        request->sectors = gm_coalesce_sectors(first & in_line, last & in_line);
        request->whole = gm_coalesce_whole(first & in_line, last & in_line);
        request->local = false;
    }
    coalescer->requests = (uint32_t)(request - coalescer->request);
}

bool gm_coalesce_may_run(const gm_instruction *instruction)
{
    uint32_t mask = instruction->mask;
    if (instruction->form != GM_ADDRESS_STRIDE || instruction->space != GM_SPACE_GLOBAL ||
        !gm_is_power_of_two(instruction->width)) {
        return false;
    }
    if (mask == UINT32_MAX || mask == 0) {
        return mask != 0 && instruction->addresses == GM_WARP_SIZE;
    }
    uint32_t run = mask >> gm_lowest_one(mask);
    return (run & (run + 1)) == 0 && instruction->addresses == gm_count_ones(run);
}

static bool is_run(const gm_instruction *instruction)
{
    return instruction->stride == instruction->width && gm_coalesce_may_run(instruction);
}

/* Returns the first sector of its line that a request is for. */
static uint32_t first_sector(const gm_coalescer *coalescer, const gm_line_request *request)
{
    return gm_lowest_one(request->sectors) & ~(coalescer->request_sectors - 1);
}

void gm_coalescer_words(const gm_coalescer *coalescer, uint32_t number, uint8_t *words)
{
    enum { WORD = 4, WORDS = GM_SECTOR / WORD };
    const uint32_t *bytes = &coalescer->byte_mask[(size_t)number * coalescer->request_sectors];
    uint32_t first = first_sector(coalescer, &coalescer->request[number]);
    memset(words, 0, coalescer->sectors_per_line);
    for (uint32_t sector = 0; sector < coalescer->request_sectors; sector++) {
        for (unsigned word = 0; word < WORDS; word++) {
            unsigned touched = (bytes[sector] >> word * WORD & gm_mask(WORD)) != 0;
            words[first + sector] |= (uint8_t)(touched << word);
        }
    }
}

void gm_coalescer_masks(const gm_coalescer *coalescer, uint32_t number, uint32_t *bytes)
{
    const gm_line_request *request = &coalescer->request[number];
    const uint32_t *mask = &coalescer->byte_mask[(size_t)number * coalescer->request_sectors];
    uint32_t first = first_sector(coalescer, request);
    for (uint32_t sector = 0; sector < coalescer->sectors_per_line; sector++) {
        bool touched = (request->sectors >> sector & 1) != 0;
        bool whole = (request->whole >> sector & 1) != 0;
        bytes[sector] = whole ? UINT32_MAX : touched ? mask[sector - first] : 0;
    }
}

/* Turns requests for sectors, with their addresses in place of a line's, into requests for sectors
 * of lines. */
static void place_in_lines(gm_coalescer *coalescer)
{
    unsigned bits = coalescer->line_shift - coalescer->request_shift;
    for (uint32_t i = 0; i < coalescer->requests; i++) {
        gm_line_request *request = &coalescer->request[i];
        unsigned place = (unsigned)(request->line & gm_mask(bits));
        request->line >>= bits;
        request->sectors <<= place * coalescer->request_sectors;
        request->whole <<= place * coalescer->request_sectors;
    }
}

/* True for a run up to byte `end` whose bytes are kept, and which has sectors that it does not
 * write whole. */
static bool needs_masks(const gm_coalescer *coalescer, const gm_instruction *instruction,
                        uint64_t end)
{
    return (coalescer->keeps & GM_KEEPS_BYTES) != 0 &&
           (instruction->op == GM_OP_STORE || keeps_atomic(coalescer, instruction)) &&
           (instruction->base | (end + 1)) % GM_SECTOR != 0;
}

/* Coalesces an instruction with addresses, line by line or sector by sector. */
static void coalesce(gm_coalescer *coalescer, const gm_coalesce_context *context,
                     const gm_instruction *instruction)
{
    uint64_t end = instruction->base + (uint64_t)instruction->addresses * instruction->width - 1;
    bool masks = coalescer->keeps != 0 && ((coalescer->keeps & GM_KEEPS_WORDS) != 0 ||
                                           needs_masks(coalescer, instruction, end));
    if (is_run(instruction) && end >= instruction->base && !masks) {
        coalescer->global = true;
        coalescer->lane_accesses = instruction->addresses;
        coalesce_run(coalescer, instruction, end);
        return;
    }
    if (coalescer->atomic_passes && is_atomic(instruction)) {
        add_passes(coalescer, context, instruction);
    } else {
        start(coalescer, instruction);
        add_lanes(coalescer, context, instruction);
    }
    if (instruction->op == GM_OP_STORE ||
        (coalescer->keeps != 0 && keeps_atomic(coalescer, instruction))) {
        find_whole(coalescer);
    }
}

static void swap_requests(gm_coalescer *coalescer, uint32_t a, uint32_t b)
{
    gm_line_request *request = coalescer->request;
    gm_line_request kept = request[a];
    request[a] = request[b];
    request[b] = kept;
    for (uint32_t i = 0; coalescer->stores && i < coalescer->request_sectors; i++) {
        uint32_t *mask = &coalescer->byte_mask[(size_t)a * coalescer->request_sectors + i];
        uint32_t *other = &coalescer->byte_mask[(size_t)b * coalescer->request_sectors + i];
        uint32_t bytes = *mask;
        *mask = *other;
        *other = bytes;
    }
}

/* sm.descending: sorts requests from the highest address down; those of several passes for one line
 * keep their order. Most are in order of their addresses: reversed first, so that these take one
 * step each. */
static void sort_descending(gm_coalescer *coalescer)
{
    const gm_line_request *request = coalescer->request;
    uint32_t count = coalescer->requests;
    bool ascending = true;
    for (uint32_t i = 1; i < count; i++) {
        ascending = ascending && request[i - 1].line < request[i].line;
    }
    for (uint32_t i = 0; ascending && i < count / 2; i++) {
        swap_requests(coalescer, i, count - 1 - i);
    }
    for (uint32_t i = 1; !ascending && i < count; i++) {
        for (uint32_t k = i; k > 0 && request[k - 1].line < request[k].line; k--) {
            swap_requests(coalescer, k - 1, k);
        }
    }
}

/* Chooses what requests of the instruction are for. */
static void choose_request(gm_coalescer *coalescer, unsigned width)
{
    unsigned narrow = width == 1 ? GM_SECTOR_SHIFT : GM_SECTOR_SHIFT + 1;
    unsigned shift = coalescer->bypasses                        ? (unsigned)GM_SECTOR_SHIFT
                     : gm_coalescer_is_narrow(coalescer, width) ? narrow
                                                                : coalescer->run_shift;
    shift = shift < coalescer->line_shift ? shift : coalescer->line_shift;
    coalescer->request_shift = shift;
    coalescer->request_sectors = UINT32_C(1) << (shift - GM_SECTOR_SHIFT);
}

void gm_coalesce(gm_coalescer *coalescer, const gm_coalesce_context *context,
                 const gm_instruction *instruction)
{
    if (coalescer->bypassed_sectors || coalescer->narrow) {
        choose_request(coalescer, instruction->width);
    }
    coalescer->requests = 0;
    coalescer->of_passes = 0;
    coalescer->shared_accesses = 0;
    coalescer->lane_accesses = 0;
    coalescer->global = false;
    coalescer->local = false;
    if (instruction->form == GM_ADDRESS_NONE || instruction->width == 0) {
        return;
    }
    if (instruction->space == GM_SPACE_SHARED) {
        add_shared_lanes(coalescer, instruction);
        return;
    }
    coalesce(coalescer, context, instruction);
    if (coalescer->descending && coalescer->requests > 1) {
        sort_descending(coalescer);
    }
    if (coalescer->request_shift != coalescer->line_shift) {
        place_in_lines(coalescer);
    }
}
