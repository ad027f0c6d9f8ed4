/* The views of the profile file. */
#include "prof/store.h"

/* site_line: every distinct place of a site's inlining chain (depth 0: its own).
 * line_count: what profile_lines() computes - a line has the counts of all sites whose chain passes
 * it. */
const char store_views[] =
    "CREATE VIEW site_line AS\n"
    "WITH RECURSIVE chain(site, location, depth) AS (\n"
    "  SELECT id, location, 0 FROM site WHERE location IS NOT NULL\n"
    "  UNION ALL\n"
    "  SELECT chain.site, location.inlined_at, depth + 1 FROM chain\n"
    "  JOIN location ON location.id = chain.location WHERE location.inlined_at IS NOT NULL)\n"
    "SELECT site, file, line, min(depth) AS depth FROM chain\n"
    "JOIN location ON location.id = chain.location GROUP BY site, file, line\n"
    "UNION ALL SELECT id, NULL, ptx_line, 0 FROM site WHERE location IS NULL;\n"
    "CREATE VIEW line_count AS\n"
    "SELECT launch, file, line"
#define COUNTER(name, unit, text) ", sum(" #name ") AS " #name
#include "prof/counters.def"
    "\nFROM count JOIN site_line USING (site) GROUP BY launch, file, line\n"
    "HAVING sum(requests) > 0;\n";
