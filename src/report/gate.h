/* gate.h: what the formats of `warplens check` share. Private to report/. */
#pragma once

#include "report/page.h"

#include <jansson.h>

/* ---- gate.c ---- */

/* The violation's file, from the profile's root on; the PTX module's name for PTX. */
bool gate_has_place(const Violation *violation);
const char *gate_path(Arena *arena, const GateResult *result, const Violation *violation);
/* Its line of the source (without indentation), or its instruction. */
const char *gate_source(Arena *arena, const GateResult *result, const Violation *violation);
const char *gate_kernel(const GateResult *result, const Violation *violation); /* its short name */
/* How the lanes of its worst instruction lie, or NULL. */
const char *gate_pattern(Arena *arena, const GateResult *result, const Violation *violation);
/* "mma.hpp:91 load_matrix_sync", where its worst instruction lies inside the line; or NULL. */
const char *gate_inner(Arena *arena, const GateResult *result, const Violation *violation);
/* The message and in which kernel: one line. */
const char *gate_message(Arena *arena, const GateResult *result, const Violation *violation);

/* Violations that are faults: the first ones. */
uint32_t gate_faults(const GateResult *result);

/* ---- formats, a file each ---- */

void gate_term(const GateResult *result, const ReportOptions *options, FILE *out);
void gate_github(const GateResult *result, const ReportOptions *options, FILE *out);
void gate_sarif(const GateResult *result, const ReportOptions *options, FILE *out);
void gate_junit(const GateResult *result, const ReportOptions *options, FILE *out);
