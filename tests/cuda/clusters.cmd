# Clusters: ranks, distributed shared memory, the barrier; what is counted; faults.
$ warplens run -q -o c.wlp clusters; warplens report c.wlp --page raw | cut -f 2,7-21 | head -12
clusters: fine
kernel	access	text	requests	lanes	bytes	wavefronts	wavefronts_ideal	conflicts	sectors	sectors_ideal	tag_requests	local_sectors	bytes_used	constants	remote
ring	shared store 4 B	st.shared.u32 [%r9], %r6	8	256	1024	8	8	0	0	0	0	0	0	0	0
ring	shared store 4 B	st.shared.u32 [count], 0	8	8	32	8	8	0	0	0	0	0	0	0	0
ring	shared load 4 B	ld.shared::cluster.u32 %r14, [%r13]	8	256	1024	8	8	0	0	0	0	0	0	0	0
ring	generic atomic 4 B	atom.add.u32 %r16, [%rd5], 1	8	8	32	8	8	0	0	0	0	0	0	0	0
ring	global store 4 B	st.global.u32 [%rd6], %r14	8	256	1024	0	0	0	32	32	8	0	1024	0	0
ring	shared load 4 B	ld.shared.u32 %r18, [count]	8	8	32	8	8	0	0	0	0	0	0	0	0
ring	global store 16 B	st.global.v4.u32 [%rd7], {%r18, %r10, %r19, %r20}	8	8	128	0	0	0	8	8	8	0	128	0	0
ring	global store 16 B	st.global.v4.u32 [%rd7+16], {%r21, %r22, %r23, %r25}	8	8	128	0	0	0	8	8	8	0	128	0	0
ring	shared store 4 B	st.shared.u32 [%r9], %r6	8	256	1024	8	8	0	0	0	0	0	0	0	0
ring	shared store 4 B	st.shared.u32 [count], 0	8	8	32	8	8	0	0	0	0	0	0	0	0
ring	shared load 4 B	ld.shared::cluster.u32 %r14, [%r13]	8	256	1024	0	0	0	0	0	0	0	0	0	8
$ warplens run -q -o f.wlp clusters early 2>said; grep -v "^ " said
CUDA_ERROR_ILLEGAL_ADDRESS
warplens: fault: write of 4 bytes in the shared memory of the cluster's block 1, which has ended
warplens: 1 fault
$ warplens run -q -o f.wlp clusters alone 2>said; grep -v "^ " said
CUDA_ERROR_LAUNCH_FAILED
warplens: fault: deadlock: 32 of the block's 32 live threads wait at barrier 1 for threads that never arrive
warplens: 1 fault
