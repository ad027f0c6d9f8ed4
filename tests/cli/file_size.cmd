# A limit of file size: a message, and the file that was there; nothing half written. (Not of outputs.cmd: such a limit cuts counters of coverage off.)
$ warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]=iota' --arg 'f32[1024]' --arg i32=32 --no-sass -q -o t.wlp; echo before >page.html; (ulimit -f 4; warplens report t.wlp --format html -o page.html); cat page.html; ls page*
warplens: error: page.html: cannot be written: File too large
before
page.html
