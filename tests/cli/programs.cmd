# Profiles of public programs against the measured counters: exact, different, and another program's profile.
# needs: python3
$ run() { warplens kernel $TESTS/ground-truth/vectorAdd.ptx --grid $1 --block 256 --arg f32[50000]=1 --arg f32[50000]=2 --arg f32[50000] --arg i32=50000 --no-sass -q -o $2.wlp; }; run 196 vectorAdd; run 98 half; run 196 lud
$ $TESTS/ground-truth/programs.py warplens vectorAdd.wlp
vectorAdd 0 vectorAdd: exact
1 of 135 launches compared: 1 exact, 0 within 1 %, 0 differs
$ mkdir half; mv half.wlp half/vectorAdd.wlp; $TESTS/ground-truth/programs.py warplens half | head -2
vectorAdd 0 vectorAdd: differs: global_sectors 9,408 against 18,750, global_sectors_ideal 9,408 against 18,750, l1_tag_requests 2,352 against 4,689, global_ld_inst 1,568 against 3,126, global_st_inst 784 against 1,563: not explained
1 of 135 launches compared: 0 exact, 0 within 1 %, 1 differs
$ $TESTS/ground-truth/programs.py warplens lud.wlp | head -2
lud 0 lud_diagonal: another launch: the profile has vectorAdd
lud 1 lud_perimeter: another launch: warplens: error: there is no launch 1: the profile has 1, counted from 0
$ mv lud.wlp other.wlp; $TESTS/ground-truth/programs.py warplens other.wlp
other.wlp: the table has no program of this name
? 1
