# A counter: a row of counters.def, and where account/ adds to it.
$ warplens kernel $TESTS/walks/rule.ptx -k eighth --grid 2 --block 64 --arg 'u32[64]' -o p.wlp -q && warplens report p.wlp --page raw
launch	kernel	site	ptx_line	file	line	access	text	requests	partial	lanes	bytes	wavefronts	wavefronts_ideal	conflicts	sectors	sectors_ideal	tag_requests	local_sectors	bytes_used	constants	remote	remote_sectors	remote_wavefronts	unmodelled	global_moved	shared_moved	copy_sectors	matrix_wavefronts	matrices_plain	matrices_swizzle32	matrices_swizzle64	matrices_swizzle128
0	eighth	0	18	$TESTS/walks/rule.ptx	18	global store 4 B	st.global.u32 [%rd1], %r1	4	4	16	64	0	0	0	16	4	4	0	64	0	0	0	0	0	0	0	0	0	0	0	0	0
