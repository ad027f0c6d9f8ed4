# The socket for records is in a folder of its own below $TMPDIR, or /tmp where that is too long for an address or not there; gone afterwards.
$ mkdir there; TMPDIR=$PWD/there warplens run -q -o a.wlp sh -c 'ls there | cut -c 1-9; children'; ls there | wc -l
warplens-
children: fine
0
$ long=$PWD/$(printf 'x%.0s' $(seq 100)); mkdir $long; TMPDIR=$long warplens run -q -o a.wlp sh -c "ls $long; children"
children: fine
$ TMPDIR=/absent warplens run -q -o a.wlp children
children: fine
