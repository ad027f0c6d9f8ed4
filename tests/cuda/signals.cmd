# A signal that ends the program while a kernel runs: the launch is kept, and how much of it ran is said. Between launches it ends the program as if nobody caught it.
$ try() { rm -f begun p.wlp; warplens run -q -o p.wlp lasting for-ever >out 2>err & until [ -e begun ]; do sleep 0.02; done; kill -s $1 $!; kill -s $1 $!; wait $!; echo "status $?"; cat err; warplens report p.wlp --page summary | grep "^Summary"; }; try TERM; try HUP
status 143
warplens: interrupted: launch 1, waits: 0 of 1 blocks ran
Summary: 2 of 2 launches, GPU h100
status 129
warplens: interrupted: launch 1, waits: 0 of 1 blocks ran
Summary: 2 of 2 launches, GPU h100
$ try() { rm -f out p.wlp; warplens run -q -o p.wlp lasting 0 rests >out 2>err & until grep -qs resting out; do sleep 0.02; done; kill -s $1 $!; kill -s $1 $!; wait $!; echo "status $?"; cat err; warplens report p.wlp --page summary | grep "^Summary"; }; try TERM; try HUP
status 143
Summary: 2 of 2 launches, GPU h100
status 129
Summary: 2 of 2 launches, GPU h100
