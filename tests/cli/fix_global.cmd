# warplens fix on global memory: structures, vectors, columns, pitch; what nothing helps.
$ warplens fix $SAMPLES/add_const_double3/add_const_double3.ptx -k addConstDouble3 --grid 4 --block 256 --arg i32=1000 --arg 'f64[3000]=random:1' --arg f64=2 --arg 'f64[3000]'
addConstDouble3(int, double3 const*, double, double3*)

the kernel accesses no shared array

global memory: 0 of 192 requests are as they should be

argument 1: array of structures
    lanes are 24 bytes apart, a structure each; the accesses use 24 of them
    at add_const_double3.cu:14
                                                         requests        sectors    a request
    as it is                                                   96          2,250         23.4
  * an array for each of 3 fields                              96            750          7.8
    ideal                                                      96            750          7.8
    an array for each of 3 fields: Keep each field in an array of its own and index it by the
      thread; or, where all fields are treated alike, take the array as flat and give each thread an
      element.
    a sketch, not compiled and not tried:
      struct Arrays { // what the kernel gets in place of the pointer p to structures of 24 bytes
          T0 *from_0; // T0: the type of the member at byte 0, 8 bytes
          T8 *from_8; // T8: the type of the member at byte 8, 8 bytes
          T16 *from_16; // T16: the type of the member at byte 16, 8 bytes
      };
      // In the kernel: p[i].member becomes arrays.from_0[i], and so on.
      // On the host: an allocation of 1,000 elements for each; what fills or reads p[i].member does
      // that to its array, and a copy of p becomes one of each. Other kernels that get p change, too.
      // Saves 1,500 of 2,250 sectors.

argument 3: array of structures
    lanes are 24 bytes apart, a structure each; the accesses use 24 of them
    at add_const_double3.cu:18
                                                         requests        sectors    a request
    as it is                                                   96          2,250         23.4
  * an array for each of 3 fields                              96            750          7.8
    ideal                                                      96            750          7.8
    an array for each of 3 fields: Keep each field in an array of its own and index it by the
      thread; or, where all fields are treated alike, take the array as flat and give each thread an
      element.
    a sketch, not compiled and not tried:
      struct Arrays { // what the kernel gets in place of the pointer p to structures of 24 bytes
          T0 *from_0; // T0: the type of the member at byte 0, 8 bytes
          T8 *from_8; // T8: the type of the member at byte 8, 8 bytes
          T16 *from_16; // T16: the type of the member at byte 16, 8 bytes
      };
      // In the kernel: p[i].member becomes arrays.from_0[i], and so on.
      // On the host: an allocation of 1,000 elements for each; what fills or reads p[i].member does
      // that to its array, and a copy of p becomes one of each. Other kernels that get p change, too.
      // Saves 1,500 of 2,250 sectors.

Matters: L2 traffic is the longest stage, at least 1.5 x DRAM traffic
proven: run with the arrays stored as marked *, all 48,000 bytes of the results are
equal, and the kernel's 4,500 sectors of global memory become 1,500, as promised

all changes, the largest saving first:
            before           then          saved            proven  array, change
             2,250            750          1,500 sectors       yes  argument 1 in addConstDouble3(int, double3 const*, double, double3*): an array for each of 3 fields
             2,250            750          1,500 sectors       yes  argument 3 in addConstDouble3(int, double3 const*, double, double3*): an array for each of 3 fields

$ warplens fix $SAMPLES/../tests/fix/global.ptx -k 'scalars(' --grid 8 --block 128 --arg 'f32[4096]=random:1' --arg 'f32[1024]' --arg i32=1000
scalars(float const*, float*, int)

the kernel accesses no shared array

global memory: 32 of 160 requests are as they should be

