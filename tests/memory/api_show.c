/* Reads the profile in.wlp and makes texts of it, for the sweep: where memory ends, the call says so and the process goes on; the handler
 * that would end it is never called. */
#include <warplens/warplens.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void end(void *context) {
    (void)context;
    _exit(4);
}

int main(void) {
    static const char *const formats[] = {"term", "html", "json", "csv"};
    const WarplensPage drawing = {.format = "svg"};
    WarplensError error;
    warplens_on_out_of_memory(end, NULL);
    WarplensProfile *profile = warplens_profile_read("in.wlp", &error);
    const char *text = profile ? "" : NULL;
    for (size_t i = 0; text && i < sizeof formats / sizeof *formats; i++) {
        text = warplens_page(profile, &(WarplensPage){.format = formats[i]}, &error);
        printf("%s: %zu bytes\n", formats[i], text ? strlen(text) : 0);
    }
    text = text ? warplens_check(profile, NULL, NULL, &error) : NULL;
    text = text ? warplens_diff(profile, profile, NULL, &error) : NULL;
    text = text ? warplens_explain(profile, &drawing, 0, &error) : NULL;
    if (text)
        printf("%zu bytes\n", strlen(text));
    else
        fprintf(stderr, "status %d: %s\n", error.status, error.message);
    int status = text ? 0 : error.status == WARPLENS_NO_MEMORY ? 3 : 2;
    if (status == 3 && profile && warplens_page(profile, NULL, &error))
        status = 5; /* of what may be half made */
    warplens_profile_free(profile);
    return status;
}
