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
$ warplens report fault.wlp --page source | head -3
Fault in launch 0, transposeNaive: out-of-bounds write of 4 bytes in global memory, at
transpose.cu:19
Counts are of what ran before a fault, so what follows is not the whole cost.
$ for format in term github junit sarif; do warplens check fault.wlp --max-nway 2 --format $format --root $SAMPLES/.. 2>/dev/null | grep -E 'faulted|::error|<error|executionSuccessful|"ruleId"'; done
1 line faulted: counts are of what ran before that
::error file=samples/transpose/transpose.cu,line=19,title=Fault of a kernel::out-of-bounds write of 4 bytes in global memory, in transposeNaive%0A  kernel  transposeNaive(float const*, float*, int)%0A  at      samples/transpose/transpose.cu:19%0A  PTX     $SAMPLES/transpose/transpose.ptx:59: st.global.f32 [%25rd14], %25f1%0A  block   (1,0,0), thread (0,0,0)%0A  address 0x200000003000%0A  nearest argument 1 (4096 bytes): 0 bytes behind its end
      <error message="1 line faulted">samples/transpose/transpose.cu:19: fault: out-of-bounds write of 4 bytes in global memory, in transposeNaive
     "executionSuccessful": false
     "ruleId": "fault",
$ warplens diff fault.wlp fault.wlp | sed "/^was/,/^$/d"
!: the launch ended with a fault; its counts are of what ran before it
launch                  - global sectors -
No counter has changed.
