# The known GPUs, and which of them the memory model was measured on.
$ warplens gpus
name                                     arch  SMs  threads/SM blocks/SM shared/SM, KB   /block, KB DRAM, GB/s    MHz
v100       NVIDIA V100 SXM2 32GB          7.0   80        2048        32            96           96        900   1530
t4         NVIDIA T4                      7.5   40        1024        16            64           64        320   1590
rtx2080ti  NVIDIA GeForce RTX 2080 Ti     7.5   68        1024        16            64           64        616   1545
a100       NVIDIA A100 SXM4 80GB          8.0  108        2048        32           164          163       2039   1410
a30        NVIDIA A30                     8.0   56        2048        32           164          163        933   1440
a10        NVIDIA A10                     8.6   72        1536        16           100           99        600   1695
a40        NVIDIA A40                     8.6   84        1536        16           100           99        696   1740
a5000      NVIDIA RTX A5000               8.6   64        1536        16           100           99        768   1695
a2000      NVIDIA RTX A2000 12GB          8.6   26        1536        16           100           99        288   1200
rtx3060    NVIDIA GeForce RTX 3060        8.6   28        1536        16           100           99        360   1777
rtx3090    NVIDIA GeForce RTX 3090        8.6   82        1536        16           100           99        936   1695
l4         NVIDIA L4                      8.9   58        1536        24           100           99        300   2040
l40        NVIDIA L40                     8.9  142        1536        24           100           99        864   2490
rtx4090    NVIDIA GeForce RTX 4090        8.9  128        1536        24           100           99       1008   2520
h100       NVIDIA H100 SXM5 80GB          9.0  132        2048        32           228          227       3350   1980  measured
h200       NVIDIA H200 SXM 141GB          9.0  132        2048        32           228          227       4800   1980  measured
b200       NVIDIA B200 180GB             10.0  148        2048        32           228          227       8000   1965
rtx5090    NVIDIA GeForce RTX 5090       12.0  170        1536        24           100           99       1792   2407

The memory model was measured on those marked so; elsewhere it is taken to be the same.
