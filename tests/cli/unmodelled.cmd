# What reports say of accesses that are known by requests and bytes alone.
$ warplens kernel $TESTS/exec/cases/unmodelled.ptx -k mixed --grid 2 --block 128 --arg u32[2048]=1 --arg u32[128]=0 -q --no-sass -o m.wlp; warplens report m.wlp --page summary | grep -A1 Asynchronous; warplens report m.wlp --page details | sed -n '/^Not modelled/,/^Findings/p'
  Asynchronous copies, wgmma, textures or shared memory of other blocks: requests and bytes of these
  are on the page details, their cost is not modelled.
Not modelled beyond requests and bytes
  operation                      requests   bytes  global bytes  shared bytes
  -----------------------------  --------  ------  ------------  ------------
  asynchronous copies                   2  16,384        16,384        16,384
  wgmma                                 8   4,608                       4,608
  shared memory of other blocks         8   1,024
  wgmma read 4 matrices through descriptors: 4 with a swizzle of 128 bytes, 0 of 64, 0 of 32, 0
  without. A row of 8 x 16 bytes, as it reads them, lies in different banks in each of these
  layouts: they are free of bank conflicts by construction.
  Their wavefronts, bank conflicts and sectors are not known, and in no number of this report.

Findings
$ warplens report m.wlp --format json | tr -d ' \n' | grep -o '"op":"[a-z_]*"'
"op":"copy"
"op":"wgmma"
"op":"load"
"op":"store"
