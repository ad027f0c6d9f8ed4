/* Changes that change how an array is stored: a structure of arrays, an aligned pitch or beginning, a
 * matrix stored column by column. What they make of all accesses to the array is priced from recorded
 * offsets, and can be proven by running the kernel with its array stored that way. */
#include "fix/global.h"

enum {
    PERIOD = 512,          /* of offsets in a profile: the alignment of allocations */
    PERIOD_MOST = 1 << 26, /* offsets told apart are as many patterns */
    FIELD_MOST = STORAGE_FIELDS_MOST
};

static uint64_t bytes_of(const Profile *profile, uint32_t launch, const Shape *shape) {
    return profile->launches.at[launch].allocations.at[shape->variable].bytes;
}

static void add(GlobalFix *fix, ChangeKind kind, Storage storage) {
    if (fix->count < CHANGES)
        fix->changes[fix->count++] = (Change){.kind = kind, .stores = true, .storage = storage};
}

/* ---- which ---- */

static void add_field(Storage *storage, uint64_t at) {
    uint32_t field = storage->field_count;
    for (uint32_t i = 0; i < field; i++)
        if (storage->fields[i] == at)
            return;
    if (at >= storage->pitch || field == FIELD_MOST) {
        storage->kind = at == storage->pitch ? storage->kind : STORAGE_PLAIN;
        return;
    }
    for (; field > 0 && storage->fields[field - 1] > at; field--)
        storage->fields[field] = storage->fields[field - 1];
    storage->fields[field] = (uint32_t)at;
    storage->field_count++;
}

/* A field begins where an access does, and where one ends. */
static void suggest_fields(const Profile *profile, uint32_t launch, GlobalFix *fix) {
    const Shape *shape = &fix->shape;
    Storage storage = {.kind = STORAGE_FIELDS,
                       .pitch = shape->stride,
                       .rows = bytes_of(profile, launch, shape) / shape->stride};
    add_field(&storage, 0);
    for (uint32_t i = 0; i < shape->sites.count; i++) {
        const ShapeSite *one = &shape->sites.at[i];
        add_field(&storage, one->offset);
        add_field(&storage, one->offset + profile->sites.at[one->site].width);
    }
    if (storage.kind == STORAGE_FIELDS && storage.rows > 1 && storage.field_count > 1)
        add(fix, CHANGE_FIELDS, storage);
}

static void suggest_transposed(const Profile *profile, uint32_t launch, GlobalFix *fix) {
    const Shape *shape = &fix->shape;
    Storage storage = {.kind = STORAGE_TRANSPOSED,
                       .pitch = shape->stride,
                       .rows = bytes_of(profile, launch, shape) / shape->stride,
                       .element = shape->width};
    if (storage.rows > 1 && shape->stride % shape->width == 0)
        add(fix, CHANGE_TRANSPOSED, storage);
}

/* The first byte of the sites that cost most moves to a multiple of 128. */
static uint64_t lead_of(const Shape *shape) {
    const ShapeSite *worst = NULL;
    for (uint32_t i = 0; i < shape->sites.count; i++) {
        const ShapeSite *one = &shape->sites.at[i];
        if (!worst || one->sectors - one->ideal > worst->sectors - worst->ideal)
            worst = one;
    }
    return worst ? (LINE_BYTES - worst->first % LINE_BYTES) % LINE_BYTES : 0;
}

/* Rows at a multiple of 128 bytes, from where the array begins and from where its first access does. */
static void suggest_aligned(GlobalFix *fix) {
    const Shape *shape = &fix->shape;
    uint64_t lead = lead_of(shape), over = shape->pitch % LINE_BYTES;
    Storage storage = {.kind = shape->pitch ? STORAGE_PITCHED : STORAGE_PLAIN,
                       .pitch = shape->pitch,
                       .pad = over ? LINE_BYTES - over : 0};
    if (storage.pad)
        add(fix, CHANGE_ALIGN, storage);
    storage.lead = lead;
    if (lead)
        add(fix, CHANGE_ALIGN, storage);
}

void global_storages(const Profile *profile, uint32_t launch, GlobalFix *fix) {
    switch (fix->shape.kind) {
    case SHAPE_STRUCTURES:
    case SHAPE_NEIGHBOURS:
        suggest_fields(profile, launch, fix);
        break;
    case SHAPE_COLUMNS:
        suggest_transposed(profile, launch, fix);
        break;
    case SHAPE_MISALIGNED:
        suggest_aligned(fix);
        break;
    default:
        break;
    }
}

/* ---- what they cost ---- */

static uint64_t common_multiple(uint64_t a, uint64_t b) {
    uint64_t x = a, y = b;
    while (y) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

/* Rows that are a multiple of 512 apart are alike in every storage: the period is that many rows. Where
 * the pitches of several arrays have no small common multiple, the first ones' counts. */
uint64_t global_period(const GlobalFix *fixes, uint32_t count) {
    uint64_t pitches = 1;
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t r = 0; r < fixes[i].count; r++) {
            const Change *change = &fixes[i].changes[r];
            if (!change->stores)
                continue;
            uint64_t pitch = change->storage.pitch ? change->storage.pitch : 1;
            any = true;
            if (pitch <= PERIOD_MOST && common_multiple(pitches, pitch) <= PERIOD_MOST / PERIOD)
                pitches = common_multiple(pitches, pitch);
            else if (pitches == 1)
                pitches = pitch;
        }
    }
    return any ? pitches * PERIOD : 0;
}

static bool is_use(const Profile *profile, uint32_t launch, const AccessPattern *pattern,
                   uint32_t variable) {
    return pattern->launch == launch && pattern->space == SITE_GLOBAL && !pattern->source &&
           pattern->variable == variable && profile->sites.at[pattern->site].width > 0;
}

static bool moved(const Profile *profile, const AccessPattern *pattern, const Storage *storage,
                  uint32_t *sectors) {
    uint32_t width = profile->sites.at[pattern->site].width;
    uint64_t address[WARP_LANES] = {0};
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        uint64_t offset = pattern->first + (uint64_t)pattern->delta[l];
        if (!(pattern->mask >> l & 1))
            continue;
        address[l] = storage_offset(storage, offset);
        if (address[l] % width ||
            storage_offset(storage, offset + width - 1) != address[l] + width - 1)
            return false;
    }
    *sectors = mem_global(&(Access){.space = SPACE_GLOBAL,
                                    .width = width,
                                    .mask = pattern->mask,
                                    .address = address})
                   .sectors;
    return true;
}

static bool in_shape(const Shape *shape, uint32_t site) {
    for (uint32_t i = 0; i < shape->sites.count; i++)
        if (shape->sites.at[i].site == site)
            return true;
    return false;
}

bool global_storage_price(const Profile *profile, uint32_t launch, const Shape *shape,
                          Change *change) {
    change->before = change->after = change->sectors = 0;
    change->requests = shape->requests;
    for (uint32_t i = 0; i < profile->patterns.count; i++) {
        const AccessPattern *pattern = &profile->patterns.at[i];
        uint32_t sectors;
        if (!is_use(profile, launch, pattern, shape->variable))
            continue;
        if (!moved(profile, pattern, &change->storage, &sectors))
            return false;
        uint32_t width = profile->sites.at[pattern->site].width;
        change->before += shape_price(pattern, width, pattern->first).sectors * pattern->count;
        change->after += sectors * pattern->count;
        if (in_shape(shape, pattern->site))
            change->sectors += sectors * pattern->count;
    }
    return change->after < change->before;
}
