# One access explained: of index expressions, of addresses, of a line in a profile; what is no expression.
$ warplens explain 'float a[32][33]' --access 'a[lane][k]' | head -12
a[lane][k] in float a[32][33]
a load of 4 bytes a lane, 32 lanes
1 wavefront: as few as can be
  not set, so 0: k

lane  element   byte  word  bank  wavefront
----  --------  ----  ----  ----  ---------
   0  a[0][0]      0     0     0          1
   1  a[1][0]    132    33     1          1
   2  a[2][0]    264    66     2          1
   3  a[3][0]    396    99     3          1
   4  a[4][0]    528   132     4          1
$ warplens explain '__shared__ float tile[8][32];' -a 'tile[lane / 4][k]' --set 'k=lane % 4 * 8' | tail -9
bank 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
  1  0  .  .  .  .  .  .  .  1  .  .  .  .  .  .  .  2  .  .  .  .  .  .  .  3  .  .  .  .  .  .  .
  2  4  .  .  .  .  .  .  .  5  .  .  .  .  .  .  .  6  .  .  .  .  .  .  .  7  .  .  .  .  .  .  .
  3  8  .  .  .  .  .  .  .  9  .  .  .  .  .  .  . 10  .  .  .  .  .  .  . 11  .  .  .  .  .  .  .
  4 12  .  .  .  .  .  .  . 13  .  .  .  .  .  .  . 14  .  .  .  .  .  .  . 15  .  .  .  .  .  .  .
  5 16  .  .  .  .  .  .  . 17  .  .  .  .  .  .  . 18  .  .  .  .  .  .  . 19  .  .  .  .  .  .  .
  6 20  .  .  .  .  .  .  . 21  .  .  .  .  .  .  . 22  .  .  .  .  .  .  . 23  .  .  .  .  .  .  .
  7 24  .  .  .  .  .  .  . 25  .  .  .  .  .  .  . 26  .  .  .  .  .  .  . 27  .  .  .  .  .  .  .
  8 28  .  .  .  .  .  .  . 29  .  .  .  .  .  .  . 30  .  .  .  .  .  .  . 31  .  .  .  .  .  .  .
$ warplens explain 'float a[32][32]' -a 'a[lane][k]' --set k=3 --swizzle 5,0,5 | head -9
a[lane][k] in float a[32][32]
a load of 4 bytes a lane, 32 lanes
1 wavefront: as few as can be
  Swizzle<5,0,5>: element i is at i ^ (i >> 5 & 31); without it 32 wavefronts

lane  element   byte  word  bank  wavefront
----  --------  ----  ----  ----  ---------
   0  a[0][3]     12     3     3          1
   1  a[1][3]    136    34     2          1
$ warplens explain 'float a[32][32]' -a 'a[threadIdx.x][threadIdx.y]' --block 16,16 --warp 1 | tail -17
bank 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
  1  .  .  0 16  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  2  .  .  1 17  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  3  .  .  2 18  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  4  .  .  3 19  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  5  .  .  4 20  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  6  .  .  5 21  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  7  .  .  6 22  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  8  .  .  7 23  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  9  .  .  8 24  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 10  .  .  9 25  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 11  .  . 10 26  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 12  .  . 11 27  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 13  .  . 12 28  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 14  .  . 13 29  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 15  .  . 14 30  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 16  .  . 15 31  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
$ warplens explain 'float a[32][32]' -a 'a[threadIdx.y][4 * threadIdx.x]' --block 8,32 --vector 4 | sed -n '1,10p;40,99p'
a[threadIdx.y][4 * threadIdx.x] in float a[32][32]
a load of 16 bytes a lane, 32 lanes
4 wavefronts: as few as can be
  4 lane groups, one after the other

lane  element   byte     word   bank  group  wavefront
----  --------  ----  -------  -----  -----  ---------
   0  a[0][0]      0      0-3    0-3      1          1
   1  a[0][4]     16      4-7    4-7      1          1
   2  a[0][8]     32     8-11   8-11      1          1

A row is a wavefront; in it the lanes that have its banks:
bank 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
  1  0  0  0  0  1  1  1  1  2  2  2  2  3  3  3  3  4  4  4  4  5  5  5  5  6  6  6  6  7  7  7  7
  2  8  8  8  8  9  9  9  9 10 10 10 10 11 11 11 11 12 12 12 12 13 13 13 13 14 14 14 14 15 15 15 15
  3 16 16 16 16 17 17 17 17 18 18 18 18 19 19 19 19 20 20 20 20 21 21 21 21 22 22 22 22 23 23 23 23
  4 24 24 24 24 25 25 25 25 26 26 26 26 27 27 27 27 28 28 28 28 29 29 29 29 30 30 30 30 31 31 31 31
$ warplens explain 'half a[16][64]' -a 'a[lane % 16][8 * (lane / 16)]' --op ldmatrix.x2 | sed -n '1,9p;24,99p'
a[lane % 16][8 * (lane / 16)] in half a[16][64]
ldmatrix, rows of 16 bytes a lane, 32 lanes
16 wavefronts where 2 would do: 8-way
  2 matrices, one after the other: each has 8 rows

lane  element   byte     word  bank  group  wavefront  why
----  --------  ----  -------  ----  -----  ---------  ------------------------
   0  a[0][0]      0      0-3   0-3      1          1
   1  a[1][0]    128    32-35   0-3      1          2  after lane 0: same bank
  16  a[0][8]     16      4-7   4-7                 -  names no row
  17  a[1][8]    144    36-39   4-7                 -  names no row
  18  a[2][8]    272    68-71   4-7                 -  names no row
  19  a[3][8]    400  100-103   4-7                 -  names no row
  20  a[4][8]    528  132-135   4-7                 -  names no row
  21  a[5][8]    656  164-167   4-7                 -  names no row
  22  a[6][8]    784  196-199   4-7                 -  names no row
  23  a[7][8]    912  228-231   4-7                 -  names no row
  24  a[8][8]   1040  260-263   4-7                 -  names no row
  25  a[9][8]   1168  292-295   4-7                 -  names no row
  26  a[10][8]  1296  324-327   4-7                 -  names no row
  27  a[11][8]  1424  356-359   4-7                 -  names no row
  28  a[12][8]  1552  388-391   4-7                 -  names no row
  29  a[13][8]  1680  420-423   4-7                 -  names no row
  30  a[14][8]  1808  452-455   4-7                 -  names no row
  31  a[15][8]  1936  484-487   4-7                 -  names no row

