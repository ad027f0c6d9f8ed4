# Launches, streams, events, callbacks, occupancy; the profile has the launches.
$ printf '#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" != -e ] || name=$2; shift; done\necho "ptxas info : Compiling entry function '"'\$name'"' for '"'sm_90'"'"\necho "ptxas info : Used 16 registers"\n' >ptxas; chmod +x ptxas
$ warplens run --no-save -q launches >/dev/null 2>&1 && WARPLENS_PTXAS=$PWD/ptxas warplens run --report none -o l.wlp launches
warplens: the launch of empty is refused: grid 0,1,1, block 1,1,1; NVIDIA H100 SXM5 80GB takes grids from 1 to 2147483647,65535,65535 and blocks to 1024,1024,64, 1024 threads in all
launches: fine
warplens: profile saved in l.wlp; 'warplens report l.wlp' shows its lines (of the PTX: build with nvcc -lineinfo)
$ warplens report l.wlp --page summary | head -9
warplens run --report none -o l.wlp launches

Summary: 9 of 9 launches, GPU h100
                        global sectors
# kernel    grid block  /req ideal excess  find  insts
- --------  ---- -----  ---- ----- ------  ---- ------
0 add       4    256     3.9   3.9    0 %     - 19,264
1 add       4    256     2.0   2.0    0 %     - 11,344
2 add       1    32      4.0   4.0    0 %     -    608
