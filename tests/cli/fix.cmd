# warplens fix: a layout that is proven, the same from a profile, arrays without conflicts, a kernel without shared memory, errors.
$ warplens fix $SAMPLES/scan2d/scan2d.ptx -k 'blockScan<0>' --grid 2,2 --block 32,32 --arg 'u8[4096]=random:1' --arg 'u64[4096]' --arg 'u64[128]=0' --arg 'u64[128]=0' --arg i32=64 --arg i32=64
void blockScan<0>(unsigned char const*, unsigned long long*, unsigned long long const*, unsigned long long const*, int, int)

tile: 1,024 elements (8,192 bytes)
    layout                                             wavefronts    N-way        bytes  blocks/SM
    as it is                                                9,216      6.0        8,192          2
    Swizzle<4,0,5>: i ^ (i >> 5 & 15)                       1,536      1.0        8,192          2
  * 1 element (8 bytes) of padding after every 32           1,536      1.0        8,448          2
    2 elements (16 bytes) of padding after every 32: still 1.3-way
    8 elements (64 bytes) of padding after every 32: still 3.3-way
    16 elements (128 bytes) of padding after every 32: no help, still 6.0-way

Matters: the data stage (shared memory, L1) is the longest stage, at least 1.2 x instruction issue

proven: run with the layouts marked *, all 38,912 bytes of the results are equal, and
the kernel's 9,216 wavefronts of shared memory become 1,536, as promised

global memory: 256 of 384 requests are as they should be

argument 0: narrow elements
    1 byte a lane: as few sectors as there can be, in many requests
    at scan2d.cu:86
                                                         requests        sectors    a request
    as it is                                                  128            128          1.0
    4 bytes a lane                                             32            128          4.0
    ideal                                                     128            128          1.0
    4 bytes a lane: Give each lane 4 neighbouring elements: one access of 4 bytes (uchar4 or char4)
      in place of 4.

not proven by running: what is not marked *; it is computed from the recorded addresses
$ warplens fix $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<1>' --grid 2,2 --block 32,8 --arg 'f32[4096]=random:1' --arg 'f32[4096]' --arg i32=64
void transposeTiled<1>(float const*, float*, int)

tile: 1,056 elements (4,224 bytes)
    layout                                             wavefronts    N-way        bytes  blocks/SM
    as it is                                                  256      1.0        4,224          8
    nothing to fix: no access to it has a conflict

global memory: all 256 requests are as they should be
$ warplens fix $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 2,2 --block 32,8 --arg 'f32[4096]=random:1' --arg 'f32[4096]' --arg i32=64
transposeNaive(float const*, float*, int)

the kernel accesses no shared array

global memory: 128 of 256 requests are as they should be

argument 1: walk down columns
    lanes are 256 bytes apart, a row each, and walk along their rows
    at transpose.cu:19
                                                         requests        sectors    a request
    as it is                                                  128          4,096         32.0
    along the rows                                            128            512          4.0
  * stored column by column                                   128            512          4.0
    ideal                                                     128            512          4.0
    along the rows: Move tiles: a block copies 32 x 32 elements into shared memory along the rows of
      one array, and out of it along the rows of the other; give the tile 33 columns.
    stored column by column: Store the matrix transposed: element (row, column) at column * 64 +
      row.
    a sketch, not compiled and not tried:
      __shared__ float tile[32][33]; // blocks of 32 x 8 threads
      for (int i = threadIdx.y; i < 32; i += 8)
          tile[i][threadIdx.x] = in[(y0 + i) * pitch + x0 + threadIdx.x];
      __syncthreads();
      for (int i = threadIdx.y; i < 32; i += 8)
          out[(x0 + i) * pitch + y0 + threadIdx.x] = tile[threadIdx.x][i];
      // Saves 3,584 of 4,096 sectors.

Matters: the tag stage is the longest stage, at least 2.0 x instruction issue
not proven by running: what is not marked *; it is computed from the recorded addresses
proven: run with the arrays stored as marked *, all 32,768 bytes of the results are
equal, and the kernel's 4,608 sectors of global memory become 1,024, as promised
$ warplens fix $SAMPLES/histogram/histogram.ptx -k histogramShared --grid 1 --block 256 --arg 'u8[4096]=random:1' --arg 'u32[256]=0' --arg i32=4096
histogramShared(unsigned char const*, unsigned int*, int)

counts: 256 elements (1,024 bytes)
    layout                                             wavefronts    N-way        bytes  blocks/SM
    as it is                                                  417      2.9        1,024          8
    no layout helps: the lanes' addresses depend on data: 144 executions, 144 different
    patterns of addresses

