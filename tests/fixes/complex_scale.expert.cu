// The same with an aligned structure, which one access takes.
struct __align__(8) Complex {
    float re, im;
};

__global__ void complexScale(const Complex *a, const Complex *b, Complex *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const Complex x = a[i], y = b[i];
    c[i] = {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
