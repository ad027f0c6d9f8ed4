# cuSOLVER: sparse systems. They need no other library.
$ warplens run -q direct
direct: fine
