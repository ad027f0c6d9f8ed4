# The socket for records is in a folder of its own below $TMPDIR, or /tmp where that is too long for an address or not there; gone afterwards.
# A run that was killed cannot remove its folder: the next one does, and leaves alone the folder of one that goes on, and those of others.
# Under QEMU a process is told a start that is a little later than what others see of it: the folder stays. What is much later was somebody else's.
$ mkdir there; TMPDIR=$PWD/there warplens run -q -o a.wlp sh -c 'ls there | cut -c 1-9; children'; ls there | wc -l
warplens-
children: fine
0
$ long=$PWD/$(printf 'x%.0s' $(seq 100)); mkdir $long; TMPDIR=$long warplens run -q -o a.wlp sh -c "ls $long; children"
children: fine
$ TMPDIR=/absent warplens run -q -o a.wlp children
children: fine
$ mkdir left; export TMPDIR=$PWD/left; mkdir left/warplens-master; warplens run -q -o k.wlp sh -c 'echo $$ >pid; exec lasting for-ever' >out 2>/dev/null & until [ -e begun ]; do sleep 0.02; done; warplens run -q -o a.wlp children; ls left | wc -l; kill -9 $!; wait $! 2>/dev/null; kill -9 $(cat pid); ls left | wc -l; warplens run -q -o a.wlp children; ls left
children: fine
2
2
children: fine
warplens-master
$ mkdir later; export TMPDIR=$PWD/later; for by in 100 100000; do mkdir later/warplens-$by; echo "$$ $(($(cut -d' ' -f22 /proc/$$/stat) + by)) $(cat /proc/sys/kernel/random/boot_id) $(readlink /proc/self/ns/pid)" >later/warplens-$by/owner; done; warplens run -q -o a.wlp children; ls later
children: fine
warplens-100
