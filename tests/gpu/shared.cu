// Shared memory of all kinds; prints a row for each launch: kernel, bytes of static and dynamic shared memory, and the blocks that the driver lets on an SM.
#include <cstdio>
extern __shared__ float rest[];
__global__ void fixed(float*o){ __shared__ float tile[32][33]; __shared__ char flags[64]; flags[threadIdx.x%64]=1; tile[threadIdx.x/32][threadIdx.x%32]=o[threadIdx.x]; __syncthreads(); o[threadIdx.x]=tile[threadIdx.x%32][threadIdx.x/32]+flags[threadIdx.x%7]; }
__global__ void dynamic(float*o,int n){ for(int i=threadIdx.x;i<n;i+=blockDim.x) rest[i]=o[i]; __syncthreads(); o[threadIdx.x]=rest[n-1-threadIdx.x%n]; }
__global__ void both(float*o,int n){ __shared__ double sums[128]; sums[threadIdx.x%128]=o[threadIdx.x]; for(int i=threadIdx.x;i<n;i+=blockDim.x) rest[i]=o[i]; __syncthreads(); o[threadIdx.x]=rest[threadIdx.x%n]+sums[127-threadIdx.x%128]; }
__global__ void none(float*o){ o[threadIdx.x]+=1; }
template<class K> void tell(const char*name,K kernel,int threads,int bytes){ int blocks=0; cudaFuncAttributes a; cudaFuncGetAttributes(&a,kernel); cudaFuncSetAttribute(kernel,cudaFuncAttributeMaxDynamicSharedMemorySize,bytes);
 cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks,kernel,threads,bytes); printf("%s %d %d %d\n",name,(int)a.sharedSizeBytes,bytes,blocks); }
int main(){ float*o; cudaMalloc(&o,1<<20); cudaMemset(o,0,1<<20);
 tell("fixed",fixed,1024,0); fixed<<<2,1024>>>(o);
 int sizes[]={400,4096,100000,1024,2048,512,65536,800}; // more than have samples
 for(int bytes:sizes){ tell("dynamic",dynamic,256,bytes); dynamic<<<3,256,bytes>>>(o,bytes/4); }
 for(int bytes:{0,640,32768}) if(bytes){ tell("both",both,128,bytes); both<<<2,128,bytes>>>(o,bytes/4); }
 tell("none",none,512,0); none<<<1,512>>>(o);
 fprintf(stderr,"%s\n",cudaGetErrorString(cudaDeviceSynchronize())); return 0; }