A row is a wavefront; in it the lanes that have its banks:
bank 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
  1  0  0  0  0  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  2  1  1  1  1  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  3  2  2  2  2  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  4  3  3  3  3  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  5  4  4  4  4  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  6  5  5  5  5  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  7  6  6  6  6  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  8  7  7  7  7  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .

  9  8  8  8  8  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 10  9  9  9  9  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 11 10 10 10 10  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 12 11 11 11 11  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 13 12 12 12 12  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 14 13 13 13 13  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 15 14 14 14 14  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
 16 15 15 15 15  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
$ warplens explain 'double3 v[32]' -a 'v[lane].y' --lanes 0-15 | head -8
v[lane].y in double3 v[32]
a load of 8 bytes a lane, lanes 0-15
1 wavefront: as few as can be

lane  element  byte   word   bank  wavefront
----  -------  ----  -----  -----  ---------
   0  v[0].y      8    2-3    2-3          1
   1  v[1].y     32    8-9    8-9          1
$ warplens explain 'struct(24) s[64]' -a 's[lane]' --width 8 --at 16 --if 'lane % 8 == 0'
s[lane] in struct(24) s[64]
a load of 8 bytes a lane, lanes 0, 8, 16, 24
2 wavefronts where 1 would do: 2-way
  2 lane groups, one after the other

lane  element  byte     word   bank  group  wavefront
----  -------  ----  -------  -----  -----  ---------
   0  s[0]       16      4-5    4-5      1          1
   8  s[8]      208    52-53  20-21      1          1
  16  s[16]     400  100-101    4-5      2          2
  24  s[24]     592  148-149  20-21      2          2

A row is a wavefront; in it the lanes that have its banks:
bank 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
  1  .  .  .  .  0  0  .  .  .  .  .  .  .  .  .  .  .  .  .  .  8  8  .  .  .  .  .  .  .  .  .  .
  2  .  .  .  . 16 16  .  .  .  .  .  .  .  .  .  .  .  .  .  . 24 24  .  .  .  .  .  .  .  .  .  .
$ warplens explain 'unsigned bins[256]' -a 'bins[lane % 3 * 32]' --op atom.add.f32 --lanes 0-5
bins[lane % 3 * 32] in unsigned bins[256]
an atomic that is a loop around a compare-and-swap of 4 bytes a lane, lanes 0-5
27 wavefronts where 18 would do: 1.5-way
  the first of 6 rounds: its load; 2 wavefronts for the compare-and-swap follow, then lanes 1-5 go
  again

lane  element   byte  word  bank  wavefront  why
----  --------  ----  ----  ----  ---------  -----------------------
   0  bins[0]      0     0     0          1
   1  bins[32]   128    32     0          2  after lane 0: same bank
   2  bins[64]   256    64     0          3  after lane 1: same bank
   3  bins[0]      0     0     0          1  with lane 0: same word
   4  bins[32]   128    32     0          2  with lane 1: same word
   5  bins[64]   256    64     0          3  with lane 2: same word

A row is a wavefront; in it the lanes that have its banks:
bank 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
  1  0+ .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  2  1+ .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  3  2+ .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
+: and other lanes, which use the same word
$ warplens explain 'unsigned bins[256]' -a 'bins[lane % 2]' --op atom.add.u32 --lanes 0-3 | tail -7
   2  bins[0]     0     0     0          2  after lane 0: same word
   3  bins[1]     4     1     1          2  after lane 1: same word

A row is a wavefront; in it the lanes that have its banks:
bank 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
  1  0  1  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  2  2  3  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
$ warplens explain 'unsigned bins[256]' -a 'bins[lane % 2]' --op increment --lanes 0-3 | tail -7
   2  bins[0]     0     0     0          1  with lane 0: same word
   3  bins[1]     4     1     1          1  with lane 1: same word

A row is a wavefront; in it the lanes that have its banks:
bank 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
  1  0+ 1+ .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
+: and other lanes, which use the same word
$ warplens explain 'int lock[32]' -a 'lock[lane]' --op cas | head -5
lock[lane] in int lock[32]
a compare-and-swap of 4 bytes a lane, 32 lanes
2 wavefronts: as few as can be
  a compare-and-swap goes through each of these wavefronts twice

$ warplens explain 'float4 a[4][9]' -a 'a[lane / 8][lane % 8]' --op cp.async.cg --source 'lane / 8 * 4096 + lane % 8 * 16' --lanes 0-11
a[lane / 8][lane % 8] in float4 a[4][9]
cp.async.cg of 16 bytes a lane, lanes 0-11
3 wavefronts where 2 would do: 1.5-way
  a wavefront moves 32-byte sectors of one kind: of the same lines of source and destination, alike
  in halves and flip (docs/memory-model.md)

lane  element  byte   word   bank  group  wavefront  why
----  -------  ----  -----  -----  -----  ---------  -------------------------
   0  a[0][0]     0    0-3    0-3      1          1
   1  a[0][1]    16    4-7    4-7      1          1  with lane 0: same sectors
   2  a[0][2]    32   8-11   8-11      1          1
   3  a[0][3]    48  12-15  12-15      1          1  with lane 2: same sectors
   4  a[0][4]    64  16-19  16-19      1          1
   5  a[0][5]    80  20-23  20-23      1          1  with lane 4: same sectors
   6  a[0][6]    96  24-27  24-27      1          1
   7  a[0][7]   112  28-31  28-31      1          1  with lane 6: same sectors
   8  a[1][0]   144  36-39    4-7      2          2
   9  a[1][1]   160  40-43   8-11      3          3
  10  a[1][2]   176  44-47  12-15      2          2
  11  a[1][3]   192  48-51  16-19      3          3

