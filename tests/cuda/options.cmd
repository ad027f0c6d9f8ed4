# Options of warplens run; what it cannot run.
$ warplens run
warplens: error: no program: warplens run [OPTION...] PROGRAM [ARGUMENT...]
? 3
$ warplens run --gpu voodoo memory
warplens: error: --gpu voodoo: unknown; 'warplens gpus' lists those that are known
? 3
$ warplens run --kernel "(" memory
memory: fine
warplens: the program launched no kernel that is profiled; 'warplens run --list' lists those that it launches
$ warplens run --launches few memory
warplens: error: --launches few: expected a number N, or A:B with A below B
? 3
$ warplens run --fault ignore memory
warplens: error: --fault ignore: expected stop, continue or pass-reads
? 3
$ warplens run ./nothing
warplens: error: ./nothing: No such file or directory
? 3
$ warplens run /bin/echo hello --not-ours
hello --not-ours
warplens: the program launched no kernel that is profiled
$ warplens run -q --kernel "^add$" -o k.wlp launches; warplens report k.wlp --page summary | head -9
warplens: the launch of empty is refused: grid 0,1,1, block 1,1,1; NVIDIA H100 SXM5 80GB takes grids from 1 to 2147483647,65535,65535 and blocks to 1024,1024,64, 1024 threads in all
launches: fine
warplens run -q --kernel '^add$' -o k.wlp launches

Summary: 3 of 3 launches, GPU h100
                      global sectors
# kernel  grid block  /req ideal excess  find  insts
- ------  ---- -----  ---- ----- ------  ---- ------
0 add     4    256     3.9   3.9    0 %     - 19,264
1 add     4    256     2.0   2.0    0 %     - 11,344
2 add     1    32      4.0   4.0    0 %     -    608
$ warplens run -q --launches 2 -o k.wlp ends return; warplens report k.wlp --page summary | grep "^Summary"
Summary: 2 of 2 launches, GPU h100
$ warplens run -q --no-profile -o none.wlp ends return; ls
k.wlp
$ warplens run sh -c "ends return; exit 3"

Summary: 3 of 3 launches, GPU h100
# kernel  grid block  find insts
- ------  ---- -----  ---- -----
0 empty   1    32        -    32
1 empty   1    32        -    32
2 empty   1    32        -    32
  find: findings. insts: PTX instructions, by threads.
  Some kernels have no line information: build them with nvcc -lineinfo to see the lines of their
  source.

warplens: profile saved in sh.wlp; 'warplens report sh.wlp' shows its lines (of the PTX: build with nvcc -lineinfo)
? 3
