/* Which unit an instruction goes to, and how long it keeps it, by the instruction's text. */
#include "timing/memory.h"
#include "timing/timing.h"

#include <stdlib.h>
#include <string.h>

typedef struct UnitRow {
    bool per_sm;
    float period, latency;
} UnitRow;

enum { SUBCORE = false, SM = true };
static const UnitRow rows[] = {
#define UNIT(id, name, scope, period, latency) {scope, (float)(period), (float)(latency)},
#include "timing/units.def"
};

/* Names of one kind, each with a blank before and behind it. */
typedef struct Kind {
    TimeUnit unit;
    const char *names;
} Kind;

static const Kind machine_kinds[] = {
    {TIME_fma, " FADD FADD32I FFMA FFMA32I FMUL FMUL32I FADD2 FFMA2 FMUL2 FSWZADD "},
    {TIME_imad, " IMAD IMUL IMUL32I IDP IDP4A "},
    {TIME_half, " HADD2 HADD2_32I HFMA2 HFMA2_32I HMUL2 HMUL2_32I HMNMX2 HSET2 HSETP2 "},
    {TIME_xu, " MUFU POPC FLO BREV FCHK "},
    {TIME_convert, " F2F F2I I2F FRND "},
    {TIME_fp64, " DADD DFMA DMUL DSETP "},
    {TIME_tensor, " HMMA IMMA DMMA BMMA QMMA HGMMA IGMMA QGMMA BGMMA "},
    {TIME_control, " BRA BRX BRXU JMP JMX JMXU CALL RET EXIT BSYNC BSSY BREAK WARPSYNC YIELD "
                   "NANOSLEEP BPT KILL "},
    {TIME_special, " S2R S2UR CS2R CS2UR B2R R2B R2UR LEPC MEMBAR FENCE ERRBAR CCTL "},
    {TIME_constant, " LDC ULDC "},
    {TIME_vote, " VOTE VOTEU "},
    {TIME_shuffle, " SHFL MATCH REDUX MOVM "},
    {TIME_barrier, " BAR "},
    {TIME_shared, " LDS STS LDSM STSM ATOMS REDS "},
    {TIME_global, " LD ST LDG STG LDL STL ATOM ATOMG RED REDG QSPC "},
    {TIME_texture, " TEX TLD TLD4 TXD TXQ TMML SULD SUST SUATOM SURED "},
    {TIME_group, " LDGDEPBAR DEPBAR "},
    {TIME_copy, " LDGSTS UBLKCP UTMALDG UTMASTG UBLKRED UTMAREDG "},
};

/* Of PTX what its type does not decide. */
static const Kind ptx_kinds[] = {
    {TIME_free,
     " mov cvta isspacep pragma nop createpolicy prefetch prefetchu istypep griddepcontrol "},
    {TIME_alu, " and or xor not cnot shl shr lop3 shf bfe bfi prmt setp set selp slct sad vabsdiff "
               "szext bmsk fns addc subc dp2a "},
    {TIME_imad, " mul24 mad24 madc dp4a "},
    {TIME_xu, " sqrt rsqrt rcp ex2 lg2 sin cos tanh popc clz bfind brev testp "},
    {TIME_tensor, " mma wgmma "},
    {TIME_control, " bra brx ret exit call trap brkpt nanosleep "},
    {TIME_special, " membar fence activemask elect getctarank mapa "},
    {TIME_vote, " vote "},
    {TIME_shuffle, " shfl match redux movmatrix "},
    {TIME_barrier, " bar barrier "},
    {TIME_shared, " ldmatrix stmatrix mbarrier "},
    {TIME_texture, " tex tld4 txq suld sust sured suq "},
};

static bool among(Str name, const char *names) {
    for (const char *at = strchr(names, ' '); at && at[1]; at = strchr(at + 1, ' '))
        if (strncmp(at + 1, name.at, name.length) == 0 && at[1 + name.length] == ' ')
            return true;
    return false;
}

static TimeUnit unit_of(Str name, const Kind *kinds, size_t count, TimeUnit other) {
    for (size_t i = 0; i < count; i++)
        if (among(name, kinds[i].names))
            return kinds[i].unit;
    return other;
}

