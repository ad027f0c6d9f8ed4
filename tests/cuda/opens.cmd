# The driver and runtime are ours wherever a program looks for them; what dlopen brings is served before its constructors.
$ warplens run -q opens
opens: fine
