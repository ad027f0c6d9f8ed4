/* Reads and writes .npy files. The header is a Python dictionary of three keys; only what NumPy
 * itself writes is taken. */
#include "session/npy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct Descr {
    const char *text;
    Type type;
} Descr;

/* The first spelling of a type is the one written. */
static const Descr descrs[] = {
    {"|u1", TYPE_U8},  {"|i1", TYPE_S8},   {"<u2", TYPE_U16}, {"<i2", TYPE_S16}, {"<u4", TYPE_U32},
    {"<i4", TYPE_S32}, {"<u8", TYPE_U64},  {"<i8", TYPE_S64}, {"<f2", TYPE_F16}, {"<f4", TYPE_F32},
    {"<f8", TYPE_F64}, {"|u1", TYPE_B8},   {"<u2", TYPE_B16}, {"<u4", TYPE_B32}, {"<u8", TYPE_B64},
    {"|b1", TYPE_U8},  {"<u2", TYPE_BF16}, {"<u1", TYPE_U8},  {"<i1", TYPE_S8},
};
enum { DESCRS = sizeof descrs / sizeof descrs[0] };

static Type descr_type(Str text) {
    for (unsigned i = 0; i < DESCRS; i++) {
        if (str_is(text, descrs[i].text))
            return descrs[i].type;
    }
    return TYPE_NONE;
}

static const char *type_descr(Type type) {
    for (unsigned i = 0; i < DESCRS; i++) {
        if (descrs[i].type == type)
            return descrs[i].text;
    }
    return NULL;
}

/* The text behind 'key': in the header, or NULL. */
static const char *value_of(const char *header, const char *key) {
    const char *at = strstr(header, key);
    at = at ? strchr(at, ':') : NULL;
    return at ? at + 1 + strspn(at + 1, " ") : NULL;
}

static bool parse_header(Arena *arena, const char *path, const char *header, Npy *npy,
                         Diags *diags) {
    const char *descr = value_of(header, "'descr'");
    const char *order = value_of(header, "'fortran_order'");
    const char *shape = value_of(header, "'shape'");
    if (!descr || *descr != '\'' || !order || !shape || *shape != '(') {
        diags_error(diags, "%s: not a .npy file that can be read: header %s", path, header);
        return false;
    }
    size_t length = strcspn(descr + 1, "'");
    npy->descr = arena_copy(arena, descr + 1, length);
    npy->type = descr_type((Str){descr + 1, length});
    if (npy->type == TYPE_NONE) {
        diags_error(diags, "%s: elements of type '%s' are not supported", path, npy->descr);
        return false;
    }
    npy->count = 1;
    uint32_t axes = 0;
    for (const char *at = shape + 1; *at && *at != ')';) {
        char *end;
        unsigned long long size = strtoull(at, &end, 10);
        if (end == at)
            break;
        if (__builtin_mul_overflow(npy->count, size, &npy->count))
            npy->count = UINT64_MAX;
        axes += size > 1;
        at = end + strspn(end, ", ");
    }
    if (strncmp(order, "True", 4) == 0 && axes > 1) {
        diags_error(diags, "%s: array in Fortran order; save numpy.ascontiguousarray of it", path);
        return false;
    }
    return true;
}

bool npy_read(Arena *arena, const char *path, Npy *npy, Diags *diags) {
    size_t size;
    char *bytes = file_read(arena, path, &size);
    if (!bytes) {
        diags_error(diags, "%s: %s", path, strerror(errno));
        return false;
    }
    if (size < 12 || memcmp(bytes, "\x93NUMPY", 6) != 0 || bytes[6] < 1 || bytes[6] > 3) {
        diags_error(diags, "%s: not a .npy file", path);
        return false;
    }
    const unsigned char *at = (const unsigned char *)bytes + 8;
    size_t field = bytes[6] == 1 ? 2 : 4, length = 0;
    for (size_t i = 0; i < field; i++)
        length |= (size_t)at[i] << 8 * i;
    if (length > size - 8 - field) {
        diags_error(diags, "%s: truncated header", path);
        return false;
    }
    const char *header = arena_copy(arena, bytes + 8 + field, length);
    if (!parse_header(arena, path, header, npy, diags))
        return false;
    npy->data = bytes + 8 + field + length;
    uint64_t needed;
    if (__builtin_mul_overflow(npy->count, (uint64_t)type_bytes(npy->type), &needed) ||
        needed > size - 8 - field - length) {
        diags_error(diags, "%s: holds fewer bytes than its shape says", path);
        return false;
    }
    return true;
}

bool npy_is(const Npy *npy, Type type, uint64_t count) {
    return npy->count == count && type_bytes(npy->type) == type_bytes(type) &&
           type_is_float(npy->type) == type_is_float(type);
}

bool npy_write(const char *path, Type type, const void *data, uint64_t count, Diags *diags) {
    const char *descr = type_descr(type);
    if (!descr) {
        diags_error(diags, "%s: .npy has no elements of type %s", path, type_name(type));
        return false;
    }
    Arena *arena = arena_new();
    char dictionary[128];
    /* Padded so that the data begins at a multiple of 64 bytes; the header ends in a newline. */
    int length = snprintf(dictionary, sizeof dictionary,
                          "{'descr': '%s', 'fortran_order': False, 'shape': (%llu,), }", descr,
                          (unsigned long long)count);
    size_t head = ((size_t)10 + (size_t)length + 1 + 63) & ~(size_t)63;
    size_t bytes = (size_t)count * type_bytes(type);
    char *whole = arena_alloc(arena, head + bytes);
    memcpy(whole, "\x93NUMPY\x01\x00", 8);
    whole[8] = (char)((head - 10) & 255);
    whole[9] = (char)((head - 10) >> 8);
    memset(whole + 10, ' ', head - 10);
    memcpy(whole + 10, dictionary, (size_t)length);
    whole[head - 1] = '\n';
    if (bytes)
        memcpy(whole + head, data, bytes);
    bool good = file_keep(path, whole, head + bytes);
    if (!good)
        diags_error(diags, "%s: %s", path, strerror(errno));
    arena_free(arena);
    return good;
}
