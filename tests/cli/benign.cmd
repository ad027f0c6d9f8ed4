# races in which both write what is there: kept apart, told of where they are asked for
$ warplens kernel $TESTS/sanitize/races_kept.ptx -k same --grid 2 --block 32 --arg 'i32[32]' --arg i32=0 --sanitize races --no-sass -q -o a.wlp
$ warplens report a.wlp --format json | tr ',' '\n' | grep -E '"(benign|kind)": .*(true|race)'
? 1
$ warplens kernel $TESTS/sanitize/races_kept.ptx -k same --grid 2 --block 32 --arg 'i32[32]' --arg i32=0 --sanitize races=benign --no-sass -q -o b.wlp
$ warplens report b.wlp --format json | tr ',' '\n' | grep -E '"(benign|kind)": .*(true|race)'
   "kind": "write-write-race"
   "benign": true
$ warplens kernel $TESTS/sanitize/races_kept.ptx -k same --grid 2 --block 32 --arg 'i32[32]' --arg i32=0 --sanitize races=benign,stop --no-sass -q --no-save
