# Options that cannot be what they say, alone or together: each refused with what was expected, before anything runs.
$ warplens explain 'float a[32]' -a 'a[lane]' --swizzle 3,x,3
warplens explain: --swizzle takes numbers such as 3,2,3, not 'x'
Try `warplens explain --help' or `warplens explain --usage' for more
information.
? 3
$ for given in '--swizzle 3,3' '--swizzle 1,2,3,4' '--swizzle 4,2,3' '--swizzle 17,0,17' '--block 0' '--block 32,1025' '--vector 17' '--vector 0' '--op gather' '--offset 268435456' '--bank-bytes 16' '--color sometimes' '--format pdf' 'more' '--line x:' '--launch -1' '--warp 1e3'; do warplens explain 'float a[32]' -a 'a[lane]' $given 2>&1 | head -n 1; done
warplens explain: --swizzle takes 3 numbers
warplens explain: --swizzle takes numbers such as 3,2,3, not '4'
warplens explain: Swizzle<B,M,S> has B <= S, and none of them above 16
warplens explain: Swizzle<B,M,S> has B <= S, and none of them above 16
warplens explain: a block has 1 to 1024 threads
warplens explain: a block has 1 to 1024 threads
warplens explain: --vector is 1 to 16 elements
warplens explain: --vector is 1 to 16 elements
warplens explain: --op: there is no 'gather'
warplens explain: --offset: no block has so much shared memory
warplens explain: --bank-bytes is 4 or 8
warplens explain: --color is auto, always or never, not 'sometimes'
warplens explain: there is no format 'pdf': term, svg, json
warplens explain: one declaration or profile at a time
warplens explain: --line takes N or FILE:N, not 'x:'
warplens explain: '-1' is no number for --launch
warplens explain: '1e3' is no number for --warp
$ for given in "-a a[lane] -b 0,4" '-b 0,4' '-a a[lane] --line 3' '-a a[lane] --pattern 2' ''; do warplens explain 'float a[32]' $given 2>&1 | head -n 1; done; warplens explain -a 'a[lane]'; warplens explain
warplens: error: --access and --bytes: one of both
warplens: error: --bytes needs no declaration
warplens: error: --line, --launch, --kernel and --pattern are for profiles
warplens: error: --line, --launch, --kernel and --pattern are for profiles
warplens: error: a declaration needs --access, such as 'a[lane][k]'
warplens: error: --access needs a declaration, such as 'float a[32][33]'
warplens: error: explain what? A declaration with --access, --bytes, or a profile
? 3
$ warplens explain 'half s : (8,64)' --layout --svg a.svg; warplens explain --layout
warplens: error: --layout takes a declaration, and neither --bytes nor --svg
warplens: error: --layout takes a declaration, and neither --bytes nor --svg
? 3
$ warplens check --format xml a.wlp 2>&1 | head -n 1; warplens report --format xml a.wlp 2>&1 | head -n 1; warplens report a.wlp b.wlp 2>&1 | head -n 1; warplens diff a.wlp b.wlp c.wlp 2>&1 | head -n 1; warplens diff a.wlp 2>&1 | head -n 1; warplens model --on tpu a.csv 2>&1 | head -n 1; warplens merge -o a.wlp 2>&1 | head -n 1
warplens check: there is no format 'xml': term, github, sarif, junit
warplens report: there is no format 'xml': term, html, json, svg, csv, tsv
warplens report: one profile at a time
warplens diff: two profiles, not more
warplens diff: two profiles: the one before (or --baseline) and the one after
warplens model: --on: expected cpu or gpu, found 'tpu'
warplens merge: no profile: warplens merge A.wlp B.wlp … -o ALL.wlp
$ warplens ops --census no.csv
warplens: error: cannot read no.csv: No such file or directory
? 3
$ for given in '--dump a.npy' '--check x=a.npy' '--dump 1=' '--counts-only --dump 0=a.npy' '--counts-only --check 0=a.npy' '--counts-only --no-profile' '--counts-only --sample 10' '--shard 0/2' '--shard 3/2' '--shard 1/2 --dump 0=a.npy' '--shard 1/2 --check 0=a.npy' '--shard 1/2 --no-profile'; do warplens kernel no.ptx $given; done
warplens: error: --dump a.npy: expected the number of an argument and a file: 2=out.npy
warplens: error: no.ptx: No such file or directory
warplens: error: --dump 1=: expected the number of an argument and a file: 2=out.npy
warplens: error: --counts-only and --dump: there are no results then
warplens: error: --counts-only and --check: there are no results then
warplens: error: --counts-only and --no-profile: nothing would be left
warplens: error: --counts-only and --sample: its counts are exact, and need no sample
warplens: error: --shard 0/2: expected I/N, a part I of N, with I from 1
warplens: error: --shard 3/2: expected I/N, a part I of N, with I from 1
warplens: error: --shard and --dump: a part has not all results
warplens: error: --shard and --check: a part has not all results
warplens: error: --shard and --no-profile: nothing would be left to merge
? 3
$ for given in '--source-map /a' '--source-map =/b' '--check x=a.npy' '--check 1=' '--check 5=a.npy' '--dump 2=a.npy' '--blocks last:3' '--gpu h1' '--engine fast' '--cluster 17' '--rtol x' '--limit -1' '--sample 0'; do warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 1 --block 32,8 --arg 'f32[1024]=iota' --arg 'f32[1024]' --arg i32=32 --no-sass -q --no-save $given 2>&1 | head -n 1; done
warplens: error: --source-map /a: expected FROM=TO
warplens: error: --source-map =/b: expected FROM=TO
warplens: error: --check x=a.npy: expected the number of an argument and a file: 2=out.npy
warplens: error: --check 1=: expected the number of an argument and a file: 2=out.npy
warplens: error: argument 5 is not an array
warplens: error: argument 2 is not an array
warplens: error: --blocks last:3: expected first:N, every:N or random:N:SEED
warplens: error: --gpu h1: unknown; 'warplens gpus' lists those that are known
warplens: error: --engine fast: expected interp, plan, jit or auto
warplens: error: clusters of 17,1,1 blocks; a cluster has at most 16
warplens: error: --rtol x: expected a number that is not negative
warplens: error: --limit -1: expected a number
warplens: error: --sample 0: expected auto or a number of blocks
$ for given in '--measure twice' '--measure often' '--schedules 2 -o a.wlp' '--schedules 2 --no-profile' '--schedules 2 --list' '--shard 1/2 --no-profile' '--on gpu --engine jit' '--on tpu'; do warplens run $given true 2>&1 | head -n 1; done
warplens: error: --measure is of runs on the GPU: --on gpu
warplens: error: --measure often: expected sampled, twice or off
warplens: error: --schedules saves no profile, and compares counts: not with -o, --no-profile or --list
warplens: error: --schedules saves no profile, and compares counts: not with -o, --no-profile or --list
warplens: error: --schedules saves no profile, and compares counts: not with -o, --no-profile or --list
warplens: error: --shard and --no-profile: nothing would be counted
warplens: error: --engine is of runs on the CPU, and cannot be given with --on gpu
warplens: error: --on tpu: expected cpu, gpu or auto
$ for given in '--format json --patch' '--format json --apply' '--build make' '--branch b'; do warplens fix no.ptx $given; done; warplens fix --apply -- true; warplens fix --branch b -- true; warplens fix --build make -- true
warplens: error: --format=json of a kernel or a profile has the patch: without --patch and --apply
warplens: error: --format=json of a kernel or a profile has the patch: without --patch and --apply
warplens: error: --build is of a program: -- PROGRAM
warplens: error: --branch is of a program: -- PROGRAM
warplens: error: --apply for a program needs --build COMMAND, which builds it from its sources; or write a --patch, build, and compare
warplens: error: --branch is of --build COMMAND --apply
warplens: error: --build is of --apply or --on gpu
? 3
$ ls