/* Whether the name, up to its first blank, has this part between dots. */
static bool has(Str text, const char *part) {
    size_t length = strlen(part);
    for (size_t i = 0; i + length <= text.length; i++) {
        if (text.at[i] == ' ')
            return false;
        bool begins = i == 0 || text.at[i - 1] == '.';
        bool ends = i + length == text.length || strchr(". \t,;", text.at[i + length]);
        if (begins && ends && memcmp(text.at + i, part, length) == 0)
            return true;
    }
    return false;
}

static bool has_any(Str text, const char *const *parts) {
    for (; *parts; parts++)
        if (has(text, *parts))
            return true;
    return false;
}

/* ---- tensor cores ---- */

/* Products of 16 bits that a part of an SM makes in a clock through wgmma, through mma; of FP64. */
enum { MATRIX_PERIOD = 4, WGMMA_PRODUCTS = 512, MMA_PRODUCTS = 339, DMMA_PRODUCTS = 16 };

/* Bits of an element of the first matrix. */
static uint32_t element_bits(Str text) {
    static const char *const f64[] = {"f64", "F64", "DMMA", NULL}, *const tf32[] = {"tf32", "TF32",
                                                                                    NULL};
    static const char *const bytes[] = {"s8",   "u8",   "S8",   "U8", "e4m3",
                                        "e5m2", "E4M3", "E5M2", NULL};
    static const char *const nibbles[] = {"s4", "u4", "S4", "U4", NULL};
    static const char *const bits[] = {"b1", "BMMA", "BGMMA", NULL};
    return has_any(text, tf32)                                                              ? 32
           : has_any(text, nibbles)                                                         ? 4
           : has_any(text, bits)                                                            ? 1
           : has_any(text, bytes)                                                           ? 8
           : str_starts(text, "DMMA") || (has_any(text, f64) && !str_starts(text, "wgmma")) ? 64
                                                                                            : 16;
}

static const char *digits_of(Str text, const char *before) {
    size_t length = strlen(before);
    for (size_t i = 0; i + length < text.length && text.at[i] != ' '; i++)
        if (memcmp(text.at + i, before, length) == 0 && text.at[i + length] >= '0' &&
            text.at[i + length] <= '9')
            return text.at + i + length;
    return NULL;
}

/* Of machine code: "16816" is 16 x 8 x 16, as "16x8x16" is. */
static double machine_products(const char *at) {
    char *end = NULL;
    const bool tall = strncmp(at, "16", 2) == 0;
    double m = strtod(at, &end), n = 8, k;
    if (*end == 'x') {
        n = strtod(end + 1, &end);
        k = strtod(end + 1, &end);
    } else {
        m = tall ? 16 : 8;
        k = strtod(at + (tall ? 3 : 2), &end);
    }
    return (m == 64 ? 16 : m) * n * k;
}

/* m x n x k of one warp: of 64 rows it has 16. */
static double products(Str text, bool machine) {
    char *end = NULL;
    const char *at = digits_of(text, machine ? "." : "m");
    if (!at)
        return 2048;
    if (machine)
        return machine_products(at);
    double m = strtod(at, &end), n = strtod(end + 1, &end), k = strtod(end + 1, &end);
    return (m == 64 ? 16 : m) * n * k;
}

static void find_matrix(TimedInsn *insn, Str text, bool machine) {
    uint32_t bits = element_bits(text);
    double work = products(text, machine);
    static const char *const groups[] = {"wgmma", "HGMMA", "IGMMA", "QGMMA", "BGMMA", NULL};
    bool group = has_any(text, groups);
    if (bits == 64)
        insn->period = (float)(work / DMMA_PRODUCTS);
    else
        insn->period = (float)(work * bits / 16 / (group ? WGMMA_PRODUCTS : MMA_PRODUCTS));
    insn->period = insn->period > MATRIX_PERIOD ? insn->period : MATRIX_PERIOD;
    insn->latency = insn->period > insn->latency ? insn->period : insn->latency;
}

/* The small number behind a comma or blank; 0: there is none. */
static uint8_t number_behind(const char *at) {
    return (uint8_t)(at ? strtoul(at + 1, NULL, 0) : 0);
}

/* ---- banks of registers ---- */

enum { SLOTS = 3, NO_REGISTER = -1 };

typedef struct Sources {
    int number[SLOTS]; /* of the registers behind the destination; NO_REGISTER */
    bool kept[SLOTS];  /* .reuse: the next instruction need not read it again in this place */
} Sources;

