# Input and options that cannot be used: what is wrong and what would do; exit status 3.
$ warplens kernel missing.ptx -k x --block 32
warplens: error: missing.ptx: No such file or directory
? 3
$ warplens kernel -k x --block 32
warplens: error: no input: name a .ptx or .cu file or a program
? 3
$ warplens kernel $SAMPLES/histogram/histogram.ptx -k histogramGlobal --grid 1
warplens: error: --block is missing: the threads of a block, as in --block 32,8
? 3
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --block 32 --nonsense
warplens kernel: unrecognized option '--nonsense'
Try `warplens kernel --help' or `warplens kernel --usage' for more
information.
? 3
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,8 --gpu pascal
warplens: error: --gpu pascal: unknown; 'warplens gpus' lists those that are known
? 3
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,64 --arg 'f32[1024]' --arg 'f32[1024]' --arg i32=32
warplens: error: block of 32,64,1 has 2048 threads; a block has at most 1024
? 3
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 0 --block 32,8 --arg 'f32[1024]' --arg 'f32[1024]' --arg i32=32
warplens: error: grid is 0,1,1; each must be at least 1 and at most 2147483647,65535,65535
? 3
$ warplens report missing.wlp
warplens: error: missing.wlp: cannot be read: No such file or directory
? 3
$ echo text >not-a-profile.wlp; warplens report not-a-profile.wlp
warplens: error: not-a-profile.wlp: not a warplens profile
? 3
$ printf '.version 9.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n\t.reg .b32 %%r<2>;\n\tad.u32 %%r1, %%r1, 1;\n\tret;\n}\n' >wrong.ptx; warplens kernel wrong.ptx --block 32
wrong.ptx:7:2: error: unknown instruction 'ad'; did you mean 'add'?
  	ad.u32 %r1, %r1, 1;
  	^~
? 3
