# A rule: a row of rules.def, and the function that says when it fires.
$ warplens kernel $TESTS/walks/rule.ptx -k eighth --grid 1 --block 32 --arg 'u32[32]' -q -o r.wlp && warplens report r.wlp --page details | grep -B1 'active lanes'
  1. Requests of few lanes (medium), 100 % of the launch's wavefronts and sectors
     1 requests have 4.0 active lanes of 32 on average.
