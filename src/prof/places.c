/* Where an instruction's cost is shown: at the user's line. Much of what a kernel executes comes from
 * headers of the toolkit that were inlined into it, and nobody can change those. */
#include "prof/prof.h"

#include <string.h>

static bool is_own(const Profile *profile, uint32_t file) {
    return file < profile->own_count && profile->own[file];
}

static SitePlace place_of(const Profile *profile, uint32_t at, uint32_t inner) {
    const Location *place = &profile->locations.at[at];
    const Location *inside = &profile->locations.at[inner];
    bool same = place->file == inside->file && place->line == inside->line;
    return (SitePlace){place->file, place->line, at, same ? NONE : inner};
}

SitePlace location_place(const Profile *profile, uint32_t location) {
    for (uint32_t at = location; at != NONE; at = profile->locations.at[at].inlined_at) {
        const Location *place = &profile->locations.at[at];
        if (is_own(profile, place->file) && place->line) /* line 0: the compiler's own code */
            return place_of(profile, at, location);
    }
    return place_of(profile, location, location);
}

SitePlace site_place(const Profile *profile, const Site *site) {
    if (site->location == NONE)
        return (SitePlace){NONE, site->ptx_line, NONE, NONE};
    return location_place(profile, site->location);
}
