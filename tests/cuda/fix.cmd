# warplens fix -- PROGRAM: layouts proven by a second run; results that vary by themselves; what cannot be run.
$ warplens fix -- tiles $SAMPLES/transpose/transpose.ptx
warplens: error: tiles: No such file or directory
? 3
$ warplens fix -k 'Tiled<1>' -- tiles $SAMPLES/transpose/transpose.ptx
warplens: error: tiles: No such file or directory
? 3
$ warplens fix -k Tiled --patch=v.patch -- tiles $SAMPLES/transpose/transpose.ptx varying | tail -4
warplens: error: tiles: No such file or directory
$ warplens run -q -o t.wlp tiles $SAMPLES/transpose/transpose.ptx | head -1
warplens: error: tiles: No such file or directory
$ warplens fix t.wlp -l 3
warplens: error: t.wlp: cannot be read: No such file or directory
? 3
$ warplens fix t.wlp -l 4
warplens: error: t.wlp: cannot be read: No such file or directory
? 3
$ warplens fix -- no-such-program
warplens: error: no-such-program: No such file or directory
? 3
$ WARPLENS_LAYOUTS='_Z14transposeTiledILi0EEvPKfPfi nothing swizzled:5,2,5' warplens run --report none -q tiles $SAMPLES/transpose/transpose.ptx 2>&1 | grep warplens
warplens: error: tiles: No such file or directory