A row is a wavefront; in it the lanes that have its banks:
bank 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
  1  0  0  0  0  1  1  1  1  2  2  2  2  3  3  3  3  4  4  4  4  5  5  5  5  6  6  6  6  7  7  7  7
  2  .  .  .  .  8  8  8  8  .  .  .  . 10 10 10 10  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  3  .  .  .  .  .  .  .  .  9  9  9  9  .  .  .  . 11 11 11 11  .  .  .  .  .  .  .  .  .  .  .  .
$ warplens explain 'double a[32]' -a 'a[lane / 2]' | head -5
a[lane / 2] in double a[32]
a load of 8 bytes a lane, 32 lanes
1 wavefront: as few as can be
  lanes that read the same are merged (the pair rule): 1 lane group instead of 2

$ warplens explain 'double a[32][32]' -a 'a[lane][0]' --bank-bytes 8 | sed -n '1,8p'
a[lane][0] in double a[32][32]
a load of 8 bytes a lane, 32 lanes
32 wavefronts where 1 would do: 32-way
  banks of 8 bytes, a mode that GPUs of compute capability 3.x alone had

lane  element   byte  word  bank  wavefront  why
----  --------  ----  ----  ----  ---------  ------------------------
   0  a[0][0]      0     0     0          1
$ warplens explain --bytes '0,128,-,256, 4'
bytes 0,128,-,256, 4 of shared memory
a load of 4 bytes a lane, lanes 0-1, 3-4
3 wavefronts where 1 would do: 3-way

lane  byte  word  bank  wavefront  why
----  ----  ----  ----  ---------  -----------------------
   0     0     0     0          1
   1   128    32     0          2  after lane 0: same bank
   3   256    64     0          3  after lane 1: same bank
   4     4     1     1          1

A row is a wavefront; in it the lanes that have its banks:
bank 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
  1  0  4  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  2  1  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
  3  3  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .  .
