/* Stands for libnvrtc, where there is none: a program's source is PTX already, and compiling notes the
 * options. Compiled for sm_XX it has a cubin, which is no such thing; NVRTC has both, too. */
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
typedef struct FakeProgram {
    char *source, options[256];
} * Program;

int nvrtcCreateProgram(Program *program, const char *source, const char *name, int count,
                       const char *const *headers, const char *const *names);
int nvrtcCompileProgram(Program program, int count, const char *const *options);
int nvrtcGetProgramLog(Program program, char *log);
int nvrtcGetPTXSize(Program program, size_t *bytes);
int nvrtcGetPTX(Program program, char *ptx);
int nvrtcGetCUBINSize(Program program, size_t *bytes);
int nvrtcGetCUBIN(Program program, char *cubin);
int nvrtcDestroyProgram(Program *program);

int nvrtcCreateProgram(Program *program, const char *source, const char *name, int count,
                       const char *const *headers, const char *const *names) {
    (void)name, (void)count, (void)headers, (void)names;
    *program = calloc(1, sizeof **program);
    (*program)->source = strdup(source);
    return 0;
}

int nvrtcCompileProgram(Program program, int count, const char *const *options) {
    program->options[0] = 0;
    for (int i = 0; i < count; i++) {
        strcat(program->options, i ? " | " : "");
        strcat(program->options, options[i]);
    }
    return 0;
}

int nvrtcGetProgramLog(Program program, char *log) {
    strcpy(log, program->options);
    return 0;
}

int nvrtcGetPTXSize(Program program, size_t *bytes) {
    *bytes = strlen(program->source) + 1;
    return 0;
}

int nvrtcGetPTX(Program program, char *ptx) {
    strcpy(ptx, program->source);
    return 0;
}

int nvrtcGetCUBINSize(Program program, size_t *bytes) {
    *bytes = strstr(program->options, "sm_") ? 5 : 0;
    return 0;
}

int nvrtcGetCUBIN(Program program, char *cubin) {
    if (strstr(program->options, "sm_"))
        memcpy(cubin, "\177ELF", 5);
    return 0;
}

int nvrtcDestroyProgram(Program *program) {
    free((*program)->source);
    free(*program);
    *program = NULL;
    return 0;
}
