# Launches that repeat others are counted once where that is asked for.
$ warplens run --once --no-sass --page none -o k.wlp repeats; warplens report k.wlp --page summary | grep -o "^[0-9 ]* [a-z]*\( ×[0-9]*\)\? *1 *32"
different: copy 4, chase 2, count 3, fetch 2
warplens: profile saved in k.wlp; 'warplens report k.wlp' shows its lines (of the PTX: build with nvcc -lineinfo)
 0 copy ×6   1    32
 1 copy      1    32
 2 copy      1    32
 3 copy      1    32
 4 chase ×2  1    32
 5 chase     1    32
 6 count     1    32
 7 count     1    32
 8 count     1    32
 9 fetch ×2  1    32
10 fetch     1    32
$ warplens report k.wlp --format json | grep -o '"repeats": [0-9]*'
"repeats": 5
"repeats": 1
"repeats": 1
$ warplens report k.wlp --page details | grep "Counted once"
  Counted once: 6 launches read the same bytes
$ warplens run --once --no-sass --page none -o k.wlp --stop-after 3 -k copy repeats; warplens report k.wlp --page summary | grep "^Summary"
warplens: ended after 3 launches, as --stop-after asks
warplens: profile saved in k.wlp; 'warplens report k.wlp' shows its lines (of the PTX: build with nvcc -lineinfo)
Summary: 3 of 3 launches, GPU h100
