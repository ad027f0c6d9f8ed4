# Memory of every kind, copies, fills, pools.
$ warplens run -q memory
memory: fine
