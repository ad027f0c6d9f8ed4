/* An access that is asked for by a declaration and an index expression, or by plain addresses, to be drawn. */
#include "report/asked.h"

#include <inttypes.h>
#include <string.h>

typedef struct Asking {
    Arena *arena;
    Diags *diags;
    const Asked *asked;
} Asking;

/* ---- widths that an operation has ---- */

/* It, or the first of its members, has so many bytes. */
static bool begins_with(const ElementType *type, uint32_t bytes) {
    return type->bytes == bytes ||
           (type->member_count && type->members[0].array.type.bytes == bytes);
}

static bool check_width(const Asking *asking, const Answer *answer) {
    AccessKind kind = answer->access.kind;
    static const struct {
        uint8_t least, most;
    } widths[ACCESS_KIND_COUNT] = {
        [ACCESS_LOAD] = {1, 16},         [ACCESS_STORE] = {1, 16},
        [ACCESS_ATOMIC] = {4, 16},       [ACCESS_ATOMIC_POPC] = {4, 4},
        [ACCESS_ATOMIC_CAS] = {4, 16},   [ACCESS_ATOMIC_LOOP32] = {4, 4},
        [ACCESS_ATOMIC_LOOP64] = {8, 8}, [ACCESS_LDMATRIX] = {16, 16},
        [ACCESS_STMATRIX] = {16, 16},    [ACCESS_CP_ASYNC_CA] = {4, 16},
        [ACCESS_CP_ASYNC_CG] = {16, 16}, [ACCESS_ATOMIC_CAST] = {4, 8},
    };
    uint32_t width = answer->access.width;
    bool atomic = kind >= ACCESS_ATOMIC && kind <= ACCESS_ATOMIC_LOOP64;
    const uint32_t least = widths[kind].least, most = widths[kind].most;
    if (width < least || width > most) {
        const char *range = least < most ? arena_printf(asking->arena, "%u to %u", least, most)
                                         : arena_printf(asking->arena, "%u", most);
        diags_error(asking->diags, "--op takes %s bytes a lane, and these are %" PRIu32, range,
                    width);
        return false;
    }
    if (atomic && answer->type && !begins_with(answer->type, width) &&
        !asking->asked->width_given) {
        diags_error(asking->diags,
                    "--op takes %" PRIu32 " bytes a lane, an element has %" PRIu32
                    " (--width and --at say which of them)",
                    width, answer->type->bytes);
        return false;
    }
    return true;
}

/* ---- the 64-bit mode of compute capability 3.x ---- */

/* CUDA C Programming Guide (until version 11), "Compute Capability 3.x", shared memory, 64-bit
 * mode: successive 64-bit words lie in successive banks, and lanes in one 64-bit word do not
 * conflict. So all is as with 32-bit words, for addresses and widths halved. (Stores, as pairs of
 * lanes are not said to be merged.) */
static Picture wide_banks(const Access *access) {
    uint64_t halved[WARP_LANES] = {0};
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        halved[lane] = access->address[lane] / 2;
    Access narrow = *access;
    narrow.kind = ACCESS_STORE;
    narrow.address = halved;
    narrow.width = access->width > 1 ? access->width / 2 : 1;
    Picture picture = picture_of(&narrow);
    picture.kind = access->kind;
    picture.width = access->width;
    memcpy(picture.address, access->address, sizeof picture.address);
    return picture;
}

/* ---- global memory ---- */

static bool check_space(const Asking *asking) {
    const Question *question = &asking->asked->question;
    AccessKind kind = question->access.kind;
    bool simple = kind == ACCESS_LOAD || kind == ACCESS_STORE;
    bool matrix = kind == ACCESS_LDMATRIX || kind == ACCESS_STMATRIX;
    bool copy = kind == ACCESS_CP_ASYNC_CA || kind == ACCESS_CP_ASYNC_CG;
    const char *wrong = NULL;
    if (asking->asked->bank_bytes != BANK_BYTES && !simple)
        wrong = "--bank-bytes 8 is for loads and stores";
    else if (question->access.space == SPACE_GLOBAL && (matrix || copy))
        wrong = "of global memory there are loads, stores and atomics";
    else if (question->access.space == SPACE_GLOBAL &&
             (question->layout || asking->asked->bank_bytes != BANK_BYTES))
        wrong = "--swizzle and --bank-bytes are for shared memory";
    if (wrong)
        diags_error(asking->diags, "%s", wrong);
    return !wrong;
}

