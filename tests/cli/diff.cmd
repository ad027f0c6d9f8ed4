# Two profiles compared: a kernel and its better form, a source edited in between, launches that are new or gone.
$ run() { warplens kernel "$@" --grid 4,4 --block 32,8 --arg 'f32[16384]=random:1' --arg 'f32[16384]' --arg i32=128 -q --no-sass; }; run $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<0>' -o before.wlp && run $SAMPLES/transpose/transpose.ptx -k 'transposeTiled<1>' -o after.wlp && run $SAMPLES/transpose/transpose.ptx -k transposeNaive -o naive.wlp
$ warplens diff before.wlp after.wlp --width 0 | sed 1,3d
launch                                                                                                          N-way     shared wavefronts    - global sectors -
was is  kernel                                                                                                   was  is     was    is change    was    is change
--- --  ------------------------------------------------------------------------------------------------------  ---- ---  ------ ----- ------  ----- ----- ------
0   0   void transposeTiled<0>(float const*, float*, int) -> void transposeTiled<1>(float const*, float*, int)  16.5 1.0  16,896 1,024  -94 %  4,096 4,096      =

void transposeTiled<0>(float const*, float*, int) -> void transposeTiled<1>(float const*, float*, int)
  counter               was       is  change
  ----------------  -------  -------  ------
  requests            2,048    2,048       =
  lanes              65,536   65,536       =
  bytes             262,144  262,144       =
  wavefronts         16,896    1,024   -94 %
  wavefronts_ideal    1,024    1,024       =
  conflicts          15,872        0  -100 %
  sectors             4,096    4,096       =
  sectors_ideal       4,096    4,096       =
  tag_requests        1,024    1,024       =
  bytes_used        131,072  131,072       =

  N-way                                    line
   was  is  wavefronts  sectors  requests  was is source
  ---- ---  ----------  -------  --------  --- -- ------
  32.0 1.0     -15,872        =         =   34 34
$ warplens diff before.wlp before.wlp | tail -2

No counter has changed.
$ warplens diff before.wlp naive.wlp --width 0 | sed 1,3d | head -6
launch                                                     N-way    shared wavefronts  - global sectors --
was is  kernel                                              was is     was is change    was     is change
--- --  -------------------------------------------------  ---- --  ------ -- ------  ----- ------ ------
-   0   transposeNaive(float const*, float*, int)                                         0 18,432    new
0   -   void transposeTiled<0>(float const*, float*, int)  16.5  -  16,896  0 -100 %  4,096      0 -100 %

$ warplens diff before.wlp after.wlp --format html -o diff.html && head -c 15 diff.html
<!DOCTYPE html>
$ warplens diff before.wlp after.wlp --kernel scan
warplens: error: no launch of a kernel whose name matches "scan"
? 3
$ warplens diff before.wlp
warplens diff: two profiles: the one before (or --baseline) and the one after
Try `warplens diff --help' or `warplens diff --usage' for more information.
? 3
$ warplens diff before.wlp nothing.wlp
warplens: error: nothing.wlp: cannot be read: No such file or directory
? 3
$ warplens diff before.wlp after.wlp --format pdf
warplens diff: there is no format 'pdf': term, html, json, svg
Try `warplens diff --help' or `warplens diff --usage' for more information.
? 3
