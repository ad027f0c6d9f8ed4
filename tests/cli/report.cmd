# A saved profile shown again: pages, sorting, raw values, an output file; what cannot be shown.
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 4,4 --block 32,8 --arg 'f32[16384]=random:1' --arg 'f32[16384]' --arg i32=128 -q --no-sass -o t.wlp
$ warplens report t.wlp --page summary --width 0
warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 4,4 --block 32,8 --arg 'f32[16384]=random:1' --arg 'f32[16384]' --arg i32=128 -q --no-sass -o t.wlp

Summary: 1 of 1 launch, GPU h100
                                                         global sectors
# kernel                                     grid block  /req ideal excess  find  insts
- -----------------------------------------  ---- -----  ---- ----- ------  ---- ------
0 transposeNaive(float const*, float*, int)  4x4  32x8   18.0   4.0   78 %     1 147.5k
  excess: share of what was counted beyond its ideal. /req: 32-byte sectors per request. find: findings. insts: PTX instructions, by threads.
$ warplens report t.wlp --page source --sort excess_sectors

Source of launch 0: transposeNaive

Lines by excess_sectors
      ---- sectors -----
reqs   count /req excess  access                        line source
----  ------ ---- ------  ---------------- - --------------- ------
 512  16,384 32.0 14,336  global store 4 B > transpose.cu:19
 512   2,048  4.0      0  global load 4 B    transpose.cu:18
  > marks lines with a tenth or more of the launch's excess.
$ warplens report t.wlp --page raw | cut -f 1,3-5,7,9,15-16
launch	site	ptx_line	file	access	requests	sectors	sectors_ideal
0	0	55	samples/transpose/transpose.cu	global load 4 B	128	512	512
0	1	59	samples/transpose/transpose.cu	global store 4 B	128	4096	512
0	2	63	samples/transpose/transpose.cu	global load 4 B	128	512	512
0	3	65	samples/transpose/transpose.cu	global store 4 B	128	4096	512
0	4	68	samples/transpose/transpose.cu	global load 4 B	128	512	512
0	5	70	samples/transpose/transpose.cu	global store 4 B	128	4096	512
0	6	73	samples/transpose/transpose.cu	global load 4 B	128	512	512
0	7	75	samples/transpose/transpose.cu	global store 4 B	128	4096	512
$ warplens report t.wlp --format tsv --lines | cut -f 3-5,11-12
file	line	requests	sectors	sectors_ideal
samples/transpose/transpose.cu	18	512	2048	2048
samples/transpose/transpose.cu	19	512	16384	2048
$ warplens report t.wlp --page summary --color always -o page.txt && head -c 200 page.txt | grep -c "$(printf '\033')"
2
$ warplens report nothing.wlp
warplens: error: nothing.wlp: cannot be read: No such file or directory
? 3
$ echo text >text.wlp; warplens report text.wlp
warplens: error: text.wlp: not a warplens profile
? 3
$ head -c 8192 t.wlp >half.wlp; warplens report half.wlp
warplens: error: half.wlp: the profile is damaged or cut short
? 3
$ warplens report t.wlp --launch 1
warplens: error: there is no launch 1: the profile has 1, counted from 0
? 3
$ warplens report t.wlp --format json | grep -E '"(command|program)":'
 "command": "warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 4,4 --block 32,8 --arg 'f32[16384]=random:1' --arg 'f32[16384]' --arg i32=128 -q --no-sass -o t.wlp",
  "program": "transpose.ptx",
$ warplens report t.wlp --kernel scan
warplens: error: no launch of a kernel whose name matches "scan"; kernels:
warplens: note: transposeNaive(float const*, float*, int)
? 3
$ warplens report t.wlp --sort beauty
warplens: error: cannot sort by "beauty"; there are: worst, excess_wavefronts, excess_sectors, n_way, sectors_per_request, time, saves, requests, lanes, bytes, wavefronts, wavefronts_ideal, conflicts, sectors, sectors_ideal, tag_requests, local_sectors, bytes_used, constants, remote, remote_sectors, remote_wavefronts, unmodelled, global_moved, shared_moved, copy_sectors, matrix_wavefronts, matrices_plain, matrices_swizzle32, matrices_swizzle64, matrices_swizzle128
? 3
$ warplens report t.wlp --page index
warplens report: --page index: expected summary, details, source, raw, all (but raw) or none
Try `warplens report --help' or `warplens report --usage' for more
information.
? 3
$ warplens report
warplens report: which profile?
Try `warplens report --help' or `warplens report --usage' for more
information.
? 3
$ warplens report t.wlp -o no/such/folder/x
warplens: error: no/such/folder/x: cannot be written: No such file or directory
? 3
