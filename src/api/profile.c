/* Profiles: of a file, or all launches of a module so far. */
#include "api/api.h"
#include "base/rescue.h"

#include <string.h>

void profile_complete(Profile *profile, Diags *diags) {
    sources_read(profile, &(SourceRules){0}, diags);
    profile_find_root(profile);
}

static WarplensProfile *make(Arena *arena, Profile *profile, WarplensModule *module) {
    WarplensProfile *made = NEW(arena, WarplensProfile);
    *made = (WarplensProfile){
        .profile = profile, .module = module, .arena = arena, .text = arena_new()};
    return made;
}

static WarplensProfile *read_file(const char *path, WarplensError *error) {
    error_clear(error);
    if (!path) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no path");
        return NULL;
    }
    Arena *arena = arena_new();
    Diags *diags = diags_new(arena);
    Profile *profile = profile_load(path, diags);
    if (!profile) {
        error_diags(error, WARPLENS_BAD_FILE, diags);
        arena_free(arena);
        return NULL;
    }
    if (!profile->root)
        profile_find_root(profile);
    WarplensProfile *made = make(arena, profile, NULL);
    made->rows = (LaunchRows){.profile = profile, .arena = arena, .count = profile->launches.count};
    return made;
}

/* SQLite says that it had none. */
static bool ends_with_no_memory(const char *message) {
    static const char words[] = "out of memory";
    size_t length = strlen(message);
    return length >= sizeof words - 1 && strcmp(message + length - (sizeof words - 1), words) == 0;
}

WarplensProfile *warplens_profile_read(const char *path, WarplensError *error) {
    WarplensProfile *volatile made = NULL;
    Rescue rescue;
    if (RESCUE(&rescue))
        made = read_file(path, error);
    else
        error_set(error, WARPLENS_NO_MEMORY, "out of memory: the profile cannot be read");
    rescue_end(&rescue);
    if (!made && error && ends_with_no_memory(error->message))
        error->status = WARPLENS_NO_MEMORY;
    return made;
}

WarplensProfile *warplens_profile_of(WarplensModule *module, WarplensError *error) {
    error_clear(error);
    if (!module) {
        error_set(error, WARPLENS_BAD_ARGUMENT, "no module");
        return NULL;
    }
    if (!module->profile)
        module->profile = make(module->arena, module->session->profile, module);
    profile_complete(module->session->profile, diags_new(module->profile->text));
    return module->profile;
}

void profile_end(WarplensProfile *profile) {
    arena_free(profile->text);
}

void warplens_profile_free(WarplensProfile *profile) {
    if (!profile || profile->module)
        return;
    profile_end(profile);
    profile_free(profile->profile);
    arena_free(profile->arena);
}

uint32_t warplens_profile_count(const WarplensProfile *profile) {
    return profile ? profile->profile->launches.count : 0;
}

WarplensResult *warplens_profile_result(WarplensProfile *profile, uint32_t index) {
    if (index >= warplens_profile_count(profile))
        return NULL;
    LaunchRows *rows = profile->module ? rows_with(profile->module, index) : &profile->rows;
    return result_new(rows, index - rows->first);
}
