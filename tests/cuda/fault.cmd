# A kernel that faults: where is said on stderr, the program gets the CUDA error; or it is stopped.
$ warplens run -q -o f.wlp fault 2>said; status=$?; cat said; exit $status
CUDA_ERROR_ILLEGAL_ADDRESS
warplens: fault: out-of-bounds write of 4 bytes in global memory
  kernel  wild
  at      wild.cu:4
  PTX     fault:15: st.global.u32 [%rd3], %r1
  block   (0,0,0), thread (16,0,0)
  address 0x200000000040
  nearest device memory 1 (64 bytes): 0 bytes behind its end
? 5
$ warplens report f.wlp --page summary | head -8
Fault in launch 1, wild: out-of-bounds write of 4 bytes in global memory, at wild.cu:4
Counts are of what ran before a fault, so what follows is not the whole cost.
warplens run -q -o f.wlp fault

Summary: 2 of 2 launches, GPU h100
 # kernel  grid block  find insts
-- ------  ---- -----  ---- -----
 0 empty   1    32        -    32
$ warplens run -q --fault stop -o f.wlp fault
warplens: fault: out-of-bounds write of 4 bytes in global memory
  kernel  wild
  at      wild.cu:4
  PTX     fault:15: st.global.u32 [%rd3], %r1
  block   (0,0,0), thread (16,0,0)
  address 0x200000000040
  nearest device memory 1 (64 bytes): 0 bytes behind its end
? 2
