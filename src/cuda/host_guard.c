/* --sanitize races: the host's own loads and stores of managed and pinned memory that operations may still access. Between the
 * calls of the API such pages are protected where any access by the host would be a race, so whoever faults there has not waited. */
#include "base/rescue.h"
#include "cuda/owner.h"
#include "cuda/precedence.h"
#include "cuda/state.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { PAGE = HOST_PAGE };

static HostGuard *guard(void) {
    HostGuard *found = &core_get()->guard;
    return found->on ? found : NULL;
}

static Sanitizer *sanitizer(void) {
    return core_get()->sanitizer;
}

/* ---- protecting ---- */

static void protect(const GuardedRun *run, bool lift) {
    const int may = lift || run->may == HOST_MAY_ALL ? PROT_READ | PROT_WRITE
                    : run->may == HOST_MAY_READ      ? PROT_READ
                                                     : PROT_NONE;
    mprotect((void *)(uintptr_t)(run->page * PAGE), run->pages * PAGE, may);
}

static void protect_all(const HostGuard *host, bool lift) {
    for (uint32_t i = 0; i < host->count; i++)
        protect(&host->runs[i], lift);
}

static int by_page(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Runs of pages that the host must not touch now. */
static void find_runs(HostGuard *host) {
    uint32_t count;
    const uint64_t *listed = sanitize_visible_pages(sanitizer(), &count);
    host->count = 0;
    uint64_t *pages = count ? malloc(count * sizeof *pages) : NULL;
    if (!pages)
        return;
    memcpy(pages, listed, count * sizeof *pages);
    qsort(pages, count, sizeof *pages, by_page);
    for (uint32_t i = 0; i < count && host->count < GUARDED_MOST; i++) {
        const HostMay may = sanitize_host_may(sanitizer(), pages[i]);
        GuardedRun *last = host->count ? &host->runs[host->count - 1] : NULL;
        if (may == HOST_MAY_ALL)
            continue;
        if (last && last->may == may && last->page + last->pages == pages[i])
            last->pages++;
        else
            host->runs[host->count++] = (GuardedRun){pages[i], 1, may};
    }
    free(pages);
}

/* ---- who faults ---- */

static GuardedRun *run_of(HostGuard *host, uint64_t page) {
    for (uint32_t i = 0; i < host->count; i++)
        if (page - host->runs[i].page < host->runs[i].pages)
            return &host->runs[i];
    return NULL;
}

/* Our own code, and what it calls, may access all. Where another thread is at work with the API, nothing is said. */
static void look(uint64_t address, bool writes, const void *code) {
    bool ours;
    StreamRace race;
    const Callers by = owner_callers_at(code, &ours);
    if (ours || !lock_try(&core_get()->precedence.lock))
        return;
    if (core_get()->guard.tell && sanitize_host_access(sanitizer(), address, writes, &race))
        core_get()->guard.tell(&race, &by);
    lock_give(&core_get()->precedence.lock);
}

/* All memory of ours may be read and written: if it is protected, it is or was so by us. false: the fault is another's. */
static bool resolve(HostGuard *host, uint64_t address, bool writes, const void *code) {
    if (!memory_is_own(core_memory(), address))
        return false;
    lock_take(&host->lock);
    const bool guarded = !host->lifted && run_of(host, address / PAGE);
    lock_give(&host->lock);
    if (guarded)
        look(address, writes, code);
    void *page = (void *)(uintptr_t)(address & ~(uint64_t)(PAGE - 1));
    return mprotect(page, PAGE, PROT_READ | PROT_WRITE) == 0;
}

static void pass_on(const struct sigaction *before, int number, siginfo_t *info, void *context) {
    if (before->sa_flags & SA_SIGINFO)
        before->sa_sigaction(number, info, context);
    else if (before->sa_handler == SIG_DFL || before->sa_handler == SIG_IGN)
        sigaction(number, before, NULL); /* it happens again, and ends the process */
    else
        before->sa_handler(number);
}

static void on_fault(int number, siginfo_t *info, void *context) {
    const int error = errno;
    const ucontext_t *at = context;
#if defined(__x86_64__)
    enum { IS_WRITE = 2 };
    const bool writes = at->uc_mcontext.gregs[REG_ERR] & IS_WRITE;
    const void *code = (const void *)(uintptr_t)at->uc_mcontext.gregs[REG_RIP];
#else /* which of the two is not looked up: what it may not even read it reads */
    const bool writes = false;
    const void *code = (const void *)(uintptr_t)at->uc_mcontext.pc;
#endif
    HostGuard *host = &core_get()->guard;
    if (info->si_code != SEGV_ACCERR ||
        !resolve(host, (uint64_t)(uintptr_t)info->si_addr, writes, code))
        pass_on(&host->before, number, info, context);
    errno = error;
}

/* The program may have a function of its own for it, since then, which gets what is not ours. */
static void handle(HostGuard *host) {
    struct sigaction now, ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    if (sigaction(SIGSEGV, NULL, &now) != 0 ||
        ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault))
        return;
    host->before = now;
    sigemptyset(&ours.sa_mask);
    sigaction(SIGSEGV, &ours, NULL);
}

/* ---- what is told ---- */

void host_guard_lift(void) {
    HostGuard *host = guard();
    if (!host)
        return;
    lock_take(&host->lock);
    if (host->lifted++ == 0)
        protect_all(host, true);
    lock_give(&host->lock);
}

static void find(HostGuard *host) {
    if (host->lifted)
        return;
    find_runs(host);
    protect_all(host, false);
    if (host->count)
        handle(host);
}

void host_guard_drop(HostRaceTell *tell) {
    HostGuard *host = guard();
    if (!host)
        return;
    lock_take(&host->lock);
    host->lifted--;
    host->tell = tell;
    find(host);
    lock_give(&host->lock);
}

void host_guard_update(void) {
    HostGuard *host = guard();
    if (!host)
        return;
    lock_take(&host->lock);
    if (!host->lifted)
        protect_all(host, true);
    find(host);
    lock_give(&host->lock);
}

void host_guard_made(uint64_t address, uint64_t bytes) {
    if (!guard())
        return;
    lock_take(&core_get()->precedence.lock);
    sanitize_visible(sanitizer(), address, bytes);
    lock_give(&core_get()->precedence.lock);
}
