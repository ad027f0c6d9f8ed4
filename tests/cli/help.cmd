# The commands, their options, and what happens without one.
$ warplens --help
Usage: warplens COMMAND [OPTION...]
Shared-memory bank conflicts and uncoalesced global accesses of CUDA kernels,
per source line, exactly, without a GPU.

  run       run a CUDA program without a GPU and profile its kernels
  report    show a profile: summary, details, source; in a browser; as data
  kernel    run one kernel of a .ptx or .cu file or a program and profile it
  fix       find what to change, such as layouts of shared arrays, and prove it
  diff      compare two profiles: launches, lines, counters
  merge     make one profile of several, such as parts of a job
  check     fail where lines break limits or are worse than in a baseline
  baseline  list, add or remove named baselines inside a profile
  explain   show which lane has which bank in which wavefront
  model     evaluate the memory model on tables of lane addresses
  ops       list the PTX instructions that are supported
  calls     list the CUDA calls, and which of them are refused and why
  gpus      list the GPUs that --gpu knows
  doctor    say what is there, what is missing, and how to get it
  cache     say what answers of compilers are kept, or remove them
  manual    print the manual page, or completions for bash and zsh

'warplens COMMAND --help' explains a command. Example:
  nvcc -lineinfo -o app app.cu && warplens run ./app
  warplens report app.wlp --format html -o app.html
$ warplens
Usage: warplens COMMAND [OPTION...]
Shared-memory bank conflicts and uncoalesced global accesses of CUDA kernels,
per source line, exactly, without a GPU.

  run       run a CUDA program without a GPU and profile its kernels
  report    show a profile: summary, details, source; in a browser; as data
  kernel    run one kernel of a .ptx or .cu file or a program and profile it
  fix       find what to change, such as layouts of shared arrays, and prove it
  diff      compare two profiles: launches, lines, counters
  merge     make one profile of several, such as parts of a job
  check     fail where lines break limits or are worse than in a baseline
  baseline  list, add or remove named baselines inside a profile
  explain   show which lane has which bank in which wavefront
  model     evaluate the memory model on tables of lane addresses
  ops       list the PTX instructions that are supported
  calls     list the CUDA calls, and which of them are refused and why
  gpus      list the GPUs that --gpu knows
  doctor    say what is there, what is missing, and how to get it
  cache     say what answers of compilers are kept, or remove them
  manual    print the manual page, or completions for bash and zsh

'warplens COMMAND --help' explains a command. Example:
  nvcc -lineinfo -o app app.cu && warplens run ./app
  warplens report app.wlp --format html -o app.html
? 3
$ warplens --version | head -n 1
warplens 0.1.0
$ warplens profile
warplens: error: unknown command 'profile'
Usage: warplens COMMAND [OPTION...]
Shared-memory bank conflicts and uncoalesced global accesses of CUDA kernels,
per source line, exactly, without a GPU.

  run       run a CUDA program without a GPU and profile its kernels
  report    show a profile: summary, details, source; in a browser; as data
  kernel    run one kernel of a .ptx or .cu file or a program and profile it
  fix       find what to change, such as layouts of shared arrays, and prove it
  diff      compare two profiles: launches, lines, counters
  merge     make one profile of several, such as parts of a job
  check     fail where lines break limits or are worse than in a baseline
  baseline  list, add or remove named baselines inside a profile
  explain   show which lane has which bank in which wavefront
  model     evaluate the memory model on tables of lane addresses
  ops       list the PTX instructions that are supported
  calls     list the CUDA calls, and which of them are refused and why
  gpus      list the GPUs that --gpu knows
  doctor    say what is there, what is missing, and how to get it
  cache     say what answers of compilers are kept, or remove them
  manual    print the manual page, or completions for bash and zsh

'warplens COMMAND --help' explains a command. Example:
  nvcc -lineinfo -o app app.cu && warplens run ./app
  warplens report app.wlp --format html -o app.html
? 3
$ warplens kernel --usage
Usage: warplens kernel [-q?] [-k NAME] [-o FILE] [-p PAGE] [--arg=ARGUMENT]
            [--block=X[,Y[,Z]]] [--cluster=X[,Y[,Z]]] [--cooperative]
            [--gpu=NAME] [--grid=X[,Y[,Z]]] [--kernel=NAME] [--shared=BYTES]
            [--atol=X] [--check=N=FILE.npy] [--color=WHEN] [--dump=N=FILE.npy]
            [--no-save] [--output=FILE] [--print=WHAT] [--page=PAGE] [--quiet]
            [--root=DIR] [--rtol=X] [--arch=SM] [--instantiate=NAME<ARGS>]
            [--no-sass] [--source-map=FROM=TO] [--blocks=CHOICE] [--caches]
            [--clock=MHZ] [--counts-only] [--engine=ENGINE] [--evidence=N]
            [--limit=N] [--machine-code=USE] [--no-profile] [--sample=N]
            [--sanitize=CHECKS] [--schedule=seed:N] [--shard=I/N] [--stats]
            [--suppress=FILE] [--suppress-new=FILE] [--threads=N] [--time]
            [--help] [--usage] FILE...  [-- COMPILER_FLAG...]
