/* What each modifier of a spelling means: the table from a token (".ftz", ".shared", ".bfly") to a
 * field of Mods. A token means the same in every instruction, but for the few that mods_read treats
 * by mnemonic: ".lo" and ".hi" compare in set and setp only and select a half in mul and mad. */
#include "isa/mods.h"

#include <string.h>

typedef enum Field {
    FIELD_SPACE,
    FIELD_VECTOR,
    FIELD_COMPARE,
    FIELD_FUNC,
    FIELD_ROUND,
    FIELD_ORDER,
    FIELD_MATRICES,
    FIELD_MAJOR,
    FIELD_FRAGMENT,
    FIELD_GEOMETRY,
    FIELD_QUERY,
    FIELD_FLAG
} Field;

typedef struct Meaning {
    const char *token;
    Field field;
    uint32_t value;
} Meaning;

static const Meaning meanings[] = {
    {"global", FIELD_SPACE, SPACE_GLOBAL},
    {"shared", FIELD_SPACE, SPACE_SHARED},
    {"shared::cta", FIELD_SPACE, SPACE_SHARED},
    {"shared::cluster", FIELD_SPACE, SPACE_SHARED},
    {"local", FIELD_SPACE, SPACE_LOCAL},
    {"const", FIELD_SPACE, SPACE_CONST},
    {"param", FIELD_SPACE, SPACE_PARAM},
    {"param::entry", FIELD_SPACE, SPACE_PARAM},
    {"param::func", FIELD_SPACE, SPACE_PARAM},
    {"v2", FIELD_VECTOR, 2},
    {"v4", FIELD_VECTOR, 4},
    {"v8", FIELD_VECTOR, 8},
    {"eq", FIELD_COMPARE, CMP_EQ},
    {"ne", FIELD_COMPARE, CMP_NE},
    {"lt", FIELD_COMPARE, CMP_LT},
    {"le", FIELD_COMPARE, CMP_LE},
    {"gt", FIELD_COMPARE, CMP_GT},
    {"ge", FIELD_COMPARE, CMP_GE},
    {"lo", FIELD_COMPARE, CMP_LO},
    {"ls", FIELD_COMPARE, CMP_LS},
    {"hi", FIELD_COMPARE, CMP_HI},
    {"hs", FIELD_COMPARE, CMP_HS},
    {"equ", FIELD_COMPARE, CMP_EQU},
    {"neu", FIELD_COMPARE, CMP_NEU},
    {"ltu", FIELD_COMPARE, CMP_LTU},
    {"leu", FIELD_COMPARE, CMP_LEU},
    {"gtu", FIELD_COMPARE, CMP_GTU},
    {"geu", FIELD_COMPARE, CMP_GEU},
    {"num", FIELD_COMPARE, CMP_NUM},
    {"nan", FIELD_COMPARE, CMP_NAN},
    {"add", FIELD_FUNC, FUNC_ADD},
    {"sub", FIELD_FUNC, FUNC_SUB},
    {"min", FIELD_FUNC, FUNC_MIN},
    {"max", FIELD_FUNC, FUNC_MAX},
    {"and", FIELD_FUNC, FUNC_AND},
    {"or", FIELD_FUNC, FUNC_OR},
    {"xor", FIELD_FUNC, FUNC_XOR},
    {"inc", FIELD_FUNC, FUNC_INC},
    {"dec", FIELD_FUNC, FUNC_DEC},
    {"exch", FIELD_FUNC, FUNC_EXCH},
    {"cas", FIELD_FUNC, FUNC_CAS},
    {"up", FIELD_FUNC, FUNC_UP},
    {"down", FIELD_FUNC, FUNC_DOWN},
    {"bfly", FIELD_FUNC, FUNC_BFLY},
    {"idx", FIELD_FUNC, FUNC_IDX},
    {"all", FIELD_FUNC, FUNC_ALL},
    {"any", FIELD_FUNC, FUNC_ANY},
    {"uni", FIELD_FUNC, FUNC_UNI},
    {"ballot", FIELD_FUNC, FUNC_BALLOT},
    {"popc", FIELD_FUNC, FUNC_POPC},
    {"l", FIELD_FUNC, FUNC_LEFT},
    {"r", FIELD_FUNC, FUNC_RIGHT},
    {"clamp", FIELD_FUNC, FUNC_CLAMP},
    {"wrap", FIELD_FUNC, FUNC_WRAP},
    {"finite", FIELD_FUNC, FUNC_FINITE},
    {"infinite", FIELD_FUNC, FUNC_INFINITE},
    {"number", FIELD_FUNC, FUNC_NUMBER},
    {"notanumber", FIELD_FUNC, FUNC_NOTANUMBER},
    {"normal", FIELD_FUNC, FUNC_NORMAL},
    {"subnormal", FIELD_FUNC, FUNC_SUBNORMAL},
    {"f4e", FIELD_FUNC, FUNC_F4E},
    {"b4e", FIELD_FUNC, FUNC_B4E},
    {"rc8", FIELD_FUNC, FUNC_RC8},
    {"ecl", FIELD_FUNC, FUNC_ECL},
    {"ecr", FIELD_FUNC, FUNC_ECR},
    {"rc16", FIELD_FUNC, FUNC_RC16},
    {"trap", FIELD_FUNC, FUNC_TRAP},
    {"zero", FIELD_FUNC, FUNC_ZERO},
    {"rn", FIELD_ROUND, ROUND_RN},
    {"rz", FIELD_ROUND, ROUND_RZ},
    {"rm", FIELD_ROUND, ROUND_RM},
    {"rp", FIELD_ROUND, ROUND_RP},
    {"rni", FIELD_ROUND, ROUND_RNI},
    {"rzi", FIELD_ROUND, ROUND_RZI},
    {"rmi", FIELD_ROUND, ROUND_RMI},
    {"rpi", FIELD_ROUND, ROUND_RPI},
    {"rna", FIELD_ROUND, ROUND_RNA},
    {"approx", FIELD_ROUND, ROUND_APPROX},
    {"full", FIELD_ROUND, ROUND_FULL},
    {"weak", FIELD_ORDER, ORDER_WEAK},
    {"volatile", FIELD_ORDER, ORDER_VOLATILE},
    {"mmio", FIELD_ORDER, ORDER_MMIO}, /* ".mmio.relaxed": the first one stays */
    {"relaxed", FIELD_ORDER, ORDER_RELAXED},
    {"acquire", FIELD_ORDER, ORDER_ACQUIRE},
    {"release", FIELD_ORDER, ORDER_RELEASE},
    {"acq_rel", FIELD_ORDER, ORDER_ACQ_REL},
    {"sc", FIELD_ORDER, ORDER_SC},
    {"x1", FIELD_MATRICES, 1},
    {"x2", FIELD_MATRICES, 2},
    {"x4", FIELD_MATRICES, 4},
    {"row", FIELD_MAJOR, MAJOR_ROW},
    {"col", FIELD_MAJOR, MAJOR_COL},
    {"a", FIELD_FRAGMENT, 'a'},
    {"b", FIELD_FRAGMENT, 'b'},
    {"c", FIELD_FRAGMENT, 'c'},
    {"d", FIELD_FRAGMENT, 'd'},
    {"r", FIELD_FRAGMENT, 'r'},
    {"g", FIELD_FRAGMENT, 'g'},
    {"1d", FIELD_GEOMETRY, GEOMETRY_1D},
    {"2d", FIELD_GEOMETRY, GEOMETRY_2D},
    {"3d", FIELD_GEOMETRY, GEOMETRY_3D},
    {"a1d", FIELD_GEOMETRY, GEOMETRY_A1D},
    {"a2d", FIELD_GEOMETRY, GEOMETRY_A2D},
    {"cube", FIELD_GEOMETRY, GEOMETRY_CUBE},
    {"acube", FIELD_GEOMETRY, GEOMETRY_ACUBE},
    {"4d", FIELD_GEOMETRY, GEOMETRY_4D},
    {"5d", FIELD_GEOMETRY, GEOMETRY_5D},
    {"width", FIELD_QUERY, QUERY_WIDTH},
    {"height", FIELD_QUERY, QUERY_HEIGHT},
    {"depth", FIELD_QUERY, QUERY_DEPTH},
    {"array_size", FIELD_QUERY, QUERY_ARRAY_SIZE},
    {"num_mipmap_levels", FIELD_QUERY, QUERY_MIPMAP_LEVELS},
    {"normalized_coords", FIELD_QUERY, QUERY_NORMALIZED},
    {"ftz", FIELD_FLAG, MOD_FTZ},
    {"sat", FIELD_FLAG, MOD_SAT},
    {"cc", FIELD_FLAG, MOD_CC},
    {"uni", FIELD_FLAG, MOD_UNI},
    {"nc", FIELD_FLAG, MOD_NC},
    {"trans", FIELD_FLAG, MOD_TRANS},
    {"L2::cache_hint", FIELD_FLAG, MOD_CACHE_HINT},
    {"cg", FIELD_FLAG, MOD_CG},
    {"ca", FIELD_FLAG, MOD_CA},
    {"noftz", FIELD_FLAG, MOD_NOFTZ},
    {"to", FIELD_FLAG, MOD_TO},
    {"abs", FIELD_FLAG, MOD_ABS},
    {"NaN", FIELD_FLAG, MOD_NAN},
    {"shiftamt", FIELD_FLAG, MOD_SHIFTAMT},
    {"aligned", FIELD_FLAG, MOD_ALIGNED},
    {"satfinite", FIELD_FLAG, MOD_SATFINITE},
    {"relu", FIELD_FLAG, MOD_RELU},
    {"xorsign", FIELD_FLAG, MOD_XORSIGN},
    {"noinc", FIELD_FLAG, MOD_NOINC},
    {"im2col", FIELD_FLAG, MOD_IM2COL},
    {"im2col_no_offs", FIELD_FLAG, MOD_IM2COL},
    {"pred", FIELD_FLAG, MOD_PRED},
    {"shared::cluster", FIELD_FLAG, MOD_CLUSTER},
    {"sys", FIELD_FLAG, MOD_SYS},
    {"read", FIELD_FLAG, MOD_READ},
    {"parity", FIELD_FLAG, MOD_PARITY},
    {"noComplete", FIELD_FLAG, MOD_NO_COMPLETE},
    {"expect_tx", FIELD_FLAG, MOD_EXPECT_TX},
};

