# What reports say of accesses that have no part in wavefronts and sectors.
$ warplens kernel $TESTS/exec/cases/unmodelled.ptx -k mixed --grid 2 --block 128 --arg u32[2048]=1 --arg u32[128]=0 -q --no-sass -o m.wlp; warplens report m.wlp --page summary | grep -A1 Asynchronous; warplens report m.wlp --page details | sed -n '/^Copies, wgmma/,/^Findings/p'
  Asynchronous copies, wgmma, textures or shared memory of other blocks: these are on the page
  details, and in no column here.
Copies, wgmma, textures, other blocks
  operation                      requests   bytes  global bytes  shared bytes  sectors  wavefronts
  -----------------------------  --------  ------  ------------  ------------  -------  ----------
  asynchronous copies                   2  16,384        16,384        16,384      512
  wgmma                                 8   4,608                       4,608                   36
  shared memory of other blocks         8   1,024                                   32           8
  wgmma read 4 matrices through descriptors: 4 with a swizzle of 128 bytes, 0 of 64, 0 of 32, 0
  without. A row of 8 x 16 bytes, as it reads them, lies in different banks in each of these
  layouts: they are free of bank conflicts by construction.
  In no other number of this report. Sectors are those that pass between an SM and L2 or another SM;
  wavefronts, of wgmma's matrices and of loads and stores in other blocks. What is empty, and a part
  of what has atomics, is not modelled.

Findings
$ warplens report m.wlp --format json | tr -d ' \n' | grep -o '"op":"[a-z_]*"'
"op":"copy"
"op":"wgmma"
"op":"load"
"op":"store"
