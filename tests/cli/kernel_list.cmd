# What there is to launch, as data: all kernels, or the one that is named; one that cannot be read says why.
$ warplens kernel $SAMPLES/scan2d/scan2d.ptx -k scanRows --print kernels
[
 {
  "name": "scanRows(unsigned long long*, int)",
  "symbol": "_Z8scanRowsPyi",
  "file": "$SAMPLES/scan2d/scan2d.ptx",
  "parameters": [
   {
    "type": "u64",
    "bytes": 8,
    "declared": "unsigned long long*"
   },
   {
    "type": "u32",
    "bytes": 4,
    "declared": "int"
   }
  ],
  "block": null,
  "most_threads": null,
  "shared": 256,
  "dynamic_shared": false
 }
]
$ warplens kernel $SAMPLES/scan2d/scan2d.ptx --print kernels | grep -c symbol
7
$ sed '0,/mul.wide.[us]32/s//frobnicate/' $SAMPLES/transpose/transpose.ptx >wrong.ptx; warplens kernel wrong.ptx --print kernels | grep -E '"(name|wrong|declared|dynamic_shared)"'
  "name": "transposeNaive(float const*, float*, int)",
  "wrong": "wrong.ptx:47:2: error: unknown instruction 'frobnicate'\n  \tfrobnicate \t%rd6, %r1, %r5;\n  \t^~~~~~~~~~\n"
  "name": "transposeSwizzled(float const*, float*, int)",
    "declared": "float const*"
    "declared": "float*"
    "declared": "int"
  "dynamic_shared": false
  "name": "void transposeTiled<0>(float const*, float*, int)",
    "declared": "float const*"
    "declared": "float*"
    "declared": "int"
  "dynamic_shared": false
  "name": "void transposeTiled<1>(float const*, float*, int)",
    "declared": "float const*"
    "declared": "float*"
    "declared": "int"
  "dynamic_shared": false
  "name": "transposeWide(float const*, float*, int)",
    "declared": "float const*"
    "declared": "float*"
    "declared": "int"
  "dynamic_shared": false
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k nothing --print kernels
warplens: error: no kernel's name has or matches 'nothing'; the kernels are
$SAMPLES/transpose/transpose.ptx: note: transposeNaive(float const*, float*, int)
$SAMPLES/transpose/transpose.ptx: note: transposeSwizzled(float const*, float*, int)
$SAMPLES/transpose/transpose.ptx: note: void transposeTiled<0>(float const*, float*, int)
$SAMPLES/transpose/transpose.ptx: note: void transposeTiled<1>(float const*, float*, int)
$SAMPLES/transpose/transpose.ptx: note: transposeWide(float const*, float*, int)
? 3
$ warplens kernel $SAMPLES/transpose/transpose.ptx --print kernel
warplens: error: --print kernel: expected kernels, lowered or machine
? 3
