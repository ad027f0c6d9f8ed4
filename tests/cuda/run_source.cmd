# A source in place of a program is compiled, and what comes out is run with the arguments.
$ echo '__global__ void k() {}' >x.cu; printf '#!/bin/sh\nprintf "#!/bin/sh\\necho \\$# arguments: \\$*; exit 7\\n" >$3; chmod +x $3\n' >nvcc; chmod +x nvcc; WARPLENS_NVCC=$PWD/nvcc warplens run x.cu 1 --two
2 arguments: 1 --two
warplens: the program launched no kernel that is profiled
? 7
