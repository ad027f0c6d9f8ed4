# A GPU: a row of gpus.def.
$ warplens gpus | grep 4080
rtx4080    NVIDIA GeForce RTX 4080        8.9   76        1536        24           100           99        717   2505