static void add_type(Mods *mods, Type type) {
    uint8_t *const fields[] = {&mods->type, &mods->type2, &mods->type3, &mods->type4};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (*fields[i] == TYPE_NONE) {
            *fields[i] = (uint8_t)type;
            return;
        }
}

/* Where a field is named twice (cp.async's spaces, ".mmio.relaxed"), the first one stays. */
static void set_first(uint8_t *field, uint32_t value) {
    if (*field == 0)
        *field = (uint8_t)value;
}

static void apply(Mods *mods, const Meaning *meaning, bool compares) {
    switch (meaning->field) {
    case FIELD_SPACE:
        set_first(&mods->space, meaning->value);
        break;
    case FIELD_VECTOR:
        mods->vector = (uint8_t)meaning->value;
        break;
    case FIELD_COMPARE:
        if (compares)
            set_first(&mods->compare, meaning->value);
        break;
    case FIELD_FUNC:
        set_first(&mods->func, meaning->value);
        break;
    case FIELD_ROUND:
        set_first(&mods->round, meaning->value);
        break;
    case FIELD_ORDER:
        set_first(&mods->order, meaning->value);
        break;
    case FIELD_MATRICES:
        set_first(&mods->matrices, meaning->value);
        break;
    case FIELD_MAJOR:
        set_first(mods->major ? &mods->major2 : &mods->major, meaning->value);
        break;
    case FIELD_FRAGMENT:
        mods->fragment = (char)meaning->value;
        break;
    case FIELD_GEOMETRY:
        mods->geometry = (uint8_t)meaning->value;
        break;
    case FIELD_QUERY:
        mods->query = (uint8_t)meaning->value;
        break;
    case FIELD_FLAG:
        mods->flags |= meaning->value;
        break;
    }
}

