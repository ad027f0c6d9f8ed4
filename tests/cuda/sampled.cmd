# --sample of a program: every block runs once, counters are those of all blocks, and reports say so. What two
# counters within 1 % make of a ratio, check does not take for worse.
$ warplens run -q -o all.wlp sampled
sampled: fine
$ warplens run --no-sass -o some.wlp --sample auto sampled 2>&1 | grep -A1 " launches were"
  3 of 6 launches were counted in some of their blocks, which behave alike: counters are those of
  all blocks, within 1 %
$ warplens diff all.wlp some.wlp
was: warplens run -q -o all.wlp sampled
is:  warplens run --no-sass -o some.wlp --sample auto sampled

launch          -- global sectors --
was is  kernel     was     is change
--- --  ------  ------ ------ ------
0   0   alike   18,000 18,000      =
1   1   odd      4,032  4,032      =
2   2   alike   18,000 18,000      =
3   3   odd      4,032  4,032      =
4   4   alike   18,000 18,000      =
5   5   odd      4,032  4,032      =

No counter has changed.

Counted with --sample: counters are within 1 %, and so is what has changed.
$ warplens check some.wlp --baseline all.wlp --deny regression --deny new-uncoalesced
all lines of 6 launches are within their limits
$ warplens report some.wlp --page details --launch 0 | grep "blocks run"
  blocks run          1,000, 49 counted         shared memory     0 B static, 0 B dynamic
$ warplens report some.wlp --format json | grep -c '"sampled": {'
3
$ python3 -c "import sqlite3; d = sqlite3.connect('some.wlp'); d.execute('UPDATE count SET sectors = sectors * 1015 / 1000'); d.commit()"; warplens check some.wlp --baseline all.wlp --deny regression
sampled:39: regression: 2,046 sectors where 2,016 would do (1.0 times as many), 1.0 in the baseline, in odd, the worst of 3 launches
    red.global.add.u32 [%rd2], 1
    all lanes use the same 4 bytes in device memory 2
sampled:40: regression: 2,046 sectors where 2,016 would do (1.0 times as many), 1.0 in the baseline, in odd, the worst of 3 launches
    red.global.add.u64 [total], 1
    all lanes use the same 8 bytes in total
2 lines are beyond their limits
? 1
$ python3 -c "import sqlite3; d = sqlite3.connect('some.wlp'); d.execute('UPDATE count SET sectors = sectors * 1030 / 1015'); d.commit()"; warplens check some.wlp --baseline all.wlp --deny regression
sampled:17: regression: 8,240 sectors where 8,000 would do (1.0 times as many), 1.0 in the baseline, in alike, the worst of 3 launches
    ld.global.u32 %r4, [%rd4]
    lanes use 4 bytes each, 4 bytes apart in device memory 1
sampled:19: regression: 8,240 sectors where 8,000 would do (1.0 times as many), 1.0 in the baseline, in alike, the worst of 3 launches
    st.global.u32 [%rd4], %r4
    lanes use 4 bytes each, 4 bytes apart in device memory 1
sampled:18: regression: 2,060 sectors where 2,000 would do (1.0 times as many), 1.0 in the baseline, in alike, the worst of 3 launches
    atom.global.add.u32 %r5, [%rd2], %r4
    all lanes use the same 4 bytes in device memory 2
sampled:39: regression: 2,076 sectors where 2,016 would do (1.0 times as many), 1.0 in the baseline, in odd, the worst of 3 launches
    red.global.add.u32 [%rd2], 1
    all lanes use the same 4 bytes in device memory 2
sampled:40: regression: 2,076 sectors where 2,016 would do (1.0 times as many), 1.0 in the baseline, in odd, the worst of 3 launches
    red.global.add.u64 [total], 1
    all lanes use the same 8 bytes in total
5 lines are beyond their limits
? 1
$ warplens run -q -o more.wlp --sample 100 sampled; warplens report more.wlp --page details --launch 0 | grep "blocks run"
sampled: fine
  blocks run          1,000, 115 counted        shared memory     0 B static, 0 B dynamic
$ warplens run -q -o few.wlp --sample 300 sampled; warplens report few.wlp --page details --launch 0 | grep "blocks run"
sampled: fine
  blocks run          1,000 of 1,000            shared memory     0 B static, 0 B dynamic
$ warplens run --sample some sampled
warplens: error: --sample some: expected auto or a number of blocks
? 3
