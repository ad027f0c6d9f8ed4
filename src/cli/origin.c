/* The command line, the program, the date and the host of a profile that was just made. */
#include "cli/origin.h"

#include "toolchain/toolchain.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

const char *command_line(Arena *arena, int argc, char **argv) {
    const char *line = argv[0];
    for (int i = 1; i < argc; i++) {
        bool plain = argv[i][strcspn(argv[i], " '\"()[]<>*?&|;$`\\!#~")] == 0 && argv[i][0];
        line = arena_printf(arena, plain ? "%s %s" : "%s '%s'", line, argv[i]);
    }
    return line;
}

const char *origin_engine(const Engine *engine) {
    return engine_name(engine->kind);
}

static const char *date_now(Arena *arena) {
    char date[sizeof "2026-05-17T09:30:00Z"];
    time_t now = time(NULL);
    struct tm parts;
    size_t length = strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
    return arena_copy(arena, date, length);
}

static const char *host_name(Arena *arena) {
    char name[256] = "";
    if (gethostname(name, sizeof name - 1) != 0)
        return "not known";
    return arena_copy(arena, name, strlen(name));
}

/* Of the tool, if any kernel has what it answered; in the profile's arena. */
static const char *version_of(const Profile *profile, const char *tool, bool listed) {
    bool asked = false;
    for (uint32_t i = 0; i < profile->kernels.count; i++)
        asked |= listed ? profile->kernels.at[i].sass.count > 0 : profile->kernels.at[i].registers;
    return asked ? toolchain_version(profile->arena, tool) : NULL;
}

void origin_tools(Profile *profile) {
    Origin *origin = &profile->origins.at[0];
    origin->ptxas = version_of(profile, "ptxas", false);
    origin->nvdisasm = version_of(profile, "nvdisasm", true);
}

void origin_set(Profile *profile, const char *program, const char *command, const char *engine) {
    Arena *arena = profile->arena;
    const char *name = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
    profile->command = arena_copy(arena, command, strlen(command));
    *vec_add(arena, &profile->origins) = (Origin){.program = arena_copy(arena, name, strlen(name)),
                                                  .engine = engine,
                                                  .date = date_now(arena),
                                                  .version = WARPLENS_VERSION,
                                                  .host = host_name(arena)};
}
