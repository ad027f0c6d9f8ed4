# The memory model on tables: every measured row exact; a wrong figure is shown; malformed tables are named.
$ warplens model $TESTS/ground-truth/h100/local-sectors.csv
$TESTS/ground-truth/h100/local-sectors.csv: 104/104
exact: 104/104
$ head -3 $TESTS/ground-truth/h100/local-sectors.csv | sed '3s/,[0-9]*/,99/' >wrong.csv; warplens model wrong.csv
wrong.csv:3: ld.local.b32: sectors computed 32, measured 99
wrong.csv: 1/2
exact: 1/2
? 1
$ (echo '# of a GPU, measured'; head -3 $TESTS/ground-truth/h100/local-sectors.csv) >told.csv; warplens model told.csv
told.csv: 2/2
exact: 2/2
$ echo 'a,b' >other.csv; warplens model other.csv
other.csv:1:1: warning: not a table of lane addresses (no column `instruction`): skipped; tables by kernel or source line are compared with a profile, not with the model
warplens: error: no table of lane addresses among the files
? 3
$ warplens model missing.csv
warplens: error: cannot read missing.csv: No such file or directory
? 3