$ warplens report --help
Usage: warplens report [OPTION...] FILE.wlp
Show a profile.

      --color=WHEN           auto (default: on a terminal), always or never
      --columns=LIST         summary: these columns, such as
                             time,saves,registers,occupancy,l1_hits,dram_rate
                             (an unknown one lists all)
      --each-launch          summary: a row for each launch (without, for each
                             kernel, where there are more than 30)
      --exact                source: no rounded numbers
      --format=FORMAT        term (default), html, json, svg (a picture), csv
                             or tsv
      --inline               source: with what was inlined into each line
      --instructions         raw, csv, tsv: all instructions of machine code
                             that was executed, with their executions
  -k, --kernel=NAME          launches of kernels with NAME in their name, or
                             whose name matches it as a regular expression
      --line=[FILE:]N        launches that accessed memory in line N of FILE,
                             or of its end; source: this line alone, with its
                             PTX, what was inlined, and how the lanes lie
      --lines                raw, csv, tsv: totals of source lines, not of
                             instructions
  -l, --launch=N             this launch alone, counted from 0
      --mangled              names as in the PTX
      --no-pager             write to the terminal at once (default: through
                             PAGER, or less)
  -o, --output=FILE          write to FILE
      --ptx                  source: with the PTX instructions of each line
  -p, --page=PAGE            summary, details, source, raw, all (but raw) or
                             none; may be repeated (default: all, details and
                             source of the worst launch)
      --root=DIR             of the project, whose lines are blamed (default:
                             as recorded, the repository or the sources'
                             folder)
  -s, --sort=KEY             summary: launches, source: lines, the largest
                             first, by a counter or by worst,
                             excess_wavefronts, excess_sectors, n_way,
                             sectors_per_request; launches by time or saves,
                             too (--time)
      --top=N                summary: N launches, source: N lines, those that
                             come first by --sort (default: worst)
      --wide                 as wide as need be: --width 0
      --width=N              columns of a page, 0: no limit (default: the
                             terminal's, or 100)
  -?, --help                 Give this help list
      --usage                Give a short usage message

Mandatory or optional arguments to long options are also mandatory or optional
for any corresponding short options.

Examples:
  warplens report scan.wlp
  warplens report scan.wlp --page source --sort excess_wavefronts
  warplens report scan.wlp --page summary --top 10
  warplens report scan.wlp --line scan2d.cu:70
  warplens report scan.wlp --page raw > counters.tsv
  warplens report scan.wlp --format html -o scan.html
  warplens report scan.wlp --format svg -o memory.svg
  warplens report scan.wlp --format svg --page summary -o roofline.svg

Exit status: 0, or 3 if the file or an option cannot be used.
$ warplens model --help
Usage: warplens model [OPTION...] FILE.csv...
Evaluate the memory model on tables of lane addresses.

      --on=WHERE             who counts: cpu, the default, or gpu: the code
                             that run --on gpu counts with, on this machine's
                             GPU; rows that it counts otherwise than the CPU
                             are told
  -?, --help                 Give this help list
      --usage                Give a short usage message

A row is one warp and one instruction. Columns, by name: instruction; lane0 ...
lane31 (byte offsets, -1: not active), or for cp.async shared0 ... shared31 and
global0 ... global31; and measured figures, any of (shared_)wavefronts,
(shared_)wavefronts_ideal, (global_)sectors, (global_)sectors_ideal,
tag_requests.

Tables of bulk and tensor copies, wgmma and accesses to other blocks of a
cluster have columns of their own: see tests/ground-truth/h200 and
docs/memory-model.md.

With measured figures, prints the rows that differ and how many are exact.
Without, prints the computed figures.

Example:
  warplens model measured.csv

Exit status: 0, 1 if a measured figure or the GPU's count differs, 3 if a file
or an option cannot be used.
$ warplens ops --help
Usage: warplens ops [OPTION...]
List the PTX instructions that are supported: row, syntax, operands.

  -c, --census=FILE.csv      print how much of a census of PTX programs is
                             known (columns opcode_and_modifiers, static_count,
                             files, kind, stage)
  -m, --markdown             print the page docs/ptx-support.md
  -?, --help                 Give this help list
      --usage                Give a short usage message

Mandatory or optional arguments to long options are also mandatory or optional
for any corresponding short options.

In a syntax, {a,b} is one of them, [.x] may be left out, | separates spellings.
In operands, '=' is before what is written, t and t2 are the types of the
spelling, '?' may be left out, '#' is a constant.

Examples:
  warplens ops | grep '^ld'
  warplens ops --markdown > ptx-support.md

Exit status: 0, or 3 if an option cannot be used.
