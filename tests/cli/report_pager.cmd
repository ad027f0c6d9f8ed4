# Pages on a terminal go through a pager.
# needs: terminal
# needs: script
$ ln -s $SAMPLES samples
$ warplens kernel samples/scan2d/scan2d.ptx -k "blockScan<1>" --grid 4,4 --block 32,32 --arg 'u8[16384]=random:1' --arg 'u64[16384]' --arg 'u64[512]=0' --arg 'u64[512]=0' --arg i32=128 --arg i32=128 -q -o scan1.wlp
$ TERM=xterm PAGER='sed "s/^/> /"' script -qec 'warplens report scan1.wlp --page summary --color never --width 90' /dev/null | tr -d '\r' | sed -n 5,8p
> Summary: 1 of 1 launch, GPU h100
>                             -- shared wavefronts ---  global sectors
> # kernel        grid block  count ideal N-way excess  /req ideal excess  find  insts
> - ------------  ---- -----  ----- ----- ----- ------  ---- ----- ------  ---- ------
$ TERM=xterm PAGER='sed "s/^/> /"' script -qec 'warplens report scan1.wlp --page summary --color never --width 90 --no-pager' /dev/null | tr -d '\r' | sed -n 5,8p
Summary: 1 of 1 launch, GPU h100
                            -- shared wavefronts ---  global sectors
# kernel        grid block  count ideal N-way excess  /req ideal excess  find  insts
- ------------  ---- -----  ----- ----- ----- ------  ---- ----- ------  ---- ------
$ TERM=xterm PAGER=true script -qec 'warplens report scan1.wlp --page source' /dev/null
$ TERM=xterm PAGER=/none/such script -qec 'warplens report scan1.wlp --page summary --color never --width 90' /dev/null | tr -d '\r' | sed -n '1p;6,9p'
sh: 1: /none/such: not found
Summary: 1 of 1 launch, GPU h100
                            -- shared wavefronts ---  global sectors
# kernel        grid block  count ideal N-way excess  /req ideal excess  find  insts
- ------------  ---- -----  ----- ----- ----- ------  ---- ----- ------  ---- ------
