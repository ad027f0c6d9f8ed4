# Tables of copies, boxes of tensors, wgmma and clusters: measured, computed, and each way in which one can be wrong.
$ cd $TESTS/ground-truth/h200 && warplens model copies.csv tensors.csv tensors-unseen.csv remote.csv wgmma.csv
copies.csv: 195/195
tensors.csv: 668/668
tensors-unseen.csv: 535/535
remote.csv: 230/230
wgmma.csv:2: wgmma.m64n24k16.f16: matrix_wavefronts computed 6, measured 9
wgmma.csv: 199/200
exact: 1827/1828
? 1
$ table() { sed '/^#/d' $TESTS/ground-truth/h200/$1.csv | sed 4q | cut -d, -f 1,$2- >$1.csv; }; table copies 3; table tensors 3; table remote 5; table wgmma 3; for name in copies tensors remote wgmma; do warplens model $name.csv; done
2,cp.async.bulk.load,copy_sectors=6
3,cp.async.bulk.reduce,copy_sectors=2
4,cp.async.bulk.reduce,copy_sectors=15
2,cp.async.bulk.tensor.load.im2col,copy_sectors=34
3,cp.async.bulk.tensor.load,copy_sectors=7
4,cp.async.bulk.tensor.reduce,copy_sectors=8
2,st.shared::cluster.v4.u32,remote_sectors=8,remote_lines=2,remote_wavefronts=1
3,ld.shared::cluster.u8,remote_sectors=1,remote_lines=1,remote_wavefronts=1
4,st.shared::cluster.u32,remote_sectors=23,remote_lines=22,remote_wavefronts=8
2,wgmma.m64n24k16.f16,matrix_wavefronts=6
3,wgmma.m64n8k8.tf32,matrix_wavefronts=2
4,wgmma.m64n64k8.tf32,matrix_wavefronts=32
$ sed '/^#/d; s/load,6,/load,7,/' $TESTS/ground-truth/h200/copies.csv | sed 3q >wrong.csv; warplens model wrong.csv
wrong.csv:2: cp.async.bulk.load: copy_sectors computed 6, measured 7
wrong.csv: 1/2
exact: 1/2
? 1
$ printf 'for change; do sed "$change" $table.csv >bad.csv; warplens model bad.csv 2>&1 | tr "\\n" " "; echo; done\n' >bad; table=copies sh bad 's/,to,/,two,/' '2s/load/fetch/' '3s/,48$/,-48/' '3s/,48$/,48 64/' '3s/,48$/,many/' '3s/,48$/,/' '2s/,/&0x/'
bad.csv:1:1: error: expected a column to 
bad.csv:2:1: error: expected cp.async.bulk.load, .multicast, .store, .reduce or .send, found 'cp.async.bulk.fetch' 
bad.csv:3:26: error: expected a number, found '-48' 
bad.csv:3:26: error: expected whole numbers, divided by blanks, found '48 64' 
bad.csv:3:26: error: expected whole numbers, divided by blanks, found 'many' 
bad.csv:3:26: error: expected a number, found '' 
2,cp.async.bulk.load,copy_sectors=6 3,cp.async.bulk.reduce,copy_sectors=2 4,cp.async.bulk.reduce,copy_sectors=15 
$ table=tensors sh bad 's/,type,/,kind,/' '2s/,f64,/,f128,/' '2s/load/fetch/' '2s/load.im2col/multicast/' '3s/load/store/' '3s/,1 1 1 1,0,/,1 1 1 1,32,/' '3s/,1 1 1 1,0,/,1 1 1 1,33,/' '3s/,4 2 2 7,/,4 2 2,/' '3s/,4 2 2 7,/,4 2 2 2 2 7,/' '3s/,4 2 2 7,/,,/' '3s/,16,4/,17,4/' '3s/,4 1 1 7,/,4 1 1,/' '3s/,4 1 1 7,/,4294967300 1 1 7,/' '3s/,1 1 1 1,/,1 1 1 -1,/' '2s/,12 8 4,224 1792,/,12 8 4 2,224 1792 7168,/;2s/12 8,1 1 1,/12 8,1 1 1 1,/;2s/,0 /,0 0 /' '2s/,-1,6/,-1 -1,6/' '4s/,1,0,/,1,128,/' '4s/,s32,/,tf32.ftz,/' '4s/,52,1,/,64,1,/'
bad.csv:1:1: error: expected a column type 
bad.csv:2:34: error: expected a type of elements, as u8, bf16 or tf32, found 'f128' 
bad.csv:2:1: error: expected cp.async.bulk.tensor.load, .multicast, .store or .reduce, found 'cp.async.bulk.tensor.fetch.im2col' 
2,cp.async.bulk.tensor.multicast,copy_sectors=56 3,cp.async.bulk.tensor.load,copy_sectors=7 4,cp.async.bulk.tensor.reduce,copy_sectors=8 
2,cp.async.bulk.tensor.load.im2col,copy_sectors=34 3,cp.async.bulk.tensor.store,copy_sectors=0 4,cp.async.bulk.tensor.reduce,copy_sectors=8 
2,cp.async.bulk.tensor.load.im2col,copy_sectors=34 3,cp.async.bulk.tensor.load,copy_sectors=7 4,cp.async.bulk.tensor.reduce,copy_sectors=8 
bad.csv:3:69: error: expected 0, 32, 64 or 128 bytes, found '33' 
bad.csv:3:34: error: expected a tensor and a box that a tensor map can have, found '4 2 2' 
bad.csv:3:34: error: expected whole numbers, divided by blanks, found '4 2 2 2 2 7' 
bad.csv:3:34: error: expected a tensor and a box that a tensor map can have, found '' 
bad.csv:3:34: error: expected a tensor and a box that a tensor map can have, found '4 2 2 7' 
bad.csv:3:34: error: expected a tensor and a box that a tensor map can have, found '4 2 2 7' 
bad.csv:3:34: error: expected a tensor and a box that a tensor map can have, found '4 2 2 7' 
bad.csv:3:34: error: expected a tensor and a box that a tensor map can have, found '4 2 2 7' 
bad.csv:2:40: error: expected a tensor and a box that a tensor map can have, found '12 8 4 2' 
bad.csv:2:40: error: expected a tensor and a box that a tensor map can have, found '12 8 4' 
bad.csv:4:36: error: expected a tensor and a box that a tensor map can have, found '52' 
2,cp.async.bulk.tensor.load.im2col,copy_sectors=34 3,cp.async.bulk.tensor.load,copy_sectors=7 4,cp.async.bulk.tensor.reduce,copy_sectors=8 
2,cp.async.bulk.tensor.load.im2col,copy_sectors=34 3,cp.async.bulk.tensor.load,copy_sectors=7 4,cp.async.bulk.tensor.reduce,copy_sectors=8 
$ table=wgmma sh bad '2s/wgmma.m64n24k16.f16/x/' '2s/n24k16/n20k16/' '2s/n24k16/n0k16/' '2s/n24k16/n264k16/' '2s/k16/k32/' '2s/f16/f64/' '2s/wgmma/wgmma.sp/' '2s/m64n24k16/sp.m64n24k32/' 's/descriptor_a/a/'
bad.csv:2:1: error: expected an instruction like wgmma.m64n32k16.f16, found 'x' 
bad.csv:2:1: error: expected an instruction like wgmma.m64n32k16.f16, found 'wgmma.m64n20k16.f16' 
bad.csv:2:1: error: expected an instruction like wgmma.m64n32k16.f16, found 'wgmma.m64n0k16.f16' 
bad.csv:2:1: error: expected an instruction like wgmma.m64n32k16.f16, found 'wgmma.m64n264k16.f16' 
bad.csv:2:1: error: expected a type of wgmma, and the K that it has, found 'wgmma.m64n24k32.f16' 
bad.csv:2:1: error: expected a type of wgmma, and the K that it has, found 'wgmma.m64n24k16.f64' 
bad.csv:2:1: error: expected a type of wgmma, and the K that it has, found 'wgmma.sp.m64n24k16.f16' 
2,wgmma.sp.m64n24k32.f16,matrix_wavefronts=12 3,wgmma.m64n8k8.tf32,matrix_wavefronts=2 4,wgmma.m64n64k8.tf32,matrix_wavefronts=32 
bad.csv:1:1: error: expected a column descriptor_a 
$ table=remote sh bad '2s/^st.shared::cluster/st.shared/' '2s/,2048,2064/,,2064/' '2s/,2048,2064/,x,2064/' '2s/,-1,3,/,-1,16,/' '2s/,-1,3,/,-1,-1,/' '2s/,-1,3,/,-1,x,/' 's/,lane31,/,lame31,/' 's/,block1,/,block,/' '2s/,-1,3,/,-1,own,/'
bad.csv:2:1: error: expected ld.shared::cluster or st.shared::cluster, found 'st.shared.v4.u32' 
bad.csv:2:27: error: expected a byte offset, or -1 for a lane not active, found '' 
bad.csv:2:27: error: expected whole numbers, divided by blanks, found 'x' 
bad.csv:2:155: error: expected a block of the cluster, 0 to 15, or own, found '16' 
bad.csv:2:155: error: expected a number, found '-1' 
bad.csv:2:155: error: expected whole numbers, divided by blanks, found 'x' 
bad.csv:1:1: error: expected a column lane31 
bad.csv:1:1: error: expected a column block1 
2,st.shared::cluster.v4.u32,remote_sectors=8,remote_lines=2,remote_wavefronts=1 3,ld.shared::cluster.u8,remote_sectors=1,remote_lines=1,remote_wavefronts=1 4,st.shared::cluster.u32,remote_sectors=23,remote_lines=22,remote_wavefronts=8 
