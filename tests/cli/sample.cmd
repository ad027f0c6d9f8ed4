# Sampling says in how many blocks it has counted, or why in all.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<1>' --grid 32,32 --block 32,8 --arg 'f32[1048576]=random:1' --arg 'f32[1048576]' --arg i32=1024 --no-sass --page none --sample auto
warplens: sample: analysed 152 of 1024 blocks, of 1 kind
warplens: profile saved in transpose.wlp; 'warplens report transpose.wlp' shows its lines
$ warplens kernel $SAMPLES/histogram/histogram.ptx -k histogramShared --grid 256 --block 256 --arg 'u8[1048576]=random:1' --arg 'u32[256]=0' --arg i32=1048576 --no-sass --page none --sample auto
warplens: sample: analysed all blocks: addresses or branches depend on data
warplens: profile saved in histogram.wlp; 'warplens report histogram.wlp' shows its lines
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<1>' --grid 32,32 --block 32,8 --arg 'f32[1048576]=random:1' --arg 'u8[1073741824]' --arg i32=1024 --no-sass --page none --no-save --sample auto
warplens: sample: analysed all blocks: there is too much memory to keep a copy
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeTiled --block 32,8 --sample some
warplens: error: --sample some: expected auto or a number of blocks
? 3
