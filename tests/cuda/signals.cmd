# A signal that ends the program while a kernel runs: the launch is kept, and how much of it ran is said. Between launches it ends the program as if nobody caught it. A signal that nobody can catch ends warplens alone; the program does not stay behind, whether a kernel runs or none.
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
$ try() { rm -f begun out; warplens run -q -o p.wlp lasting $1 >out 2>err & until [ -e begun ] && { [ "$2" = - ] || grep -qs resting out; }; do sleep 0.02; done; read program </proc/$!/task/$!/children; program=${program%% *}; kill -s KILL $!; wait $! 2>err; echo "status $?"; for i in $(seq 500); do [ -e /proc/$program/exe ] || break; sleep 0.02; done; if [ -e /proc/$program/exe ]; then echo "it goes on"; kill -s KILL $program; fi; }; try for-ever -; try "0 rests" rests
status 137
status 137
