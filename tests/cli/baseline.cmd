# Baselines inside a profile: added, listed, compared with, removed; which of a file and a name wins; what cannot be used.
$ run() { warplens kernel "$@" --grid 4,4 --block 32,8 --arg 'f32[16384]=random:1' --arg 'f32[16384]' --arg i32=128 -q --no-sass; }; run $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<0>' -o conflict.wlp && run $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<1>' -o padded.wlp
$ warplens baseline conflict.wlp
conflict.wlp has no baselines
$ warplens baseline conflict.wlp --add main padded.wlp && warplens baseline conflict.wlp --add 'as it was'
$ warplens baseline conflict.wlp
baseline  launches kernels   wavefronts
as it was        1       1        16896
main             1       1         1024
$ warplens diff conflict.wlp --baseline main --width 0 | sed 1,3d | head -4
launch                                                                                                          N-way     shared wavefronts     - global sectors -
was is  kernel                                                                                                  was   is    was     is  change    was    is change
--- --  ------------------------------------------------------------------------------------------------------  --- ----  ----- ------ -------  ----- ----- ------
0   0   void transposeTiled<1>(float const*, float*, int) -> void transposeTiled<0>(float const*, float*, int)  1.0 16.5  1,024 16,896 +1550 %  4,096 4,096      =
$ warplens diff conflict.wlp --baseline 'as it was' | tail -1
No counter has changed.
$ warplens check conflict.wlp --baseline main --deny regression
samples/transpose/transpose.cu:34: regression: 16,384 wavefronts where 512 would do (32.0-way), 1.0 in the baseline, in transposeTiled<0>
    ld.shared.f32 %f5, [%r20]
    lanes use 4 bytes each, 128 bytes apart in tile
1 line is beyond its limits
? 1
$ warplens check conflict.wlp --baseline 'as it was' --deny regression,new-conflict
all lines of 1 launch are within their limits
$ cp conflict.wlp main; warplens check conflict.wlp --baseline main --deny regression; rm main; mkdir main; warplens check conflict.wlp --baseline main --deny regression | tail -1
all lines of 1 launch are within their limits
1 line is beyond its limits
$ warplens check conflict.wlp --baseline release --deny regression
warplens: error: conflict.wlp: has no baseline 'release'; it has 'as it was', 'main'
warplens: note: 'release' is no file either
? 3
$ warplens diff padded.wlp --baseline release
warplens: error: padded.wlp: has no baseline 'release'; it has none
warplens: note: 'release' is no file either
? 3
$ warplens diff padded.wlp conflict.wlp --baseline main
warplens diff: two profiles: the one before (or --baseline) and the one after
Try `warplens diff --help' or `warplens diff --usage' for more information.
? 3
$ warplens baseline conflict.wlp --add main padded.wlp
warplens: error: conflict.wlp: has a baseline 'main' already
? 3
$ warplens baseline conflict.wlp --add '' padded.wlp
warplens: error: conflict.wlp: a baseline's name is not empty and has no control characters
? 3
$ warplens baseline conflict.wlp --add new none.wlp
warplens: error: none.wlp: cannot be read: No such file or directory
? 3
$ warplens baseline none.wlp --add new conflict.wlp
warplens: error: none.wlp: cannot be read: No such file or directory
? 3
$ warplens baseline conflict.wlp padded.wlp
warplens baseline: a second profile needs --add
Try `warplens baseline --help' or `warplens baseline --usage' for more
information.
? 3
$ warplens baseline conflict.wlp --add a --remove b
warplens baseline: --add or --remove, one at a time
Try `warplens baseline --help' or `warplens baseline --usage' for more
information.
? 3
$ warplens baseline conflict.wlp --remove release
warplens: error: conflict.wlp: has no baseline 'release'; it has 'as it was', 'main'
? 3
$ warplens baseline padded.wlp --add nested conflict.wlp && warplens baseline padded.wlp
baseline launches kernels   wavefronts
nested          1       1        16896
$ warplens baseline conflict.wlp --remove main && warplens baseline conflict.wlp
baseline  launches kernels   wavefronts
as it was        1       1        16896
$ warplens baseline
warplens baseline: which profile?
Try `warplens baseline --help' or `warplens baseline --usage' for more
information.
? 3
$ warplens baseline conflict.wlp --add main padded.wlp && warplens diff conflict.wlp --baseline main --format html -o d.html && head -c 15 d.html && warplens diff conflict.wlp --baseline main --format json | grep -c '"kernel"'
<!DOCTYPE html>1
