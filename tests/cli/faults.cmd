# A fault of the kernel is a result: it names the place, what ran before it is saved, exit status 2.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 2 --block 32,8 --arg 'f32[1024]=iota' --arg 'f32[1024]' --arg i32=32 --no-sass --quiet --threads 1 -o fault.wlp
warplens: fault: out-of-bounds write of 4 bytes in global memory
  kernel  transposeNaive(float const*, float*, int)
  at      samples/transpose/transpose.cu:19
  PTX     $SAMPLES/transpose/transpose.ptx:59: st.global.f32 [%rd14], %f1
  block   (1,0,0), thread (0,0,0)
  address 0x200000003000
  nearest argument 1 (4096 bytes): 0 bytes behind its end
? 2
$ warplens report fault.wlp --page summary | grep "ended by"
  !: ended by a fault; the counts are of what ran before it
