/* The names of the special registers (PTX ISA 10). */
#include "ir/ir.h"

#include <string.h>

static const char *const names[SREG_COUNT] = {
    [SREG_NONE] = "none",
    [SREG_TID_X] = "%tid.x",
    [SREG_TID_Y] = "%tid.y",
    [SREG_TID_Z] = "%tid.z",
    [SREG_NTID_X] = "%ntid.x",
    [SREG_NTID_Y] = "%ntid.y",
    [SREG_NTID_Z] = "%ntid.z",
    [SREG_CTAID_X] = "%ctaid.x",
    [SREG_CTAID_Y] = "%ctaid.y",
    [SREG_CTAID_Z] = "%ctaid.z",
    [SREG_NCTAID_X] = "%nctaid.x",
    [SREG_NCTAID_Y] = "%nctaid.y",
    [SREG_NCTAID_Z] = "%nctaid.z",
    [SREG_LANEID] = "%laneid",
    [SREG_WARPID] = "%warpid",
    [SREG_NWARPID] = "%nwarpid",
    [SREG_SMID] = "%smid",
    [SREG_NSMID] = "%nsmid",
    [SREG_GRIDID] = "%gridid",
    [SREG_LANEMASK_EQ] = "%lanemask_eq",
    [SREG_LANEMASK_LE] = "%lanemask_le",
    [SREG_LANEMASK_LT] = "%lanemask_lt",
    [SREG_LANEMASK_GE] = "%lanemask_ge",
    [SREG_LANEMASK_GT] = "%lanemask_gt",
    [SREG_CLOCK] = "%clock",
    [SREG_CLOCK_HI] = "%clock_hi",
    [SREG_CLOCK64] = "%clock64",
    [SREG_GLOBALTIMER] = "%globaltimer",
    [SREG_GLOBALTIMER_LO] = "%globaltimer_lo",
    [SREG_GLOBALTIMER_HI] = "%globaltimer_hi",
    [SREG_PM] = "%pm",
    [SREG_ENVREG] = "%envreg",
    [SREG_DYNAMIC_SMEM_SIZE] = "%dynamic_smem_size",
    [SREG_TOTAL_SMEM_SIZE] = "%total_smem_size",
    [SREG_AGGR_SMEM_SIZE] = "%aggr_smem_size",
    [SREG_RESERVED_SMEM] = "%reserved_smem_offset",
    [SREG_CLUSTERID_X] = "%clusterid.x",
    [SREG_CLUSTERID_Y] = "%clusterid.y",
    [SREG_CLUSTERID_Z] = "%clusterid.z",
    [SREG_NCLUSTERID_X] = "%nclusterid.x",
    [SREG_NCLUSTERID_Y] = "%nclusterid.y",
    [SREG_NCLUSTERID_Z] = "%nclusterid.z",
    [SREG_CLUSTER_CTAID_X] = "%cluster_ctaid.x",
    [SREG_CLUSTER_CTAID_Y] = "%cluster_ctaid.y",
    [SREG_CLUSTER_CTAID_Z] = "%cluster_ctaid.z",
    [SREG_CLUSTER_NCTAID_X] = "%cluster_nctaid.x",
    [SREG_CLUSTER_NCTAID_Y] = "%cluster_nctaid.y",
    [SREG_CLUSTER_NCTAID_Z] = "%cluster_nctaid.z",
    [SREG_CLUSTER_CTARANK] = "%cluster_ctarank",
    [SREG_CLUSTER_NCTARANK] = "%cluster_nctarank",
    [SREG_IS_EXPLICIT_CLUSTER] = "%is_explicit_cluster",
    [SREG_CURRENT_GRAPH_EXEC] = "%current_graph_exec",
};

/* The registers of %reserved_smem_offset_…, in the order of Operand.bits. */
static const char *const reserved[] = {
    "%reserved_smem_offset_0",   "%reserved_smem_offset_1",   "%reserved_smem_offset_begin",
    "%reserved_smem_offset_end", "%reserved_smem_offset_cap",
};

const char *special_name(Special special) {
    return names[special];
}

/* "%envreg31" with prefix "%envreg" and limit 32: true, 31 */
static bool numbered(Str name, const char *prefix, uint64_t limit, uint64_t *number) {
    size_t length = strlen(prefix);
    if (!str_starts(name, prefix) || name.length == length || name.length > length + 2)
        return false;
    uint64_t value = 0;
    for (size_t i = length; i < name.length; i++) {
        if (name.at[i] < '0' || name.at[i] > '9')
            return false;
        value = value * 10 + (uint64_t)(name.at[i] - '0');
    }
    *number = value;
    return value < limit;
}

Special special_named(Str name, uint64_t *number) {
    *number = 0;
    if (numbered(name, "%envreg", 32, number))
        return SREG_ENVREG;
    if (numbered(name, "%pm", 8, number))
        return SREG_PM;
    *number = 0;
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (str_is(name, reserved[i])) {
            *number = i;
            return SREG_RESERVED_SMEM;
        }
    for (Special special = SREG_NONE + 1; special < SREG_COUNT; special++)
        if (str_is(name, names[special]) && special != SREG_RESERVED_SMEM &&
            special != SREG_ENVREG && special != SREG_PM)
            return special;
    return SREG_NONE;
}
