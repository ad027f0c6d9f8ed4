# Tables of lane addresses: what is computed of them, and each way in which one can be wrong, by line and column.
$ columns() { seq -f ",$1%g" -s '' 0 31; echo; }; row() { seq -f ",%g" -s '' ${3:-0} $2 $(($2 * 31 + ${3:-0})); echo; }; (echo "instruction$(columns lane)"; for words in 'ld.shared.b32 4' 'ld.shared.b32 128' 'ld.global.b32 4' 'ld.global.b64 64' 'ld.local.b32 4'; do set -- $words; echo "$1$(row x $2)"; done) >computed.csv; warplens model computed.csv
row,instruction,wavefronts,wavefronts_ideal,sectors,sectors_ideal,tag_requests
2,ld.shared.b32,1,1,,,
3,ld.shared.b32,32,1,,,
4,ld.global.b32,,,4,4,1
5,ld.global.b64,,,32,8,16
6,ld.local.b32,,,32,4,32
$ sed '1s/lane7,/lame7,/' computed.csv >a.csv; warplens model a.csv
a.csv:1:1: error: expected a column lane7 (lanes 0 to 31)
? 3
$ sed '2s/,4,/,four,/; 3s/,128,/,130,/; 4s/,8,/,281474976710656000,/; 5s/^ld.global/fetch.global/; 6s/,4,/,,/' computed.csv >a.csv; warplens model a.csv
a.csv:2:17: error: expected a byte offset, or -1 for a lane not active, in column lane1, found 'four'
a.csv:3:17: error: expected a multiple of 4, the bytes of a lane, in column lane1, found '130'
a.csv:4:19: error: expected a byte offset, or -1 for a lane not active, in column lane2, found '281474976710656000'
a.csv:5:1: error: expected an instruction (ld/st.shared/global/local.[v2.|v4.]b8…b64, ldmatrix/stmatrix.x1/x2/x4[.trans], cp.async.ca.4/8/16, cp.async.cg.16, atom/red.shared/global.OP.TYPE with OP one of add, min, max, and, or, xor, inc, dec, exch, cas) in column instruction, found 'fetch.global.b64'
a.csv:6:16: error: expected a byte offset, or -1 for a lane not active, in column lane1, found ''
? 3
$ (sed -n '1s/$/,wavefronts,sectors/p; 2s/$/,1,/p; 3s/$/,,/p' computed.csv; sed -n '4s/$/,,4/p' computed.csv) >a.csv; warplens model a.csv
a.csv: 3/3
exact: 3/3
$ sed '2s/,$/,7/; 3s/,,$/,many,/; 4s/,,4$/,,-4/' a.csv >b.csv; warplens model b.csv
b.csv:2:117: error: expected nothing, as the instruction has no such count, in column sectors, found '7'
b.csv:3:165: error: expected a count or nothing in column wavefronts, found 'many'
b.csv:4:116: error: expected a count or nothing in column sectors, found '-4'
? 3
$ sed '2s/,1,$/,2,/' a.csv >b.csv; warplens model b.csv computed.csv
b.csv:2: ld.shared.b32: wavefronts computed 1, measured 2
b.csv: 2/3
row,instruction,wavefronts,wavefronts_ideal,sectors,sectors_ideal,tag_requests
2,ld.shared.b32,1,1,,,
3,ld.shared.b32,32,1,,,
4,ld.global.b32,,,4,4,1
5,ld.global.b64,,,32,8,16
6,ld.local.b32,,,32,4,32
exact: 2/3
? 1
$ cp a.csv b.csv; for line in $(seq 25); do sed -n '3s/,128,/,x,/p' a.csv; done >>b.csv; warplens model b.csv 2>&1 | grep -c 'found .x.'
20
$ columns() { seq -f ",$1%g" -s '' 0 31; echo; }; row() { seq -f ",%g" -s '' 0 $1 $(($1 * 31)); echo; }; (echo "instruction$(columns shared)$(columns global)"; echo "cp.async.ca.4$(row 4)$(row 64)"; echo "ld.shared.b32$(row 4)$(row 64)"; echo "cp.async.ca.4$(row 4)$(row 64)" | sed 's/,1984$/,-1/') >copies.csv; warplens model copies.csv
copies.csv:3:1: error: expected a cp.async (the table has sources) in column instruction, found 'ld.shared.b32'
copies.csv:4:251: error: expected the source of an active lane in column global31, found '-1'
? 3
$ sed '3,4d' copies.csv >a.csv; warplens model a.csv; sed '1s/,global31//; s/,1984//' a.csv >b.csv; warplens model b.csv
row,instruction,wavefronts,wavefronts_ideal,sectors,sectors_ideal,tag_requests
2,cp.async.ca.4,16,1,32,4,16
b.csv:1:1: error: expected a column global31 (lanes 0 to 31)
? 3
$ (printf '\357\273\277# measured\r\n'; sed -n '1s/instruction/"instruction"/p; 2s/^\([^,]*\)/"\1"/p' computed.csv | sed 's/$/\r/') >a.csv; warplens model a.csv | cut -d, -f 1-4
row,instruction,wavefronts,wavefronts_ideal
3,ld.shared.b32,1,1
$ (sed -n 1p computed.csv; echo; sed -n '2s/^[^,]*/"ld.""shared\n.b32"/p' computed.csv) >a.csv; warplens model a.csv 2>&1 | cut -c 1-50
a.csv:3:1: error: expected an instruction (ld/st.s
.b32'
$ printf 'instruction,"lane0\n' >a.csv; warplens model a.csv; printf 'instruction,"lane0"x\n' >a.csv; warplens model a.csv; printf 'a,b\n1\n' >a.csv; warplens model a.csv; printf '# nothing\n' >a.csv; warplens model a.csv; printf '' >a.csv; warplens model a.csv
a.csv:1:13: error: a quote is opened and never closed
a.csv:1:20: error: expected a comma or the end of the line after the closing quote
a.csv:2:1: error: expected 2 fields as in the header, found 1
a.csv:1:1: error: expected a line that names the columns, found an empty file
a.csv:1:1: error: expected a line that names the columns, found an empty file
? 3
$ warplens model 2>&1 | head -n 1; warplens model .
Usage: warplens model [OPTION...] FILE.csv...
warplens: error: cannot read .: Is a directory
? 3