/* letter number; the rest of *token follows. */
static bool take_extent(Str *token, char letter, uint32_t *extent) {
    *extent = 0;
    if (token->length < 2 || token->at[0] != letter)
        return false;
    size_t used = 1;
    for (; used < token->length && token->at[used] >= '0' && token->at[used] <= '9'; used++)
        *extent = *extent * 10 + (uint32_t)(token->at[used] - '0');
    *token = (Str){token->at + used, token->length - used};
    return used > 1;
}

/* shape = "m" number "n" number [ "k" number ]: only spellings that a row takes come here. */
static void read_shape(Str token, Mods *mods) {
    uint32_t m, n, k = 0;
    if (!take_extent(&token, 'm', &m) || !take_extent(&token, 'n', &n))
        return;
    if (token.length && !take_extent(&token, 'k', &k))
        return;
    mods->m = (uint8_t)m;
    mods->n = (uint16_t)n;
    mods->k = (uint16_t)k;
}

static Str next_token(Str *rest) {
    const char *dot = memchr(rest->at, '.', rest->length);
    size_t length = dot ? (size_t)(dot - rest->at) : rest->length;
    Str token = {rest->at, length};
    size_t used = dot ? length + 1 : length;
    *rest = (Str){rest->at + used, rest->length - used};
    return token;
}

Mods mods_read(Str spelling) {
    Mods mods = {.vector = 1};
    Str mnemonic = next_token(&spelling);
    bool compares = str_is(mnemonic, "setp") || str_is(mnemonic, "set");
    while (spelling.length) {
        Str token = next_token(&spelling);
        Type type = type_named(token);
        if (type != TYPE_NONE)
            add_type(&mods, type);
        read_shape(token, &mods);
        for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
            if (str_is(token, meanings[i].token))
                apply(&mods, &meanings[i], compares);
    }
    return mods;
}

int mods_kind(Str token) {
    enum { TYPES = 1, FIELDS };
    if (type_named(token) != TYPE_NONE)
        return TYPES;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (str_is(token, meanings[i].token))
            return meanings[i].field == FIELD_FLAG ? 0 : FIELDS + (int)meanings[i].field;
    return 0;
}
