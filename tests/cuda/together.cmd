# Barriers of all blocks that the PTX calls and has not: NVIDIA's device runtime has them.
$ warplens run -q --no-save together
together: fine
