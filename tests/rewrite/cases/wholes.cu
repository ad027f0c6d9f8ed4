//! whole 16 moves
//! whole 8 products
//! whole 16 refuses
//! whole 16 parts
// Structures in global memory that are taken whole where a thread accesses several members; and what is left as it is.
struct Body {
    float x, y, z, speed;
};
struct alignas(8) Complex {
    float re, im;
};

__global__ void moves(Body *bodies, const Body *others, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bodies[i].x += others[n - i].speed;
    bodies[i].y = others[n - i].x + others[i].x;
    if (bodies[i].x > 1)
        bodies[i].z = 0;
    for (int k = 0; k < 4; k++) {
        float far = others[k].x * others[k].y;
        bodies[k].z = far;
    }
}

__global__ void products(const Complex *a, const Complex *b, Complex *c, int c_i) {
    int i = threadIdx.x;
    c[i].re = a[i].re * b[i].re - a[i].im * b[i].im;
    c[i].im = a[i].re * b[i].im + a[i].im * b[i].re;
}

__global__ void refuses(Body *p, const Body *q, float *out) {
    int i = threadIdx.x;
    p[i].x = 1;
    __syncthreads();
    p[i].y = 2;
    out[0] = q[i].x;
    i++;
    out[1] = q[i].y;
    float *at = &p[0].x;
    p[0].z = p[0].y + *at;
    out[2] = i ? q[3].x : q[3].y;
    p[5].x = p[6].x;
    p[5].y = p[6].y;
}

__global__ void parts(Body *p, Body *whole) {
    int i = threadIdx.x;
    float speed = p[i].speed;
    p[i].x = speed;
    whole[i] = whole[i + 1];
}
