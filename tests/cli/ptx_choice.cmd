# PTX that the GPU could not run is not run: a file's .target, and --ptx.
$ printf '.version 9.0\n.target sm_120\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n' >k.ptx; warplens kernel k.ptx --block 32 --no-sass
k.ptx:2:9: error: h100 (sm_90) does not run PTX for sm_120; choose a GPU that does, as with --gpu rtx5090 (in Python: WARPLENS_GPU=rtx5090)
  .target sm_120
          ^~~~~~
? 3
$ warplens kernel k.ptx --block 32 --no-sass --gpu rtx5090 --page details

Launch 0: k
  k
  grid                1                         GPU               rtx5090
  PTX executed        for sm_120                on the GPU        what its driver compiles
  block               32 (1 warp)               registers         not known (needs ptxas)
  blocks run          1 of 1                    shared memory     0 B static, 0 B dynamic
  PTX thread insts    32                        PTX warp insts    1 (32.0 lanes active)
  The counting rules were measured on an H100 and an H200, not on this GPU (rtx5090).

Findings
  none: no access costs more than it must

warplens: profile saved in k.wlp; 'warplens report k.wlp' shows its lines (of the PTX: build with nvcc -lineinfo)
$ sed 's/sm_120/sm_90a/' k.ptx >a.ptx; warplens kernel a.ptx --block 32 --no-sass --gpu b200
a.ptx:2:9: error: b200 (sm_100) does not run PTX for sm_90a; choose a GPU that does, as with --gpu h100 (in Python: WARPLENS_GPU=h100)
  .target sm_90a
          ^~~~~~
? 3
$ warplens kernel a.ptx --block 32 --no-sass --quiet
$ warplens run --ptx compute_120 true
warplens: error: --ptx compute_120: h100 (sm_90) does not run it; 'warplens gpus' lists those that may
? 3
$ warplens run --ptx newest true
warplens: error: --ptx newest: expected compute_XX
? 3
$ warplens run --gpu h1000 true
warplens: error: --gpu h1000: unknown; 'warplens gpus' lists those that are known
? 3
$ printf '#!/bin/sh\necho "$@" | grep -o -e "-arch=[a-z0-9_]*" -e "-c " >>asked; exit 1\n' >ptxas; chmod +x ptxas; export WARPLENS_PTXAS=$PWD/ptxas; warplens kernel a.ptx --block 32 --quiet; sed 's/sm_120/sm_75/' k.ptx >t.ptx; warplens kernel t.ptx --block 32 --quiet --gpu a100; warplens kernel t.ptx --block 32 --quiet; cat asked
-arch=sm_90a
-arch=sm_80
-arch=sm_90
