// Accesses of all kinds: widths, atomics, asynchronous copies, matrices, calls, local arrays, clusters, partial warps. Loops of compare-and-swap have a warp
// alone: where several meet, how often lanes try again differs from run to run.
#include <cstdio>
#include <cstdint>
#include <cooperative_groups.h>
namespace cg=cooperative_groups;
__global__ void widths(const char*in,char*out){ __shared__ __align__(16) char s[4096*4]; int t=threadIdx.x;
 ((float4*)s)[t]=((const float4*)in)[t]; __syncthreads();
 float4 a=((float4*)s)[(t*5)%256]; double d=((double*)s)[(t*3)%256]; float4 u=((float4*)s)[t/32]; float2 p=((float2*)s)[t/2]; short h=((short*)s)[t*2]; char b=s[t*3];
 ((float4*)out)[t]=make_float4(a.x+u.y+h,a.y+(float)d,a.z+p.x,a.w+p.y+b); }
__global__ void atomics(int*g,float*f,unsigned long long*l){ __shared__ int s[64]; int t=threadIdx.x;
 if(t<64)s[t]=0; __syncthreads();
 atomicAdd(&s[t%7],1); atomicAdd(&s[t%11],t); atomicMax(&s[t%13],t); atomicCAS(&s[t%5],t,t+1);
 int old=atomicExch(&s[t%17],t); __syncthreads(); atomicAdd(&g[t%33],s[t%64]+old); atomicAdd(f+(t%10),(float)old); atomicAdd(l,(unsigned long long)old); }
__global__ void loops(float*f,unsigned long long*l){ __shared__ float fs[32]; __shared__ unsigned long long ls[16]; int t=threadIdx.x;
 fs[t]=0; if(t<16) ls[t]=0; __syncwarp(); atomicAdd(&fs[t%9],1.f); atomicAdd(&ls[t%3],(unsigned long long)t); __syncwarp(); f[t]=fs[t]; l[t]=ls[t%16]; }
__global__ void copies(const float4*in,float4*out){ __shared__ __align__(128) float4 s[256]; __shared__ float q[256]; int t=threadIdx.x; uint32_t d=(uint32_t)__cvta_generic_to_shared(&s[t]); uint32_t e=(uint32_t)__cvta_generic_to_shared(&q[(t*3)%256]);
 asm volatile("cp.async.cg.shared.global [%0],[%1],16;"::"r"(d),"l"(in+(t^3)));
 asm volatile("cp.async.ca.shared.global [%0],[%1],4;"::"r"(e),"l"((const float*)in+t));
 asm volatile("cp.async.commit_group; cp.async.wait_group 0;"); __syncthreads(); float4 v=s[255-t]; v.x+=q[t]; 
 uint32_t r0,r1,r2,r3; uint32_t m=(uint32_t)__cvta_generic_to_shared(&s[(t%32)*2]); asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];":"=r"(r0),"=r"(r1),"=r"(r2),"=r"(r3):"r"(m)); v.y+=r0+r1+r2+r3; out[t]=v; }
__device__ __noinline__ float callee(const float*p,int i){ return p[i*3]+p[i]; }
__global__ void calls(const float*in,float*out,int n){ __shared__ float s[512]; int t=threadIdx.x; s[t]=in[t]; __syncthreads(); const float*p= n>100? in : s; float v=callee(p,t%100)+callee(in,t%50); float loc[64]; for(int i=0;i<64;i++) loc[i]=in[i+t]; v+=loc[(n+t)%64]; out[t]=v; }
__global__ void __cluster_dims__(2,1,1) clusters(float*out){ __shared__ float s[128]; cg::cluster_group c=cg::this_cluster(); int t=threadIdx.x; s[t]=t; c.sync(); float*o=c.map_shared_rank(s,c.block_rank()^1); out[blockIdx.x*128+t]=o[127-t]; c.sync(); }
__global__ void partial(const float*in,float*out,int n){ int t=threadIdx.x; if(t%3==0) out[t*7]=in[t*5]; if(t<n) out[t]=in[1000-t*4]; }
int main(int argc, char **){ float*a,*b; cudaMalloc(&a,1<<20); cudaMalloc(&b,1<<20); cudaMemset(a,0,1<<20); cudaMemset(b,0,1<<20);
 widths<<<4,256>>>((char*)a,(char*)b); atomics<<<3,128>>>((int*)a,b,(unsigned long long*)(b+64)); loops<<<3,32>>>(b,(unsigned long long*)(b+64)); copies<<<2,256>>>((float4*)a,(float4*)b); calls<<<2,128>>>(a,b,10); calls<<<2,128>>>(a,b,200); clusters<<<4,128>>>(b); partial<<<2,128>>>(a,b,77);
 if (argc > 1) { cudaStream_t s; cudaStreamCreate(&s); cudaGraph_t g; cudaGraphExec_t e; cudaStreamBeginCapture(s,cudaStreamCaptureModeGlobal); widths<<<4,256,0,s>>>((char*)a,(char*)b); partial<<<1,64,0,s>>>(a,b,10); cudaStreamEndCapture(s,&g); cudaGraphInstantiate(&e,g,0); cudaGraphLaunch(e,s); cudaGraphLaunch(e,s); cudaStreamSynchronize(s); }
 printf("%s\n",cudaGetErrorString(cudaDeviceSynchronize())); return 0; }
