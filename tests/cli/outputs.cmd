# No command writes over what it reads; what cannot be written is found first; what killed processes left is removed.
$ cp $SAMPLES/transpose/transpose.ptx in.ptx; run() { warplens kernel in.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]=iota' --arg 'f32[1024]' --arg i32=32 --no-sass -q "$@"; }; run -o t.wlp; ln -s t.wlp link.wlp; ln in.ptx hard.ptx; run -o in.ptx; run --dump 1=hard.ptx; run -o no/such/folder/t.wlp
warplens: error: in.ptx: is read by this command and would be overwritten: name another file
warplens: error: hard.ptx: is read by this command and would be overwritten: name another file
warplens: error: no/such/folder/t.wlp: cannot be written: No such file or directory
? 3
$ warplens report t.wlp -o ./t.wlp; warplens report t.wlp -o link.wlp; warplens diff t.wlp t.wlp -o t.wlp; warplens check t.wlp --sarif t.wlp; warplens explain t.wlp --line 19 -o t.wlp
warplens: error: ./t.wlp: is read by this command and would be overwritten: name another file
warplens: error: link.wlp: is read by this command and would be overwritten: name another file
warplens: error: t.wlp: is read by this command and would be overwritten: name another file
warplens: error: t.wlp: is read by this command and would be overwritten: name another file
warplens: error: t.wlp: is read by this command and would be overwritten: name another file
? 3
$ warplens kernel in.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]=iota' --arg 'f32[1024]' --arg i32=32 --no-sass -q -o no/such/t.wlp --dump 1=ran.npy; warplens run -q -o no/such/t.wlp touch ran; ls ran.npy ran
warplens: error: no/such/t.wlp: cannot be written: No such file or directory
warplens: error: no/such/t.wlp: cannot be written: No such file or directory
ls: cannot access 'ran.npy': No such file or directory
ls: cannot access 'ran': No such file or directory
? 2
$ cmp in.ptx $SAMPLES/transpose/transpose.ptx && warplens report t.wlp --page summary | grep Summary
Summary: 1 of 1 launch, GPU h100
$ printf '// as it was\n' >named.cu; ln named.cu hard.cu; sed 's|\(\.file.*\)"[^"]*"|\1"named.cu"|' in.ptx >named.ptx; run() { warplens kernel named.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]=iota' --arg 'f32[1024]' --arg i32=32 --no-sass -q "$@"; }; run -o named.cu; run --no-save --dump 1=hard.cu; run --no-save --suppress-new ./named.cu; run -o named.wlp; cat named.cu; warplens report named.wlp --page source | grep -c 'as it was'; rm named.* hard.cu
warplens: error: named.cu: is read by this command and would be overwritten: name another file
warplens: error: hard.cu: is read by this command and would be overwritten: name another file
warplens: error: ./named.cu: is read by this command and would be overwritten: name another file
// as it was
1
$ touch t.wlp.4000000-0 t.wlp.4000000-0x t.wlp.x; warplens kernel in.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]=iota' --arg 'f32[1024]' --arg i32=32 --no-sass -q -o t.wlp; ls
hard.ptx
in.ptx
link.wlp
t.wlp
t.wlp.4000000-0x
t.wlp.x
$ run() { warplens kernel in.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]=iota' --arg 'f32[1024]' --arg i32=32 --no-sass -q -o t.wlp; }; (flock 9; run; ls t.wlp.*-0) 9>t.wlp.4000001-0; run; ls t.wlp.*-0
t.wlp.4000001-0
ls: cannot access 't.wlp.*-0': No such file or directory
? 2
$ run() { exec warplens kernel in.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]=iota' --arg 'f32[1024]' --arg i32=32 --no-sass -q -o t.wlp; }; for i in 00 01 02 03 04 05 06 07 08 09 10 11 12; do run & sleep 0.0$i; kill -9 $!; wait $!; warplens report t.wlp --page summary | grep -c "1 of 1 launch"; done 2>/dev/null | uniq -c; (run); ls t.wlp*
     13 1
t.wlp
t.wlp.4000000-0x
t.wlp.x
$ run() { warplens kernel in.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]=iota' --arg "f32[1024]${fill-}" --arg i32=32 --no-sass -q "$@"; }; run --dump 1=a.npy -o ./a.npy; mkdir there; run --dump 0=there/a.npy --dump 1=$PWD/there/a.npy; run --dump 1=a.npy; cp a.npy b.npy; fill==a.npy; run --dump 0=a.npy; cmp a.npy b.npy; run --check 1=a.npy -o a.npy; rm -r [ab].npy there; warplens check t.wlp --sarif x --junit x; warplens run -q -o x --suppress-new ./x true; ls
warplens: error: a.npy: two outputs would be in this file: name another
warplens: error: $PWD/there/a.npy: two outputs would be in this file: name another
warplens: error: a.npy: is read by this command and would be overwritten: name another file
warplens: error: a.npy: is read by this command and would be overwritten: name another file
warplens: error: x: two outputs would be in this file: name another
warplens: error: ./x: two outputs would be in this file: name another
hard.ptx
in.ptx
in.wlp
link.wlp
t.wlp
t.wlp.4000000-0x
t.wlp.x
