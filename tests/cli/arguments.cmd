# Too few arguments, too many, of another type, unreadable ones: the kernel's own parameter list is printed.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,8
warplens: error: 0 arguments for a kernel of 3 parameters
warplens: note: transposeNaive(float const*, float*, int) takes 3:
  0  u64  float const*
  1  u64  float*
  2  u32  int
? 3
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]' --arg 'f32[1024]' --arg i32=32 --arg i32=1
warplens: error: 4 arguments for a kernel of 3 parameters
warplens: note: transposeNaive(float const*, float*, int) takes 3:
  0  u64  float const*
  1  u64  float*
  2  u32  int
? 3
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]' --arg 'f32[1024]' --arg 'f64=1'
warplens: error: argument f64=1: has another size than the parameter 2 (u32, 4 bytes)
warplens: note: transposeNaive(float const*, float*, int) takes 3:
  0  u64  float const*
  1  u64  float*
  2  u32  int
? 3
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]' --arg 'f32[1024]' --arg 'i32=many'
warplens: error: argument i32=many: the value is not one of this type
warplens: note: transposeNaive(float const*, float*, int) takes 3:
  0  u64  float const*
  1  u64  float*
  2  u32  int
? 3
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f33[1024]' --arg 'f32[1024]' --arg 'i32=32'
warplens: error: argument f33[1024]: unknown type; expected u8 … u64, i8 … i64, f16, bf16, f32, f64
warplens: note: transposeNaive(float const*, float*, int) takes 3:
  0  u64  float const*
  1  u64  float*
  2  u32  int
? 3
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]=missing.npy' --arg 'f32[1024]' --arg 'i32=32'
warplens: error: missing.npy: No such file or directory
warplens: note: transposeNaive(float const*, float*, int) takes 3:
  0  u64  float const*
  1  u64  float*
  2  u32  int
? 3
$ python3 -c "print('.version 8.8\n.target sm_90\n.address_size 64\n.visible .entry k(' + ', '.join(f'.param .u8 p{i}' for i in range(32764)) + ') { ret; }')" >many.ptx; timeout 20 warplens kernel many.ptx --block 32 2>&1 | tail -1
  32763  u8  