argument 0: neighbouring scalars
    each lane takes 16 neighbouring bytes in 4 accesses; one would do
    at global.cu:56
                                                         requests        sectors    a request
    as it is                                                  128          2,000         15.6
    vector accesses, 16 bytes a lane                           32            500         15.6
  * an array for each of 4 fields                             128            500          3.9
    ideal                                                     128            500          3.9
    vector accesses, 16 bytes a lane: Load and store float4, int4 or uint4 through a pointer of that
      type instead of its members one by one; recorded addresses are aligned for it.
    an array for each of 4 fields: Keep each field in an array of its own and index it by the
      thread; or, where all fields are treated alike, take the array as flat and give each thread an
      element.
    a sketch, not compiled and not tried:
      struct Arrays { // what the kernel gets in place of the pointer p to structures of 16 bytes
          T0 *from_0; // T0: the type of the member at byte 0, 4 bytes
          T4 *from_4; // T4: the type of the member at byte 4, 4 bytes
          T8 *from_8; // T8: the type of the member at byte 8, 4 bytes
          T12 *from_12; // T12: the type of the member at byte 12, 4 bytes
      };
      // In the kernel: p[i].member becomes arrays.from_0[i], and so on.
      // On the host: an allocation of 1,024 elements for each; what fills or reads p[i].member does
      // that to its array, and a copy of p becomes one of each. Other kernels that get p change, too.
      // Saves 1,500 of 2,000 sectors.

May be hidden: DRAM traffic takes 0 to 1.5 x as long as L2 traffic
not proven by running: what is not marked *; it is computed from the recorded addresses
proven: run with the arrays stored as marked *, all 20,480 bytes of the results are
equal, and the kernel's 2,125 sectors of global memory become 625, as promised
$ warplens fix $SAMPLES/../tests/fix/global.ptx -k 'sumRows(' --grid 4 --block 16,2 --arg 'f32[49152]=random:1' --arg 'f32[512]' --arg i32=96 | sed -n '/a request/,/^    along the rows: /p'
                                                         requests        sectors    a request
    as it is                                                  384          6,144         16.0
  * stored column by column                                   384            768          2.0
    along the rows                                            384          1,536          4.0
    ideal                                                     384            768          2.0
    the ideal that is counted, here and by Nsight Compute, is 1,536: it has bytes for each lane, and
      rounds up for each request; lanes that use the same bytes, or fewer requests, need less
    stored column by column: Store the matrix transposed: element (row, column) at column * 512 +
      row.
    along the rows: Swap the axes: let threadIdx.x (and blockIdx.x) run along the row, the fastest
$ warplens fix $SAMPLES/../tests/fix/global.ptx -k 'scaleRows(' --grid 8,8 --block 128,8 --arg 'f32[70000]=random:1' --arg i32=1000 --arg i32=60 --arg i32=1001
scaleRows(float*, int, int, int)

the kernel accesses no shared array

global memory: 0 of 3,840 requests are as they should be

argument 0: rows that begin within a sector
    lanes lie side by side, but rows are 4,004 bytes apart, no multiple of 32: most begin within a
      sector
    at global.cu:96
                                                         requests        sectors    a request
    as it is                                                3,840         18,328          4.8
  * 4,096 bytes from row to row                             3,840         15,000          3.9
    ideal                                                   3,840         15,000          3.9
    4,096 bytes from row to row: Allocate rows of 4,096 bytes (cudaMallocPitch rounds up so), pass
      the pitch to the kernel and index with it instead of 4,004.

May be hidden: DRAM traffic takes 0 to 4.4 x as long as L2 traffic
proven: run with the arrays stored as marked *, all 280,000 bytes of the results are
equal, and the kernel's 18,328 sectors of global memory become 15,000, as promised
$ warplens fix $SAMPLES/../tests/fix/global.ptx -k 'sumRows(' --grid 4 --block 128 --arg 'f32[49152]=random:1' --arg 'f32[512]' --arg i32=96
sumRows(float const*, float*, int)

the kernel accesses no shared array

global memory: 16 of 1,552 requests are as they should be

