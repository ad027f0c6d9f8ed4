# Tensor maps, and copies by them that a GPU would end with an illegal instruction or address.
$ warplens run --no-profile tensors
$ warplens run --no-profile tensors odd
warplens: fault: box at (5, 0) of a tensor of 30 x 10 elements: it does not begin at a multiple of 16 bytes in dimension 0
  kernel  copy
  at      tensors:23: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r3], [%rd1, {%r1, %r2}], [%r4]
  block   (0,0,0), thread (0,0,0)
warplens: 1 fault
? 2
$ warplens run --no-profile tensors garbage
warplens: fault: 0x3000000000000 is no tensor map for this instruction: it was not made by cuTensorMapEncode…
  kernel  copy
  at      tensors:23: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r3], [%rd1, {%r1, %r2}], [%r4]
  block   (0,0,0), thread (0,0,0)
warplens: 1 fault
? 2
$ warplens run --no-profile tensors rank
warplens: fault: 0x3000000000000 is no tensor map for this instruction: its tensor has another number of dimensions
  kernel  copy
  at      tensors:23: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r3], [%rd1, {%r1, %r2}], [%r4]
  block   (0,0,0), thread (0,0,0)
warplens: 1 fault
? 2
$ warplens run --no-profile tensors outside
warplens: fault: out-of-bounds read of 32 bytes, in the box at (0, 8) of a tensor of 30 x 10 elements
  kernel  copy
  at      tensors:23: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r3], [%rd1, {%r1, %r2}], [%r4]
  block   (0,0,0), thread (0,0,0)
  address 0x200000000a00
  nearest device memory 1 (2560 bytes): 0 bytes behind its end
warplens: 1 fault
? 2
$ warplens run --no-profile tensors shared
warplens: fault: box in shared memory that does not begin at a multiple of 128 bytes
  kernel  copy
  at      tensors:23: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r3], [%rd1, {%r1, %r2}], [%r4]
  block   (0,0,0), thread (0,0,0)
  address 64 in shared memory
  block has 272 bytes of shared memory
  in box: 256 bytes at 0
  has bar: 8 bytes at 256
warplens: 1 fault
? 2
$ warplens run --no-profile tensors behind
warplens: fault: out-of-bounds write of 128 bytes in shared memory
  kernel  copy
  at      tensors:23: cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r3], [%rd1, {%r1, %r2}], [%r4]
  block   (0,0,0), thread (0,0,0)
  address 131072 in shared memory
  block has 272 bytes of shared memory
  has box: 256 bytes at 0
  has bar: 8 bytes at 256
warplens: 1 fault
? 2
