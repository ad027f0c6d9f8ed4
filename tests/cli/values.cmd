# Values of options at the ends of what they may be, where output goes, and files of defects that are known.
$ printf '#!/bin/sh\nexec warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --block 32,8 --arg f32[4096]=iota --arg f32[4096] --arg i32=64 --no-sass "$@"\n' >try; chmod +x try
$ for given in '--grid 1,1,1,1' '--grid 1;1' '--grid x' '--grid 4294967296' '--blocks first' '--blocks first:' '--blocks first:0' '--blocks first:2x' '--blocks random:1:2:3' '--blocks first:1:2' '--rtol 1x' '--rtol -1' '--atol nan' '--schedule 7' '--schedule seed:0' '--schedule seed:1x' '--color sometimes' '--page sources' '--threads 1025' '--threads 2x' '--evidence some' '--limit 18446744073709551616' '--shared 4294967296'; do ./try $given; done 2>&1 | cut -c 1-150
warplens: error: --grid 1,1,1,1: expected X, X,Y or X,Y,Z
warplens: error: --grid 1;1: expected X, X,Y or X,Y,Z
warplens: error: --grid x: expected X, X,Y or X,Y,Z
warplens: error: --grid 4294967296: expected X, X,Y or X,Y,Z
warplens: error: --blocks first: expected first:N, every:N or random:N:SEED
warplens: error: --blocks first:: expected first:N, every:N or random:N:SEED
warplens: error: --blocks first:0: expected first:N, every:N or random:N:SEED
warplens: error: --blocks first:2x: expected first:N, every:N or random:N:SEED
warplens: error: --blocks random:1:2:3: expected first:N, every:N or random:N:SEED
warplens: error: --blocks first:1:2: expected first:N, every:N or random:N:SEED
warplens: error: --rtol 1x: expected a number that is not negative
warplens: error: --rtol -1: expected a number that is not negative
warplens: error: --atol nan: expected a number that is not negative
warplens: error: --schedule 7: expected seed:N with N from 1
warplens: error: --schedule seed:0: expected seed:N with N from 1
warplens: error: --schedule seed:1x: expected seed:N with N from 1
warplens: error: --color sometimes: expected auto, always or never
warplens: error: --page sources: expected summary, details, source, raw, all (but raw) or none
warplens: error: --threads 1025: expected a number up to 1024
warplens: error: --threads 2x: expected a number up to 1024
warplens: error: --evidence some: expected a number of blocks or all
warplens: error: --limit 18446744073709551616: expected a number
warplens: error: --shared 4294967296: expected a number of bytes
$ for given in '--grid 2x1x1' '--grid 0x2,1,1' '--blocks first:1' '--blocks random:1:7' '--blocks random:1' '--schedule seed:3' '--evidence all' '--limit 0x100000000' '--threads 1'; do ./try $given -q --no-save || echo "$given: $?"; done
$ ./try --grid 1 --no-save --color always | grep -c "$(printf '\033')"; ./try --grid 1 --no-save --color never | grep -c "$(printf '\033')"; ./try --grid 1 --no-save --color auto | grep -c "$(printf '\033')"
7
0
0
? 1
$ warplens fix no.cu --prefer best; warplens fix no.cu --format xml; warplens fix no.cu --format term --prefer none
warplens: error: --prefer best: expected padding, swizzle or none
warplens: error: --format xml: expected term or json
warplens: error: no.cu: No such file or directory
? 3
$ ./try --grid 1 -q -o a.wlp; mkdir folder; for command in report check; do warplens $command a.wlp -o folder 2>&1; echo $?; warplens $command a.wlp -o none/page 2>&1; echo $?; done
warplens: error: folder: cannot be written: Is a directory
3
warplens: error: none/page: cannot be written: No such file or directory
3
warplens: error: folder: cannot be written: Is a directory
3
warplens: error: none/page: cannot be written: No such file or directory
3
$ warplens report a.wlp >page; warplens report a.wlp -o /dev/stdout | cmp - page && warplens report a.wlp -o page.txt && cmp page page.txt
$ warplens report a.wlp --width 4294967295 2>&1 | head -n 1; warplens report a.wlp --width 99999999999999999999 2>&1 | head -n 1
warplens report: '4294967295' is no number for --width
warplens report: '99999999999999999999' is no number for --width
$ for word in --help -h help; do warplens $word | head -n 1; done; test "$(warplens -V)" = "$(warplens --version)" && for word in kernle ""; do warplens $word 2>&1 | head -n 2; done
Usage: warplens COMMAND [OPTION...]
Usage: warplens COMMAND [OPTION...]
Usage: warplens COMMAND [OPTION...]
warplens: error: unknown command 'kernle'
Usage: warplens COMMAND [OPTION...]
Usage: warplens COMMAND [OPTION...]
Shared-memory bank conflicts and uncoalesced global accesses of CUDA kernels,
$ printf '#!/bin/sh\nexec warplens kernel $TESTS/sanitize/arrays.ptx -k overrun --block 32 --arg i32[64] --arg i32[64] --arg i32=1 --sanitize memory --no-sass -q -o a.wlp "$@"\n' >overrun; chmod +x overrun; ./overrun --suppress none.txt; ./overrun --suppress-new none/new.txt 2>&1 | tail -n 1
warplens: error: none.txt: No such file or directory
warplens: error: none/new.txt: cannot be written: No such file or directory
$ printf '\nleak overrun arrays.cu:*\noutside-array other *\noutside-array overrun rays.cu:*\noutside-array overrun arrays.cu:9999' >known.txt; ./overrun --suppress known.txt 2>&1 | head -n 1; printf 'outside-* over* *' >known.txt; ./overrun --suppress known.txt
warplens: outside-array: write of 4 bytes outside of the array a (128 bytes), 0 bytes behind its end
$ printf 'leak k main.cu\r\nleak "k\nleak k main.cu # c\nleak k "main.cu" # c\nleak k a.cu:1 "b c"\nleak k a.cu:1 b\n' >bad.txt; ./overrun --suppress bad.txt
bad.txt:1:8: error: expected FILE:LINE, FILE:* or *
  leak k main.cu
         ^~~~~~~
bad.txt:2:8: error: expected a kind, a kernel and a line: "write-*" "scan<*>" scan.cu:42
  leak "k
         ^
bad.txt:3:8: error: expected FILE:LINE, FILE:* or *
  leak k main.cu # c
         ^~~~~~~
bad.txt:4:9: error: expected FILE:LINE, FILE:* or *
  leak k "main.cu" # c
          ^~~~~~~
bad.txt:5:16: error: expected the end of the line
  leak k a.cu:1 "b c"
                 ^
bad.txt:6:15: error: expected the end of the line
  leak k a.cu:1 b
                ^
? 3