static Sources sources_of(Str text) {
    Sources sources = {.number = {NO_REGISTER, NO_REGISTER, NO_REGISTER}};
    const char *end = text.at + text.length, *at = memchr(text.at, ',', text.length);
    for (uint32_t slot = 0; slot < SLOTS && at; slot++) {
        const char *next = memchr(at + 1, ',', (size_t)(end - at - 1));
        Str operand = str_trimmed((Str){at + 1, (size_t)((next ? next : end) - at - 1)});
        while (operand.length && (*operand.at == '-' || *operand.at == '|' || *operand.at == '~'))
            operand = str_drop(operand, 1);
        if (operand.length > 1 && *operand.at == 'R' && operand.at[1] >= '0' &&
            operand.at[1] <= '9')
            sources.number[slot] = (int)strtol(operand.at + 1, NULL, 10);
        for (size_t i = 0; i + 6 <= operand.length; i++)
            sources.kept[slot] |= memcmp(operand.at + i, ".reuse", 6) == 0;
        at = next;
    }
    return sources;
}

/* Registers lie in two banks, of which each gives two at once: three of one bank take a clock more. */
static bool collides(Str text, Str before) {
    Sources now = sources_of(text), last = sources_of(before);
    uint32_t odd = 0, even = 0;
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (now.number[i] == NO_REGISTER || (last.kept[i] && last.number[i] == now.number[i]))
            continue;
        odd += now.number[i] & 1;
        even += !(now.number[i] & 1);
    }
    return odd == SLOTS || even == SLOTS;
}

/* What compares or reduces the values of all lanes: match_any of 32 different ones, redux (bench/results/gpu/calibration-h200.tsv). */
static void of_whole_warp(TimedInsn *insn, bool match) {
    insn->period = match ? 64 : 2;
    insn->latency = (match ? 368.8f : 44) - insn->period + 1;
}

static bool adds_real(Str text) {
    static const char *const add[] = {"add", "ADD", NULL}, *const real[] = {"f32", "f64", "F32",
                                                                            "F64", NULL};
    return has_any(text, add) && has_any(text, real);
}

static bool swaps(Str text) {
    static const char *const names[] = {"cas", "CAS", NULL};
    return has_any(text, names);
}

/* ---- machine code ---- */

static void of_machine(TimedInsn *insn, Str text) {
    if (text.length && *text.at == '@')
        while (text.length && *text.at != ' ')
            text = str_drop(text, 1);
    text = str_trimmed(text);
    Str name = str_until(text, ". ;");
    bool uniform = name.length > 1 && *name.at == 'U' &&
                   !among(name, " UBLKCP UTMALDG UTMASTG UBLKRED UTMAREDG ULDC ");
    insn->unit = uniform ? TIME_uniform
                         : unit_of(name, machine_kinds,
                                   sizeof machine_kinds / sizeof *machine_kinds, TIME_alu);
    const UnitRow *row = &rows[insn->unit];
    insn->period = row->period;
    insn->latency = row->latency;
    insn->store = among(name, " STS STSM STG ST STL REDS RED REDG SUST SURED ");
    insn->atomic = among(name, " ATOMS ATOM ATOMG RED REDG REDS SUATOM SURED ");
    insn->adds_real = insn->atomic && adds_real(text);
    insn->swaps = insn->atomic && swaps(text);
    insn->polls =
        insn->unit == TIME_global && !insn->store && (has(text, "STRONG") || has(text, "CV"));
    if (str_is(name, "IMAD") && has(text, "MOV"))
        insn->unit = TIME_fma, insn->period = rows[TIME_fma].period;
    if (insn->unit == TIME_barrier)
        insn->commits = has(text, "ARV");
    if (str_is(name, "MATCH") || str_is(name, "REDUX"))
        of_whole_warp(insn, str_is(name, "MATCH"));
    if (str_is(name, "FSETP") || str_is(name, "FMNMX") || str_is(name, "FSEL"))
        insn->unit = TIME_alu;
    if (insn->unit == TIME_convert && (has(text, "F64") || has(text, "64")))
        insn->unit = TIME_xu, insn->period = rows[TIME_xu].period,
        insn->latency = rows[TIME_xu].latency;
    if (insn->unit == TIME_tensor)
        find_matrix(insn, text, true);
    if (insn->unit == TIME_group) {
        insn->commits = str_is(name, "LDGDEPBAR");
        insn->left = number_behind(memchr(text.at, ',', text.length));
    }
}

/* ---- PTX ---- */

