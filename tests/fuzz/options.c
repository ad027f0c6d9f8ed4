/* What AddressSanitizer does in fuzz targets: pieces that were freed stay unused for some dozen runs, and not for hundreds, which
 * would give each run fresh pages of the system's. */
const char *__asan_default_options(void);

const char *__asan_default_options(void) {
    return "quarantine_size_mb=16";
}
