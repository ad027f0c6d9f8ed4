# On a terminal pages have colours, unless something says no, and its width; what lasts is told in a line that goes again.
# needs: terminal
# needs: script
$ printf '#!/bin/sh\nstty cols $1; shift; exec "$@"\n' >wide; printf '#!/bin/sh\nexec script -qec "$*" /dev/null\n' >seen; printf '#!/bin/sh\nexec warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --block 32,8 --arg f32[1024]=iota --arg f32[1024] --arg i32=32 --no-save "$@"\n' >try; chmod +x wide seen try
$ colours() { grep -c "$(printf '\033\[[0-9;]*m')"; }; TERM=xterm ./seen ./try --no-sass | colours; TERM=dumb ./seen ./try --no-sass | colours; TERM=xterm NO_COLOR=1 ./seen ./try --no-sass | colours; TERM=xterm NO_COLOR= ./seen ./try --no-sass | colours; TERM=xterm NO_COLOR=1 ./seen ./try --no-sass --color always | colours; TERM=xterm ./seen ./try --no-sass --color never | colours
7
0
0
7
7
0
? 1
$ ln -s $SAMPLES samples; ./try --no-sass -q -o a.wlp; longest() { tr -d '\r' | sed "s/$(printf '\033')\[[0-9;]*[mK]//g" | awk 'length > most { most = length } END { print most }'; }; for columns in 20 79 80 100 200; do TERM=xterm ./seen ./wide $columns warplens report a.wlp --page source --no-pager | longest; done; TERM=xterm ./seen ./wide 200 warplens report a.wlp --page source --no-pager --width 90 | longest
80
80
80
100
117
90
$ printf '#!/bin/sh\necho no listing\n' >tool; chmod +x tool; export WARPLENS_PTXAS=$PWD/tool WARPLENS_NVDISASM=$PWD/tool; TERM=xterm ./seen ./try --machine-code on --page none | tr '\r' '\n' | sed "s/$(printf '\033')/ESC/g" | grep -A1 ptxas; TERM=xterm ./seen ./try --machine-code on --page none -q | grep -c ptxas
ptxas and nvdisasm are asked for its machine codeESC[K
ESC[K
0
? 1
$ cp a.wlp b.wlp; TERM=xterm ./seen warplens merge a.wlp b.wlp -o all.wlp | tr '\r' '\n' | sed "s/$(printf '\033')/ESC/g"; TERM=xterm ./seen warplens merge a.wlp b.wlp -q -o all.wlp

merging: 0 %ESC[K
merging: 25 %ESC[K
merging: 50 %ESC[K
merging: 75 %ESC[K
ESC[K
$ for given in '' '--color always' '--color never' '-o page'; do TERM=xterm ./seen warplens check a.wlp $given | grep -c "$(printf '\033\[')"; done; grep -c "$(printf '\033\[')" page; warplens check a.wlp --color always | grep -c "$(printf '\033\[')"; warplens check a.wlp --color maybe 2>&1 | head -n 1
2
2
0
0
0
2
warplens check: --color is auto, always or never, not 'maybe'
$ for given in '' '--color always' '--color never'; do TERM=xterm ./seen warplens diff a.wlp all.wlp $given | grep -c "$(printf '\033\[')"; TERM=xterm ./seen warplens explain "'float a[32]'" -a "'a[lane*2]'" $given | grep -c "$(printf '\033\[')"; done
18
1
18
1
0
0
? 1
