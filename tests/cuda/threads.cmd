# Several host threads.
$ warplens run -q -o t.wlp threads
threads: fine
$ warplens report t.wlp --page summary | head -3
warplens run -q -o t.wlp threads

Summary: 1,200 of 1,200 launches, GPU h100