static Picture sectors_of(const Access *access) {
    Picture picture = {
        .kind = access->kind, .width = access->width, .mask = access->mask, .rounds = 1};
    memcpy(picture.address, access->address, sizeof picture.address);
    GlobalCost cost = mem_global(access);
    picture.cost = cost.sectors;
    picture.ideal = cost.ideal;
    return picture;
}

/* ---- the drawing ---- */

static void add_note(const Asking *asking, Drawing *drawing, const char *note) {
    const char **notes = NEW_ARRAY(asking->arena, const char *, drawing->note_count + 1);
    for (uint32_t i = 0; i < drawing->note_count; i++)
        notes[i] = drawing->notes[i];
    notes[drawing->note_count++] = note;
    drawing->notes = notes;
}

static void swizzle_note(const Asking *asking, const Answer *answer, Drawing *drawing) {
    const Layout *layout = answer->swizzle;
    Access plain = answer->access;
    plain.address = answer->plain;
    uint32_t before = mem_shared(&plain).wavefronts, base = layout->base;
    const char *moved = base ? arena_printf(asking->arena, " << %" PRIu32, base) : "";
    add_note(asking, drawing,
             arena_printf(asking->arena,
                          "Swizzle<%" PRIu32 ",%" PRIu32 ",%" PRIu32 ">: element i is at i ^ "
                          "(i >> %" PRIu32 " & %u)%s; without it %" PRIu32 " wavefront%s",
                          layout->bits, base, layout->shift, base + layout->shift,
                          (1u << layout->bits) - 1, moved, before, before == 1 ? "" : "s"));
}

static const char *subject_of(const Asking *asking) {
    const Question *question = &asking->asked->question;
    if (question->bytes)
        return arena_printf(asking->arena, "bytes %s of %s memory", question->bytes,
                            question->access.space == SPACE_GLOBAL ? "global" : "shared");
    return arena_printf(asking->arena, "%s in %s", question->index, question->declaration);
}

static Picture picture_asked(const Asking *asking, const Access *access) {
    return access->space == SPACE_GLOBAL             ? sectors_of(access)
           : asking->asked->bank_bytes != BANK_BYTES ? wide_banks(access)
                                                     : picture_of(access);
}

bool drawing_asked(Arena *arena, const Asked *asked, Drawing *drawing, Diags *diags) {
    const Asking all = {arena, diags, asked}, *asking = &all;
    if (!check_space(asking))
        return false;
    const Answer *answer = question_answer(arena, &asked->question, diags);
    if (!answer || !check_width(asking, answer))
        return false;
    if (answer->swizzle && answer->access.space == SPACE_GLOBAL) {
        diags_error(diags, "swizzles are for shared memory");
        return false;
    }
    *drawing = (Drawing){.subject = subject_of(asking),
                         .sectors = answer->access.space == SPACE_GLOBAL,
                         .bank_bytes = asked->bank_bytes,
                         .picture = picture_asked(asking, &answer->access)};
    memcpy(drawing->element, answer->element, sizeof drawing->element);
    if (answer->unset)
        add_note(asking, drawing, arena_printf(arena, "not set, so 0: %s", answer->unset));
    if (answer->swizzle)
        swizzle_note(asking, answer, drawing);
    if (asked->bank_bytes != BANK_BYTES)
        add_note(asking, drawing,
                 "banks of 8 bytes, a mode that GPUs of compute capability 3.x alone had");
    return true;
}
