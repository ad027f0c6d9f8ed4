// Complex numbers in global memory, by members.
struct Complex {
    float re, im;
};

__global__ void complexScale(const Complex *a, const Complex *b, Complex *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    c[i].re = a[i].re * b[i].re - a[i].im * b[i].im;
    c[i].im = a[i].re * b[i].im + a[i].im * b[i].re;
}
