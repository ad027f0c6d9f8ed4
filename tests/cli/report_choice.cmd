# Parts of a profile: the worst, one line, kernels by expression; wide pages.
$ ln -s $SAMPLES samples
$ for k in 0 1; do warplens kernel samples/scan2d/scan2d.ptx -k "blockScan<$k>" --grid 4,4 --block 32,32 --arg 'u8[16384]=random:1' --arg 'u64[16384]' --arg 'u64[512]=0' --arg 'u64[512]=0' --arg i32=128 --arg i32=128 -q -o scan$k.wlp; done
$ warplens report scan0.wlp --line scan2d.cu:70

Source of launch 0: blockScan<0>

samples/scan2d/scan2d.cu
      --- wavefronts ----
reqs   count excess N-way  access            line source
----  ------ ------ -----  --------------- - ---- --------------------------------------------------
                                               68 __syncthreads();
                                               69
 512  16,384 15,360  16.0  shared load 8 B >   70 value = tile.at(threadIdx.x, threadIdx.y); // a
                                                    column: the conflicting load
 512  16,384 15,360  16.0  shared load 8 B          495: ld.shared.u64 %rd27, [%r71]
                                               71 value = scanWarp(value);
                                               72 tile.at(threadIdx.x, threadIdx.y) = value; // and…
  PTX line 495, shared load 8 B: lanes use 8 bytes each, 256 bytes apart in tile.
  > marks lines with a tenth or more of the launch's excess.
$ warplens report scan0.wlp --line scan2d/scan2d.cu:70 --width 70 | head -8

Source of launch 0: blockScan<0>

samples/scan2d/scan2d.cu
      --- wavefronts ----
reqs   count excess N-way  access   line source
----  ------ ------ -----  ------ - ---- -----------------------------
                                      68 __syncthreads();
$ warplens report scan0.wlp --line an2d.cu:70
warplens: error: no launch that is asked for accessed memory in line an2d.cu:70
? 3
$ warplens report scan0.wlp --line 1
warplens: error: no launch that is asked for accessed memory in line 1
? 3
$ warplens report scan0.wlp --line scan2d.cu:
warplens report: --line takes N or FILE:N, not 'scan2d.cu:'
Try `warplens report --help' or `warplens report --usage' for more
information.
? 3
$ warplens report scan0.wlp --page source --top 2

Source of launch 0: blockScan<0>

Lines by worst
       --- wavefronts ----  ---- sectors ----
 reqs   count excess N-way  count /req excess  access            line source
-----  ------ ------ -----  ----- ---- ------  ------- - ------------ ------------------------------
4,864  36,864 30,720   6.0  8,064  4.5      0  inlined   scan2d.cu:86 scanTile(tile, src, dst,
                                                                        colReduced, rowReduced, nx,
                                                                        ny);
  512  16,384 15,360  16.0                     S ld 8  > scan2d.cu:70 value = tile.at(threadIdx.x,
                                                                        threadIdx.y); // a column:
                                                                        the conflicting load
  > marks lines with a tenth or more of the launch's excess.
  A line that calls an inlined function has the callee's counts too (--inline shows them apart):
  lines overlap.
  Numbers from 100,000 on are rounded to four digits; --exact, --page details and --page raw have
  them all.
  access: S shared, G global, L local, C constant, * generic memory; ld load, st store, at atomic,
  rd reduction, lm ldmatrix, sm stmatrix, cp cp.async; bytes per lane.
$ warplens report scan0.wlp --page source --top 1 --sort sectors | head -7

Source of launch 0: blockScan<0>

Lines by sectors
       --- wavefronts ----  ---- sectors ----
 reqs   count excess N-way  count /req excess  access          line source
-----  ------ ------ -----  ----- ---- ------  ------- ------------ --------------------------------
$ warplens report scan0.wlp --page summary --top 1 | sed -n 6,10p
                            --- shared wavefronts ---  global sectors
# kernel        grid block   count ideal N-way excess  /req ideal excess  find  insts
- ------------  ---- -----  ------ ----- ----- ------  ---- ----- ------  ---- ------
0 blockScan<0>  4x4  32x32  36,864 6,144   6.0   83 %   4.5   4.5    0 %     1 2.163M
  N-way: wavefronts / ideal. excess: share of what was counted beyond its ideal. /req: 32-byte
