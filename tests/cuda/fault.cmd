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
warplens: 1 fault
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
warplens: 1 fault
? 2
$ warplens run -q -o f.wlp fault ignored 2>said; status=$?; tail -n 1 said; exit $status
PASS
warplens: 1 fault
? 2
$ warplens run -q -o f.wlp fault host 2>&1 | grep "host memory"; warplens run -q -o f.wlp fault freed 2>&1 | grep -A1 freed | sed 's|/.*/tests/|$TESTS/|'; WARPLENS_ADDR2LINE=/nowhere warplens run -q -o f.wlp fault freed 2>&1 | sed -n 's/0x[0-9a-f]* /0x… /; /by  /p'; warplens run -q --gpu a10 -o f.wlp fault refused
  in      host memory that CUDA does not know: allocate it with cudaMalloc, cudaMallocManaged or cudaMallocHost, or register it
  freed   device memory 1 (65536 bytes), which was allocated here: its byte 0
  by      $TESTS/cuda/fault.c:90, in main
  by      fault+0x… (its line needs -g and addr2line)
warplens: the launch of empty is refused: grid 1,1,1, block 2048,1,1; NVIDIA A10 takes grids from 1 to 2147483647,65535,65535 and blocks to 1024,1024,64, 1024 threads in all
warplens: the launch of fill is refused: 102400 bytes of dynamic shared memory beside 0 static; without cudaFuncAttributeMaxDynamicSharedMemorySize a block has at most 49152, with it 101376 on NVIDIA A10
$ for what in continue pass-reads; do for way in "reads 32" "reads 4194304" ""; do warplens run -q --fault $what -o f.wlp fault $way 2>said >printed; echo "$what $way: $?, $(cat printed), $(head -n 1 said)"; done; done
continue reads 32: 5, , warplens: fault: out-of-bounds read of 4 bytes in global memory
continue reads 4194304: 5, , warplens: fault: out-of-bounds read of 4 bytes in global memory
continue : 5, CUDA_ERROR_ILLEGAL_ADDRESS, warplens: fault: out-of-bounds write of 4 bytes in global memory
pass-reads reads 32: 0, 14 14 14 14 14 14 14 14 7 7 7 7 7 7 7 7, warplens: peek reads outside of its arrays at peek.cu:4, 8 times in this launch: zeros (--fault pass-reads)
pass-reads reads 4194304: 5, , warplens: fault: out-of-bounds read of 4 bytes in global memory
pass-reads : 5, CUDA_ERROR_ILLEGAL_ADDRESS, warplens: fault: out-of-bounds write of 4 bytes in global memory
$ warplens run -q --engine jit --fault pass-reads -o f.wlp fault reads 32 2>said; head -n 1 said
14 14 14 14 14 14 14 14 7 7 7 7 7 7 7 7
warplens: peek reads outside of its arrays at peek.cu:4, 8 times in this launch: zeros (--fault pass-reads)
$ warplens run -q --fault forget -o f.wlp fault
warplens: error: --fault forget: expected stop, continue or pass-reads
? 3