$ warplens explain --bytes 'lane * 8 ^ lane / 4' --width 1 --lanes 0xf0 --format json
{
 "format": "warplens explain",
 "version": 1,
 "subject": "bytes lane * 8 ^ lane / 4 of shared memory",
 "what": "a load of 1 byte a lane, lanes 4-7",
 "unit": "wavefronts",
 "width": 1,
 "cost": 1,
 "ideal": 1,
 "notes": [],
 "lanes": [
  {
   "lane": 4,
   "element": null,
   "byte": 33,
   "words": [
    8
   ],
   "group": 0,
   "wavefront": 0,
   "served": "free",
   "with": null
  },
  {
   "lane": 5,
   "element": null,
   "byte": 41,
   "words": [
    10
   ],
   "group": 0,
   "wavefront": 0,
   "served": "free",
   "with": null
  },
  {
   "lane": 6,
   "element": null,
   "byte": 49,
   "words": [
    12
   ],
   "group": 0,
   "wavefront": 0,
   "served": "free",
   "with": null
  },
  {
   "lane": 7,
   "element": null,
   "byte": 57,
   "words": [
    14
   ],
   "group": 0,
   "wavefront": 0,
   "served": "free",
   "with": null
  }
 ],
 "wavefronts": [
  [
   {
    "bank": 8,
    "word": 8,
    "lanes": [
     4
    ]
   },
   {
    "bank": 10,
    "word": 10,
    "lanes": [
     5
    ]
   },
   {
    "bank": 12,
    "word": 12,
    "lanes": [
     6
    ]
   },
   {
    "bank": 14,
    "word": 14,
    "lanes": [
     7
    ]
   }
  ]
 ],
 "bank_bytes": 4,
 "passes": 1,
 "rounds": 1,
 "swaps": 0,
 "left": []
}
$ warplens explain 'float a[2]' -a 'a[lane]' --lanes 0,1 --format svg
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 868 153" width="868" height="153" role="img" aria-labelledby="title description">
<title id="title">a[lane] in float a[2]</title>
<desc id="description">a load of 4 bytes a lane, lanes 0-1; 1 wavefront: as few as can be</desc>
<style>text{font:11px ui-sans-serif,system-ui,'DejaVu Sans',sans-serif;fill:#5b6169}.s{font:600 14px ui-monospace,'DejaVu Sans Mono',monospace;fill:#1f2328}.v{fill:#1f2328;font-size:13px}.bad{fill:#b3261e}.n{text-anchor:end}.b{text-anchor:middle;font-size:10px}.p{fill:#fff}.r{fill:#f1efea}.c text{text-anchor:middle;font-size:11px;fill:#1f2328}.c .w{font-size:7.5px;fill:#4a4f57}.k{fill:url(#k)}@media (prefers-color-scheme:dark){.p{fill:#16171a}.r{fill:#26282e}text{fill:#9a9fa6}.s,.v{fill:#e4e4e2}.bad{fill:#ff8a75}}@media print{.p{fill:#fff}.r{fill:#f1efea}text{fill:#5b6169}.s,.v{fill:#1f2328}.bad{fill:#b3261e}}</style>
<pattern id="k" x="56" width="25" height="27" patternUnits="userSpaceOnUse"><rect class="r" x="0" y="0" width="24" height="27"/></pattern>
<rect class="p" x="0" y="0" width="868" height="153"/>
<text class="s" x="12" y="22">a[lane] in float a[2]</text>
<text class="v" x="12" y="42">1 wavefront: as few as can be</text>
<text x="12" y="59">a load of 4 bytes a lane, lanes 0-1</text>
<text class="n" x="48" y="86">bank</text>
<text class="b" x="68" y="86">0</text>
<text class="b" x="93" y="86">1</text>
<text class="b" x="118" y="86">2</text>
<text class="b" x="143" y="86">3</text>
<text class="b" x="168" y="86">4</text>
<text class="b" x="193" y="86">5</text>
<text class="b" x="218" y="86">6</text>
<text class="b" x="243" y="86">7</text>
<text class="b" x="268" y="86">8</text>
<text class="b" x="293" y="86">9</text>
<text class="b" x="318" y="86">10</text>
<text class="b" x="343" y="86">11</text>
<text class="b" x="368" y="86">12</text>
<text class="b" x="393" y="86">13</text>
<text class="b" x="418" y="86">14</text>
<text class="b" x="443" y="86">15</text>
<text class="b" x="468" y="86">16</text>
<text class="b" x="493" y="86">17</text>
<text class="b" x="518" y="86">18</text>
<text class="b" x="543" y="86">19</text>
<text class="b" x="568" y="86">20</text>
<text class="b" x="593" y="86">21</text>
<text class="b" x="618" y="86">22</text>
<text class="b" x="643" y="86">23</text>
<text class="b" x="668" y="86">24</text>
<text class="b" x="693" y="86">25</text>
<text class="b" x="718" y="86">26</text>
<text class="b" x="743" y="86">27</text>
<text class="b" x="768" y="86">28</text>
<text class="b" x="793" y="86">29</text>
<text class="b" x="818" y="86">30</text>
<text class="b" x="843" y="86">31</text>
<text class="n" x="48" y="109">1</text>
<rect class="k" rx="4" x="56" y="93" width="799" height="25"/>
<g class="c">
<g><title>lane 0: word 0, bank 0</title><rect fill="#c4c4fd" rx="3" x="57" y="94" width="23" height="23"/><text x="68" y="106">0</text><text class="w" x="68" y="115">0</text></g>
<g><title>lane 1: word 1, bank 1</title><rect fill="#bfc6ff" rx="3" x="82" y="94" width="23" height="23"/><text x="93" y="106">1</text><text class="w" x="93" y="115">1</text></g>
</g>
<text x="56" y="138">A row is a wavefront, a column a bank; a cell is the lane (×8: eight lanes) and, below it, the word.</text>
</svg>
$ for type in bool 'unsigned char' half __half2 'long long' 'unsigned long long int' unsigned 'short int' int3 ulonglong2 'struct(6)' 'const volatile float'; do warplens explain "$type a[2]" -a 'a[lane]' --lanes 1 --width 1 | sed -n 7p; done
   1  a[1]        1     0     0          1
   1  a[1]        1     0     0          1
   1  a[1]        2     0     0          1
   1  a[1]        4     1     1          1
   1  a[1]        8     2     2          1
   1  a[1]        8     2     2          1
   1  a[1]        4     1     1          1
   1  a[1]        2     0     0          1
   1  a[1]       12     3     3          1
   1  a[1]       16     4     4          1
   1  a[1]        6     1     1          1
   1  a[1]        4     1     1          1
$ warplens explain 'extern __shared__ alignas(16) double a[]' -a 'a[lane * n]' --set n=16 --offset 64 | sed -n '3,7p'
32 wavefronts where 2 would do: 16-way
  2 lane groups, one after the other

lane  element  byte       word   bank  group  wavefront  why
----  -------  ----  ---------  -----  -----  ---------  ------------------------
$ warplens explain 'alignas(16) float a[32]' -a 'a[lane]' --offset 8
warplens: error: --offset 8 is no multiple of the alignment, 16
? 3
$ warplens explain 'float a[N][N + 1]' -a 'a[lane][0]' --set N=32 | sed -n 3p
1 wavefront: as few as can be
$ warplens explain 'long double a[2]' -a 'a[lane]'
declaration:1:13: error: expected '[', found 'a'
  long double a[2]
              ^
? 3
$ warplens explain 'float a[2]; int b' -a 'a[lane]'
declaration:1:13: error: expected '[' or the end, found 'int'
  float a[2]; int b
              ^
? 3
$ for at in 32 33; do warplens explain "float tile[32][$at]" -a 'tile[lane][k]' -o t.svg; cmp t.svg $TESTS/../docs/images/explain-column-$at.svg; done
$ warplens explain 'half a[64][64]' -a 'a[lane % 16][8 * (lane / 16)]' --op ldmatrix.x4 --swizzle 3,3,3 --svg t.svg -o t.txt; cmp t.svg $TESTS/../docs/images/explain-ldmatrix.svg; wc -l < t.txt
47
$ warplens kernel $SAMPLES/scan2d/scan2d.ptx -k 'blockScan<0>' --grid 2,2 --block 32,32 --arg 'u8[4096]=random:1' --arg 'u64[4096]' --arg 'u64[128]=0' --arg 'u64[128]=0' --arg i32=64 --arg i32=64 -q --no-sass -o scan.wlp
$ warplens explain scan.wlp | head -13
scan2d.cu:70: ld.shared.u64 %rd27, [%r71]
a load of 8 bytes a lane, 32 lanes
32 wavefronts where 2 would do: 16-way
  launch 0, void blockScan<0>(unsigned char const*, unsigned long long*, unsigned long long const*,
  unsigned long long const*, int, int)
  lanes use 8 bytes each, 256 bytes apart in tile
  pattern 1 of 10: 128 of 1,152 recorded executions, from 32 places on; --pattern N shows others
  2 lane groups, one after the other

lane  element      byte       word  bank  group  wavefront  why
----  -----------  ----  ---------  ----  -----  ---------  ------------------------
   0  tile + 0        0        0-1   0-1      1          1
   1  tile + 256    256      64-65   0-1      1          2  after lane 0: same bank
$ warplens explain scan.wlp --line scan2d.cu:77 -k 'blockScan<0>' | sed -n '1,14p;41,99p'
scan2d.cu:77: ld.global.u64 %rd60, [%rd53]
a load of 8 bytes a lane, 32 lanes
8 sectors: as few as can be
  launch 0, void blockScan<0>(unsigned char const*, unsigned long long*, unsigned long long const*,
  unsigned long long const*, int, int)
  lanes use 8 bytes each, 8 bytes apart in argument 3
  pattern 1 of 1: 64 of 64 recorded executions, from 2 places on

lane  byte  sector  line
----  ----  ------  ----
   0     0       0     1
   1     8       0     1
   2    16       0     1
   3    24       0     1
  30   240       7     2
  31   248       7     2

A row is a line of 128 bytes; in it the lanes that use its words:
byte 0     8    16    24    32    40    48    56    64    72    80    88    96    104   112   120
  1  0  0  1  1  2  2  3  3  4  4  5  5  6  6  7  7  8  8  9  9 10 10 11 11 12 12 13 13 14 14 15 15
  2 16 16 17 17 18 18 19 19 20 20 21 21 22 22 23 23 24 24 25 25 26 26 27 27 28 28 29 29 30 30 31 31
$ warplens explain scan.wlp --line 86 --pattern 2 | head -8
scan2d.cu:59: st.shared.u64 [%r7], %rd13
a store of 8 bytes a lane, 32 lanes
2 wavefronts: as few as can be
  launch 0, void blockScan<0>(unsigned char const*, unsigned long long*, unsigned long long const*,
  unsigned long long const*, int, int)
  lanes use 8 bytes each, 8 bytes apart in tile
  pattern 2 of 10: 128 of 1,152 recorded executions, from 32 places on; --pattern N shows others
  2 lane groups, one after the other
$ warplens explain scan.wlp --line 86 --pattern 99
warplens: error: there is no pattern 99: 10 were recorded
? 3
$ warplens explain scan.wlp --line 999
warplens: error: no access to shared or global memory was recorded for what is asked (`warplens report` has the lines)
? 3
$ warplens explain scan.wlp --launch 1
warplens: error: there is no launch 1: the profile has 1, counted from 0
? 3
$ warplens explain nothing.wlp
warplens: error: nothing.wlp: cannot be read: No such file or directory
? 3
$ warplens explain 'float a[32]'
warplens: error: a declaration needs --access, such as 'a[lane][k]'
? 3
$ warplens explain
warplens: error: explain what? A declaration with --access, --bytes, or a profile
? 3
$ warplens explain scan.wlp -a 'a[lane]' --line 3
warplens: error: --line, --launch, --kernel and --pattern are for profiles
? 3
$ warplens explain 'nv_bfloat16 a[32][64]' -a 'a[lane][0]' | sed -n '3p;7,9p'
32 wavefronts where 1 would do: 32-way
   0  a[0][0]      0     0     0          1
   1  a[1][0]    128    32     0          2  after lane 0: same bank
   2  a[2][0]    256    64     0          3  after lane 1: same bank
$ warplens explain 'struct P {float x,y,z;} p[32]' -a 'p[lane].y' | sed -n '3p;7,9p'
1 wavefront: as few as can be
   0  p[0].y      4     1     1          1
   1  p[1].y     16     4     4          1
   2  p[2].y     28     7     7          1
$ warplens explain 'struct P { half2 uv[3]; unsigned char id; }; __shared__ P p[32];' -a 'p[lane].uv[lane % 3].y' | sed -n '3p;7,9p'
2 wavefronts where 1 would do: 2-way
   0  p[0].uv[0].y      2     0     0          1
   1  p[1].uv[1].y     22     5     5          1
   2  p[2].uv[2].y     42    10    10          1
$ warplens explain 'struct A { struct { float4 v[2]; } b[2]; int n; } a[16]' -a 'a[lane / 2].b[lane % 2].v[1].w' | sed -n '3p;7,9p'
4 wavefronts where 1 would do: 4-way
   0  a[0].b[0].v[1].w     28     7     7          1
   1  a[0].b[1].v[1].w     60    15    15          1
   2  a[1].b[0].v[1].w    108    27    27          1
$ warplens explain 'struct P {struct(10) head; short n;} p[32]' -a 'p[lane].n' | sed -n '3p;7,9p'
1 wavefront: as few as can be
   0  p[0].n     10     2     2          1
   1  p[1].n     22     5     5          1
   2  p[2].n     34     8     8          1
$ warplens explain 'struct P {float x,y,z;} p[32]' -a 'p[lane].w'
--access:1:9: error: expected a member: x, y, z, found 'w'
  p[lane].w
          ^
? 3
$ warplens explain 'struct P {float x,y,z;} p[32]' -a 'p[lane]'
warplens: error: a lane accesses 1, 2, 4, 8 or 16 bytes at once, and not 12: name a member (.x), or give --width (and --at, its place in the element)
? 3
$ warplens explain 'struct P {float v[3];} p[32]' -a 'p[lane].v[3]'
warplens: error: lane 0 accesses p[0].v[3], outside p
? 3
$ warplens explain 'struct P {float v[];} p[32]' -a 'p[lane].v[3]'
declaration:1:20: error: expected a member whose size is known, found ';'
  struct P {float v[];} p[32]
                     ^
? 3
$ warplens explain 'struct P {float x;}; Q p[32]' -a 'p[lane].x'
declaration:1:22: error: expected the structure's name, and that of the array, found 'Q'
  struct P {float x;}; Q p[32]
                       ^
? 3
$ warplens explain 'struct P {double x[600];} p[32]' -a 'p[lane].x[0]'
declaration:1:24: error: expected a structure of at most 4096 bytes, found ';'
  struct P {double x[600];} p[32]
                         ^
? 3
$ warplens explain 'flot a[3]' -a 'a[lane]'
declaration:1:1: error: expected a type (float, int4, half, uint64_t, struct(24), struct {float x, y;}, ...), found 'flot'
  flot a[3]
  ^
? 3
$ warplens explain 'float a[32' -a 'a[lane]'
declaration:1:11: error: expected ']' at the end
  float a[32
            ^
? 3
$ warplens explain 'float a[0]' -a 'a[lane]'
declaration:1:9: error: the extent is 0, not in 1 ... 67108864
  float a[0]
          ^
? 3
$ warplens explain 'float a[32][33]' -a 'a[lane]'
--access:1:8: error: expected '[' at the end
  a[lane]
         ^
? 3
$ warplens explain 'float a[32]' -a 'b[lane]'
--access:1:1: error: expected the array's name, 'a', found 'b'
  b[lane]
  ^
? 3
$ warplens explain 'float a[32]' -a 'a[lane * (3 + ]'
--access:1:15: error: expected a number, a name or '(', found ']'
  a[lane * (3 + ]
                ^
? 3
$ warplens explain 'float a[32]' -a 'a[lane 3]'
--access:1:8: error: expected ']', found '3'
  a[lane 3]
         ^
? 3
$ warplens explain 'float a[32]' -a 'a[lane * 2]'
warplens: error: lane 16 accesses a[32], outside a
? 3
$ warplens explain 'float a[32]' -a 'a[lane / k]'
--access:1:8: error: division by zero in lane 0
  a[lane / k]
         ^
? 3
$ warplens explain 'float a[32]' -a 'a[1 << lane * 3]'
warplens: error: lane 2 accesses a[64], outside a
? 3
$ warplens explain 'float4 a[32]' -a 'a[lane].q'
--access:1:9: error: expected a member: x, y, z, w, found 'q'
  a[lane].q
          ^
? 3
$ warplens explain 'double3 a[32]' -a 'a[lane]'
warplens: error: a lane accesses 1, 2, 4, 8 or 16 bytes at once, and not 24: name a member (.x), or give --width (and --at, its place in the element)
? 3
$ warplens explain 'float a[64]' -a 'a[lane]' --vector 4
warplens: error: lane 1: byte 4 is no multiple of the 16 bytes that a lane accesses: the GPU would fault
? 3
$ warplens explain 'float a[64]' -a 'a[lane]' --vector 4 --swizzle 2,0,3
warplens: error: the swizzle tears the 16 bytes of a lane apart: it moves pieces of 4 bytes (a larger M keeps more elements together)
? 3
$ warplens explain 'double a[64]' -a 'a[lane]' --op atom.add.f32
warplens: error: --op takes 4 bytes a lane, an element has 8 (--width and --at say which of them)
? 3
$ warplens explain 'float a[64]' -a 'a[lane]' --lanes 3-40
warplens: error: --lanes takes lanes of 0 to 31, such as 0-15,24, or a mask such as 0xffff, not '3-40'
? 3
$ warplens explain 'float a[64]' -a 'a[lane]' --set lane=3
--set:1:1: error: expected a name that is not set yet, found 'lane'
  lane=3
  ^
? 3
$ warplens explain --bytes "$(seq -s, 0 4 128)"
--bytes:1:101: error: expected at most 32 addresses, found '128'
  0,4,8,12,16,20,24,28,32,36,40,44,48,52,56,60,64,68,72,76,80,84,88,92,96,100,104,108,112,116,120,124,128
                                                                                                      ^
? 3
$ warplens explain --bytes "$(printf '(%.0s' $(seq 100))"
--bytes:1:65: error: expected fewer parentheses, found '('
  ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((
                                                                  ^
? 3
$ warplens explain 'half a[16][64]' -a 'a[lane % 16][8 * (lane / 16)]' --op ldmatrix.x1 --lanes 15,24
warplens: error: none of the lanes gives a row: the addresses of 1 matrix are taken from lanes 0 to 7
? 3
$ warplens explain 'float a[1024]' -a 'a[tid * 2]' --global | sed -n '1,8p;39,42p'
a[tid * 2] in float a[1024]
a load of 4 bytes a lane, 32 lanes
8 sectors where 4 would do

lane  element  byte  sector  line
----  -------  ----  ------  ----
   0  a[0]        0       0     1
   1  a[2]        8       0     1

A row is a line of 128 bytes; in it the lanes that use its words:
byte 0     8    16    24    32    40    48    56    64    72    80    88    96    104   112   120
  1  0  .  1  .  2  .  3  .  4  .  5  .  6  .  7  .  8  .  9  . 10  . 11  . 12  . 13  . 14  . 15  .
$ warplens explain 'float a[32][33]' -a 'a[lane][0]' --op ld.global.f32 | sed -n '1,3p'
a[lane][0] in float a[32][33]
a load of 4 bytes a lane, 32 lanes
32 sectors where 4 would do
$ warplens explain 'float a[32]' -a 'a[0]' --op atom.global.add.f32 | sed -n '1,3p'
a[0] in float a[32]
an atomic of 4 bytes a lane, 32 lanes
1 sector: as few as can be
$ warplens explain 'float a[32]' -a 'a[lane]' --op cp.async --global
warplens: error: of global memory there are loads, stores and atomics
? 3
$ warplens explain 'float a[32]' -a 'a[lane]' --swizzle 2,0,3 --global
warplens: error: --swizzle and --bank-bytes are for shared memory
? 3
$ warplens explain 'half s : Layout<Shape<_8,_64>, Stride<_64,_1>>' -a 's(lane % 8, lane / 8)' | sed -n '1,3p;5,8p'
s(lane % 8, lane / 8) in half s : Layout<Shape<_8,_64>, Stride<_64,_1>>
a load of 2 bytes a lane, 32 lanes
8 wavefronts where 1 would do: 8-way
lane  element  byte  word  bank  wavefront  why
----  -------  ----  ----  ----  ---------  ------------------------
   0  s(0,0)      0     0     0          1
   1  s(1,0)    128    32     0          2  after lane 0: same bank
$ warplens explain 'half s : (16,64):(64,1)' -a 's(lane % 16, 8 * (lane / 16))' --op ldmatrix.x4 | sed -n 3p
32 wavefronts where 4 would do: 8-way
$ warplens explain 'half s : Swizzle<3,3,3> o (16,64):(64,1)' -a 's(lane % 16, 8 * (lane / 16))' --op ldmatrix.x4 | sed -n '3,5p'
4 wavefronts: as few as can be
  Swizzle<3,3,3>: element i is at i ^ (i >> 6 & 7) << 3; without it 32 wavefronts
  4 matrices, one after the other: each has 8 rows
$ warplens explain 'half s : composition(Swizzle<3,3,3>{}, Layout<Shape<_16,_64>,Stride<_64,_1>>{})' -a 's(lane % 16, 8 * (lane / 16))' --op ldmatrix.x4 | grep -m1 wavefronts
4 wavefronts: as few as can be
$ warplens explain 'half s[16][64]' -a 's[lane % 16][8 * (lane / 16)]' --op ldmatrix.x4 --swizzle 3,3,3 | sed -n 3p
4 wavefronts: as few as can be
$ warplens explain 'float c : ((4,8),(2,2)):((32,1),(16,8))' -a 'c(lane, 3)' | sed -n '6,14p'
----  -------  ----  ----  ----  ---------  ------------------------
   0  c(0,3)     96    24    24          1
   1  c(1,3)    224    56    24          2  after lane 0: same bank
   2  c(2,3)    352    88    24          3  after lane 1: same bank
   3  c(3,3)    480   120    24          4  after lane 2: same bank
   4  c(4,3)    100    25    25          1
   5  c(5,3)    228    57    25          2  after lane 4: same bank
   6  c(6,3)    356    89    25          3  after lane 5: same bank
   7  c(7,3)    484   121    25          4  after lane 6: same bank
$ warplens explain 'float s : (4,8)' -a 's(lane)' | sed -n 3p
1 wavefront: as few as can be
$ warplens explain 'float s : (4,8)' -a 's(lane, 0)'
warplens: error: lane 4 accesses s(4,0), outside s
? 3
$ warplens explain 'float s : (4,8)' -a 's(0, 1, 2)'
--access:1:9: error: expected at most 2 coordinates, found '2'
  s(0, 1, 2)
          ^
? 3
$ warplens explain 'float s : (4,(8,2)):(1,4)' -a 's(lane)'
declaration:1:20: error: expected strides in the same tuples as the shape, found ':'
  float s : (4,(8,2)):(1,4)
                     ^
? 3
$ warplens explain 'float s : (4,x):(1,4)' -a 's(lane)'
declaration:1:14: error: expected a number, found 'x'
  float s : (4,x):(1,4)
               ^
? 3
$ warplens explain 'float s : Swizzle<3,3,2> o (4,8)' -a 's(lane)'
declaration:1:24: error: expected a shift that is no less than the bits, found '>'
  float s : Swizzle<3,3,2> o (4,8)
                         ^
? 3
$ warplens explain 'half c : (16,8):(8,1) o ((4,8),(2,2)):((32,1),(16,8))' -a 'c(lane, 1)' | sed -n '1,3p;7,11p'
c(lane, 1) in half c : (16,8):(8,1) o ((4,8),(2,2)):((32,1),(16,8))
a load of 2 bytes a lane, 32 lanes
1 wavefront: as few as can be
   0  c(0,1)      2     0     0          1
   1  c(1,1)      6     1     1          1
   2  c(2,1)     10     2     2          1
   3  c(3,1)     14     3     3          1
   4  c(4,1)     18     4     4          1
$ warplens explain 'half c : composition((16,64):(64,1), ((4,8),(2,2)):((32,1),(16,8)))' -a 'c(lane, 2)' --vector 2 | sed -n 3p
8 wavefronts where 1 would do: 8-way
$ warplens explain 'half c : composition(Swizzle<3,3,3>, (16,64):(64,1) o ((4,8),(2,2)):((32,1),(16,8)))' -a 'c(lane, 2)' --vector 2 | sed -n 3,4p
1 wavefront: as few as can be
  Swizzle<3,3,3>: element i is at i ^ (i >> 6 & 7) << 3; without it 8 wavefronts
$ warplens explain 'half c : (4,4) o (8,8)' -a 'c(lane, 1)'
warplens: error: lane 8 accesses c(8,1), outside c
? 3
$ warplens explain 'half c : (16,64) o Swizzle<3,3,3> o (4,4)' -a 'c(lane, 1)'
declaration:1:20: error: expected a layout: a swizzle stands before all, found 'Swizzle'
  half c : (16,64) o Swizzle<3,3,3> o (4,4)
                     ^
? 3
$ warplens explain 'half c : Swizzle<3,3,3>' -a 'c(lane, 1)'
declaration:1:24: error: expected 'o' and a layout at the end
  half c : Swizzle<3,3,3>
                         ^
? 3
$ warplens explain "half c : $(printf 'composition(%.0s' $(seq 20))" -a 'c(lane)'
declaration:1:118: error: expected at most 8 compositions in one another, found 'composition'
  half c : composition(composition(composition(composition(composition(composition(composition(composition(composition(composition(composition(composition(composition(composition(composition(composition(composition(composition(composition(composition(
                                                                                                                       ^
? 3
$ warplens explain 'half c : (16,8):(8,1) o ((4,8),(2,2)):((32,1),(16,8))' --layout | sed -n '1,4p;18,21p;35,38p'
threads and values:
         0     1     2     3     4     5     6     7
   0  T0V0  T0V1  T1V0  T1V1  T2V0  T2V1  T3V0  T3V1
   1  T4V0  T4V1  T5V0  T5V1  T6V0  T6V1  T7V0  T7V1
  15 T28V2 T28V3 T29V2 T29V3 T30V2 T30V3 T31V2 T31V3
elements:
       0   1   2   3   4   5   6   7
   0   0   1   2   3   4   5   6   7
  14 112 113 114 115 116 117 118 119
  15 120 121 122 123 124 125 126 127
banks:
      0  1  2  3  4  5  6  7
$ warplens explain 'half s : Swizzle<2,0,3> o (4,8):(8,1)' --layout
elements:
      0  1  2  3  4  5  6  7
   0  0  1  2  3  4  5  6  7
   1  9  8 11 10 13 12 15 14
   2 18 19 16 17 22 23 20 21
   3 27 26 25 24 31 30 29 28
banks:
      0  1  2  3  4  5  6  7
   0  0  0  1  1  2  2  3  3
   1  4  4  5  5  6  6  7  7
   2  9  9  8  8 11 11 10 10
   3 13 13 12 12 15 15 14 14
$ warplens explain 'half s : Swizzle<2,0,3> o (2,2):(8,1) o 2' --layout --format json
{
 "element_bytes": 2,
 "threads": true,
 "rows": [
  [
   {
    "element": 0,
    "bank": 0,
    "thread": 0,
    "value": 0
   },
   {
    "element": 1,
    "bank": 0,
    "thread": null,
    "value": null
   }
  ],
  [
   {
    "element": 9,
    "bank": 4,
    "thread": 1,
    "value": 0
   },
   {
    "element": 8,
    "bank": 4,
    "thread": null,
    "value": null
   }
  ]
 ]
}
$ warplens explain 'half s[8][64]' --layout
warplens: error: --layout needs a layout of CuTe's, such as 'half s : (8,64):(64,1)'
? 3
$ warplens explain 'half s : (4,8):(8,1) o (2,2):(1,4)' --layout -a 's(lane, 0)' --lanes 0-1
threads and values:
        0    1    2    3    4    5    6    7
   0 T0V0 T0V1    -    -    -    -    -    -
   1 T1V0 T1V1    -    -    -    -    -    -
   2    -    -    -    -    -    -    -    -
   3    -    -    -    -    -    -    -    -
elements:
      0  1  2  3  4  5  6  7
   0  0  1  2  3  4  5  6  7
   1  8  9 10 11 12 13 14 15
   2 16 17 18 19 20 21 22 23
   3 24 25 26 27 28 29 30 31
banks:
      0  1  2  3  4  5  6  7
   0  0  0  1  1  2  2  3  3
   1  4  4  5  5  6  6  7  7
   2  8  8  9  9 10 10 11 11
   3 12 12 13 13 14 14 15 15
wavefronts:
     0 1 2 3 4 5 6 7
   0 1 - - - - - - -
   1 1 - - - - - - -
   2 - - - - - - - -
   3 - - - - - - - -
$ warplens explain 'float s : (4,32):(32,1)' --layout -a 's(lane % 4, 1)' | tail -n 5 | cut -c 1-16
      0  1  2  3
   0  -  1  -  -
   1  -  2  -  -
   2  -  3  -  -
   3  -  4  -  -
$ warplens explain 'double s : (2,32)' --layout -a 's(0, lane)' | tail -n 4 | cut -c 1-64
wavefronts:
      0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19
   0  1  1  1  1  1  1  1  1  2  2  2  2  2  2  2  2  3  3  3  3
   1  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -  -
$ warplens explain 'half s : (2,2)' --layout -a 's(lane, 0)' --lanes 0-1 --format json
{
 "element_bytes": 2,
 "threads": false,
 "rows": [
  [
   {
    "element": 0,
    "bank": 0,
    "thread": null,
    "value": null,
    "lanes": [
     0
    ],
    "wavefronts": [
     0
    ]
   },
   {
    "element": 2,
    "bank": 1,
    "thread": null,
    "value": null,
    "lanes": [],
    "wavefronts": []
   }
  ],
  [
   {
    "element": 1,
    "bank": 0,
    "thread": null,
    "value": null,
    "lanes": [
     1
    ],
    "wavefronts": [
     0
    ]
   },
   {
    "element": 3,
    "bank": 1,
    "thread": null,
    "value": null,
    "lanes": [],
    "wavefronts": []
   }
  ]
 ]
}
$ warplens explain 'float s : (2,4)' --swizzle 1,0,2 --layout -a 's(lane % 2, 1)' --lanes 0-1
elements:
     0 1 2 3
   0 0 2 5 7
   1 1 3 4 6
banks:
     0 1 2 3
   0 0 2 5 7
   1 1 3 4 6
wavefronts:
     0 1 2 3
   0 - 1 - -
   1 - 1 - -
$ warplens explain 'half s : (8,64)' --layout -a 's(lane)' --global
warplens: error: --layout shows wavefronts, which shared memory alone has
? 3
$ warplens explain 'half s : (8,64)' --layout -a 's('
--access:1:3: error: expected a number, a name or '(' at the end
  s(
    ^
? 3
$ warplens explain 'half s : (8,64)' --layout -b 0,4
warplens: error: --layout takes a declaration, and neither --bytes nor --svg
? 3
$ warplens explain 'half s : (8,64)' --layout --format svg
warplens: error: --layout has the formats term and json
? 3
$ warplens explain 'half s : (1024,1024)' --layout
warplens: error: --layout shows layouts of 1 to 16384 elements
? 3
$ warplens explain 'half s : (8,0)' --layout
warplens: error: --layout shows layouts of 1 to 16384 elements
? 3
$ warplens explain 'float s : Swizzle<1,1,1> o (4,8)' -a 's(lane)' --swizzle 1,1,1
warplens: error: the layout has a swizzle, and --swizzle asks for another
? 3
$ warplens explain "float s : $(printf '(%.0s' $(seq 20))" -a 's(lane)'
declaration:1:20: error: expected at most 8 tuples in one another, found '('
  float s : ((((((((((((((((((((
                     ^
? 3
