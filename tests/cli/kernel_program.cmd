# A program or library is a file of kernels, too: they are listed, and one runs by name.
# needs: nvcc
$ printf '__global__ void twice(int *x) { x[threadIdx.x] *= 2; }\n__global__ void idle() {}\nint main() { return 0; }\n' >p.cu; nvcc -arch=sm_80 -o p p.cu; warplens kernel p
warplens: error: there are 2 kernels; name one with -k
p: note: twice(int*)
p: note: idle()
? 3
$ warplens kernel p -k twice --block 32 --arg 'i32[32]=1' --dump 0=x.npy --no-sass --quiet; od -An -td4 -j128 -N8 x.npy
           2           2
$ nvcc -gencode arch=compute_80,code=sm_80 -o sass p.cu; warplens kernel sass
warplens: error: sass: has neither PTX nor machine code that h100 (sm_90) runs, only machine code for sm_80; rebuild with nvcc -lineinfo -arch=sm_90 (CMake: CUDA_ARCHITECTURES 90), or choose a GPU that does, as with --gpu a100 (in Python: WARPLENS_GPU=a100)
? 3
$ warplens kernel /bin/true
warplens: error: /bin/true: holds no device code
? 3
