# Which launches run and which are profiled: --list, --stop-after.
$ warplens run --list launches 2>&1 | sed 's/ [0-9.]\{5,\}  / #.###  /'
warplens: the launch of empty is refused: grid 0,1,1, block 1,1,1; NVIDIA H100 SXM5 80GB takes grids from 1 to 2147483647,65535,65535 and blocks to 1024,1024,64, 1024 threads in all
launches: fine
launches    seconds  kernel
       3      #.###  add
       2      #.###  empty
       1      #.###  folded
       2      #.###  together
       1      #.###  fill
$ warplens run --list -k none ends return; ls
launches    seconds  kernel
$ warplens run -q --no-sass --stop-after 2 -o k.wlp launches; warplens report k.wlp --page summary | grep "^Summary"
Summary: 2 of 2 launches, GPU h100
$ warplens run --no-sass --page none --stop-after 1 -k "^add$" -o k.wlp launches
warplens: ended after 1 launch, as --stop-after asks
warplens: profile saved in k.wlp; 'warplens report k.wlp' shows its lines (of the PTX: build with nvcc -lineinfo)
$ warplens run --no-profile --stop-after 2 ends return
warplens: ended after 2 launches, as --stop-after asks
$ warplens run --no-sass --page none -o k.wlp --stop-after 99 ends return
warplens: profile saved in k.wlp; 'warplens report k.wlp' shows its lines (of the PTX: build with nvcc -lineinfo)
$ warplens run --stop-after 0 memory
warplens: error: --stop-after 0: expected a launch at least
? 3
$ warplens run --stop-after soon memory
warplens: error: --stop-after soon: expected a number of launches
? 3
$ warplens run -q --no-sass --launches 2: -k "^add$" -o k.wlp launches; warplens report k.wlp --page summary | grep "^Summary"
warplens: the launch of empty is refused: grid 0,1,1, block 1,1,1; NVIDIA H100 SXM5 80GB takes grids from 1 to 2147483647,65535,65535 and blocks to 1024,1024,64, 1024 threads in all
launches: fine
Summary: 1 of 1 launch, GPU h100
$ warplens run -q --no-sass --launches 0:2 -k "^add$" -o k.wlp launches; warplens report k.wlp --page summary | grep "^Summary"
warplens: the launch of empty is refused: grid 0,1,1, block 1,1,1; NVIDIA H100 SXM5 80GB takes grids from 1 to 2147483647,65535,65535 and blocks to 1024,1024,64, 1024 threads in all
launches: fine
Summary: 2 of 2 launches, GPU h100
$ warplens run --launches 2:2 launches
warplens: error: --launches 2:2: expected a number N, or A:B with A below B
? 3
