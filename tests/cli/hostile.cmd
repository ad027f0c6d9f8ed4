# Input that was made to do harm: sources that are none, escapes for the terminal, a profile that runs code; and output that has no place.
$ mkfifo pipe; truncate -s 65M large.cu; for source in /dev/zero pipe large.cu; do sed "s|SOURCE|$source|" $TESTS/cli/hostile.ptx >x.ptx; warplens kernel x.ptx --block 32 --arg 'u32[1024]' --no-sass -q -o x.wlp; done
warplens: note: the profile has no text of /dev/zero: not a regular file
warplens: note: the profile has no text of pipe: not a regular file
warplens: note: the profile has no text of large.cu: larger than 64 MiB
$ warplens report x.wlp --page source | grep large
large.cu (the source was not there: line numbers alone)
$ mkdir below beside belowish; echo '// below' >below/a.cu; echo '// belowish' >belowish/c.cu; echo '// beside' >beside/b.cu; ln -s ../beside/b.cu below/b.cu; for source in below/a.cu below/b.cu below/../beside/b.cu belowish/c.cu; do sed "s|SOURCE|$source|" $TESTS/cli/hostile.ptx >x.ptx; warplens kernel x.ptx --block 32 --arg 'u32[1024]' --no-sass --page source --root below | grep '//'; done

warplens: profile saved in x.wlp; 'warplens report x.wlp' shows its lines
   3     32     31  32.0     33 16.5     28                   >    1 // below

warplens: profile saved in x.wlp; 'warplens report x.wlp' shows its lines
warplens: note: the profile has no text of below/b.cu: not below --root

warplens: profile saved in x.wlp; 'warplens report x.wlp' shows its lines
warplens: note: the profile has no text of below/../beside/b.cu: not below --root

warplens: profile saved in x.wlp; 'warplens report x.wlp' shows its lines
warplens: note: the profile has no text of belowish/c.cu: not below --root
? 1
$ sed "s|SOURCE|$(printf 'es\033[31mc\302\233m.cu')|" $TESTS/cli/hostile.ptx >escape.ptx; printf '// \033]0;title\007 \302\233 é\n' >"$(printf 'es\033[31mc\302\233m.cu')"; warplens kernel escape.ptx --block 32 --arg 'u32[1024]' --no-sass --page source -o escape.wlp | grep -A9 cu

warplens: profile saved in escape.wlp; 'warplens report escape.wlp' shows its lines
es?[31mc?m.cu
      --- wavefronts ---  ---- sectors ----
reqs  count excess N-way  count /req excess  access             line source
----  ----- ------ -----  ----- ---- ------  ---------------- - ---- -----------------
   3     32     31  32.0     33 16.5     28                   >    1 // ?]0;title? ? é
   1                         32 32.0     28  global load 4 B
   1     32     31  32.0                     shared store 4 B
   1                          1  1.0      0  global store 4 B
  > marks lines with a tenth or more of the launch's excess.
$ warplens kernel escape.ptx --block 32 --arg 'u32[1]' --no-sass -q
warplens: fault: out-of-bounds read of 4 bytes in global memory
  kernel  k
  at      es?[31mc?m.cu:1
  PTX     escape.ptx:14: ld.global.u32 %r2, [%rd3]
  block   (0,0,0), thread (1,0,0)
  address 0x200000000080
  nearest argument 0 (4 bytes): 124 bytes behind its end
? 2
$ printf '.version 8.0\n.target sm_80\n.address_size 64\n.entry k() {\n \033[31m\302\233bogus;\n}\n' >bad.ptx; warplens kernel bad.ptx --block 32
bad.ptx:5:2: error: expected an instruction, not the byte 0x1b
   ?[31m?bogus;
   ^
? 3
$ python3 -c "import sqlite3; d = sqlite3.connect('escape.wlp'); d.execute('UPDATE kernel SET demangled = ?', ('k\033[2J',)); d.execute('UPDATE shared_variable SET name = ?', ('t\033[2J\u009b',)); d.commit()"
$ for command in report 'report --page details' 'report --page raw' fix 'explain --line 1' 'diff escape.wlp'; do warplens $command escape.wlp 2>&1; done >all.txt; grep -q '?\[2J' all.txt && grep -c "$(printf '\033')" all.txt; grep -c "$(printf '\302\233')" all.txt
0
0
? 1
$ cp escape.wlp view.wlp; python3 -c "import sqlite3; sqlite3.connect('view.wlp').executescript('PRAGMA legacy_alter_table = ON; ALTER TABLE sass_line RENAME TO x; CREATE VIEW sass_line AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n AS id FROM r')"; warplens report view.wlp
warplens: error: view.wlp: the profile is damaged: 'sass_line' is no plain table
? 3
$ for command in ops gpus manual 'ops --help' --help --version 'fix escape.wlp' 'report escape.wlp' 'kernel escape.ptx --block 32 --arg u32[1024] --no-sass' 'explain x.wlp'; do warplens $command >/dev/full 2>err.txt; echo $? $(grep -c 'error: standard output' err.txt); done
3 1
3 1
3 1
3 1
3 1
3 1
3 1
3 1
3 1
3 1
$ warplens manual >&-
warplens: error: standard output: Bad file descriptor
? 3
