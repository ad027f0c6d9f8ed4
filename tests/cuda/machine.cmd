# A run adds the machine code of its kernels, where ptxas and nvdisasm are there (stand-ins here); each is asked once for a kernel.
$ printf '#!/bin/sh\n[ "$1" = --version ] || echo asked >> asked\necho "ptxas info    : Compiling entry function '"'empty'"' for '"'sm_90'"'"\necho "ptxas info    : Used 9 registers"\n' > ptxas && printf '#!/bin/sh\necho "//-------- .text.empty --------"\necho "        /*0000*/    EXIT ;"\n' > nvdisasm && chmod +x ptxas nvdisasm
$ tell() { python3 -c "import sqlite3; base = sqlite3.connect('m.wlp'); print(base.execute('SELECT name, registers FROM kernel').fetchall(), base.execute('SELECT text FROM sass').fetchall())"; }; export WARPLENS_MACHINE_CODE=off WARPLENS_PTXAS=$PWD/ptxas; warplens run -q -o m.wlp many 20000 > /dev/null && tell; export WARPLENS_NVDISASM=$PWD/nvdisasm; warplens run -q -o m.wlp many 20000 > /dev/null && tell; wc -l < asked; warplens run --no-sass -q -o m.wlp many 20000 > /dev/null && tell
[('empty', 9)] []
[('empty', 9)] [('EXIT',)]
2
[('empty', 0)] []
$ WARPLENS_MACHINE_CODE=on warplens run --launches 30000:30001 -q --no-save many 20000 > /dev/null; wc -l < asked  # nobody sees a launch: nothing is asked
2
$ printf '#!/bin/sh\necho "ptxas fatal   : no"\nexit 1\n' > ptxas && WARPLENS_PTXAS=$PWD/ptxas warplens run --report none -o m.wlp many 20000 > /dev/null
warplens: profile saved in m.wlp; 'warplens report m.wlp' shows its lines (of the PTX: build with nvcc -lineinfo)
warplens: note: registers and the comparison with machine code are left out: ptxas says: no
