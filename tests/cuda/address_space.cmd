# With little address space (`ulimit -v`) less is reserved for the device: kernels and programs run. A sanitizer needs the space itself: nothing is limited then.
$ limited() { grep -q __asan_init "$(readlink -f "$(command -v warplens)")" || ulimit -v $1; shift; "$@"; }; (limited 1000000 warplens run -q -o p.wlp lasting 10; warplens report p.wlp --page summary | grep "^Summary"); (limited 1000000 warplens kernel $SAMPLES/transpose/transpose.ptx -k transposeNaive --grid 4,4 --block 32,8 --arg 'f32[16384]' --arg 'f32[16384]' --arg i32=128 -q --no-sass -o k.wlp; warplens report k.wlp --page summary | grep "^Summary")
waiting...done
Summary: 2 of 2 launches, GPU h100
Summary: 1 of 1 launch, GPU h100
