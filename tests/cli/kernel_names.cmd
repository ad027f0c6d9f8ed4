# Kernels are named mangled or demangled, whole or by a unique part; otherwise the candidates are listed.
$ warplens kernel $SAMPLES/scan2d/scan2d.ptx -k 'blockScan<1>' --grid 1 --block 32,32 --arg 'u8[1024]=random:1' --arg 'u64[1024]' --arg 'u64[32]=0' --arg 'u64[32]=0' --arg i32=32 --arg i32=32 --no-sass --quiet
$ warplens kernel $SAMPLES/scan2d/scan2d.ptx -k blockScan --grid 1 --block 32,32
warplens: error: 'blockScan' fits 2 kernels; give more of the name
$SAMPLES/scan2d/scan2d.ptx: note: void blockScan<0>(unsigned char const*, unsigned long long*, unsigned long long const*, unsigned long long const*, int, int)
$SAMPLES/scan2d/scan2d.ptx: note: void blockScan<1>(unsigned char const*, unsigned long long*, unsigned long long const*, unsigned long long const*, int, int)
? 3
$ warplens kernel $SAMPLES/scan2d/scan2d.ptx -k transpose --grid 1 --block 32,32
warplens: error: no kernel's name has or matches 'transpose'; the kernels are
$SAMPLES/scan2d/scan2d.ptx: note: blockScanSwizzled(unsigned char const*, unsigned long long*, unsigned long long const*, unsigned long long const*, int, int)
$SAMPLES/scan2d/scan2d.ptx: note: void blockScan<0>(unsigned char const*, unsigned long long*, unsigned long long const*, unsigned long long const*, int, int)
$SAMPLES/scan2d/scan2d.ptx: note: void blockScan<1>(unsigned char const*, unsigned long long*, unsigned long long const*, unsigned long long const*, int, int)
$SAMPLES/scan2d/scan2d.ptx: note: tileSums(unsigned char const*, unsigned int*, unsigned int*, int, int)
$SAMPLES/scan2d/scan2d.ptx: note: scanSums(unsigned int const*, unsigned int const*, unsigned long long*, unsigned long long*, int, int, int, int)
$SAMPLES/scan2d/scan2d.ptx: note: scanRows(unsigned long long*, int)
$SAMPLES/scan2d/scan2d.ptx: note: scanOnePass(unsigned char const*, unsigned long long*, Messages, int, int)
? 3
$ warplens kernel $SAMPLES/scan2d/scan2d.ptx --grid 1 --block 32,32
warplens: error: there are 7 kernels; name one with -k
$SAMPLES/scan2d/scan2d.ptx: note: blockScanSwizzled(unsigned char const*, unsigned long long*, unsigned long long const*, unsigned long long const*, int, int)
$SAMPLES/scan2d/scan2d.ptx: note: void blockScan<0>(unsigned char const*, unsigned long long*, unsigned long long const*, unsigned long long const*, int, int)
$SAMPLES/scan2d/scan2d.ptx: note: void blockScan<1>(unsigned char const*, unsigned long long*, unsigned long long const*, unsigned long long const*, int, int)
$SAMPLES/scan2d/scan2d.ptx: note: tileSums(unsigned char const*, unsigned int*, unsigned int*, int, int)
$SAMPLES/scan2d/scan2d.ptx: note: scanSums(unsigned int const*, unsigned int const*, unsigned long long*, unsigned long long*, int, int, int, int)
$SAMPLES/scan2d/scan2d.ptx: note: scanRows(unsigned long long*, int)
$SAMPLES/scan2d/scan2d.ptx: note: scanOnePass(unsigned char const*, unsigned long long*, Messages, int, int)
? 3
