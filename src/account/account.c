/* What a worker has counted. */
#include "account/again.h"

#include <string.h>

Account account_make(Arena *arena, uint32_t site_count) {
    return (Account){.sites =
                         arena_alloc_aligned(arena, (site_count + 1) * sizeof(SiteCounters), 64),
                     .known = arena_alloc_aligned(arena, sizeof(KnownCost) << KNOWN_COST_BITS, 64),
                     .again = NEW_ARRAY(arena, KnownAccess, 1 << KNOWN_ACCESS_BITS)};
}

void account_clear(Account *account, uint32_t site_count) {
    memset(account->sites, 0, (site_count + 1) * sizeof *account->sites);
    account->evidence = NULL;
    account->bytes = NULL;
    account->transcript = NULL;
}

void account_keep_evidence(Account *account, Arena *arena, const AddressMap *map, bool all,
                           bool by_blocks) {
    account->evidence = evidence_new(arena, map, all);
    account->bytes = bytes_new(arena, by_blocks);
}

void account_transcribe(Account *account, Transcript *transcript) {
    account->transcript = transcript;
    evidence_transcribe(account->evidence, transcript);
}

ByteMap *account_bytes(const Account *account) {
    return account->transcript ? transcript_bytes(account->transcript) : account->bytes;
}

void account_record(Account *account, uint32_t site, uint32_t block, const Access *access) {
    if (access->space == SPACE_GENERIC) /* another block's shared memory */
        return;
    evidence_record(account->evidence, site, access, 1);
    bytes_access(account_bytes(account), block, access);
}

void account_record_runs(Account *account, uint32_t site, uint32_t block, const Access *access,
                         const Pattern *pattern, uint64_t anchor) {
    bool shared = access->space == SPACE_SHARED;
    if (access->space == SPACE_CONST) {
        uint64_t address[WARP_LANES];
        Access whole = *access;
        pattern_addresses(pattern, address);
        whole.address = address;
        account_record(account, site, block, &whole);
        return;
    }
    evidence_record_runs(account->evidence, site, pattern, shared ? 0 : anchor);
    if (!shared)
        bytes_runs(account->bytes, block, pattern, access->width, access->kind == ACCESS_STORE);
}
