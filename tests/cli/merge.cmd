# Profiles of parts become one; what cannot be shared out, or merged, is named.
$ printf '%s\n' '#!/bin/sh' "exec warplens kernel \$SAMPLES/transpose/transpose.ptx -k 'transposeTiled<0>' --grid 8,5 --block 32,8 --arg 'f32[65536]=random:1' --arg 'f32[65536]' --arg i32=256 -q --no-sass \"\$@\"" > part; chmod +x part; ./part -o whole.wlp; ./part --shard 1/2 -o a.wlp; ./part --shard 2/2 -o b.wlp
$ warplens merge b.wlp a.wlp -o all.wlp && warplens diff whole.wlp all.wlp | tail -1
No counter has changed.
$ warplens merge b.wlp -o half.wlp
warplens: note: of a launch of void transposeTiled<0>(float const*, float*, int) 1 of 2 parts are there, and stay apart (missing: 1)
$ cp a.wlp runs1.wlp; cp b.wlp runs2.wlp; python3 -c 'for part, runs in ((1, [(0, 2, 3, 96), (4, 1, 1, 32)]), (2, [(0, 2, 5, 160), (2, 2, 2, 64)])): d = __import__("sqlite3").connect(f"runs{part}.wlp"); d.executemany("INSERT INTO inst_run SELECT id, ?, ?, ?, ?, ? FROM launch", [(n, *run) for n, run in enumerate(runs)]); d.commit()'; warplens merge runs1.wlp runs2.wlp -o runs.wlp; python3 -c 'print(*__import__("sqlite3").connect("runs.wlp").execute("SELECT first, insts, warps, threads FROM inst_run"))'
(0, 2, 8, 256) (2, 2, 2, 64) (4, 1, 1, 32)
$ warplens report b.wlp --page summary | grep 'blocks ran'
  s0: 20 of 40 blocks ran; ~ marks totals extrapolated to all blocks (x 2.0)
$ ./part --gpu h200 -o other.wlp; warplens merge whole.wlp other.wlp -o gpus.wlp
warplens: note: launches are of different GPUs: h100 (whole.wlp), h200 (other.wlp)
$ warplens merge whole.wlp other.wlp -q -o gpus.wlp
$ warplens merge a.wlp ./a.wlp -o x.wlp
warplens: error: ./a.wlp: is the same file as a.wlp, and would count twice
? 3
$ warplens merge a.wlp b.wlp -o a.wlp
warplens: error: a.wlp: is read by this command and would be overwritten: name another file
? 3
$ warplens merge a.wlp $SAMPLES/transpose/transpose.ptx -o x.wlp
warplens: error: $SAMPLES/transpose/transpose.ptx: not a warplens profile
? 3
$ warplens merge a.wlp none.wlp -o x.wlp
warplens: error: none.wlp: cannot be read: No such file or directory
? 3
$ warplens merge a.wlp b.wlp
warplens merge: -o FILE is missing: where the merged profile is saved
Try `warplens merge --help' or `warplens merge --usage' for more information.
? 3
$ warplens merge -o x.wlp
warplens merge: no profile: warplens merge A.wlp B.wlp … -o ALL.wlp
Try `warplens merge --help' or `warplens merge --usage' for more information.
? 3
$ cp b.wlp newer.wlp; python3 -c 'import sqlite3; sqlite3.connect("newer.wlp").execute("PRAGMA user_version = 9")'; warplens merge a.wlp newer.wlp -o x.wlp; ls x.wlp
warplens: error: newer.wlp: written by a newer warplens (profile format 9; this one reads up to 2)
ls: cannot access 'x.wlp': No such file or directory
? 2
$ cp a.wlp based.wlp; warplens baseline based.wlp --add main b.wlp && warplens merge based.wlp -o x.wlp
warplens: note: based.wlp: the baselines that it has are not merged
warplens: note: of a launch of void transposeTiled<0>(float const*, float*, int) 1 of 2 parts are there, and stay apart (missing: 2)
$ ./part --shard 3/2
warplens: error: --shard 3/2: expected I/N, a part I of N, with I from 1
? 3
$ ./part --shard 1/2 --dump 1=x.npy
warplens: error: --shard and --dump: a part has not all results
? 3
$ ./part --shard 1/2 --caches
warplens: error: the launch of '_Z14transposeTiledILi0EEvPKfPfi' cannot be shared out: blocks share caches (--caches)
? 3
$ printf '%s\n' '.version 8.0' '.target sm_90' '.address_size 64' '.visible .entry ticket(.param .u64 p, .param .u64 q) {' ' .reg .u32 %r<4>;' ' .reg .u64 %d<4>;' ' ld.param.u64 %d1, [p];' ' ld.param.u64 %d2, [q];' ' atom.global.add.u32 %r1, [%d1], 1;' ' st.global.u32 [%d2], %r1;' ' ret;' '}' > ticket.ptx; printf '%s\n' '#!/bin/sh' "warplens kernel \$* --grid 4 --block 32 --arg 'u32[1]' --arg 'u32[32]' -q" > try; chmod +x try; ./try ticket.ptx --shard 1/2
ticket.ptx:9:2: error: the launch of 'ticket' cannot be shared out, as its blocks may depend on each other: the value of an atomic in global memory is used
   atom.global.add.u32 %r1, [%d1], 1;
   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
? 3
$ sed 's/atom.global.add.u32 %r1, \(.*\)/atom.global.add.u32 %r2, \1 mov.u32 %r1, 7;/' ticket.ptx > counter.ptx; ./try counter.ptx --shard 1/2
$ sed 's/atom.*/ld.acquire.gpu.global.u32 %r1, [%d1];/' ticket.ptx > flag.ptx; ./try flag.ptx --shard 1/2
flag.ptx:9:2: error: the launch of 'ticket' cannot be shared out, as its blocks may depend on each other: it reads what other blocks may have written meanwhile
   ld.acquire.gpu.global.u32 %r1, [%d1];
   ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
? 3
$ sed 's/atom.*/ld.global.u32 %r1, [%d1];/' ticket.ptx > plain.ptx; ./try plain.ptx --cooperative --shard 1/2; ./try plain.ptx --shard 2/2 -o none.wlp && warplens report none.wlp --page summary --width 0 | tail -n +3
warplens: error: the launch of 'ticket' cannot be shared out: its blocks wait for each other: the launch is cooperative
Summary: 1 of 1 launch, GPU h100
 # kernel  grid block  find insts
-- ------  ---- -----  ---- -----
s0 ticket  4    32        -     0
  s: sampled, only some blocks were asked for
  find: findings. insts: PTX instructions, by threads.
  Some kernels have no line information: build them with nvcc -lineinfo to see the lines of their source.
$ warplens run --shard 1/2 --once ./try
warplens: error: --shard and --once: it looks at launches together, which are counted apart
? 3
$ warplens run --shard 1 ./try
warplens: error: --shard 1: expected I/N, a part I of N, with I from 1
? 3
$ warplens run --shard 1/2 ctest -I 1,2
warplens: error: --shard chooses tests with ctest's option -I, which is given already
? 3
