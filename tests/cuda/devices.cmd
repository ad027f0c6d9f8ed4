# Several devices: memories, variables, peers; the summary says where a launch ran.
$ warplens run --no-save --devices 2 devices
devices: fine

Summary: 4 of 4 launches
                              global sectors
# kernel  grid block GPU      /req ideal excess  find insts
- ------  ---- ----- -------  ---- ----- ------  ---- -----
0 fill    1    32    h100      4.0   4.0    0 %     -   320
1 fill    1    32    h100      4.0   4.0    0 %     -   320
2 fill    1    32    h100 #1   4.0   4.0    0 %     -   320
3 fill    1    32    h100      4.0   4.0    0 %     -   320
  excess: share of what was counted beyond its ideal. /req: 32-byte sectors per request. find:
  findings. insts: PTX instructions, by threads.
  Some kernels have no line information: build them with nvcc -lineinfo to see the lines of their
  source.
$ warplens run -q --no-save --devices 2 devices wild; echo $?
warplens: fault: write of 4 bytes in memory of device 1 by a kernel on device 0, which has no access to it (cudaDeviceEnablePeerAccess)
  kernel  fill
  at      devices:48: st.global.u32 [%rd3], %r1
  block   (0,0,0), thread (0,0,0)
  address 0x200000002000
  in      device memory 2 (4096 bytes) at byte 0
warplens: 1 fault
2
$ for visible in 1 1,0 0,7,1 0,0 none ""; do CUDA_VISIBLE_DEVICES=$visible warplens run -q --no-save --devices 2 devices "'$visible'" count; done
'1': 0, 1 devices 0000:02:00.0
'1,0': 0, 2 devices 0000:02:00.0
'0,7,1': 0, 1 devices 0000:01:00.0
'0,0': 101, 0 devices 
'none': 100, 0 devices 
'': 100, 0 devices 
$ warplens run --devices 0 devices; warplens run --devices 65 devices
warplens: error: --devices 0: expected a number from 1 to 16
warplens: error: --devices 65: expected a number from 1 to 16
? 3
