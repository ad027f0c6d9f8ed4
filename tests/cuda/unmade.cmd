# --counts-only of a program: some blocks stand for all, and what reads values that were not computed faults.
$ for what in none copy variable part filled copied released chain decides aside host; do warplens run --counts-only scale --no-sass -q -o u.wlp unmade $what >out 2>err; echo "status $?"; cat out err; done
status 0
none: then 0
status 2
copy: error 700, last 0
copy: then 700
warplens: fault: a copy reads at 0x200000006000 what scale was to compute (its launch 1), of which only the counts were wanted (--counts-only)
warplens: 1 fault
status 2
copy: error 700, last 0
variable: then 700
warplens: fault: a copy reads at 0x200000000000 what scale was to compute (its launch 1), of which only the counts were wanted (--counts-only)
warplens: 1 fault
status 2
copy: error 700, last 0
part: then 700
warplens: fault: a copy reads at 0x200000006000 what scale was to compute (its launch 1), of which only the counts were wanted (--counts-only)
warplens: 1 fault
status 0
copy: error 0, last 1
filled: then 0
status 0
copy: error 0, last 5
copied: then 0
status 0
copy: error 0, last 2
released: then 0
status 0
chain: then 0
status 2
decides: then 700
warplens: fault: scatter reads at 0x200000006000 what scale was to compute (its launch 1), of which only the counts were wanted (--counts-only)
warplens: 1 fault
status 0
copy: error 0, last 9
aside: then 0
status 0
host: last 15
warplens: counts only: all blocks of scale ran: it writes to memory that the host may read
$ warplens report u.wlp --page summary | grep scale; warplens run --counts-only scale --no-sass --page none -o some.wlp unmade aside >/dev/null 2>&1; warplens report some.wlp --page summary | grep blocks; warplens run --no-sass -q -o all.wlp unmade aside; warplens diff all.wlp some.wlp
warplens run --counts-only scale --no-sass -q -o u.wlp unmade host
0 scale   64   32      4.0   4.0    0 %     - 24,576
  0: 64 blocks by 1 that ran: counters are those of all blocks, exactly
copy: error 0, last 9
aside: then 0
was: warplens run --no-sass -q -o all.wlp unmade aside
is:  warplens run --counts-only scale --no-sass --page none -o some.wlp unmade aside

launch           global sectors
was is  kernel   was  is change
--- --  -------  --- --- ------
0   0   scale    512 512      =
1   1   scatter  320 320      =

No counter has changed.
$ warplens run --counts-only scale --no-profile unmade none; echo "status $?"
warplens: error: --counts-only: nothing is counted with --no-profile or --list
status 3
