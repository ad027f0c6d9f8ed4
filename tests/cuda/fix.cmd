# warplens fix -- PROGRAM: layouts proven by a second run; results that vary by themselves; what cannot be run.
$ warplens fix -- tiles $SAMPLES/transpose/transpose.ptx
void transposeTiled<0>(float const*, float*, int)
3 launches

tile: 1,024 elements (4,096 bytes)
    layout                                             wavefronts    N-way        bytes  blocks/SM
    as it is                                               12,672     16.5        4,096          8
    Swizzle<5,0,5>: i ^ (i >> 5 & 31)                         768      1.0        4,096          8
  * 1 element (4 bytes) of padding after every 32             768      1.0        4,224          8
    4 elements (16 bytes) of padding after every 32: still 2.5-way
    16 elements (64 bytes) of padding after every 32: still 8.5-way
    32 elements (128 bytes) of padding after every 32: no help, still 16.5-way

Matters: the data stage (shared memory, L1) is the longest stage, at least 4.7 x instruction issue

no conflicts in shared memory:
  void transposeTiled<1>(float const*, float*, int)

proven: run again with the layouts marked *, all 6 results of the program (copies from the
device, memory when it is released; 98,304 bytes) are equal, and
  void transposeTiled<0>(float const*, float*, int): 12,672 wavefronts become 768, as promised
1 of 2 lines that it prints differ: times, if it measures any
no kernel wastes sectors of global memory
$ warplens fix -k 'Tiled<1>' -- tiles $SAMPLES/transpose/transpose.ptx
no conflicts in shared memory:
  void transposeTiled<1>(float const*, float*, int)

no kernel wastes sectors of global memory
$ warplens fix -k Tiled --patch=v.patch -- tiles $SAMPLES/transpose/transpose.ptx varying | tail -5
NOT proven: the program's results differ from run to run, with the same layouts, too
  void transposeTiled<0>(float const*, float*, int): 12,672 wavefronts become 768, as promised
1 of 2 lines that it prints differ: times, if it measures any
no kernel wastes sectors of global memory
v.patch is not written: the layouts are not proven
$ warplens fix -k Naive -- tiles $SAMPLES/transpose/transpose.ptx columns
no kernel that was launched accesses a shared array

transposeNaive(float const*, float*, int)
global memory: 128 of 256 requests are as they should be

device memory 2: walk down columns
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
proven: run with the arrays stored as marked *, all 114,688 bytes of the results of the program
are equal, and the kernel's 4,608 sectors of global memory become 1,024, as promised
$ warplens run -q -k Naive -o n.wlp tiles $SAMPLES/transpose/transpose.ptx columns | head -1; warplens fix n.wlp | tail -n 2
tiles: fine
other storages, which warplens fix -- PROGRAM ARGUMENT... prices and proves: device memory 2: stored
  column by column
$ warplens report -p details n.wlp | grep -A 1 Shape
     Shape: walk down columns (lanes are 256 bytes apart, a row each, and walk along their rows).
     warplens fix -- PROGRAM ARGUMENT... says what to write instead.
$ warplens fix --format json -- tiles $SAMPLES/transpose/transpose.ptx columns 2>tables.txt | grep -e '"version' -e '"proven' -e '"holds' -e '"id": .*device' -e '"applied'; grep -c proven: tables.txt
 "version": 2,
    "holds": true,
     "id": "_Z14transposeNaivePKfPfi/device memory 2/walk down columns",
       "id": "_Z14transposeNaivePKfPfi/device memory 2/walk down columns/tile:0",
       "id": "_Z14transposeNaivePKfPfi/device memory 2/walk down columns/transposed:0,256,64,4",
    "holds": true,
   "proven": "yes"
   "id": "_Z14transposeNaivePKfPfi/device memory 2/transposed:0,256,64,4",
   "proven": "yes"
 "applied": null
2
$ warplens run -q -o t.wlp tiles $SAMPLES/transpose/transpose.ptx | head -1
tiles: fine
$ warplens fix t.wlp -l 3
no conflicts in shared memory:
  void transposeTiled<1>(float const*, float*, int)

no kernel wastes sectors of global memory
$ warplens fix t.wlp -l 4
warplens: error: --launch 4: the profile has 4 launches
? 3
$ warplens fix -- no-such-program
warplens: error: no-such-program: No such file or directory
? 3
$ WARPLENS_LAYOUTS='_Z14transposeTiledILi0EEvPKfPfi nothing swizzled:5,2,5' warplens run --report none -q tiles $SAMPLES/transpose/transpose.ptx 2>&1 | grep ^warplens
warplens: a kernel cannot be run
warplens: error: the kernel has no shared variable 'nothing'
$ warplens fix --on gpu -- tiles $SAMPLES/transpose/transpose.ptx
warplens: error: --on gpu needs --build COMMAND: what is measured is the program that it makes of the changed sources
? 3
$ warplens fix --on moon --build true -- tiles $SAMPLES/transpose/transpose.ptx
warplens: error: --on moon: expected cpu or gpu
? 3
$ CUDA_INJECTION64_PATH=other warplens fix --on gpu --build true -- tiles $SAMPLES/transpose/transpose.ptx
warplens: error: another tool (CUDA_INJECTION64_PATH is set) watches the program: one at a time can
? 3
$ warplens fix --on gpu t.wlp
warplens: error: --on is of a program: -- PROGRAM
? 3
