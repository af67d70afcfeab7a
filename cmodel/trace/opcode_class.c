/* Opcode classes: the first dot-separated token of an opcode's text gives its meaning
 * (docs/traces.md: opcodes), the others give widths and cache modifiers. */
#include "goldmem/nearest.h"
#include "trace/opcode.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct meaning {
    const char *token;
    gm_op op;
    gm_space space;
    gm_unit unit;
} meaning;

/* Opcodes that carry addresses, in SM35 to SM90 [CUDA Binary Utilities, instruction set reference].
 */
static const meaning accesses[] = {
    {"LDG", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    {"STG", GM_OP_STORE, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    {"LDL", GM_OP_LOAD, GM_SPACE_LOCAL, GM_UNIT_MEMORY},
    {"STL", GM_OP_STORE, GM_SPACE_LOCAL, GM_UNIT_MEMORY},
    {"LDS", GM_OP_LOAD, GM_SPACE_SHARED, GM_UNIT_MEMORY},
    {"STS", GM_OP_STORE, GM_SPACE_SHARED, GM_UNIT_MEMORY},
    {"LDSM", GM_OP_LOAD, GM_SPACE_SHARED, GM_UNIT_MEMORY},
    {"STSM", GM_OP_STORE, GM_SPACE_SHARED, GM_UNIT_MEMORY},
    {"LDSLK", GM_OP_LOAD, GM_SPACE_SHARED, GM_UNIT_MEMORY},   /* Kepler: load and lock, */
    {"STSCUL", GM_OP_STORE, GM_SPACE_SHARED, GM_UNIT_MEMORY}, /* store and unlock */
    {"ATOMS", GM_OP_ATOMIC, GM_SPACE_SHARED, GM_UNIT_MEMORY},
    {"LD", GM_OP_LOAD, GM_SPACE_GENERIC, GM_UNIT_MEMORY},
    {"ST", GM_OP_STORE, GM_SPACE_GENERIC, GM_UNIT_MEMORY},
    {"ATOM", GM_OP_ATOMIC, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    {"ATOMG", GM_OP_ATOMIC, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    {"RED", GM_OP_REDUCTION, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    {"REDG", GM_OP_REDUCTION, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    {"LDC", GM_OP_LOAD, GM_SPACE_CONSTANT, GM_UNIT_MEMORY},
    {"ULDC", GM_OP_LOAD, GM_SPACE_CONSTANT, GM_UNIT_MEMORY},
    {"LDCU", GM_OP_LOAD, GM_SPACE_CONSTANT, GM_UNIT_MEMORY},
    {"LDGSTS", GM_OP_ASYNC_COPY, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    {"LDGMC", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY}, /* of a multicast address */
    {"CCTL", GM_OP_CACHE_CONTROL, GM_SPACE_NONE, GM_UNIT_MEMORY},
    {"CCTLL", GM_OP_CACHE_CONTROL, GM_SPACE_NONE, GM_UNIT_MEMORY},
    {"CCTLT", GM_OP_CACHE_CONTROL, GM_SPACE_NONE, GM_UNIT_MEMORY},
    {"UTMACCTL", GM_OP_CACHE_CONTROL, GM_SPACE_NONE, GM_UNIT_MEMORY},
    /* Bulk copies of SM90 (version 6): one uniform operation for the warp. */
    {"UTMALDG", GM_OP_ASYNC_COPY, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    {"UBLKCP", GM_OP_ASYNC_COPY, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    {"UTMASTG", GM_OP_STORE, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    {"UTMAREDG", GM_OP_REDUCTION, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    {"UBLKRED", GM_OP_REDUCTION, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    {"UTMAPF", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    {"UBLKPF", GM_OP_LOAD, GM_SPACE_GLOBAL, GM_UNIT_MEMORY},
    /* Textures and surfaces, whose addresses no tracer writes. */
    {"TEX", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_TEXTURE},
    {"TEXS", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_TEXTURE},
    {"TLD", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_TEXTURE},
    {"TLDS", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_TEXTURE},
    {"TLD4", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_TEXTURE},
    {"TLD4S", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_TEXTURE},
    {"TXD", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_TEXTURE},
    {"SULD", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_SPECIAL},
    {"SULDGA", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_SPECIAL},
    {"SUST", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_SPECIAL},
    {"SUSTGA", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_SPECIAL},
    {"SUATOM", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_SPECIAL},
    {"SURED", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_SPECIAL},
    /* mbarriers (objects in shared memory), and shared memory of another CTA of the cluster. */
    {"SYNCS", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_INTEGER},
    {"ARRIVES", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_INTEGER},
    {"STAS", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_INTEGER},
    {"REDAS", GM_OP_UNMODELLED, GM_SPACE_NONE, GM_UNIT_INTEGER},
    /* QSPC names an address and accesses nothing: it returns the address's space. */
    {"QSPC", GM_OP_COMPUTE, GM_SPACE_NONE, GM_UNIT_INTEGER},
};

/* Synchronisation and control. Anything not listed here or above is COMPUTE; see unit_of. */
static const meaning meanings[] = {
    {"LDGDEPBAR", GM_OP_COMMIT_GROUP, GM_SPACE_NONE, GM_UNIT_MEMORY},
    {"DEPBAR", GM_OP_WAIT_GROUP, GM_SPACE_NONE, GM_UNIT_CONTROL},
    {"MEMBAR", GM_OP_FENCE, GM_SPACE_NONE, GM_UNIT_MEMORY},
    {"FENCE", GM_OP_FENCE, GM_SPACE_NONE, GM_UNIT_MEMORY},
    {"BAR", GM_OP_BARRIER, GM_SPACE_NONE, GM_UNIT_CONTROL},
    {"EXIT", GM_OP_EXIT, GM_SPACE_NONE, GM_UNIT_CONTROL},
    {"KILL", GM_OP_EXIT, GM_SPACE_NONE, GM_UNIT_CONTROL},
};

/* Control flow by its first token. */
static const char *const branches[] = {
    "BRA",  "BRX",     "BRXU",     "JMP",       "JMX",         "JMXU",     "JCAL",   "CAL",
    "CALL", "RET",     "BSSY",     "BSYNC",     "BREAK",       "BRK",      "CONT",   "PBK",
    "PCNT", "SSY",     "SYNC",     "PRET",      "YIELD",       "WARPSYNC", "RPCMOV", "BPT",
    "RTT",  "LONGJMP", "PLONGJMP", "NANOSLEEP", "WARPSYNCEXCL"};

static const char *const specials[] = {"MUFU", "F2F", "F2I", "I2F", "F2FP", "FRND", "FCHK", "RRO"};

static const char *const textures[] = {"TMML", "TXQ"};

/* Beside the opcodes that begin with U. */
static const char *const uniforms[] = {"R2UR", "S2UR", "VOTEU", "REDUX"};

static const char *const controls[] = {"BMOV", "NOP",  "ERRBAR", "DEPBAR", "VOTE",
                                       "S2R",  "CS2R", "B2R",    "R2B"};

static const char *const fp32_names[] = {
    "MUL32I",    "HADD2",     "HFMA2", "HMUL2",   "HSET2",   "HSETP2",  "HMNMX2", "HADD2_32I",
    "HFMA2_32I", "HMUL2_32I", "FADD",  "FADD32I", "FFMA",    "FFMA32I", "FMUL",   "FMUL32I",
    "FMNMX",     "FSEL",      "FSET",  "FSETP",   "FSWZADD", "FSWZ",    "FCMP"};

static const char *const fp64_names[] = {"DADD", "DFMA", "DMUL", "DMNMX", "DSET", "DSETP"};

static const char *const tensor_names[] = {"HMMA",  "IMMA",  "BMMA",  "DMMA",  "QMMA",
                                           "HGMMA", "IGMMA", "BGMMA", "QGMMA", "OMMA"};

static bool in_list(const char *token, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(token, list[i]) == 0) {
            return true;
        }
    }
    return false;
}

#define IN_LIST(token, list) in_list(token, list, sizeof(list) / sizeof *(list))

/* Returns the unit of an opcode that acts on neither memory nor control flow. */
static gm_unit unit_of(const char *token)
{
    if (IN_LIST(token, fp32_names)) {
        return GM_UNIT_FP32;
    }
    if (IN_LIST(token, fp64_names)) {
        return GM_UNIT_FP64;
    }
    if (IN_LIST(token, tensor_names)) {
        return GM_UNIT_TENSOR;
    }
    if (IN_LIST(token, specials)) {
        return GM_UNIT_SPECIAL;
    }
    if (IN_LIST(token, textures)) {
        return GM_UNIT_TEXTURE;
    }
    if (IN_LIST(token, controls)) {
        return GM_UNIT_CONTROL;
    }
    if (token[0] == 'U' || IN_LIST(token, uniforms)) {
        return GM_UNIT_UNIFORM;
    }
    return GM_UNIT_INTEGER;
}

/* Calls `visit` with each dot-separated token, in order, until it returns true. */
static bool any_token(const char *text, bool (*visit)(const char *token, void *context),
                      void *context)
{
    char copy[GM_OPCODE_TEXT];
    memcpy(copy, text, strlen(text) + 1);
    char *rest = copy;
    for (char *token = strsep(&rest, "."); token != NULL; token = strsep(&rest, ".")) {
        if (visit(token, context)) {
            return true;
        }
    }
    return false;
}

static bool is_token(const char *token, void *context)
{
    return strcmp(token, context) == 0;
}

static bool has_token(const char *text, char *wanted)
{
    return any_token(text, is_token, wanted);
}

static bool is_strong(const char *text)
{
    return has_token(text, "STRONG") && (has_token(text, "GPU") || has_token(text, "SYS"));
}

/* True if an opcode reads past the L1, whether the L1s are coherent or not. */
static bool reads_past_l1(const gm_opcode *opcode, const char *first)
{
    const char *text = opcode->text;
    if (opcode->op == GM_OP_ASYNC_COPY) {
        return has_token(text, "BYPASS") || first[0] == 'U';
    }
    if (opcode->op != GM_OP_LOAD) {
        return false;
    }
    return has_token(text, "CG") || has_token(text, "CV") || strcmp(first, "UTMAPF") == 0 ||
           strcmp(first, "UBLKPF") == 0;
}

/* Returns the scope of a fence: MEMBAR.CTA, .GL or .SYS up to SM62,
 * MEMBAR.{SC,ALL}.{CTA,SM,GPU,SYS} since SM70. A text without a known scope has the widest, among
 * them the debugger's MEMBAR.SC.VC. FENCE.VIEW orders the CTA's own accesses through the
 * asynchronous copy unit. */
static gm_scope scope_of(const char *text, const char *first)
{
    if (strcmp(first, "FENCE") == 0 || has_token(text, "CTA") || has_token(text, "SM")) {
        return GM_SCOPE_CTA;
    }
    return has_token(text, "GPU") || has_token(text, "GL") ? GM_SCOPE_GPU : GM_SCOPE_SYS;
}

static const char *const matrix_accesses[] = {"LDSM", "STSM"};

/* Returns the rows of one, two or four matrices of 8 rows, as the last token says. */
static uint8_t matrix_rows(const char *text, const char *first)
{
    enum { ROWS = 8 };
    if (!IN_LIST(first, matrix_accesses)) {
        return 0;
    }
    return has_token(text, "4") ? 4 * ROWS : has_token(text, "2") ? 2 * ROWS : ROWS;
}

static const meaning *find(const char *token, const meaning *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(token, list[i].token) == 0) {
            return &list[i];
        }
    }
    return NULL;
}

#define FIND(token, list) find(token, list, sizeof(list) / sizeof *(list))

static void first_token(const char *text, char first[GM_OPCODE_TEXT])
{
    size_t length = strcspn(text, ".");
    memcpy(first, text, length);
    first[length] = '\0';
}

void gm_opcode_unknown_text(const gm_opcode *opcode, char *text, size_t size)
{
    char first[GM_OPCODE_TEXT];
    first_token(opcode->text, first);
    const char *near =
        gm_nearest(first, &accesses[0].token, sizeof accesses / sizeof *accesses, sizeof *accesses);
    bool is_near = near != NULL && strcmp(near, first) != 0;
    snprintf(text, size,
             "opcode: '%s' is not known to carry addresses; %s%s%s--unknown=ignore goes on without "
             "them",
             opcode->text, is_near ? "did you mean " : "", is_near ? near : "",
             is_near ? "? " : "");
}

void gm_opcode_classify(gm_opcode *opcode)
{
    char first[GM_OPCODE_TEXT];
    first_token(opcode->text, first);

    opcode->op = GM_OP_COMPUTE;
    opcode->space = GM_SPACE_NONE;
    opcode->unit = unit_of(first);
    const meaning *access = FIND(first, accesses);
    const meaning *meaning = access != NULL ? access : FIND(first, meanings);
    opcode->addresses = access != NULL;
    if (meaning != NULL) {
        opcode->op = meaning->op;
        opcode->space = meaning->space;
        opcode->unit = meaning->unit;
    }
    if (IN_LIST(first, branches)) {
        opcode->op = GM_OP_BRANCH;
        opcode->unit = GM_UNIT_CONTROL;
    }
    opcode->scope = opcode->op == GM_OP_FENCE ? scope_of(opcode->text, first) : GM_SCOPE_CTA;
    bool past_l1 = reads_past_l1(opcode, first);
    opcode->strong = !past_l1 && opcode->op == GM_OP_LOAD && is_strong(opcode->text);
    opcode->bypasses_l1 = past_l1 || opcode->strong;
    opcode->rows = matrix_rows(opcode->text, first);
}

/* Reads the bits that a token of digits, or "U" and digits, names; ignores an implausible number.
 */
static bool width_token(const char *token, void *context)
{
    const char *digits = token[0] == 'U' ? token + 1 : token;
    size_t length = strlen(digits);
    if (length == 0 || length > 4 || strspn(digits, "0123456789") != length) {
        return false;
    }
    unsigned long bits = strtoul(digits, NULL, 10);
    *(unsigned *)context = bits > 2040 ? 255 : (unsigned)bits / 8;
    return true;
}

unsigned gm_opcode_written_width(const char *text)
{
    unsigned width = 4;
    any_token(text, width_token, &width);
    return width;
}

unsigned gm_opcode_true_width(const char *text)
{
    static const char *const atomics[] = {"ATOM", "ATOMG", "ATOMS", "RED", "REDG"};
    char first[GM_OPCODE_TEXT];
    first_token(text, first);

    if (IN_LIST(first, matrix_accesses)) {
        return 16; /* one row of an 8x8 matrix of 16-bit elements per lane */
    }
    if (has_token(text, "S8")) {
        return 1;
    }
    if (has_token(text, "S16")) {
        return 2;
    }
    if (IN_LIST(first, atomics) && has_token(text, "F64")) {
        return 8;
    }
    return gm_opcode_written_width(text);
}