/* What is a subroutine, or a row of instructions, in machine code: so many of its unit. */
static float repeats(Str text, Str name, bool f64, bool f32) {
    bool whole = !has(text, "approx");
    if (str_is(name, "div") || str_is(name, "rem"))
        return f64 ? 14 : f32 ? (whole ? 9 : 2) : has(text, "u64") || has(text, "s64") ? 60 : 18;
    if (whole && (str_is(name, "sqrt") || str_is(name, "rcp")))
        return f64 ? 12 : 1.5f;
    return 1;
}

static TimeUnit memory_unit(Str text) {
    static const char *const shared[] = {"shared", "shared::cta", "shared::cluster", NULL};
    if (has(text, "param"))
        return TIME_free;
    return has_any(text, shared) ? TIME_shared : has(text, "const") ? TIME_constant : TIME_global;
}

static TimeUnit unit_of_ptx(Str text, Str name) {
    static const char *const half[] = {"f16", "f16x2", "bf16", "bf16x2", NULL};
    bool f64 = has(text, "f64"), f32 = has(text, "f32"), any = f64 || f32 || has_any(text, half);
    if (among(name, " ld ldu st atom red "))
        return memory_unit(text);
    if (str_is(name, "wmma"))
        return has(text, "mma") ? TIME_tensor : memory_unit(text);
    if (str_is(name, "cp"))
        return has(text, "commit_group") || has(text, "wait_group") || has(text, "wait_all")
                   ? TIME_group
                   : TIME_copy;
    if (str_is(name, "wgmma") && !has(text, "mma_async"))
        return TIME_special;
    if (str_is(name, "cvt"))
        return !any ? TIME_free : f64 ? TIME_xu : TIME_convert;
    if (among(name, " add sub mul mad fma neg abs min max div rem copysign ")) {
        if (f64)
            return TIME_fp64;
        if (any && !f32)
            return TIME_half;
        if (f32)
            return among(name, " min max neg abs copysign ") ? TIME_alu : TIME_fma;
        return among(name, " mul mad ") ? TIME_imad : TIME_alu;
    }
    if (f64 && among(name, " sqrt rcp rsqrt setp set "))
        return TIME_fp64;
    return unit_of(name, ptx_kinds, sizeof ptx_kinds / sizeof *ptx_kinds, TIME_alu);
}

static void of_ptx(TimedInsn *insn, Str text) {
    static const char *const polling[] = {"volatile", "relaxed", "acquire", "cv", NULL};
    Str name = str_until(text, ". ;");
    insn->unit = unit_of_ptx(text, name);
    if (insn->unit == TIME_barrier && has(text, "warp"))
        insn->unit = TIME_control;
    insn->commits = insn->unit == TIME_barrier && has(text, "arrive");
    const UnitRow *row = &rows[insn->unit];
    bool wide = has(text, "s64") || has(text, "u64") || has(text, "b64");
    float times = repeats(text, name, has(text, "f64"), has(text, "f32"));
    if (wide && (insn->unit == TIME_alu || insn->unit == TIME_imad))
        times = times > 2 ? times : 2;
    insn->period = row->period * times;
    insn->latency = row->latency * (times > 2 ? times / 2 : 1);
    if (insn->unit == TIME_shared || insn->unit == TIME_global)
        insn->latency *= (float)time_ptx_latency;
    if (str_is(name, "match") || str_is(name, "redux"))
        of_whole_warp(insn, str_is(name, "match"));
    insn->store = among(name, " st red stmatrix sust sured ");
    insn->atomic = among(name, " atom red sured ");
    insn->adds_real = insn->atomic && adds_real(text);
    insn->swaps = insn->atomic && swaps(text);
    insn->polls = str_is(name, "ld") && has_any(text, polling);
    if (insn->unit == TIME_tensor)
        find_matrix(insn, text, false);
    if (insn->unit == TIME_group) {
        insn->commits = has(text, "commit_group");
        const char *blank = memchr(text.at, ' ', text.length);
        insn->left = number_behind(has(text, "wait_group") ? blank : NULL);
    }
}

TimedInsn timed_insn(Str text, Str before, bool machine) {
    TimedInsn insn = {.site = NO_TIME_SITE};
    if (machine)
        of_machine(&insn, text);
    if (machine && (insn.unit == TIME_fma || insn.unit == TIME_imad))
        insn.stall = collides(text, before);
    if (!machine)
        of_ptx(&insn, str_trimmed(text));
    return insn;
}
