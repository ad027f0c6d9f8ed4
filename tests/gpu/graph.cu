// Kernels that only a graph launches, one of them twice; then one in the default stream.
#include <cstdio>
__global__ void column(float*o){ __shared__ float t[32][32]; t[threadIdx.x][threadIdx.y]=threadIdx.x; __syncthreads(); o[blockIdx.x*1024+threadIdx.y*32+threadIdx.x]=t[threadIdx.y][threadIdx.x]; }
__global__ void stride(float*o,int s){ o[(blockIdx.x*blockDim.x+threadIdx.x)*s]+=1; }
int main(){ float*d; cudaMalloc(&d,1<<24); cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s,cudaStreamCaptureModeGlobal);
 column<<<4,dim3(32,32),0,s>>>(d); stride<<<8,128,0,s>>>(d,3); stride<<<8,128,0,s>>>(d,7); cudaStreamEndCapture(s,&g); cudaGraphInstantiate(&e,g,0); cudaGraphUpload(e,s);
 for(int i=0;i<2;i++) cudaGraphLaunch(e,s); cudaStreamSynchronize(s); stride<<<8,128>>>(d,3); printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize())); return 0; }
