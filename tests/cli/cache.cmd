# Answers of ptxas are kept: a kernel is assembled once. The tool is a stand-in that writes down what it is asked.
$ printf '#!/bin/sh\necho asked >>%s/asked\necho "ptxas info : Compiling entry function '"'_Z6vecaddPKfS0_Pfi'"' for '"'sm_90'"'"\necho "ptxas info : Used 99 registers"\n' $PWD >ptxas; chmod +x ptxas
$ export WARPLENS_PTXAS=$PWD/ptxas WARPLENS_NVDISASM= WARPLENS_CACHE=$PWD/kept; for i in 1 2; do warplens kernel $SAMPLES/../bench/kernels.ptx -k vecadd --grid 1 --block 32 --arg 'f32[32]=1' --arg 'f32[32]=1' --arg 'f32[32]' --arg i32=32 -o v.wlp --page none; done 2>&1 | grep -v saved; cat asked; warplens report v.wlp --format json | grep -c '"registers": 99'; warplens cache | sed 's/[0-9.]* MB/N MB/'
asked
asked
1
$PWD/kept: 2 answers, N MB
$ WARPLENS_CACHE=$PWD/kept warplens cache clear; WARPLENS_CACHE=$PWD/kept warplens cache
removed: 2 answers, 0.0 MB
$PWD/kept: 0 answers, 0.0 MB
$ WARPLENS_CACHE= warplens cache
nothing is kept: WARPLENS_CACHE is empty, or there is no home
$ warplens cache all
warplens cache: cache: all: expected nothing, or 'clear'
Try `warplens cache --help' or `warplens cache --usage' for more information.
? 3
