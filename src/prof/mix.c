/* What kinds of instructions a launch issued, where machine code was executed. */
#include "prof/prof.h"

#include <stdlib.h>
#include <string.h>

const InstClassInfo *inst_class_info(InstClass id) {
    static const InstClassInfo infos[] = {
#define INST_CLASS(id, name, text) {#id, name, text},
#include "prof/inst_classes.def"
    };
    return &infos[id];
}

/* ---- opcodes ---- */

static const Opcode opcodes[] = {
#define OPCODE(name, class, fp32, fp64) {#name, INST_##class, fp32, fp64},
#include "prof/opcodes.def"
};

const Opcode *opcode_table(uint32_t *count) {
    *count = sizeof opcodes / sizeof *opcodes;
    return opcodes;
}

static int by_name(const void *text, const void *row) {
    const Str *name = text;
    const Opcode *opcode = row;
    size_t length = strlen(opcode->name);
    int order = memcmp(name->at, opcode->name, name->length < length ? name->length : length);
    return order ? order : (name->length > length) - (name->length < length);
}

/* Drops characters up to one of `ends`, or up to what is none of them. */
static Str dropped(Str text, const char *ends, bool until) {
    while (text.length && !strchr(ends, *text.at) == until)
        text = (Str){text.at + 1, text.length - 1};
    return text;
}

const Opcode *opcode_of(Str text) {
    static const Opcode unknown = {"", INST_misc, 0, 0};
    if (text.length && *text.at == '@') /* the guard: "@!P0 " */
        text = dropped(text, " ", true);
    text = dropped(text, " ", false);
    const Str name = {text.at, text.length - dropped(text, ". ", true).length};
    const Opcode *found =
        bsearch(&name, opcodes, sizeof opcodes / sizeof *opcodes, sizeof *opcodes, by_name);
    return found ? found : &unknown;
}

/* ---- a launch ---- */

InstSum *launch_insts(Arena *arena, const Profile *profile, uint32_t launch) {
    const LaunchRecord *record = &profile->launches.at[launch];
    const uint32_t count = profile->kernels.at[record->kernel].sass.count;
    InstSum *sums = NEW_ARRAY(arena, InstSum, count + 1);
    for (uint32_t i = 0; i < record->inst_runs.count; i++) {
        const InstRun *run = &record->inst_runs.at[i];
        for (uint32_t k = 0; k < run->insts && run->first + k < count; k++) {
            sums[run->first + k].warps += run->warps;
            sums[run->first + k].threads += run->threads;
        }
    }
    return sums;
}

bool launch_mix(const Profile *profile, uint32_t launch, InstMix *mix) {
    const LaunchRecord *record = &profile->launches.at[launch];
    const ProfKernel *kernel = &profile->kernels.at[record->kernel];
    *mix = (InstMix){0};
    for (uint32_t i = 0; i < record->inst_runs.count; i++) {
        const InstRun *run = &record->inst_runs.at[i];
        for (uint32_t k = 0; k < run->insts && run->first + k < kernel->sass.count; k++) {
            const Opcode *opcode = opcode_of(str_of(kernel->sass.at[run->first + k].text));
            mix->of[opcode->class].warps += run->warps;
            mix->of[opcode->class].threads += run->threads;
            mix->fp32_warps += opcode->fp32_flops ? run->warps : 0;
            mix->fp64_warps += opcode->fp64_flops ? run->warps : 0;
        }
    }
    return kernel->machine_code && record->inst_runs.count;
}
