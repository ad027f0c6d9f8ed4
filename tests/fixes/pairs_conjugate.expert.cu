// The same by double2.
__global__ void differences(const double *a, const double *b, double *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const double2 x = reinterpret_cast<const double2 *>(a)[i];
    const double2 y = reinterpret_cast<const double2 *>(b)[i];
    reinterpret_cast<double2 *>(out)[i] = make_double2(x.x - y.x, x.y + y.y);
}
