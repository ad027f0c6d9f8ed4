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
