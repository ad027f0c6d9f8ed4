# Which blocks --blocks runs: each adds one to its own word, and there is room behind the last.
$ warplens kernel $TESTS/cli/blocks.ptx -q --no-save --no-sass --page none --grid 13 --block 1 --arg 'u32[13]=0' --blocks first:4 --dump 0=o.npy && tail -c 52 o.npy | od -An -v -t u4 -w52
          1          1          1          1          0          0          0          0          0          0          0          0          0
$ warplens kernel $TESTS/cli/blocks.ptx -q --no-save --no-sass --page none --grid 13 --block 1 --arg 'u32[13]=0' --blocks first:13 --dump 0=o.npy && tail -c 52 o.npy | od -An -v -t u4 -w52
          1          1          1          1          1          1          1          1          1          1          1          1          1
$ warplens kernel $TESTS/cli/blocks.ptx -q --no-save --no-sass --page none --grid 13 --block 1 --arg 'u32[13]=0' --blocks first:14 --dump 0=o.npy && tail -c 52 o.npy | od -An -v -t u4 -w52
          1          1          1          1          1          1          1          1          1          1          1          1          1
$ warplens kernel $TESTS/cli/blocks.ptx -q --no-save --no-sass --page none --grid 13 --block 1 --arg 'u32[13]=0' --blocks every:1 --dump 0=o.npy && tail -c 52 o.npy | od -An -v -t u4 -w52
          1          1          1          1          1          1          1          1          1          1          1          1          1
$ warplens kernel $TESTS/cli/blocks.ptx -q --no-save --no-sass --page none --grid 13 --block 1 --arg 'u32[13]=0' --blocks every:4 --dump 0=o.npy && tail -c 52 o.npy | od -An -v -t u4 -w52
          1          0          0          0          1          0          0          0          1          0          0          0          1
$ warplens kernel $TESTS/cli/blocks.ptx -q --no-save --no-sass --page none --grid 12 --block 1 --arg 'u32[13]=0' --blocks every:4 --dump 0=o.npy && tail -c 52 o.npy | od -An -v -t u4 -w52
          1          0          0          0          1          0          0          0          1          0          0          0          0
$ warplens kernel $TESTS/cli/blocks.ptx -q --no-save --no-sass --page none --grid 11 --block 1 --arg 'u32[13]=0' --blocks every:4 --dump 0=o.npy && tail -c 52 o.npy | od -An -v -t u4 -w52
          1          0          0          0          1          0          0          0          1          0          0          0          0
$ warplens kernel $TESTS/cli/blocks.ptx -q --no-save --no-sass --page none --grid 13 --block 1 --arg 'u32[13]=0' --blocks every:13 --dump 0=o.npy && tail -c 52 o.npy | od -An -v -t u4 -w52
          1          0          0          0          0          0          0          0          0          0          0          0          0
$ warplens kernel $TESTS/cli/blocks.ptx -q --no-save --no-sass --page none --grid 13 --block 1 --arg 'u32[13]=0' --blocks every:14 --dump 0=o.npy && tail -c 52 o.npy | od -An -v -t u4 -w52
          1          0          0          0          0          0          0          0          0          0          0          0          0
$ warplens kernel $TESTS/cli/blocks.ptx -q --no-save --no-sass --page none --grid 13 --block 1 --arg 'u32[13]=0' --blocks random:5:7 --dump 0=o.npy && tail -c 52 o.npy | od -An -v -t u4 -w52
          0          1          1          0          0          1          0          1          1          0          0          0          0
$ warplens kernel $TESTS/cli/blocks.ptx -q --no-save --no-sass --page none --grid 13 --block 1 --arg 'u32[13]=0' --blocks random:13:7 --dump 0=o.npy && tail -c 52 o.npy | od -An -v -t u4 -w52
          1          1          1          1          1          1          1          1          1          1          1          1          1
$ warplens kernel $TESTS/cli/blocks.ptx -q --no-save --no-sass --page none --grid 13 --block 1 --arg 'u32[13]=0' --blocks random:5:8 --dump 0=o.npy && tail -c 52 o.npy | od -An -v -t u4 -w52
          0          0          1          0          1          1          1          1          0          0          0          0          0
$ warplens kernel $TESTS/cli/blocks.ptx --no-save --grid 13 --block 1 --arg 'u32[13]=0' --blocks every:0
warplens: error: --blocks every:0: expected first:N, every:N or random:N:SEED
? 3
$ kernel() { sed "s/entry mark(.*)/& $1/; s/ld.global.u32 %r2, .*/atom.global.add.u32 %r2, [%rd3], 1;/; /add.u32 %r3/d; /st.global/d" $TESTS/cli/blocks.ptx >k.ptx; shift; warplens kernel k.ptx -q --no-save --no-sass --page none --arg 'u32[1]=0' --dump 0=o.npy "$@" && tail -c 4 o.npy | od -An -v -t u4; }; kernel '.reqntid 48, 3'; kernel '.reqntid 48, 3' --block 48,3; kernel '' --block 7; kernel ''; kernel '.reqntid 48' --block 1
        144
        144
          7
warplens: error: --block is missing: the threads of a block, as in --block 32,8
warplens: error: block is 1,1,1; the kernel requires 48,1,1 (.reqntid)
? 3
