/* What is explained of a declaration and an index expression, or of plain addresses. */
#include "cli/explain.h"
#include "cli/patterns.h"

#include <inttypes.h>
#include <string.h>

/* ---- operations ---- */

static const struct {
    const char *name;
    AccessKind kind;
    uint32_t width, matrices; /* width 0: as the element's */
} operations[] = {
    {"load", ACCESS_LOAD, 0, 0},
    {"store", ACCESS_STORE, 0, 0},
    {"increment", ACCESS_ATOMIC_POPC, 4, 0},
    {"cas", ACCESS_ATOMIC_CAS, 0, 0},
    {"ldmatrix", ACCESS_LDMATRIX, 16, 4},
    {"stmatrix", ACCESS_STMATRIX, 16, 4},
    {"cp.async", ACCESS_CP_ASYNC_CA, 0, 0},
    {"cp.async.ca", ACCESS_CP_ASYNC_CA, 0, 0},
    {"cp.async.cg", ACCESS_CP_ASYNC_CG, 16, 0},
};

/* "atom.add.f32" is "atom.shared.add.f32" here. */
static const char *in_shared(const char *name, char *buffer, size_t size) {
    const char *dot = strchr(name, '.');
    bool atomic = strncmp(name, "atom.", 5) == 0 || strncmp(name, "red.", 4) == 0;
    if (!atomic || strncmp(dot, ".shared.", 8) == 0)
        return name;
    snprintf(buffer, size, "%.*s.shared%s", (int)(dot - name), name, dot);
    return buffer;
}

bool explain_operation(const char *name, Access *access) {
    char buffer[64];
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strcmp(name, operations[i].name) == 0) {
            *access = (Access){.kind = operations[i].kind,
                               .width = operations[i].width,
                               .matrices = operations[i].matrices};
            return true;
        }
    return pattern_instruction(str_of(in_shared(name, buffer, sizeof buffer)), access) &&
           access->space == SPACE_SHARED;
}

/* ---- widths that an operation has ---- */

/* It, or the first of its members, has so many bytes. */
static bool begins_with(const ElementType *type, uint32_t bytes) {
    return type->bytes == bytes ||
           (type->member_count && type->members[0].array.type.bytes == bytes);
}

static bool check_width(const ExplainRun *run, const Answer *answer) {
    AccessKind kind = answer->access.kind;
    static const struct {
        uint8_t least, most;
    } widths[ACCESS_KIND_COUNT] = {
        [ACCESS_LOAD] = {1, 16},         [ACCESS_STORE] = {1, 16},
        [ACCESS_ATOMIC] = {4, 8},        [ACCESS_ATOMIC_POPC] = {4, 4},
        [ACCESS_ATOMIC_CAS] = {4, 8},    [ACCESS_ATOMIC_LOOP32] = {4, 4},
        [ACCESS_ATOMIC_LOOP64] = {8, 8}, [ACCESS_LDMATRIX] = {16, 16},
        [ACCESS_STMATRIX] = {16, 16},    [ACCESS_CP_ASYNC_CA] = {4, 16},
        [ACCESS_CP_ASYNC_CG] = {16, 16}, [ACCESS_ATOMIC_CAST] = {4, 8},
    };
    uint32_t width = answer->access.width;
    bool atomic = kind >= ACCESS_ATOMIC && kind <= ACCESS_ATOMIC_LOOP64;
    if (width < widths[kind].least || width > widths[kind].most) {
        diags_error(run->diags, "--op takes %u to %u bytes a lane, and these are %" PRIu32,
                    widths[kind].least, widths[kind].most, width);
        return false;
    }
    if (atomic && answer->type && !begins_with(answer->type, width) && !run->width_given) {
        diags_error(run->diags,
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

/* ---- the drawing ---- */

static void add_note(ExplainRun *run, Drawing *drawing, const char *note) {
    const char **notes = NEW_ARRAY(run->arena, const char *, drawing->note_count + 1);
    for (uint32_t i = 0; i < drawing->note_count; i++)
        notes[i] = drawing->notes[i];
    notes[drawing->note_count++] = note;
    drawing->notes = notes;
}

static void swizzle_note(ExplainRun *run, const Answer *answer, Drawing *drawing) {
    const Layout *layout = &run->swizzle;
    Access plain = answer->access;
    plain.address = answer->plain;
    uint32_t before = mem_shared(&plain).wavefronts, base = layout->base;
    const char *moved = base ? arena_printf(run->arena, " << %" PRIu32, base) : "";
    add_note(run, drawing,
             arena_printf(run->arena,
                          "Swizzle<%" PRIu32 ",%" PRIu32 ",%" PRIu32 ">: element i is at i ^ "
                          "(i >> %" PRIu32 " & %u)%s; without it %" PRIu32 " wavefront%s",
                          layout->bits, base, layout->shift, base + layout->shift,
                          (1u << layout->bits) - 1, moved, before, before == 1 ? "" : "s"));
}

static const char *subject_of(const ExplainRun *run) {
    const Question *question = &run->question;
    if (question->bytes)
        return arena_printf(run->arena, "bytes %s of shared memory", question->bytes);
    return arena_printf(run->arena, "%s in %s", question->index, question->declaration);
}

bool explain_access(ExplainRun *run, Drawing *drawing) {
    const Answer *answer = question_answer(run->arena, &run->question, run->diags);
    if (!answer || !check_width(run, answer))
        return false;
    bool simple = answer->access.kind == ACCESS_LOAD || answer->access.kind == ACCESS_STORE;
    if (run->bank_bytes == 8 && !simple) {
        diags_error(run->diags, "--bank-bytes 8 is for loads and stores");
        return false;
    }
    *drawing = (Drawing){.subject = subject_of(run), .bank_bytes = run->bank_bytes};
    drawing->picture =
        run->bank_bytes == 8 ? wide_banks(&answer->access) : picture_of(&answer->access);
    memcpy(drawing->element, answer->element, sizeof drawing->element);
    if (answer->unset)
        add_note(run, drawing, arena_printf(run->arena, "not set, so 0: %s", answer->unset));
    if (run->question.layout)
        swizzle_note(run, answer, drawing);
    if (run->bank_bytes == 8)
        add_note(run, drawing,
                 "banks of 8 bytes, a mode that GPUs of compute capability 3.x alone had");
    return true;
}
