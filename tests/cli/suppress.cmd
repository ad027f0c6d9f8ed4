# Defects that are known are left out: a file names them by kind, kernel and line, and what is wrong in it is told with its place.
$ warplens kernel $TESTS/sanitize/arrays.ptx -k overrun --block 32 --arg 'i32[64]' --arg 'i32[64]' --arg i32=1 --sanitize memory --no-sass -q -o a.wlp --suppress-new known.txt 2>/dev/null
? 1
$ sed 's/"[^"]*arrays.cu/"arrays.cu/' known.txt
# kind  kernel  line: defects that are known (warplens run --suppress)
outside-array "overrun" "arrays.cu:11"
$ printf 'outside-array overrun arrays.cu:*\n' >known.txt; warplens kernel $TESTS/sanitize/arrays.ptx -k overrun --block 32 --arg 'i32[64]' --arg 'i32[64]' --arg i32=1 --sanitize memory --no-sass -q -o a.wlp --suppress known.txt
$ printf '# kinds\nleak k\nfoo k *\n"outside-*" "over*" a.cu:9 y\nleak k main.cu\n' >bad.txt; warplens kernel $TESTS/sanitize/arrays.ptx -k overrun --block 32 --sanitize memory --suppress bad.txt
bad.txt:2:7: error: expected a kind, a kernel and a line: "write-*" "scan<*>" scan.cu:42
  leak k
        ^
bad.txt:3:1: error: no kind of defect has this name (docs/checks.md lists them)
  foo k *
  ^~~
bad.txt:4:28: error: expected the end of the line
  "outside-*" "over*" a.cu:9 y
                             ^
bad.txt:5:8: error: expected FILE:LINE, FILE:* or *
  leak k main.cu
         ^~~~~~~
? 3
$ warplens kernel $TESTS/sanitize/arrays.ptx -k overrun --block 32 --sanitize rces
warplens: error: --sanitize rces: 'rces' is no check; expected all, memory, races, init, sync, leaks, api, init=strict, races=benign, stop
? 3