$ warplens report scan0.wlp --top many
warplens report: 'many' is no number for --top
Try `warplens report --help' or `warplens report --usage' for more
information.
? 3
$ warplens report scan0.wlp --kernel '^_Z.*blockScan' --page summary | sed -n 6,10p
                            --- shared wavefronts ---  global sectors
# kernel        grid block   count ideal N-way excess  /req ideal excess  find  insts
- ------------  ---- -----  ------ ----- ----- ------  ---- ----- ------  ---- ------
0 blockScan<0>  4x4  32x32  36,864 6,144   6.0   83 %   4.5   4.5    0 %     1 2.163M
  N-way: wavefronts / ideal. excess: share of what was counted beyond its ideal. /req: 32-byte
$ warplens report scan0.wlp --kernel 'Scan<[1-9]>'
warplens: error: no launch of a kernel whose name matches "Scan<[1-9]>"; kernels:
warplens: note: void blockScan<0>(unsigned char const*, unsigned long long*, unsigned long long const*, unsigned long long const*, int, int)
? 3
$ warplens report scan0.wlp --page source --wide | sed -n '/scan2d.cu/,/__shared__/p'
samples/scan2d/scan2d.cu
       --- wavefronts ----  ---- sectors ----
 reqs   count excess N-way  count /req excess  access             line source
-----  ------ ------ -----  ----- ---- ------  ---------------- - ---- ------------------------------------------------------------------------------------------------
                                                                    56 int y = blockIdx.y * TILE + threadIdx.y;
                                                                    57
  512                         512  1.0      0  global load 1 B      58 u64 pixel = src[y * nx + x];
  512   1,024      0   1.0                     shared store 8 B     59 tile.at(threadIdx.y, threadIdx.x) = pixel * pixel;
                                                                    60 __syncthreads();
                                                                    61
                                                                    62 u64 left = 0;
                                                                    63 if (blockIdx.x > 0)
  384                         384  1.0      0  global load 8 B      64     left = colReduced[(blockIdx.x - 1) * ny + y];
  512   1,024      0   1.0                     shared load 8 B      65 u64 value = tile.at(threadIdx.y, threadIdx.x);
                                                                    66 value = scanWarp(value) + left;
  512   1,024      0   1.0                     shared store 8 B     67 tile.at(threadIdx.y, threadIdx.x) = value;
                                                                    68 __syncthreads();
                                                                    69
  512  16,384 15,360  16.0                     shared load 8 B  >   70 value = tile.at(threadIdx.x, threadIdx.y); // a column: the conflicting load
                                                                    71 value = scanWarp(value);
  512  16,384 15,360  16.0                     shared store 8 B >   72 tile.at(threadIdx.x, threadIdx.y) = value; // and the conflicting store
                                                                    73 __syncthreads();
                                                                    74
                                                                    75 u64 above = 0;
                                                                    76 if (blockIdx.y > 0)
  384                       3,072  8.0      0  global load 8 B      77     above = rowReduced[(blockIdx.y - 1) * nx + x];
  512   1,024      0   1.0                     shared load 8 B      78 value = tile.at(threadIdx.y, threadIdx.x);
  512                       4,096  8.0      0  global store 8 B     79 dst[y * nx + x] = value + above;
                                                                    80 }
                                                                    81
                                                                    82 template <int PAD>
                                                                    83 __global__ void blockScan(const u8 *src, u64 *dst, const u64 *colReduced, const u64 *rowReduced,
                                                                    84                       int nx, int ny) {
                                                                    85 __shared__ PaddedTile<PAD> tile;
$ PAGER=false warplens report scan1.wlp --page summary | sed -n 5,8p
Summary: 1 of 1 launch, GPU h100
                            -- shared wavefronts ---  global sectors
# kernel        grid block  count ideal N-way excess  /req ideal excess  find  insts
- ------------  ---- -----  ----- ----- ----- ------  ---- ----- ------  ---- ------
