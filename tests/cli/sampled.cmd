# Some blocks only: the profile and its pages say so.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 8,8 --block 32,8 --arg 'f32[65536]=iota' --arg 'f32[65536]' --arg i32=256 --no-sass --blocks first:8 --page summary -o sampled.wlp

Summary: 1 of 1 launches, GPU h100
                               global sectors
 # kernel          grid block  /req ideal excess  find   insts
-- --------------  ---- -----  ---- ----- ------  ---- -------
s0 transposeNaive  8x8  32x8   18.0   4.0   78 %     2 ~589.8k
  s0: 8 of 64 blocks ran; ~ marks totals extrapolated to all blocks (x 8.0)
  s: sampled, only some blocks were asked for
  N-way: wavefronts / ideal. excess: share of wavefronts, of sectors, beyond the ideal. /req:
  32-byte sectors per request. find: findings. insts: thread instructions.
$ warplens report sampled.wlp --page details

Launch 0: transposeNaive
  transposeNaive(float const*, float*, int)
  grid                8x8                       GPU               h100
  block               32x8 (8 warps)            registers         not known (needs ptxas)
  blocks run          8 of 64 (sampled)         shared memory     0 B static, 0 B dynamic
  thread instructions 73,728                    warp instructions 2,304 (32.0 lanes active)
  All counts below are of the blocks that ran. Extrapolated to the grid (x 8.0): 0 shared
  wavefronts, 73,728 global sectors.

Global memory
                                               per request
  operation  requests  sectors  ideal  excess  sectors  ideal  bytes/sector  tag requests
  ---------  --------  -------  -----  ------  -------  -----  ------------  ------------
  loads           256    1,024  1,024       0      4.0    4.0          32.0           256
  stores          256    8,192  1,024   7,168     32.0    4.0           4.0         8,192
  all             512    9,216  2,048   7,168     18.0    4.0           7.1         8,448
  bytes/sector: how many of a sector's 32 bytes the request used. tag requests: 128-byte lines.

Findings
  1. Uncoalesced global access (high)
     7,168 of 9,216 global-memory sectors (78 %) are more than the accesses need at best.
     line             excess  share  source
     ---------------  ------  -----  ---------------------------------------------------------------
     transpose.cu:19   7,168  100 %  st.global.f32 [%rd14], %f1
                                         lanes use 4 bytes each, 1,024 bytes apart in argument 1
     What usually helps: Let neighbouring threads use neighbouring addresses: index flat arrays by
     thread, store structures as separate arrays, swap the axes of a column walk or turn it round
     through a tile in shared memory, and align rows to 128 bytes.
     (docs/rules/uncoalesced-global.md)

  2. Access pattern of global stores (high)
     global stores: on average 4 bytes per thread per request, 32 sectors per request where 4 would
     do.
     line             excess  share  source
     ---------------  ------  -----  ---------------------------------------------------------------
     transpose.cu:19   7,168  100 %  st.global.f32 [%rd14], %f1
                                         lanes use 4 bytes each, 1,024 bytes apart in argument 1
     What usually helps: Have each warp write whole 32-byte sectors: consecutive lanes at
     consecutive addresses; collect scattered results in shared memory and write them out row by
     row. (docs/rules/access-pattern.md)
