# 100,000 launches (one row of the summary), with one allocation and with 10,000, and after 2,000 modules: nothing grows, nothing gets slow.
$ warplens run -q -o m.wlp many 100000
many: done
$ warplens report m.wlp --page summary --width 0
warplens run -q -o m.wlp many 100000

Summary: 100,000 of 100,000 launches, GPU h100
launches kernel  grid block  find  insts
-------- ------  ---- -----  ---- ------
 100,000 empty   1    32        - 3.200M
  A row adds up a kernel's launches. warplens report FILE --page summary --top N shows the N worst, --each-launch all.
  find: findings. insts: PTX instructions, by threads.
  Some kernels have no line information: build them with nvcc -lineinfo to see the lines of their source.
$ warplens run -q -o m.wlp many 20000 10000 2000
many: done