global memory: 8 of 136 requests are as they should be

argument 0: narrow elements
    1 byte a lane: as few sectors as there can be, in many requests
    at histogram.cu:27
                                                         requests        sectors    a request
    as it is                                                  128            128          1.0
    4 bytes a lane                                             32            128          4.0
    ideal                                                     128            128          1.0
    4 bytes a lane: Give each lane 4 neighbouring elements: one access of 4 bytes (uchar4 or char4)
      in place of 4.

not proven by running: what is not marked *; it is computed from the recorded addresses
$ warplens fix $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 2,2 --arg 'f32[4096]' --arg 'f32[4096]' --arg i32=64
warplens: error: --block is missing: the threads of a block, as in --block 32,8
? 3
$ warplens fix $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 9,9 --block 32,8 --arg 'f32[64]' --arg 'f32[4096]' --arg i32=64 2>&1 | head -3
warplens: fault: out-of-bounds read of 4 bytes in global memory
  kernel  transposeNaive(float const*, float*, int)
  at      samples/transpose/transpose.cu:18
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<0>' --grid 2,2 --block 32,8 --arg 'f32[4096]=random:1' --arg 'f32[4096]' --arg i32=64 -q --no-sass --evidence 2 -o t.wlp
$ warplens fix t.wlp
void transposeTiled<0>(float const*, float*, int)
by the evidence of 2 of 4 blocks

tile: 1,024 elements (4,096 bytes)
    layout                                             wavefronts    N-way        bytes  blocks/SM
    as it is                                                2,112     16.5        4,096          8
    Swizzle<5,0,5>: i ^ (i >> 5 & 31)                         128      1.0        4,096          8
  * 1 element (4 bytes) of padding after every 32             128      1.0        4,224          8
    4 elements (16 bytes) of padding after every 32: still 2.5-way
    16 elements (64 bytes) of padding after every 32: still 8.5-way
    32 elements (128 bytes) of padding after every 32: no help, still 16.5-way

Matters: the data stage (shared memory, L1) is the longest stage, at least 4.7 x instruction issue

not proven, since nothing is run from a profile. It was made by
  warplens kernel $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<0>' --grid 2,2 --block 32,8 --arg 'f32[4096]=random:1' --arg 'f32[4096]' --arg i32=64 -q --no-sass --evidence 2 -o t.wlp
and warplens fix with the same file, kernel and arguments runs it and compares
no kernel wastes sectors of global memory
$ warplens fix t.wlp -k nothing --patch=x.patch; ls x.patch
warplens: error: no launch of a kernel whose name matches "nothing"; kernels:
warplens: note: void transposeTiled<0>(float const*, float*, int)
ls: cannot access 'x.patch': No such file or directory
? 2
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 2,2 --block 32,8 --arg 'f32[4096]=random:1' --arg 'f32[4096]' --arg i32=64 -q --no-sass -o n.wlp; warplens fix n.wlp
no kernel that was launched accesses a shared array

transposeNaive(float const*, float*, int)
global memory: 128 of 256 requests are as they should be

argument 1: walk down columns
    lanes are 256 bytes apart, a row each, and walk along their rows
    at transpose.cu:19
                                                         requests        sectors    a request
    as it is                                                  128          4,096         32.0
    along the rows                                            128            512          4.0
    ideal                                                     128            512          4.0
    along the rows: Move tiles: a block copies 32 x 32 elements into shared memory along the rows of
      one array, and out of it along the rows of the other; give the tile 33 columns.
    a sketch, not compiled and not tried:
      __shared__ float tile[32][33]; // blocks of 32 x 8 threads
      for (int i = threadIdx.y; i < 32; i += 8)
          tile[i][threadIdx.x] = in[(y0 + i) * pitch + x0 + threadIdx.x];
      __syncthreads();
      for (int i = threadIdx.y; i < 32; i += 8)
          out[(x0 + i) * pitch + y0 + threadIdx.x] = tile[threadIdx.x][i];
      // Saves 3,584 of 4,096 sectors.

Matters: the tag stage is the longest stage, at least 2.0 x instruction issue
not proven by running: what is not marked *; it is computed from the recorded addresses
other storages, which warplens fix FILE -k KERNEL with its launch and arguments prices and proves:
  argument 1: stored column by column
