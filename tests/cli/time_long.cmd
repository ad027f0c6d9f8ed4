# Of a long warp windows are kept, spread over all that it does: two phases together take as long as one after the other, whichever
# the beginning has.
$ for turns in '3000 0' '0 3000' '3000 3000' '0 6000' '6000 0'; do warplens kernel $TESTS/cli/time_long.ptx -k phases --grid 32 --block 256 --arg 'f32[256]' --arg i32=${turns% *} --arg i32=${turns#* } --gpu h200 --time --machine-code off --no-sass -q -o long.wlp; echo "$turns: $(warplens report long.wlp --page summary --columns cycles | grep "0 phases")"; done
3000 0: 0 phases ~209,403
0 3000: 0 phases ~90,900
3000 3000: 0 phases ~292,945
0 6000: 0 phases ~177,928
6000 0: 0 phases ~415,124
