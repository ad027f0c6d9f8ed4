// Kernels whose time is measured natively, counted, and under Nsight Compute: cost [REPEATS]. Prints the best time of each.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <algorithm>
__global__ void vecadd(const float*a,const float*b,float*c,size_t n){ size_t i=blockIdx.x*(size_t)blockDim.x+threadIdx.x; if(i<n) c[i]=a[i]+b[i]; }
template<int P> __global__ void transpose(const float*in,float*out,int n){ __shared__ float t[32][32+P]; int x=blockIdx.x*32+threadIdx.x,y=blockIdx.y*32+threadIdx.y;
 for(int j=0;j<32;j+=8) t[threadIdx.y+j][threadIdx.x]=in[(size_t)(y+j)*n+x]; __syncthreads(); x=blockIdx.y*32+threadIdx.x;y=blockIdx.x*32+threadIdx.y;
 for(int j=0;j<32;j+=8) out[(size_t)(y+j)*n+x]=t[threadIdx.x][threadIdx.y+j]; }
__global__ void matmul(const float*A,const float*B,float*C,int n){ __shared__ float a[32][32],b[32][32]; int tx=threadIdx.x,ty=threadIdx.y,r=blockIdx.y*32+ty,c=blockIdx.x*32+tx; float s=0;
 for(int t=0;t<n/32;t++){ a[ty][tx]=A[r*n+t*32+tx]; b[ty][tx]=B[(t*32+ty)*n+c]; __syncthreads();
  for(int k=0;k<32;k++) s+=a[ty][k]*b[k][tx]; __syncthreads(); } C[r*n+c]=s; }
__global__ void arith(float*o,int n){ float x=threadIdx.x; for(int i=0;i<n;i++) x=x*1.0001f+0.5f; o[blockIdx.x*blockDim.x+threadIdx.x]=x; }
template<class F> void timeit(const char*name,F f,int reps){ float best=1e30; cudaEvent_t a,b; cudaEventCreate(&a);cudaEventCreate(&b);
 for(int i=0;i<reps;i++){ cudaEventRecord(a); f(); cudaEventRecord(b); cudaEventSynchronize(b); float ms; cudaEventElapsedTime(&ms,a,b); best=std::min(best,ms);} 
 printf("%s %.3f ms %s\n",name,best,cudaGetErrorString(cudaGetLastError())); fflush(stdout);}
int main(int c,char**v){ int reps=c>1?atoi(v[1]):3; size_t n=64<<20; float*a,*b,*d; cudaMalloc(&a,n*4);cudaMalloc(&b,n*4);cudaMalloc(&d,n*4); cudaMemset(a,0,n*4);cudaMemset(b,0,n*4);
 timeit("vecadd",[&]{vecadd<<<n/256,256>>>(a,b,d,n);},reps);
 timeit("transpose32",[&]{transpose<0><<<dim3(256,256),dim3(32,8)>>>(a,d,8192);},reps);
 timeit("transpose33",[&]{transpose<1><<<dim3(256,256),dim3(32,8)>>>(a,d,8192);},reps);
 timeit("matmul",[&]{matmul<<<dim3(64,64),dim3(32,32)>>>(a,b,d,2048);},reps);
 timeit("arith",[&]{arith<<<132*8,256>>>(d,20000);},reps);
 return 0;}
