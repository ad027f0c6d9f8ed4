/* loader: what the dynamic loader brings into the process, and what is changed in it before it runs.
 *
 *   start:  constructor (this library is preloaded, -z initfirst)--+
 *   dlopen: audit library --warplens_objects_changed---------------+--> each new object
 *           the loader itself, without `warplens run`: watch.c ----+
 *                                                                        |--> patch.c
 *                                                                        +--> nvrtc.c, nvjitlink.c: by hook.c
 *                                                                        +--> hosted.c
 *
 * Invariants
 *   - An object is looked at once, after it is mapped and before its constructors run; at dlopen
 *     also before it is relocated, so nothing in it may be called.
 *   - Its file is mapped while it is looked at: its sections tell what is in it. */
#pragma once

#include "image/image.h"

typedef struct LoadedObject {
    char *path;           /* of its file */
    uintptr_t base, end;  /* where it lies */
    uint8_t *jumps;       /* patch.c: the page close by; NULL: none */
    const uint8_t *first; /* patch.c: the entry point that jumps to the first of them; NULL: none */
    bool present;         /* in this round */
} LoadedObject;

/* ---- loader.c ---- */

/* Objects came or went: called by the audit library, and at the start. Where the loader is watched it is known already. */
void warplens_objects_changed(void);
/* Looks for what is new, and forgets what is gone. */
void look_at_objects(void);

/* ---- watch.c ---- */

/* From now on the loader calls look_at_objects as an audit library would be called. false: its code could not be changed; whoever loads
 * something has to tell, when the constructors have run already. */
bool watch_loader(void);

/* ---- watched.c ---- */

void loader_watched(void);
bool loader_is_watched(void);

/* ---- patch.c ---- */

void patch_object(LoadedObject *object, const Elf *elf);
void unpatch_object(LoadedObject *object); /* it is gone */
/* It was closed and opened again since it was patched, at the same place. */
bool is_unpatched(const LoadedObject *object);
bool set_protection(const void *at, size_t bytes, int protection);
/* Whoever calls the function calls `to` from now on, also while others do; it begins where 8 bytes are aligned. false: it is as it was. */
bool patch_function(uint8_t *function, void (*to)(void));

/* ---- nvrtc.c ---- */

void nvrtc_object(const LoadedObject *object, const Elf *elf);

/* ---- nvjitlink.c ---- */

void nvjitlink_object(const LoadedObject *object, const Elf *elf);

/* ---- hosted.c ---- */

/* Before anybody asks for cuBLAS and the like, in a watched process. */
void hosted_open(void);
void hosted_object(const LoadedObject *object, const Elf *elf);

/* ---- hook.c ---- */

/* A call of a library, whichever version its name has. */
typedef struct Hook {
    const char *name;
    void **theirs;      /* gets its address */
    void (*ours)(void); /* in its place; NULL: the call stays */
} Hook;
void hook_symbols(const LoadedObject *object, const Elf *elf, const Hook *hooks, size_t count);
/* Whether its file's name begins so. */
bool object_is_named(const LoadedObject *object, const char *beginning);
