/* What LLVM asks of a terminal: whether it has colours. There is none here. So a build with LLVM's archives needs no
 * libtinfo, whose own archive does not fit into shared libraries. */
int setupterm(const char *term, int file, int *error);
int tigetnum(const char *name);
void *set_curterm(void *terminal);
int del_curterm(void *terminal);

int setupterm(const char *term, int file, int *error) {
    (void)term, (void)file;
    if (error)
        *error = 0; /* no such terminal */
    return -1;
}

int tigetnum(const char *name) {
    (void)name;
    return -1;
}

void *set_curterm(void *terminal) {
    return terminal;
}

int del_curterm(void *terminal) {
    (void)terminal;
    return 0;
}
