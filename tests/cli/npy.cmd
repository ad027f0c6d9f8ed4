# Arrays of NumPy's that cannot be read, or are not what the argument takes: what is wrong with each; those that can are used, whatever their shape.
$ npy() { python3 -c "import sys; h = sys.argv[2].encode(); open(sys.argv[1] + '.npy', 'wb').write(b'\x93NUMPY\x01\x00' + len(h).to_bytes(2, 'little') + h + bytes([65]) * int(sys.argv[3]))" "$@"; }; of() { echo "{'descr': '$1', 'fortran_order': $2, 'shape': $3, }"; }; npy good "$(of '<f4' False '(4, 8)')" 128; npy column "$(of '<f4' True '(32, 1)')" 128; npy fortran "$(of '<f4' True '(4, 8)')" 128; npy complex "$(of '<c8' False '(32,)')" 256; npy big "$(of '>f4' False '(32,)')" 128; npy short "$(of '<f4' False '(33,)')" 131; npy huge "$(of '<f4' False '(4294967296, 4294967296, 4)')" 128; npy minus "$(of '<f4' False '(-1,)')" 128; npy words "$(of '<i4' False '(32,)')" 128; npy more "$(of '<f4' False '(64,)')" 256; npy noshape "{'descr': '<f4', 'fortran_order': False, }" 128; npy record "{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (32,), }" 128; npy escape "$(printf '\033[31m')" 0; printf 'PK\003\004 a zip file of arrays' > zip.npy; head -c 9 good.npy > nine.npy; head -c 40 good.npy > cut.npy; : > empty.npy; mkdir folder.npy
$ for name in good column; do warplens kernel $SAMPLES/access_patterns/access_patterns.ptx -k 'ownElement<float, 1>' --grid 1 --block 32 --arg "f32[32]=$name.npy" --arg 'f32[32]' --check "1=$name.npy" --no-sass -q --no-save && echo the same; done
check 1=good.npy: 32 elements agree
the same
check 1=column.npy: 32 elements agree
the same
$ for name in fortran complex big short huge minus words more noshape escape record zip nine cut empty folder absent; do warplens kernel $SAMPLES/access_patterns/access_patterns.ptx -k 'ownElement<float, 1>' --grid 1 --block 32 --arg "f32[32]=$name.npy" --arg 'f32[32]' --no-sass -q --no-save 2>&1 | head -n 1; done
warplens: error: fortran.npy: array in Fortran order; save numpy.ascontiguousarray of it
warplens: error: complex.npy: elements of type '<c8' are not supported
warplens: error: big.npy: elements of type '>f4' are not supported
warplens: error: short.npy: holds fewer bytes than its shape says
warplens: error: huge.npy: holds fewer bytes than its shape says
warplens: error: minus.npy: holds fewer bytes than its shape says
warplens: error: argument f32[32]=words.npy: words.npy has 32 elements of s32
warplens: error: argument f32[32]=more.npy: more.npy has 64 elements of f32
warplens: error: noshape.npy: not a .npy file that can be read: header {'descr': '<f4', 'fortran_order': False, }
warplens: error: escape.npy: not a .npy file that can be read: header ?[31m
warplens: error: record.npy: not a .npy file that can be read: header {'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (32,), }
warplens: error: zip.npy: not a .npy file
warplens: error: nine.npy: not a .npy file
warplens: error: cut.npy: truncated header
warplens: error: empty.npy: not a .npy file
warplens: error: folder.npy: Is a directory
warplens: error: absent.npy: No such file or directory
$ for name in words more cut absent; do warplens kernel $SAMPLES/access_patterns/access_patterns.ptx -k 'ownElement<float, 1>' --grid 1 --block 32 --arg 'f32[32]=iota' --arg 'f32[32]' --check "1=$name.npy" --no-sass -q --no-save; done
warplens: error: words.npy has 32 elements of s32, argument 1 32 of f32
warplens: error: more.npy has 64 elements of f32, argument 1 32 of f32
warplens: error: cut.npy: truncated header
warplens: error: absent.npy: No such file or directory
? 3
