# Launches that a GPU refuses, questions that have no answer, and what a profile has not: each says what may be.
$ { echo '.version 8.0 .target sm_90 .address_size 64'; echo '.visible .entry few() .maxntid 64, 1, 1 { ret; }'; echo '.visible .entry exact() .reqntid 32, 2, 1 { ret; }'; echo '.visible .entry shares() { .shared .b32 a[12288]; ret; }'; echo '.visible .entry pairs() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }'; echo '.extern .func nowhere; .visible .entry calls() { call nowhere; ret; }'; echo '.visible .entry big() { .local .b8 l[524288]; .reg .b64 %l; mov.u64 %l, l; ret; }'; } > k.ptx; warplens kernel k.ptx --print kernels | grep -c '"symbol"'
6
$ for given in 'few --block 65' 'few --block 32,3' 'few --block 64' 'exact --block 64' 'exact --block 32,2' 'exact' 'shares --block 32 --shared 183297' 'shares --block 32 --shared 183296' 'pairs --block 32 --grid 3' 'pairs --block 32 --grid 4' 'few --block 32 --grid 6 --cluster 4' 'few --block 32 --grid 17 --cluster 17' 'few --block 32 --grid 65536,65536' 'few --block 1,1,65' 'calls --block 32' 'big --block 32' 'few' 'none --block 32' 'few --block 32 --arg i32=1'; do echo "$given:"; warplens kernel k.ptx --no-sass -q --no-save -k $given 2>&1 | head -n 1; done
few --block 65:
warplens: error: block has 65 threads; the kernel was compiled for at most 64 (.maxntid)
few --block 32,3:
warplens: error: block has 96 threads; the kernel was compiled for at most 64 (.maxntid)
few --block 64:
exact --block 64:
warplens: error: block is 64,1,1; the kernel requires 32,2,1 (.reqntid)
exact --block 32,2:
exact:
shares --block 32 --shared 183297:
warplens: error: the block needs 232449 bytes of shared memory (49152 static, 183297 dynamic); NVIDIA H100 SXM5 80GB has at most 232448 for a block
shares --block 32 --shared 183296:
pairs --block 32 --grid 3:
warplens: error: grid is 3,1,1; each must be a multiple of the cluster's 2,1,1
pairs --block 32 --grid 4:
few --block 32 --grid 6 --cluster 4:
warplens: error: grid is 6,1,1; each must be a multiple of the cluster's 4,1,1
few --block 32 --grid 17 --cluster 17:
warplens: error: clusters of 17,1,1 blocks; a cluster has at most 16
few --block 32 --grid 65536,65536:
warplens: error: grid is 65536,65536,1; each must be at least 1 and at most 2147483647,65535,65535
few --block 1,1,65:
warplens: error: block is 1,1,65; each must be at least 1 and at most 1024,1024,64
calls --block 32:
k.ptx:6:50: error: 'nowhere' has no body in this module, and it is no function of the CUDA runtime that warplens provides
big --block 32:
few:
warplens: error: --block is missing: the threads of a block, as in --block 32,8
none --block 32:
warplens: error: no kernel's name has or matches 'none'; the kernels are
few --block 32 --arg i32=1:
warplens: error: 1 argument for a kernel of 0 parameters
$ for given in '--op ldmatrix.x4' '--op atom.add.f64' '--op cp.async.cg' '--global --op ldmatrix.x1' '--global --swizzle 1,0,1' '--global --bank-bytes 8' '--bank-bytes 8 --op cas' '--width 3' '--width 32' '--op cas --width 2' '--op ldmatrix.x4 --width 8' '--lanes 32' '--lanes 4-2' '--lanes 0x' '--if lane+' '--set k' '--set k=j+'; do echo "$given:"; warplens explain 'float a[64]' -a 'a[4 * lane % 64]' $given 2>&1 | sed -n 1,2p; done
--op ldmatrix.x4:
a[4 * lane % 64] in float a[64]
ldmatrix, rows of 16 bytes a lane, 32 lanes
--op atom.add.f64:
warplens: error: --op takes 8 bytes a lane, an element has 4 (--width and --at say which of them)
--op cp.async.cg:
a[4 * lane % 64] in float a[64]
cp.async.cg of 16 bytes a lane, 32 lanes
--global --op ldmatrix.x1:
warplens: error: of global memory there are loads, stores and atomics
--global --swizzle 1,0,1:
warplens: error: --swizzle and --bank-bytes are for shared memory
--global --bank-bytes 8:
warplens: error: --swizzle and --bank-bytes are for shared memory
--bank-bytes 8 --op cas:
warplens: error: --bank-bytes 8 is for loads and stores
--width 3:
warplens: error: a lane accesses 1, 2, 4, 8 or 16 bytes at once, and not 3: name a member (.x), or give --width (and --at, its place in the element)
--width 32:
warplens: error: a lane accesses 1, 2, 4, 8 or 16 bytes at once, and not 32: name a member (.x), or give --width (and --at, its place in the element)
--op cas --width 2:
warplens: error: --op takes 4 to 16 bytes a lane, and these are 2
--op ldmatrix.x4 --width 8:
warplens: error: --op takes 16 bytes a lane, and these are 8
--lanes 32:
warplens: error: --lanes takes lanes of 0 to 31, such as 0-15,24, or a mask such as 0xffff, not '32'
--lanes 4-2:
warplens: error: --lanes takes lanes of 0 to 31, such as 0-15,24, or a mask such as 0xffff, not '4-2'
--lanes 0x:
warplens: error: --lanes takes lanes of 0 to 31, such as 0-15,24, or a mask such as 0xffff, not '0x'
--if lane+:
--if:1:6: error: expected a number, a name or '(' at the end
  lane+
--set k:
--set:1:2: error: expected '=' at the end
  k
--set k=j+:
--set:1:5: error: expected a number, a name or '(' at the end
  k=j+
$ warplens kernel $SAMPLES/bank_offset/bank_offset.ptx -k bankOffset --grid 1 --block 32 --arg 'u32[32]' --arg u32=32 --arg u32=4 --no-sass -q -o p.wlp; for given in '--launch 1' '--pattern 99' '--line 4' '--line no.cu:4' '--kernel other' '--line 24 --pattern 0'; do echo "$given:"; warplens explain p.wlp $given 2>&1 | sed -n 1,2p; done
--launch 1:
warplens: error: there is no launch 1: the profile has 1, counted from 0
--pattern 99:
warplens: error: there is no pattern 99: 3 were recorded
--line 4:
warplens: error: no access to shared or global memory was recorded for what is asked (`warplens report` has the lines)
--line no.cu:4:
warplens: error: no access to shared or global memory was recorded for what is asked (`warplens report` has the lines)
--kernel other:
warplens: error: no access to shared or global memory was recorded for what is asked
--line 24 --pattern 0:
bank_offset.cu:24: ld.shared.u32 %r43, [%r42]
a load of 4 bytes a lane, 32 lanes
