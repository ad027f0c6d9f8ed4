# Modules, libraries, functions, variables, entry points by name.
$ warplens run -q modules
modules: fine
