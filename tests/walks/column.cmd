# A column of the summary: a row of the page's table of columns, in the terminal and in the HTML page.
$ warplens kernel $TESTS/walks/rule.ptx -k eighth --grid 1 --block 32 --shared 512 --arg 'u32[32]' -q -o c.wlp && warplens report c.wlp --page summary
warplens kernel $TESTS/walks/rule.ptx -k eighth --grid 1 --block 32 --shared 512
--arg 'u32[32]' -q -o c.wlp

Summary: 1 of 1 launch, GPU h100
                              global sectors
# kernel  grid block dynamic  /req ideal excess  find insts
- ------  ---- ----- -------  ---- ----- ------  ---- -----
0 eighth  1    32        512   4.0   1.0   75 %     2   176
  excess: share of what was counted beyond its ideal. /req: 32-byte sectors per request. find:
  findings. insts: PTX instructions, by threads.
  Some kernels have no line information: build them with nvcc -lineinfo to see the lines of their
  source.
$ warplens report c.wlp --format html -o c.html && grep -c 'Bytes of dynamic shared memory of a block' c.html
1
