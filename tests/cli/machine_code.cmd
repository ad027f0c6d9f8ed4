# Machine code decides where ptxas and nvdisasm are there (stand-ins here): what stands there if it cannot, and who can say otherwise.
$ printf '#!/bin/sh\n[ "$1" = --version ] || echo asked >> asked\n' > ptxas && printf '#!/bin/sh\necho no listing\n' > nvdisasm && printf 'export WARPLENS_CACHE= WARPLENS_PTXAS=$PWD/ptxas WARPLENS_NVDISASM=$1; shift; exec warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,8 --arg f32[4096]=0 --arg f32[4096]=0 --arg i32=32 -q "$@"\n' > try && chmod +x ptxas nvdisasm
$ sh ./try "" --page details -o m.wlp; wc -l < asked; warplens report m.wlp --page details | sed -n 4,5p
1
  grid                1                         GPU               h100
  PTX executed        for sm_90                 on the GPU        what its driver compiles
$ rm asked; sh ./try $PWD/nvdisasm -o auto.wlp; wc -l < asked; warplens report auto.wlp --page details | sed -n '4,5p; /^  Executed/p'; warplens report auto.wlp --page summary | tail -4
2
  grid                1                         GPU               h100
  PTX executed        for sm_90                 on the GPU        what its driver compiles
  Executed as PTX, not as machine code: nvdisasm's listing was not understood: it has no section
  Executed as PTX, not as machine code: transposeNaive: nvdisasm's listing was not understood: it
  has no section .text
  excess: share of what was counted beyond its ideal. /req: 32-byte sectors per request. find:
  findings. insts: PTX instructions, by threads.
$ sh ./try "" --machine-code on --no-sass -o on.wlp; warplens report on.wlp --page details | grep '^  Executed'
  Executed as PTX, not as machine code: there is no nvdisasm on PATH or under CUDA_HOME
$ sh ./try $PWD/nvdisasm --machine-code require
warplens: error: the machine code of _Z14transposeNaivePKfPfi cannot be executed: nvdisasm's listing was not understood: it has no section .text
? 3
$ WARPLENS_MACHINE_CODE=require sh ./try $PWD/nvdisasm
warplens: error: the machine code of _Z14transposeNaivePKfPfi cannot be executed: nvdisasm's listing was not understood: it has no section .text
? 3
$ rm asked; sh ./try $PWD/nvdisasm --no-sass -o m.wlp; WARPLENS_MACHINE_CODE=off sh ./try $PWD/nvdisasm --no-sass -o m.wlp; WARPLENS_MACHINE_CODE=on sh ./try $PWD/nvdisasm --no-sass --machine-code off -o m.wlp; ls asked
ls: cannot access 'asked': No such file or directory
? 2
$ WARPLENS_MACHINE_CODE=maybe sh ./try ""; sh ./try "" --machine-code maybe; WARPLENS_MACHINE_CODE=maybe warplens run true; warplens run --machine-code maybe true
warplens: error: WARPLENS_MACHINE_CODE=maybe: expected off, auto, on or require
warplens: error: --machine-code maybe: expected off, auto, on or require
warplens: error: WARPLENS_MACHINE_CODE=maybe: expected off, auto, on or require
warplens: error: --machine-code maybe: expected off, auto, on or require
? 3
