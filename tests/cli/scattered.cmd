# More patterns than are kept: which those are depends on no order, worker or engine, and what is shown by them says what is not among them. All are kept where all were asked for.
$ try() { warplens kernel $TESTS/cli/scattered.ptx -k scatter --grid 16 --block 64 --arg 'u32[1048576]=random:1' --arg 'u32[1024]' --arg u32=1048576 --arg u32=1200 --engine $1 --threads $2 $4 -q --no-sass -o $3.wlp; }; try interp 1 one; try interp 2 two; try interp 3 three; try auto 2 auto; try interp 2 counted --counts-only; try interp 2 all '--evidence all'
$ python3 -B $TESTS/cli/same_rows.py pattern,count,allocation one.wlp two.wlp three.wlp auto.wlp counted.wlp
pattern: 2052 rows, the same in all
count: 3 rows, the same in all
allocation: 2 rows, the same in all
$ python3 -B $TESTS/cli/same_rows.py pattern all.wlp
pattern: 76804 rows, the same in all
$ warplens explain one.wlp | grep "recorded executions"
  pattern 1 of 2049: 1 of 2,080 recorded executions; --pattern N shows others
  74,752 recorded executions in the launch are of patterns that are not kept
$ warplens explain all.wlp | grep "recorded executions"
  pattern 1 of 76801: 1 of 76,832 recorded executions; --pattern N shows others
$ warplens fix one.wlp | head -5
scatter
without 74,752 of the recorded accesses, whose patterns are not kept

words: 4,096 elements (16,384 bytes)
    layout                                             wavefronts    N-way        bytes  blocks/SM