$ warplens fix t.wlp --format json | head -n 12
{
 "format": "warplens fix",
 "version": 2,
 "kernels": [
  {
   "kernel": "void transposeTiled<0>(float const*, float*, int)",
   "symbol": "_Z14transposeTiledILi0EEvPKfPfi",
   "launches": [
    0
   ],
   "blocks": 4,
   "recorded_blocks": 2,
$ warplens fix t.wlp --format xml
warplens: error: --format xml: expected term or json
? 3
$ warplens fix $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<0>' --grid 2,2 --block 32,8 --arg 'f32[4096]=random:1' --arg 'f32[4096]' --arg i32=64 --prefer swizzle --format json | grep -e holds -e promised -e '"id"' -e chosen -e patch
   "promised": 256,
       "id": "_Z14transposeTiledILi0EEvPKfPfi/_ZZ14transposeTiledILi0EEvPKfPfiE4tile/swizzled:5,2,5",
       "chosen": true
       "id": "_Z14transposeTiledILi0EEvPKfPfi/_ZZ14transposeTiledILi0EEvPKfPfiE4tile/padded:128,4,0,0",
       "chosen": false
       "id": "_Z14transposeTiledILi0EEvPKfPfi/_ZZ14transposeTiledILi0EEvPKfPfiE4tile/transposed:128,4,4",
       "chosen": false
       "id": "_Z14transposeTiledILi0EEvPKfPfi/_ZZ14transposeTiledILi0EEvPKfPfiE4tile/transposed:256,4,4",
       "chosen": false
       "id": "_Z14transposeTiledILi0EEvPKfPfi/_ZZ14transposeTiledILi0EEvPKfPfiE4tile/transposed:512,8,4",
       "chosen": false
       "id": "_Z14transposeTiledILi0EEvPKfPfi/_ZZ14transposeTiledILi0EEvPKfPfiE4tile/transposed:1024,4,4",
       "chosen": false
    "holds": true,
    "promised": 256,
   "patch": null
   "id": "_Z14transposeTiledILi0EEvPKfPfi/_ZZ14transposeTiledILi0EEvPKfPfiE4tile/swizzled:5,2,5",
 "patch": null,
$ warplens fix --format json -- ./program
warplens: error: ./program: No such file or directory
? 3
$ warplens kernel $SAMPLES/../tests/fix/global.ptx -k 'gather(' --grid 8 --block 128 --arg 'i32[1024]=random:1' --arg 'f32[1024]' --arg 'f32[1024]' -q --no-sass --evidence 2 -o g.wlp; warplens fix g.wlp
no kernel that was launched accesses a shared array

gather(int const*, float const*, float*)
by the evidence of 2 of 8 blocks
global memory: 16 of 24 requests are as they should be

argument 1: gather
    lanes have no common stride: where they go depends on data, or on an index that is no linear one
    at global.cu:196
                                                         requests        sectors    a request
    as it is                                                    8            220         27.5
    ideal                                                       8             32          4.0
    no storage of the array helps all lanes: sort the indices, or stage the pieces in shared memory
      where they are used again

$ warplens fix t.wlp --launch 1
warplens: error: --launch 1: the profile has 1 launches
? 3
$ warplens fix t.wlp --apply
warplens: error: --apply compiles and runs: it takes a .cu file, a launch and arguments, or a program; from a profile write a --patch, build, and compare
? 3
$ warplens fix t.wlp --patch 2>&1 | tail -1
warplens: error: samples/transpose/transpose.cu: No such file or directory; --source-map FROM=TO says where it is now
$ mkdir -p samples/transpose; for type in half __nv_bfloat162 Mine; do sed "s/float tile/$type tile/" $SAMPLES/transpose/transpose.cu >samples/transpose/transpose.cu; warplens fix $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<0>' --grid 2,2 --block 32,8 --arg 'f32[4096]=random:1' --arg 'f32[4096]' --arg i32=64 | sed -n '3p;6,8p'; done
tile: 2,048 halves (4,096 bytes), accessed 4 bytes at a time
    Swizzle<5,1,5>: i ^ (i >> 6 & 31) << 1                    256      1.0        4,096          8
  * 2 halves (4 bytes) of padding after every 64              256      1.0        4,224          8
    8 halves (16 bytes) of padding after every 64: still 2.5-way
tile: 1,024 __nv_bfloat162s (4,096 bytes)
    Swizzle<5,0,5>: i ^ (i >> 5 & 31)                               256      1.0        4,096          8
  * 1 __nv_bfloat162 (4 bytes) of padding after every 32            256      1.0        4,224          8
    4 __nv_bfloat162s (16 bytes) of padding after every 32: still 2.5-way
tile: 1,024 elements (4,096 bytes)
    Swizzle<5,0,5>: i ^ (i >> 5 & 31)                         256      1.0        4,096          8
  * 1 element (4 bytes) of padding after every 32             256      1.0        4,224          8
    4 elements (16 bytes) of padding after every 32: still 2.5-way