argument 0: walk down columns
    lanes are 384 bytes apart, a row each, and walk along their rows
    at global.cu:120
                                                         requests        sectors    a request
    as it is                                                1,536         49,152         32.0
    along the rows                                          1,536          6,144          4.0
  * stored column by column                                 1,536          6,144          4.0
    ideal                                                   1,536          6,144          4.0
    along the rows: Let the lanes of a warp read a row together: copy tiles of 32 x 32 elements into
      shared memory along the rows (33 columns a row), and let each lane walk along its own row
      there; or give each row to a warp.
    stored column by column: Store the matrix transposed: element (row, column) at column * 512 +
      row.
    a sketch, not compiled and not tried:
      __shared__ float tile[128][33]; // a row for each thread of the block
      for (int k0 = 0; k0 < columns; k0 += 32) {
          for (int i = threadIdx.x / 32; i < 128; i += 4)
              tile[i][threadIdx.x % 32] = a[(row0 + i) * pitch + k0 + threadIdx.x % 32];
          __syncthreads();
          // what read a[row * pitch + k0 + k] reads tile[threadIdx.x][k], k = 0 ... 31
          __syncthreads();
      }
      // Saves 43,008 of 49,152 sectors.

Matters: the tag stage is the longest stage, at least 2.2 x DRAM traffic
not proven by running: what is not marked *; it is computed from the recorded addresses
proven: run with the arrays stored as marked *, all 198,656 bytes of the results are
equal, and the kernel's 49,216 sectors of global memory become 6,208, as promised
$ warplens fix $SAMPLES/../tests/fix/global.ptx -k 'swapped(' --grid 8,16 --block 16,8 --arg 'f32[16384]=random:1' --arg i32=128
swapped(float*, int)

the kernel accesses no shared array

global memory: 0 of 1,024 requests are as they should be

argument 0: walk down columns
    lanes are 512 bytes apart, a row each, and walk along their rows
    at global.cu:153
                                                         requests        sectors    a request
    as it is                                                1,024         16,384         16.0
    along the rows                                          1,024          4,096          4.0
  * stored column by column                                 1,024          4,096          4.0
    ideal                                                   1,024          4,096          4.0
    along the rows: Swap the axes: let threadIdx.x (and blockIdx.x) run along the row, the fastest
      dimension, and threadIdx.y down the column.
    stored column by column: Store the matrix transposed: element (row, column) at column * 128 +
      row.

May be hidden: DRAM traffic takes 0 to 15 x as long as the data stage (shared memory, L1)
not proven by running: what is not marked *; it is computed from the recorded addresses
proven: run with the arrays stored as marked *, all 65,536 bytes of the results are
equal, and the kernel's 16,384 sectors of global memory become 4,096, as promised
$ warplens fix $SAMPLES/../tests/fix/global.ptx -k 'gather(' --grid 8 --block 128 --arg 'i32[1024]=random:1' --arg 'f32[1024]' --arg 'f32[1024]'
gather(int const*, float const*, float*)

the kernel accesses no shared array

global memory: 64 of 96 requests are as they should be

argument 1: gather
    lanes have no common stride: where they go depends on data, or on an index that is no linear one
    at global.cu:196
                                                         requests        sectors    a request
    as it is                                                   32            884         27.6
    ideal                                                      32            128          4.0
    no storage of the array helps all lanes: sort the indices, or stage the pieces in shared memory
      where they are used again

$ warplens fix $SAMPLES/../tests/fix/global.ptx -k 'stencil(' --grid 8 --block 128 --arg 'f32[1026]=random:1' --arg 'f32[1024]' --arg i32=1024
stencil(float const*, float*, int)

the kernel accesses no shared array

global memory: 64 of 128 requests are as they should be

argument 0: rows that begin within a sector
    lanes lie side by side, but begin within a sector: the array is entered at an offset
    at global.cu:110
                                                         requests        sectors    a request
    as it is                                                   64            320          5.0
    ideal                                                      64            256          4.0
    no other pitch or beginning helps all accesses to the array

$ warplens fix $TESTS/fix/tree.ptx -k tree --grid 4 --block 256 --arg 'i32[1024]=random:1' --arg 'i32[4]' | sed -n '/sketch/,/another order/p'
    a sketch, not compiled and not tried:
      // Lanes lie 2, 4, ... 128 elements apart, further in each turn. Where all adds up to one
      // result (not in a scan), halve the step in place of doubling it: neighbouring threads take
      // neighbouring elements.
      for (int step = COUNT / 2; step > 0; step /= 2) {
          if (threadIdx.x < step)
              s[threadIdx.x] += s[threadIdx.x + step];
          __syncthreads();
      }
      // Saves up to 388 of 568 wavefronts, without arithmetic of indices. Sums of floats come out in
      // another order.
