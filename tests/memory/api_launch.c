/* A launch through the C API, for the sweep: prints what it counted, says what was refused, or ends by its
 * handler where memory ended; with status 0, 3 and 3. */
#include <warplens/warplens.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                          ".visible .entry copy(.param .u64 to)\n{\n"
                          ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n"
                          "ld.param.u64 %rd1, [to];\nmov.u32 %r1, %tid.x;\n"
                          "mul.wide.u32 %rd2, %r1, 8;\nadd.u64 %rd3, %rd1, %rd2;\n"
                          "st.global.u32 [%rd3], %r1;\nret;\n}\n";

static void end(void *context) {
    const char *text = context;
    (void)!write(STDERR_FILENO, text, strlen(text));
    _exit(3);
}

static int refused(WarplensModule *module, const WarplensError *error) {
    fprintf(stderr, "status %d: %s\n", error->status, error->message);
    warplens_free(module);
    return 3;
}

int main(void) {
    static char text[] = "out of memory, says the host\n";
    WarplensError error;
    warplens_on_out_of_memory(end, text);
    WarplensModule *module = warplens_load_text("copy.ptx", ptx, strlen(ptx), NULL, &error);
    WarplensKernel *kernel = module ? warplens_kernel(module, "copy", &error) : NULL;
    if (!kernel || !warplens_set_text(kernel, 0, "u32[256]", &error))
        return refused(module, &error);
    const WarplensLaunch launch = {.grid = {4}, .block = {32}, .workers = 2, .engine = "interp"};
    const WarplensResult *result = warplens_launch(kernel, &launch, &error);
    if (!result)
        return refused(module, &error);
    const uint64_t *total = warplens_total(result);
    for (uint32_t i = 0; i < warplens_counter_count(); i++)
        printf("%s %" PRIu64 "\n", warplens_counter_name(i), total[i]);
    for (uint32_t i = 0; i < warplens_finding_count(result); i++) {
        WarplensFinding finding;
        warplens_finding(result, i, &finding);
        printf("%s: %s\n", finding.rule, finding.message);
    }
    warplens_free(module);
    return 0;
}
