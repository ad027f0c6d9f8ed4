# Each option of warplens run: what it cannot be, said before the program runs; what it leads to; what it cannot be given with.
$ for given in '--launches 3:3' '--stop-after 0' '--stop-after x' '--shard 3/2' '--shard 1' '--measure often' '--on moon' '--devices 0' '--devices 17' '--ptx compute_' '--threads many' '--threads 10000' '--evidence -1' '--evidence 4294967296' '--limit 1e9' '--limit 18446744073709551616' '--sample some' '--sample 0' '--clock fast' '--clock 100001' '--engine steam' '--machine-code maybe' '--fault ignore' '--sanitize all,none' '--sanitize ""' '--schedule 7' '--schedule seed:0' '--schedules 0' '--schedules 1001' '--page cover' '--color red' '--source-map a' '--suppress none.txt' '--root none'; do eval "warplens run -q --no-save $given ends return" 2>&1 | head -n 1; done
warplens: error: --launches 3:3: expected a number N, or A:B with A below B
warplens: error: --stop-after 0: expected a launch at least
warplens: error: --stop-after x: expected a number of launches
warplens: error: --shard 3/2: expected I/N, a part I of N, with I from 1
warplens: error: --shard 1: expected I/N, a part I of N, with I from 1
warplens: error: --measure often: expected sampled, twice or off
warplens: error: --on moon: expected cpu, gpu or auto
warplens: error: --devices 0: expected a number from 1 to 16
warplens: error: --devices 17: expected a number from 1 to 16
warplens: error: --ptx compute_: expected compute_XX
warplens: error: --threads many: expected a number
warplens: error: --threads 10000: expected a number
warplens: error: --evidence -1: expected a number of blocks
warplens: error: --evidence 4294967296: expected a number of blocks
warplens: error: --limit 1e9: expected a number
warplens: error: --limit 18446744073709551616: expected a number
warplens: error: --sample some: expected auto or a number of blocks
warplens: error: --sample 0: expected auto or a number of blocks
warplens: error: --clock fast: expected a number of MHz
warplens: error: --clock 100001: expected a number of MHz
warplens: error: --engine steam: expected interp, plan, jit or auto
warplens: error: --machine-code maybe: expected off, auto, on or require
warplens: error: --fault ignore: expected stop, continue or pass-reads
warplens: error: --sanitize all,none: 'none' is no check; expected all, memory, races, init, sync, leaks, api, init=strict, races=benign, stop
warplens: error: --sanitize : '' is no check; expected all, memory, races, init, sync, leaks, api, init=strict, races=benign, stop
warplens: error: --schedule 7: expected seed:N with N from 1
warplens: error: --schedule seed:0: expected seed:N with N from 1
warplens: error: --schedules 0: expected a number from 1 to 1000
warplens: error: --schedules 1001: expected a number from 1 to 1000
warplens: error: --page cover: expected summary, details, source, raw, all (but raw) or none
warplens: error: --color red: expected auto, always or never
warplens: error: --source-map a: expected FROM=TO
warplens: error: none.txt: No such file or directory
warplens: error: --root none: No such file or directory
$ for given in '--counts-only x --no-profile' '--counts-only x --list' '--measure off' '--shard 1/2 --no-profile' '--shard 1/2 --schedules 2' '--shard 1/2 --once' '--shard 1/2 --sanitize all' '--gpu a100 --ptx compute_90' '-o none/x.wlp' '-o x.wlp --suppress-new x.wlp' '--no-such'; do warplens run -q $given ends return 2>&1 | head -n 1; done
warplens: error: --counts-only: nothing is counted with --no-profile or --list
warplens: error: --counts-only: nothing is counted with --no-profile or --list
warplens: error: --measure is of runs on the GPU: --on gpu
warplens: error: --shard and --no-profile: nothing would be counted
warplens: error: --shard and --schedules: it looks at launches together, which are counted apart
warplens: error: --shard and --once: it looks at launches together, which are counted apart
warplens: error: --shard and --sanitize: it looks at launches together, which are counted apart
warplens: error: --ptx compute_90: a100 (sm_80) does not run it; 'warplens gpus' lists those that may
warplens: error: none/x.wlp: cannot be written: No such file or directory
warplens: error: x.wlp: two outputs would be in this file: name another
warplens run: unrecognized option '--no-such'
$ warplens run -q --no-save --evidence 1 --limit 1000000 --threads 1 --clock 1000 --time --caches --color never --sample 2 --schedule seed:3 --source-map a=b --root . --no-sass --once --devices 2 --ptx compute_80 -p none ends return; warplens run --time --clock 1000 -o t.wlp ends return 2>&1 | grep -v '^$' | head -n 4
Summary: 3 of 3 launches, GPU h100
                      as modelled
# kernel  grid block     time  find insts
- ------  ---- -----  -------  ---- -----
$ warplens run --on auto -o a.wlp ends return 2>&1 | head -n 1 | cut -d ' ' -f 1-6; warplens run -q --stop-after 2 -o two.wlp ends return; warplens run --stop-after 1 --no-save --page none ends return; warplens report two.wlp --page summary | grep '^Summary'
warplens: runs on the CPU: --on
warplens: ended after 1 launch, as --stop-after asks
Summary: 2 of 2 launches, GPU h100
$ warplens run --list ends return 2>&1 | awk '{ print $1, $NF }'; warplens run -k none ends return
launches kernel
3 empty
warplens: the program launched no kernel that is profiled; 'warplens run --list' lists those that it launches
$ warplens run -q --report summary --as 'make it' -o as.wlp ends return; warplens report as.wlp | head -n 1
make it
