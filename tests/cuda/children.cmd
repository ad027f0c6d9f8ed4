# Launches from the device: what the kernel is told, the limit of the context, rows of the profile, a fault.
$ warplens run -q -o c.wlp children; warplens report c.wlp --page summary
children: fine
warplens run -q -o c.wlp children

Summary: 4 of 4 launches, GPU h100
                      global sectors
# kernel  grid block  /req ideal excess  find insts
- ------  ---- -----  ---- ----- ------  ---- -----
0 parent  1    1       1.0   1.0    0 %     -    77
1 count   2    32      1.0   1.0    0 %     - 1,344
2 parent  1    1       1.0   1.0    0 %     -   131
3 count   2    32      1.0   1.0    0 %     - 2,240
  1: 3 launches from the device by launch 0, at depth 1
  3: 5 launches from the device by launch 2, at depth 1
  excess: share of what was counted beyond its ideal. /req: 32-byte sectors per request. find:
  findings. insts: PTX instructions, by threads.
$ warplens report c.wlp --launch 1 --page details | grep "blocks run\|Sums"
  blocks run          6 of 6                    shared memory     0 B static, 0 B dynamic
  Sums of 3 launches from the device by launch 0, at depth 1
$ warplens run -q --threads 1 -o f.wlp children wild
CUDA_ERROR_ILLEGAL_ADDRESS
warplens: fault: out-of-bounds write of 4 bytes in global memory
  kernel  count
  at      children.cu:5
  PTX     children:27: st.global.u32 [%rd3], %r1
  block   (0,0,0), thread (0,0,0)
  launched by parent at children.cu:9, block (0,0,0), thread (0,0,0); depth 1
  address 0x200000000040
  nearest device memory 1 (64 bytes): 0 bytes behind its end
warplens: 1 fault
? 2
$ warplens report f.wlp --format json | python3 -c "import json, sys; print([[l[k] for k in ('status', 'launches', 'depth', 'launched_by')] for l in json.load(sys.stdin)['launches']])"
[['done', 0, 0, None], ['fault', 1, 1, 0]]
