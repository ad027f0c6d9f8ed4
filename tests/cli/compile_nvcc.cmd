# needs: nvcc
# CUDA source by nvcc: lines are those of the user's file, whatever is instantiated; --source-map renames its folder.
$ printf 'template <class T, int N>\n__global__ void copy(T *out, const T *in)\n{\n    out[threadIdx.x] = in[threadIdx.x + N];\n}\n' >copy.cu
$ warplens kernel copy.cu -k copy --instantiate 'copy<float, 3>' --block 32 --arg 'f32[32]' --arg 'f32[64]=iota' --no-sass --quiet -o copy.wlp; warplens report copy.wlp --page raw --lines | cut -f1-6
launch	kernel	file	line	requests	lanes
0	void copy<float, 3>(float*, float const*)	$PWD/copy.cu	4	2	64
$ warplens kernel copy.cu -k copy --instantiate 'copy<double, 0>' --source-map $PWD=/src --block 32 --arg 'f64[32]' --arg 'f64[64]=iota' --no-sass --quiet -o copy.wlp; warplens report copy.wlp --page raw --lines | cut -f1-6
launch	kernel	file	line	requests	lanes
0	void copy<double, 0>(double*, double const*)	/src/copy.cu	4	2	64
$ warplens kernel copy.cu -k copy --instantiate 'copy<int>' --block 32 --no-sass >/dev/null 2>&1
? 3
