# The gate: limits, a baseline, a limits file, formats; what cannot be used.
$ run() { warplens kernel "$@" --grid 4,4 --block 32,8 --arg 'f32[16384]=random:1' --arg 'f32[16384]' --arg i32=128 -q --no-sass; }; run $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<0>' -o conflict.wlp && run $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<1>' -o padded.wlp && run $SAMPLES/transpose/transpose.ptx -k transposeNaive -o naive.wlp
$ warplens check padded.wlp --max-nway 1 --max-sector-ratio 1
all lines of 1 launch are within their limits
$ warplens check conflict.wlp --max-nway 2 --root $SAMPLES/..
samples/transpose/transpose.cu:34: max-nway: 16,384 wavefronts where 512 would do (32.0-way), limit 2, in transposeTiled<0>
    ld.shared.f32 %f5, [%r20]
    lanes use 4 bytes each, 128 bytes apart in tile
1 line is beyond its limits
? 1
$ warplens check naive.wlp --max-nway 2 --max-sector-ratio 4
samples/transpose/transpose.cu:19: max-sector-ratio: 16,384 sectors where 2,048 would do (8.0 times as many), limit 4, in transposeNaive
    st.global.f32 [%rd14], %f1
    lanes use 4 bytes each, 512 bytes apart in argument 1
1 line is beyond its limits
? 1
$ warplens check naive.wlp --deny uncoalesced --format github
::error file=samples/transpose/transpose.cu,line=19,title=Uncoalesced access::16,384 sectors where 2,048 would do (8.0 times as many), in transposeNaive. In a warp, lanes use 4 bytes each, 512 bytes apart in argument 1.
? 1
$ warplens check conflict.wlp --baseline padded.wlp --deny new-conflict
samples/transpose/transpose.cu:34: new-conflict: 16,384 wavefronts where 512 would do (32.0-way), 1.0 in the baseline, in transposeTiled<0>
    ld.shared.f32 %f5, [%r20]
    lanes use 4 bytes each, 128 bytes apart in tile
1 line is beyond its limits
? 1
$ warplens check conflict.wlp --baseline conflict.wlp --deny regression,new-conflict
all lines of 1 launch are within their limits
$ echo 'transpose* max-nway none  # for now' >limits; warplens check conflict.wlp --max-nway 2 --limits limits
all lines of 1 launch are within their limits
$ printf '* max-nway 2\n"a b" max-way 3\nalone\n* max-nway 0.5\n' >limits; warplens check conflict.wlp --limits limits
limits:2:7: error: expected max-nway or max-sector-ratio
  "a b" max-way 3
        ^~~~~~~
limits:3:6: error: expected max-nway or max-sector-ratio behind the pattern
  alone
       ^
limits:4:12: error: expected a number of at least 1, or none
  * max-nway 0.5
             ^~~
? 3
$ warplens check conflict.wlp --limits none.such
warplens: error: none.such: cannot be read: No such file or directory
? 3
$ warplens check padded.wlp
all lines of 1 launch are within their limits
$ warplens check conflict.wlp
samples/transpose/transpose.cu:34: max-nway: 16,384 wavefronts where 512 would do (32.0-way), limit 1.1, in transposeTiled<0>
    ld.shared.f32 %f5, [%r20]
    lanes use 4 bytes each, 128 bytes apart in tile
1 line is beyond its limits
? 1
$ warplens check naive.wlp
samples/transpose/transpose.cu:19: max-sector-ratio: 16,384 sectors where 2,048 would do (8.0 times as many), limit 1.5, in transposeNaive
    st.global.f32 [%rd14], %f1
    lanes use 4 bytes each, 512 bytes apart in argument 1
1 line is beyond its limits
? 1
$ warplens check conflict.wlp --max-nway none
all lines of 1 launch are within their limits
$ warplens check conflict.wlp --baseline padded.wlp
samples/transpose/transpose.cu:34: new-conflict: 16,384 wavefronts where 512 would do (32.0-way), 1.0 in the baseline, in transposeTiled<0>
    ld.shared.f32 %f5, [%r20]
    lanes use 4 bytes each, 128 bytes apart in tile
1 line is beyond its limits
? 1
$ warplens check naive.wlp --baseline naive.wlp
all lines of 1 launch are within their limits
$ warplens check conflict.wlp --deny regression
warplens check: regression, new-conflict and new-uncoalesced need --baseline
Try `warplens check --help' or `warplens check --usage' for more information.
? 3
$ warplens check conflict.wlp --deny ugliness
warplens check: cannot deny 'ugliness': conflict, uncoalesced, new-conflict, new-uncoalesced, regression
Try `warplens check --help' or `warplens check --usage' for more information.
? 3
$ warplens check conflict.wlp --max-nway 0.5
warplens check: '0.5' is no limit: a number of at least 1, or none
Try `warplens check --help' or `warplens check --usage' for more information.
? 3
$ warplens check conflict.wlp --max-nway 2 --sarif no/such/folder/x
warplens: error: no/such/folder/x: cannot be written: No such file or directory
? 3
