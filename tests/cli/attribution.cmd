# Costs are the user's line's: the first of the inlining chain in the project, the toolkit's line beside it.
$ mkdir -p repo/.git repo/src repo/build cuda/include/crt; touch cuda/include/cuda_runtime.h; printf '\n\n__global__ void twice(float *p) {\n\n  load_matrix_sync(p);\n  fetch(p);\n  *p = 0;\n}\n' >repo/src/k.cu; printf '\n  load_matrix_sync(p);\n' >repo/src/tile.cuh; sed "s|@|$PWD|" $TESTS/cli/attribution.ptx >repo/build/k.ptx
$ cd repo/build; warplens kernel k.ptx --block 32 --arg 'f32[128]' -q --no-sass -o ../../k.wlp
$ warplens report k.wlp --page details | sed -n '/^ *line /,/What/p'
     line        sectors  share  source
     ----------  -------  -----  -------------------------------------------------------------------
     k.cu:3           12   25 %  __global__ void twice(float *p) {
                                   in mma.hpp: lanes use 4 bytes each, 16 bytes apart in argument 0
     k.cu:5           12   25 %  load_matrix_sync(p);
                                   in mma.hpp:91 load_matrix_sync: lanes use 4 bytes each, 16 bytes
                                   apart in argument 0
     k.cu:7           12   25 %  *p = 0;
                                   lanes use 4 bytes each, 16 bytes apart in argument 0
     tile.cuh:2       12   25 %  load_matrix_sync(p);
                                   in mma.hpp:95 load_matrix_sync: lanes use 4 bytes each, 16 bytes
                                   apart in argument 0
     What usually helps: Let neighbouring threads use neighbouring addresses: index flat arrays by
$ warplens report k.wlp --page source

Source of launch 0: twice

$PWD/repo/build/../src/k.cu
      ---- sectors ----
reqs  count /req excess  access             line source
----  ----- ---- ------  ---------------- - ---- ---------------------------------
                                               1
                                               2
   1     16 16.0     12  global store 4 B >    3 __global__ void twice(float *p) {
                                               4
   1     16 16.0     12  global load 4 B  >    5   load_matrix_sync(p);
   1     16 16.0     12  global load 4 B  >    6   fetch(p);
   1     16 16.0     12  global store 4 B >    7   *p = 0;
                                               8 }

$PWD/cuda/include/crt/mma.hpp (the source was not there: line numbers alone)
      ---- sectors ----
reqs  count /req excess  access             line source
----  ----- ---- ------  ---------------- - ---- ------
   1     16 16.0     12  global store 4 B >    0
   1     16 16.0     12  global load 4 B  >   91
   1     16 16.0     12  global load 4 B  >   95

$PWD/repo/src/tile.cuh
      ---- sectors ----
reqs  count /req excess  access            line source
----  ----- ---- ------  --------------- - ---- --------------------
                                              1
   1     16 16.0     12  global load 4 B >    2 load_matrix_sync(p);
  > marks lines with a tenth or more of the launch's excess.
  A line that calls an inlined function has the callee's counts too (--inline shows them apart):
  lines overlap.
$ warplens check k.wlp --max-sector-ratio 1
src/k.cu:3: max-sector-ratio: 16 sectors where 4 would do (4.0 times as many), limit 1, in mma.hpp, in twice
    __global__ void twice(float *p) {
    lanes use 4 bytes each, 16 bytes apart in argument 0
src/k.cu:5: max-sector-ratio: 16 sectors where 4 would do (4.0 times as many), limit 1, in mma.hpp:91 load_matrix_sync, in twice
    load_matrix_sync(p);
    lanes use 4 bytes each, 16 bytes apart in argument 0
src/k.cu:7: max-sector-ratio: 16 sectors where 4 would do (4.0 times as many), limit 1, in twice
    *p = 0;
    lanes use 4 bytes each, 16 bytes apart in argument 0
src/tile.cuh:2: max-sector-ratio: 16 sectors where 4 would do (4.0 times as many), limit 1, in mma.hpp:95 load_matrix_sync, in twice
    load_matrix_sync(p);
    lanes use 4 bytes each, 16 bytes apart in argument 0
4 lines are beyond their limits
? 1
$ warplens check k.wlp --max-sector-ratio 1 --format github --sarif k.sarif --junit k.xml
::error file=src/k.cu,line=3,title=Uncoalesced access beyond the limit::16 sectors where 4 would do (4.0 times as many), limit 1, in mma.hpp, in twice. In a warp, lanes use 4 bytes each, 16 bytes apart in argument 0.
::error file=src/k.cu,line=5,title=Uncoalesced access beyond the limit::16 sectors where 4 would do (4.0 times as many), limit 1, in mma.hpp:91 load_matrix_sync, in twice. In a warp, lanes use 4 bytes each, 16 bytes apart in argument 0.
::error file=src/k.cu,line=7,title=Uncoalesced access beyond the limit::16 sectors where 4 would do (4.0 times as many), limit 1, in twice. In a warp, lanes use 4 bytes each, 16 bytes apart in argument 0.
::error file=src/tile.cuh,line=2,title=Uncoalesced access beyond the limit::16 sectors where 4 would do (4.0 times as many), limit 1, in mma.hpp:95 load_matrix_sync, in twice. In a warp, lanes use 4 bytes each, 16 bytes apart in argument 0.
? 1
$ sed -n '/"results"/,$p' k.sarif | grep -E '"(uri|startLine|text)"'; grep -o '^[^ ]*:[0-9]*: .*' k.xml
      "text": "16 sectors where 4 would do (4.0 times as many), limit 1, in mma.hpp, in twice. In a warp, lanes use 4 bytes each, 16 bytes apart in argument 0."
         "uri": "src/k.cu",
         "startLine": 3,
          "text": "__global__ void twice(float *p) {"
         "uri": "file://$PWD/cuda/include/crt/mma.hpp"
        "text": "mma.hpp"
      "text": "16 sectors where 4 would do (4.0 times as many), limit 1, in mma.hpp:91 load_matrix_sync, in twice. In a warp, lanes use 4 bytes each, 16 bytes apart in argument 0."
         "uri": "src/k.cu",
         "startLine": 5,
          "text": "load_matrix_sync(p);"
         "uri": "file://$PWD/cuda/include/crt/mma.hpp"
         "startLine": 91
        "text": "mma.hpp:91 load_matrix_sync"
      "text": "16 sectors where 4 would do (4.0 times as many), limit 1, in twice. In a warp, lanes use 4 bytes each, 16 bytes apart in argument 0."
         "uri": "src/k.cu",
         "startLine": 7,
          "text": "*p = 0;"
      "text": "16 sectors where 4 would do (4.0 times as many), limit 1, in mma.hpp:95 load_matrix_sync, in twice. In a warp, lanes use 4 bytes each, 16 bytes apart in argument 0."
         "uri": "src/tile.cuh",
         "startLine": 2,
          "text": "load_matrix_sync(p);"
         "uri": "file://$PWD/cuda/include/crt/mma.hpp"
         "startLine": 95
        "text": "mma.hpp:95 load_matrix_sync"
src/k.cu:5: max-sector-ratio: 16 sectors where 4 would do (4.0 times as many), limit 1, in mma.hpp:91 load_matrix_sync, in twice
src/k.cu:7: max-sector-ratio: 16 sectors where 4 would do (4.0 times as many), limit 1, in twice
src/tile.cuh:2: max-sector-ratio: 16 sectors where 4 would do (4.0 times as many), limit 1, in mma.hpp:95 load_matrix_sync, in twice
$ warplens report k.wlp --format json | grep -E '"(place|inner)"'
     "place": 1,
     "inner": "mma.hpp:91 load_matrix_sync"
     "place": 1,
     "inner": "mma.hpp:95 load_matrix_sync"
     "place": 1,
     "inner": "mma.hpp"
     "place": 0,
     "inner": null
$ warplens report k.wlp --root /elsewhere --page details | sed -n '/^ *line /,/What/p'
     line        sectors  share  source
     ----------  -------  -----  ------------------------------------------------------
     k.cu:7           12   25 %  *p = 0;
                                   lanes use 4 bytes each, 16 bytes apart in argument 0
     mma.hpp:0        12   25 %  st.global.f32 [%rd3+8], %f2
                                   lanes use 4 bytes each, 16 bytes apart in argument 0
     mma.hpp:91       12   25 %  ld.global.f32 %f1, [%rd3]
                                   lanes use 4 bytes each, 16 bytes apart in argument 0
     mma.hpp:95       12   25 %  ld.global.f32 %f2, [%rd3+4]
                                   lanes use 4 bytes each, 16 bytes apart in argument 0
     What usually helps: Let neighbouring threads use neighbouring addresses: index flat arrays by
$ warplens check k.wlp --max-sector-ratio 1 --format github --root cuda | cut -d' ' -f-3
::error title=Uncoalesced access
::error file=include/crt/mma.hpp,title=Uncoalesced access
::error file=include/crt/mma.hpp,line=91,title=Uncoalesced access
::error file=include/crt/mma.hpp,line=95,title=Uncoalesced access
$ warplens check k.wlp --max-sector-ratio 1 --root no/such
warplens: error: --root no/such: No such file or directory
? 3
