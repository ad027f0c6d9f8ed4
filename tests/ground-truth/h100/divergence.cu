// Divergent kernels whose per-source-line counters were measured on an H100
// (divergence-by-line.csv): where do lanes that parted meet again? Each kernel loads before, inside,
// between and behind branches.
// Build: nvcc -arch=sm_90 -O3 -lineinfo -std=c++17 divergence.cu -o divergence
// Do not reformat: the CSV refers to these line numbers.
#include <cstdio>
#include <cuda_runtime.h>

// in[i] = (i * 7919) & 1023: nothing of it is known when compiling.
__global__ void ifElse(const int *in, int *out) {
  int t = threadIdx.x, v = in[t], s = 0;
  if (v & 1)
    s = in[v] * 3 + in[v + 32];
  else
    s = in[2 * v] + 5 * in[v ^ 3];
  s += in[v + t];
  out[blockIdx.x * blockDim.x + t] = s;
}

__global__ void loopByLane(const int *in, int *out) {
  int t = threadIdx.x, n = in[t] & 31, s = 0;
  for (int i = 0; i < n; i++)
    s += in[s % 512 + i * 32];
  s ^= in[(s & 1023)];
  out[blockIdx.x * blockDim.x + t] = s;
}

__global__ void nested(const int *in, int *out) {
  int t = threadIdx.x, v = in[t], s = 0;
  if (v & 1) {
    s = in[v];
    if (v & 2) {
      s += in[s & 1023] * 3;
      if (s & 4)
        s ^= in[(s * 3) & 1023];
      s += in[s & 511];
    }
    s += in[(s + v) & 1023];
  }
  out[blockIdx.x * blockDim.x + t] = s + in[(s * 5) & 1023];
}

__global__ void breakContinue(const int *in, int *out) {
  int t = threadIdx.x, v = in[t], s = 0;
  for (int i = 0; i < 24; i++) {
    int w = in[(v + i * 37) & 1023];
    if (w % 3 == 0)
      continue;
    s += in[(w + s) & 1023];
    if (s % 11 == 5)
      break;
    v ^= in[(s + 1) & 1023];
  }
  out[blockIdx.x * blockDim.x + t] = s + in[v & 1023];
}

__global__ void earlyReturn(const int *in, int *out) {
  int t = threadIdx.x, v = in[t];
  if (v & 8)
    return;
  int s = in[(v * 3) & 1023];
  if (s & 16) {
    out[blockIdx.x * blockDim.x + t] = in[s];
    return;
  }
  out[blockIdx.x * blockDim.x + t] = s + in[(s + 7) & 1023];
}

__global__ void cases(const int *in, int *out) {
  int t = threadIdx.x, v = in[t], s = 0;
  switch (v & 7) {
  case 0:
    s = in[v];
    break;
  case 1:
    s = in[v + 1] * 3;
  case 2:
    s += in[(v + s) & 1023];
    break;
  case 5:
    s = in[(v * 5) & 1023] - 1;
    break;
  default:
    s = 7;
  }
  out[blockIdx.x * blockDim.x + t] = s + in[(s + v) & 1023];
}

__global__ void shortCircuit(const int *in, int *out) {
  int t = threadIdx.x, v = in[t], s = 0;
  if (((v & 1) && in[v] > 300) || in[(v + 64) & 1023] < 200) {
    s = in[(v * 9) & 1023];
    s = in[s] + s;
  }
  out[blockIdx.x * blockDim.x + t] = s + in[(s + 3) & 1023];
}

__global__ void innerLoop(const int *in, int *out) {
  int t = threadIdx.x, v = in[t], s = 0;
  for (int i = 0; i < 8; i++) {
    int w = in[(v + i) & 1023];
    while (w > 1) {
      s += in[w];
      w = w & 1 ? (in[w] & 255) - 1 : w / 2;
      if (s > 200000)
        return;
    }
    v += in[(s + i) & 1023];
  }
  out[blockIdx.x * blockDim.x + t] = s + v;
}

__global__ void shuffleInside(const int *in, int *out) {
  int t = threadIdx.x, v = in[t], s = v;
  for (int i = 0; i < 5; i++) {
    if ((v >> i) & 1)
      s += in[(s + i) & 1023];
    s += __shfl_xor_sync(0xffffffffu, s, 1 << i);
    s &= 0xffff;
    if ((s & 3) == 0)
      s += in[(s >> 2) & 1023];
  }
  out[blockIdx.x * blockDim.x + t] = s;
}

__global__ void unstructured(const int *in, int *out) {
  int t = threadIdx.x, v = in[t], s = 0, n = 0;
again:
  s += in[(v + s) & 1023];
  if (s & 1)
    goto odd;
  s += in[(s + 5) & 1023];
  if (s % 5 == 1)
    goto done;
odd:
  s = s * 3 + in[(s + 11) & 1023];
  if (++n < 9 && (s & 12))
    goto again;
  s += in[n];
done:
  out[blockIdx.x * blockDim.x + t] = s + in[s & 1023];
}

__global__ void sharedTree(const int *in, int *out) {
  __shared__ int a[256];
  int t = threadIdx.x;
  a[t] = in[t];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    if (t % (2 * d) == 0)
      a[t] += a[t + d];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = a[0];
}

typedef void Kernel(const int *, int *);

// With a file's name: writes each kernel's 2,048 results to it, one kernel after the other.
int main(int argc, char **argv) {
  static int host[4096];
  int *in, *out;
  FILE *file = argc > 1 ? fopen(argv[1], "wb") : nullptr;
  Kernel *kernels[] = {ifElse,       loopByLane, nested,        breakContinue, earlyReturn, cases,
                       shortCircuit, innerLoop,  shuffleInside, unstructured,  sharedTree};
  for (int i = 0; i < 4096; i++)
    host[i] = (i * 7919) & 1023;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 2048 * sizeof *out);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  for (Kernel *kernel : kernels) {
    cudaMemset(out, 0, 2048 * sizeof *out);
    kernel<<<8, 256>>>(in, out);
    cudaMemcpy(host, out, 2048 * sizeof *out, cudaMemcpyDeviceToHost);
    if (file)
      fwrite(host, sizeof *host, 2048, file);
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  if (file)
    fclose(file);
  return 0;
}
