# TMA, mbarriers that count bytes, wgmma, stmatrix; the same in clusters; borders inside of tiles.
$ warplens run -q -o g.wlp hopper_gemm $TESTS/cuda/hopper_gemm.ptx
gemm: 256 x 128 x 512: 0 of 32768 elements wrong
gemm_cluster: 256 x 128 x 512: 0 of 32768 elements wrong
$ warplens run -q -o g.wlp hopper_gemm $TESTS/cuda/hopper_gemm.ptx 200 136 72
gemm: 200 x 136 x 72: 0 of 27200 elements wrong
gemm_cluster: 200 x 136 x 72: 0 of 27200 elements wrong
